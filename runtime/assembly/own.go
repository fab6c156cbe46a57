package assembly

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program"
	"caper/runtime/program/bind"
	"caper/runtime/session"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// This file defines the tools that programs define: those of files, and those that programs of a session made, for the
// models that work in it. The latter follow the head as all that such programs define.

// ownTools remembers what was read.
type ownTools struct {
	mu    sync.Mutex
	files map[string]ownFile
	bags  map[graph.ID][]ownDefinition // of a program that ended, with those before it
}

type ownFile struct {
	info fs.FileInfo // of the file as it was read
	text string
	all  []ownDefinition
}

// ownDefinition is one (define-tool name "doc" 'schema procedure) at the top level of a text.
type ownDefinition struct {
	tool *tool.Tool
	bag  graph.ID // of the program, zero for a file
}

// Bounds of files of tools.
const (
	maxToolFiles = 200
	maxToolFile  = 256 << 10
)

// definitionsIn reads the tools that a text defines. What is wrong in it is said when it is run.
func definitionsIn(name, text string) (all []ownDefinition) {
	if !strings.Contains(text, "define-tool") {
		return nil
	}
	forms, err := syntax.ReadAll(syntax.NewSource(name, text))
	if err != nil {
		return nil
	}
	for _, f := range forms {
		d, err := bind.DatumOf(f)
		list, ok := d.(graph.List)
		if err != nil || !ok || len(list) != 5 || list[0] != graph.Symbol("define-tool") {
			continue
		}
		called, isName := list[1].(graph.Symbol)
		doc, isText := list[2].(string)
		quoted, isQuoted := list[3].(graph.List)
		if !isName || !isText || !isQuoted || len(quoted) != 2 || quoted[0] != graph.Symbol("quote") {
			continue
		}
		if t, err := tool.Own(string(called), doc, quoted[1]); err == nil {
			all = append(all, ownDefinition{tool: t})
		}
	}
	return all
}

// own are the tools that were defined for a session: by its programs, in the user's files, in the repository's. The first
// of a name holds.
func (s *System) own(n uint64) []*call.Own {
	var out []*call.Own
	if id, ok, err := session.AgentOf(s.Store, n); err == nil && ok {
		if head, _, err := session.Head(s.Store, id); err == nil && !head.IsZero() {
			if newest, err := session.NewestProgram(s.Store, head, ^uint64(0)); err == nil {
				for _, d := range s.definedBy(newest) {
					out = append(out, &call.Own{Tool: d.tool, Run: s.runOwn(d.tool, func(spec *program.Spec) { spec.After = d.bag })})
				}
			}
		}
	}
	out = append(out, s.ownOf(filepath.Join(s.Home.Config, "tools"), false)...)
	if root, err := s.Store.Node(graph.RootID(n)); err == nil {
		if r, ok := root.(*kind.SessionRoot); ok && r.Path != "" {
			out = append(out, s.ownOf(filepath.Join(r.Path, ".caper", "tools"), true)...)
		}
	}
	return out
}

// definedBy are the tools that a program and those before it defined, the newest of a name first.
func (s *System) definedBy(id graph.ID) (all []ownDefinition) {
	s.owned.mu.Lock()
	defer s.owned.mu.Unlock()
	var path []graph.ID
	for !id.IsZero() {
		if known, ok := s.owned.bags[id]; ok {
			all = known
			break
		}
		e, err := s.Store.Entry(id)
		if err != nil {
			break
		}
		job, ok := e.Node.(*kind.ProgrammaticJob)
		if !ok {
			break
		}
		if program.IsLink(e.Outcome) {
			path = append(path, id)
		}
		id = graph.ID{}
		if job.After != nil {
			id = job.After.ID()
		}
	}
	if s.owned.bags == nil {
		s.owned.bags = map[graph.ID][]ownDefinition{}
	}
	for i := len(path) - 1; i >= 0; i-- {
		text, err := program.SourceOf(s.Calls, path[i])
		if err != nil {
			return all
		}
		if fresh := definitionsIn("program", text); len(fresh) > 0 {
			for j := range fresh {
				fresh[j].bag = path[i]
			}
			all = append(fresh, all...)
		}
		s.owned.bags[path[i]] = all
	}
	return all
}

