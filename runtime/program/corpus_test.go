package program_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"caper/interp"
	"caper/runtime/assembly"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/store/mem"
	"caper/runtime/tool"
	"caper/runtime/view"

	"github.com/rogpeppe/go-internal/txtar"
)

// The corpus is tasks with programs that were written at first try, without a manual, and are kept as they are. A file
// is a task:
//
//	NAME.scm       a program; it runs in a fresh copy of workspace.txtar
//	want           the value that each must have: equal?, but numbers may differ by 0.01
//	any-order      says that the outermost list may come in any order
//	NAME.want      the same for one program; so NAME.raises
//	raises         instead of want: what the message must contain
//	file/PATH      what must be in the workspace afterwards; json/PATH the same, equal as JSON
//	in/PATH        what is in the workspace, instead of workspace.txtar
//	stubs.json     what the tools answer that stand in for a model and the web

// misread are programs whose order of arguments only a reader can tell; they are here until a rule can.
var misread = map[string]string{
	"053/b": "(string-prefix? line (string-append …)): both computed, the affix last",
}

func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/corpus/*.txtar")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	doubles := &doubles{}
	stand := doubles.tools()
	real := slices.DeleteFunc(tool.All(), func(t *tool.Tool) bool {
		return slices.ContainsFunc(stand, func(d *tool.Tool) bool { return d.Name == t.Name })
	})
	tools, err := tool.NewSet(append(real, stand...)...)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := assembly.NewEngine(tools)
	if err != nil {
		t.Fatal(err)
	}
	workspace := sections(t, "testdata/corpus/workspace.txtar")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if name == "workspace" {
			continue
		}
		task, workspace := sections(t, file), workspace
		if own := within(task, "in/"); len(own) > 0 {
			workspace = own
		}
		for _, section := range slices.Sorted(maps.Keys(task)) {
			if p, ok := strings.CutSuffix(section, ".scm"); ok {
				t.Run(name+"/"+p, func(t *testing.T) {
					if why, ok := misread[name+"/"+p]; ok {
						t.Skip("no rule finds the order of these arguments yet (see misread): " + why)
					}
					doubles.reset(t, task["stubs.json"])
					h := corpusHouse(t, engine, tools, workspace)
					h.try(own(task, p), task[section])
				})
			}
		}
	}
}

// own is a task in which the sections PROGRAM.want and PROGRAM.raises are want and raises.
func own(task map[string]string, program string) map[string]string {
	task = maps.Clone(task)
	for _, section := range []string{"want", "raises"} {
		if text, ok := task[program+"."+section]; ok {
			task[section] = text
		}
	}
	return task
}

// within are the sections whose name begins with a prefix, without it.
func within(task map[string]string, prefix string) map[string]string {
	files := map[string]string{}
	for section, text := range task {
		if path, ok := strings.CutPrefix(section, prefix); ok {
			files[path] = text
		}
	}
	return files
}

// sections are the files of an archive.
func sections(t *testing.T, path string) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range a.Files {
		name, coded := strings.CutSuffix(f.Name, " base64")
		data := f.Data
		if coded {
			if data, err = base64.StdEncoding.DecodeString(strings.TrimSpace(string(data))); err != nil {
				t.Fatalf("%s: %s: %v", path, name, err)
			}
		}
		all[name] = string(data)
	}
	return all
}

// corpusHouse is a house with a fresh workspace and the doubles among its tools.
func corpusHouse(t *testing.T, engine *interp.Engine, tools *tool.Set, workspace map[string]string) *house {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, root: root, work: filepath.Join(root, "work")}
	for name, text := range workspace {
		path := filepath.Join(h.work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o600)
		if strings.HasPrefix(text, "#!") {
			mode = 0o700
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(h.leave)
	h.enter(mem.New())
	h.system.Calls.Tools = tools
	h.runner = &program.Runner{Engine: engine, Open: func() (*call.Service, error) { return h.system.Calls, nil }}
	return h
}

func (h *house) try(task map[string]string, source string) {
	h.t.Helper()
	spec := h.spec(source, license.Yolo, nil)
	spec.Context.Answerability = license.None
	spec.Budget = kind.Budget{Fuel: 50_000_000, Memory: 256 << 20}
	r := h.run(h.t.Context(), spec, nil)
	if text, ok := task["raises"]; ok {
		said := view.Error(view.Style{}, r.err) + view.Failure(view.Style{}, r.Result)
		if !strings.Contains(said, strings.TrimSpace(text)) {
			h.t.Errorf("got %v %s\nwant an error that says %s", r.State, said, text)
		}
		return
	}
	if r.err != nil || r.State != program.Done {
		h.t.Fatalf("%v: %+v %v", r.State, r.Error, r.err)
	}
	if text, ok := task["want"]; ok {
		want := h.run(h.t.Context(), h.spec("'"+text, license.Manual, nil), nil)
		if want.err != nil || want.State != program.Done {
			h.t.Fatalf("want: %+v %v", want.Error, want.err)
		}
		_, free := task["any-order"]
		if !agree(want.Value, r.Value, free) {
			h.t.Errorf("got  %s\nwant %s", graph.Write(r.Value), text)
		}
	}
	for section, want := range task {
		path, isJSON := strings.CutPrefix(section, "json/")
		path, isFile := strings.CutPrefix(path, "file/")
		if !isJSON && !isFile {
			continue
		}
		got, err := os.ReadFile(filepath.Join(h.work, path))
		if err != nil {
			h.t.Error(err)
		} else if isFile && string(got) != want || isJSON && !agree(parsed(h.t, want), parsed(h.t, string(got)), false) {
			h.t.Errorf("%s holds\n%s\nwant\n%s", path, got, want)
		}
	}
}

// parsed is JSON with the fields of objects in order.
func parsed(t testing.TB, text string) graph.Datum {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%v: %s", err, text)
	}
	ordered, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	d, err := graph.FromJSON(ordered)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// agree compares as equal? does, but numbers may differ a little, and the items of a list come in any order where free.
func agree(want, got graph.Datum, free bool) bool {
	if x, ok := number(want); ok {
		y, ok := number(got)
		return ok && math.Abs(x-y) <= 0.01
	}
	switch want := want.(type) {
	case graph.List:
		got, ok := got.(graph.List)
		if !ok || len(want) != len(got) {
			return false
		}
		if free {
			left := slices.Clone(got)
			for _, w := range want {
				i := slices.IndexFunc(left, func(g graph.Datum) bool { return agree(w, g, false) })
				if i < 0 {
					return false
				}
				left = slices.Delete(left, i, i+1)
			}
			return true
		}
		return slices.EqualFunc(want, got, func(a, b graph.Datum) bool { return agree(a, b, false) })
	case graph.Vector:
		got, ok := got.(graph.Vector)
		return ok && slices.EqualFunc(want, got, func(a, b graph.Datum) bool { return agree(a, b, false) })
	case *graph.Dotted:
		got, ok := got.(*graph.Dotted)
		return ok && agree(graph.List(want.Items), graph.List(got.Items), false) && agree(want.Tail, got.Tail, false)
	}
	return reflect.DeepEqual(want, got)
}

func number(d graph.Datum) (float64, bool) {
	switch n := d.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	case *big.Int:
		f, _ := new(big.Float).SetInt(n).Float64()
		return f, true
	case *big.Rat:
		f, _ := n.Float64()
		return f, true
	}
	return 0, false
}

// doubles are tools that answer what the stubs of a task say; the first stub that fits does.
type doubles struct {
	mu    sync.Mutex
	stubs map[string]json.RawMessage
	next  map[int]int // how often a stub with a sequence answered
}

type stub struct {
	Spec, Model string
	Match       []string
	Return      json.RawMessage
	Sequence    []json.RawMessage
}

func (d *doubles) reset(t *testing.T, text string) {
	t.Helper()
	d.stubs, d.next = nil, map[int]int{}
	if text != "" {
		if err := json.Unmarshal([]byte(text), &d.stubs); err != nil {
			t.Fatal(err)
		}
	}
}

func (d *doubles) tools() []*tool.Tool {
	text := func(name string, keyword, required bool) tool.Param {
		return tool.Param{Name: name, Kind: tool.String, Keyword: keyword, Required: required}
	}
	double := func(name string, perform func(tool.Args) (graph.Datum, error), params ...tool.Param) *tool.Tool {
		return &tool.Tool{Name: name, Version: "1", Effect: tool.Read, Params: params,
			Prepare: func(context.Context, *tool.Env, tool.Args) (tool.Facts, error) { return tool.Facts{}, nil },
			Perform: func(_ context.Context, _ *tool.Env, args tool.Args, _ tool.Facts) (tool.Result, error) {
				d.mu.Lock()
				defer d.mu.Unlock()
				v, err := perform(args)
				return tool.Result{Value: v}, err
			},
			Recover: func(context.Context, *tool.Env, tool.Args, tool.Facts) (tool.Recovery, error) {
				return tool.Recovery{Outcome: tool.NotDone}, nil
			}}
	}
	return []*tool.Tool{
		double("complete", func(args tool.Args) (graph.Datum, error) {
			said, _ := args["system"].(string)
			return d.answer("complete", args["prompt"].(string)+"\n"+said, args)
		}, text("prompt", false, true), text("system", true, false), text("model", true, false), tool.Param{Name: "schema", Kind: tool.Data, Keyword: true}),
		double("web-search", func(args tool.Args) (graph.Datum, error) {
			v, err := d.answer("web-search", args["query"].(string), args)
			if found, ok := v.(graph.Vector); ok { // the tool answers a list
				v = graph.List(found)
			}
			if list, ok := v.(graph.List); ok {
				if limit, ok := args["limit"].(int64); ok {
					v = list[:min(int(limit), len(list))]
				}
			}
			return v, err
		}, text("query", false, true), tool.Param{Name: "limit", Kind: tool.Int, Keyword: true}),
		double("web-extract", func(args tool.Args) (graph.Datum, error) {
			var pages map[string]json.RawMessage
			if err := json.Unmarshal(d.stubs["web-extract"], &pages); err != nil {
				return nil, err
			}
			url := args["url"].(string)
			var failure struct{ Error string }
			if page, ok := pages[url]; !ok {
				return nil, &tool.Error{Code: "not-found", Message: "no page " + url}
			} else if json.Unmarshal(page, &failure) == nil && failure.Error != "" {
				return nil, &tool.Error{Code: "io", Message: failure.Error}
			} else {
				return graph.FromJSON(page)
			}
		}, text("url", false, true)),
		double("spawn-agent", func(args tool.Args) (graph.Datum, error) {
			return d.answer("spawn-agent", args["prompt"].(string), args)
		}, tool.Param{Name: "spec", Kind: tool.Data, Required: true}, text("prompt", false, true)),
		double("drive-agent", func(tool.Args) (graph.Datum, error) { return "Approved", nil },
			tool.Param{Name: "client", Kind: tool.Data, Required: true}, text("prompt", false, true), text("work-folder", true, false),
			text("session", true, false), tool.Param{Name: "whole", Kind: tool.Bool, Keyword: true}),
	}
}

func (d *doubles) answer(name, text string, args tool.Args) (graph.Datum, error) {
	var stubs []stub
	if err := json.Unmarshal(d.stubs[name], &stubs); err != nil {
		return nil, err
	}
	for i, s := range stubs {
		spec, isText := args["spec"].(string)
		if symbol, ok := args["spec"].(graph.Symbol); ok {
			spec, isText = string(symbol), true
		}
		if s.Model != "" && args["model"] != s.Model || isText && spec != s.Spec || !containsAll(text, s.Match) {
			continue
		}
		if s.Sequence != nil {
			d.next[i]++
			return graph.FromJSON(s.Sequence[min(d.next[i], len(s.Sequence))-1])
		}
		return graph.FromJSON(s.Return)
	}
	return nil, &tool.Error{Code: "not-found", Message: "no stub of " + name + " fits: " + text}
}

func containsAll(text string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(text, p) })
}