// ownOf are the tools that the files of a folder define.
func (s *System) ownOf(dir string, repository bool) (out []*call.Own) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for i, e := range entries {
		if i == maxToolFiles {
			break
		}
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || filepath.Ext(path) != ".scm" || strings.HasSuffix(path, program.TestSuffix) || info.Size() > maxToolFile {
			continue
		}
		f, err := s.owned.file(path, info)
		if err != nil {
			continue
		}
		for _, d := range f.all {
			out = append(out, &call.Own{Tool: d.tool, Asks: repository, Run: s.runOwn(d.tool, func(spec *program.Spec) {
				spec.Name, spec.Dir = path, dir
				spec.Source = f.text + "\n" + spec.Source
			})})
		}
	}
	return out
}

func (o *ownTools) file(path string, info fs.FileInfo) (ownFile, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f, ok := o.files[path]; ok && unchanged(f.info, info) {
		return f, nil
	}
	text, err := readBounded(path, maxToolFile)
	if err != nil {
		return ownFile{}, err
	}
	f := ownFile{info: info, text: program.WithoutMain(path, string(text)), all: definitionsIn(path, string(text))}
	if o.files == nil {
		o.files = map[string]ownFile{}
	}
	o.files[path] = f
	return f, nil
}

// runOwn is the body of such a tool: a program of the call's own that calls the procedure.
func (s *System) runOwn(t *tool.Tool, prepare func(*program.Spec)) func(context.Context, call.Work) (tool.Result, call.Rest, error) {
	return func(ctx context.Context, w call.Work) (tool.Result, call.Rest, error) {
		return s.runIn(ctx, w, func(spec *program.Spec) error {
			var data graph.List
			source := "(#%directly " + graph.Write(graph.Symbol(t.Name))
			for i, p := range t.Params {
				v, given := w.Args[p.Name]
				if !given {
					break
				}
				name := fmt.Sprintf("%%%d", i+1)
				source += " " + name
				data = append(data, graph.Pair(name, v))
			}
			spec.Source, spec.Data, spec.Name = source+")", data, "tool"
			prepare(spec)
			return nil
		}, func(r program.Result, err error, output string) (tool.Result, call.Rest, error) {
			if err == nil && r.State == program.Done && r.Rest == "" {
				return program.ToolResult(r)
			}
			return answered(r, err, output)
		})
	}
}

// runIn runs the program of a call: a new one, or what an earlier process left of it. answer is how the call ends.
func (s *System) runIn(ctx context.Context, w call.Work, prepare func(*program.Spec) error, answer func(program.Result, error, string) (tool.Result, call.Rest, error)) (tool.Result, call.Rest, error) {
	runner, err := s.Programs()
	if err != nil {
		return tool.Result{}, "", &tool.Error{Code: "unavailable", Message: err.Error()}
	}
	spec := program.Spec{At: graph.ID{Session: w.ID.Session, Bag: w.Bag}, Context: w.Context, Budget: programBudget, Open: true}
	var out text
	spec.Ended = func(r program.Result, err error) {
		if err != nil || r.State == program.Parked || r.State == program.Uncertain || r.State == program.Cancelled {
			return // it has not ended, or what it sent to the background ends too
		}
		r.Rest = ""
		result, _, err := answer(r, nil, out.String())
		s.goesOn(w.ID, result, err)
	}
	r, err := s.runAt(ctx, runner, spec, w.Again, prepare, &out)
	if r.Rest != "" { // what it sent there waited before it ended
		spec.Ended(r, err)
	}
	return answer(r, err, out.String())
}

// runAt runs a program at its place. again says that an earlier process may have left some of it there.
func (s *System) runAt(ctx context.Context, runner *program.Runner, spec program.Spec, again bool, prepare func(*program.Spec) error, out *text) (program.Result, error) {
	if again {
		_, err := s.Store.Node(spec.At)
		if err == nil {
			return runner.Resume(ctx, spec.At, func(job *kind.ProgrammaticJob) (program.Spec, error) {
				spec.Name, spec.Budget, spec.At, spec.Dir = job.Name, job.Budget, graph.ID{}, job.Dir
				return spec, nil
			}, out)
		}
		if !errors.Is(err, store.ErrNotFound) {
			return program.Result{}, err
		}
	}
	if err := prepare(&spec); err != nil {
		return program.Result{}, err
	}
	return runner.Run(ctx, spec, out, nil)
}
