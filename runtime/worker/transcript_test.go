package worker_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
	"caper/runtime/worker/driver/drivertest"
	"caper/runtime/worker/wire"
)

var record = flag.Bool("record", false, "run the real clients that CAPER_AGENTS names, and keep what they say and the items of it")

// hands are how each client runs a command, and writes a poem.
var hands = map[string]hand{
	"claude_code": {func(command string) use { return use{"Bash", map[string]any{"command": command}} },
		use{"Write", map[string]any{"file_path": "WORK/poem.txt", "content": poem}}},
	"codex": {func(command string) use { return use{"exec_command", map[string]any{"cmd": command}} },
		use{"exec_command", map[string]any{"cmd": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: poem.txt\n+The frog is small,\n+the pond is wide.\n*** End Patch\nEOF"}}},
}

const poem = "The frog is small,\nthe pond is wide.\n"

type hand struct {
	run   func(command string) use
	write use
}

// use is a call of a tool.
type use struct {
	tool  string
	input map[string]any
}

// call is a call with an id.
func (u use) call(id int) model.Block {
	input, _ := json.Marshal(u.input) // texts
	return model.Block{Kind: model.ToolUse, ID: fmt.Sprintf("call_%d", id), Name: u.tool, Input: input}
}

func reply(blocks ...model.Block) modeltest.Reply {
	return modeltest.Reply{Answer: model.Answer{Blocks: blocks}}
}

// conversation is what a model answers in two turns, one reply after the other.
func conversation(h hand) []modeltest.Reply {
	calls := 0
	call := func(u use) model.Block {
		calls++
		return u.call(calls)
	}
	text := func(kind model.BlockKind, s string) model.Block { return model.Block{Kind: kind, Text: s} }
	return []modeltest.Reply{
		reply(text(model.Thinking, "First I look at what is there, since a poem may stand there already, and nobody wants to lose a poem that was good; then I write."),
			text(model.Text, "I look first."), call(h.run("printf 'one\\ntwo\\nthree\\n'"))),
		reply(call(h.write)),
		reply(call(h.run("rm poem.txt"))),
		reply(call(h.run("ls missing"))),
		reply(call(h.run("echo left")), call(h.run("echo right"))),
		reply(call(h.run("true"))),
		reply(call(h.run("head -c 600000 /dev/zero | tr '\\0' x"))),
		reply(text(model.Text, "It is done: "+strings.Repeat("ü", 300000))),
		reply(text(model.Text, "Once more.\nIt is done.")),
	}
}

// TestTranscripts: what a real client once said is decoded anew, and gives exactly the items on record.
func TestTranscripts(t *testing.T) {
	for kind, h := range hands {
		t.Run(kind, func(t *testing.T) {
			file := filepath.Join("testdata", kind+".transcript")
			w := newWorld(t)
			if *record {
				w.real(kind, modeltest.Steps(conversation(h)...))
			} else {
				path, err := filepath.Abs(file)
				ok(t, err)
				w.client(kind, os.Args[0], map[string]string{"SCRIPTED": "replay", "TRANSCRIPT": path})
			}
			w.twoTurns(kind)
			got := w.golden("a")
			if *record {
				log, err := os.ReadFile(filepath.Join(string(w.tree), "jobs/session_agent_harness-s1/threads/a/logs/thread.log"))
				ok(t, err)
				ok(t, os.MkdirAll("testdata", 0o700))
				ok(t, os.WriteFile(file, w.spoken(log), 0o600))
				ok(t, os.WriteFile(filepath.Join("testdata", kind+".items"), []byte(got), 0o600))
			}
			want, err := os.ReadFile(filepath.Join("testdata", kind+".items"))
			ok(t, err)
			if got != string(want) {
				t.Errorf("the items are\n%s\nwant\n%s", got, want)
			}
			w.paired("a")
			if info, err := os.Stat(file); err != nil || info.Size() > 200<<10 {
				t.Errorf("%v: a transcript has at most 200 KB, %+v", err, info)
			}
		})
	}
}

// twoTurns leads a thread from pending through two turns.
func (w *world) twoTurns(kind string) {
	w.t.Helper()
	w.raw("a", fmt.Sprintf(`{"thread":{"metadata":{"workspace":{"work_folder":%q},"agent":{"type":%q},"instance":{"state":"pending"}}}}`, w.work, kind), "Write a poem.")
	stop := w.start()
	w.answer("a", 1)
	_, err := w.user.Post(w.t.Context(), "a", "Once more.")
	ok(w.t, err)
	w.answer("a", 2)
	ok(w.t, stop())
}

// TestRealThreads: the real clients of today, asked the same, call and answer as they did then.
func TestRealThreads(t *testing.T) {
	for kind, h := range hands {
		t.Run(kind, func(t *testing.T) {
			if _, err := drivertest.Real(kind); err != nil {
				t.Skip(err)
			}
			w := newWorld(t)
			w.real(kind, modeltest.Steps(conversation(h)...))
			w.twoTurns(kind)
			w.paired("a")
			if wrote, err := os.ReadFile(filepath.Join(w.work, "poem.txt")); err != nil || string(wrote) != poem {
				t.Errorf("it wrote %q: %v", wrote, err)
			}
			said := map[wire.ItemType]int{}
			for _, i := range w.items("a") {
				said[i.Metadata.Type]++
			}
			items, err := os.ReadFile(filepath.Join("testdata", kind+".items"))
			ok(t, err)
			for _, typ := range []wire.ItemType{wire.ToolCall, wire.ToolResult, wire.Prompt, wire.PromptResolved, wire.TurnEnd} {
				if want := bytes.Count(items, []byte(`"type":"`+string(typ)+`",`)); want == 0 || said[typ] != want {
					t.Errorf("%d items of the type %s, then %d", said[typ], typ, want)
				}
			}
		})
	}
}

// client says how agents of a type are run.
func (w *world) client(kind, exe string, env map[string]string) {
	w.t.Helper()
	b, err := json.Marshal(map[string]any{kind: map[string]any{"executable": exe, "model": "claude-sonnet-4-5", "env": env, "grace_ms": 1000, "silence_ms": 60000}})
	ok(w.t, err)
	w.config = fmt.Sprintf("wire: %s/wire\n%sagents: %s\nsections:\n- {name: one, job_type: session_agent_harness, session: {session_id: s1}}\n", w.root, polling, b)
}

// real is a real client, whose model answers as a script says, which knows the work folder as WORK.
func (w *world) real(kind string, script func(modeltest.Call) modeltest.Reply) *modeltest.Server {
	w.t.Helper()
	exe, err := drivertest.Real(kind)
	ok(w.t, err)
	server := modeltest.New(func(c modeltest.Call) modeltest.Reply {
		r := script(c)
		r.Blocks = slices.Clone(r.Blocks)
		for i := range r.Blocks {
			r.Blocks[i].Input = bytes.ReplaceAll(r.Blocks[i].Input, []byte("WORK"), []byte(w.work))
		}
		return r
	})
	w.t.Cleanup(server.Close)
	env, err := drivertest.Loopback(filepath.Join(w.root, "home"), server.URL)
	ok(w.t, err)
	w.client(kind, exe, env)
	return server
}

// answer answers all that is asked until a turn has ended: what takes away is denied.
func (w *world) answer(alias string, turn int) {
	w.t.Helper()
	answered := map[string]bool{}
	w.until(fmt.Sprintf("turn %d ends", turn), func() bool {
		ends := 0
		items := w.items(alias)
		for _, i := range items {
			if i.Metadata.Type == wire.PromptResolved {
				answered[i.Metadata.Question] = true
			}
		}
		for _, i := range items {
			switch m := i.Metadata; {
			case m.Type == wire.TurnEnd:
				ends++
			case m.Type == wire.Prompt && !answered[m.Question]:
				answered[m.Question] = true
				reply := "yes"
				if strings.Contains(i.TextOf(), "rm ") {
					reply = "no, keep it"
				}
				_, err := w.user.Post(w.t.Context(), alias, reply)
				ok(w.t, err)
			}
		}
		return ends == turn
	})
}

// golden are the items of a thread as text, without what differs from run to run.
func (w *world) golden(alias string) string {
	w.t.Helper()
	questions := map[string]string{}
	var out strings.Builder
	for _, i := range w.items(alias) {
		i.CreatedAt = time.Time{}
		if q := i.Metadata.Question; q != "" {
			if questions[q] == "" {
				questions[q] = fmt.Sprintf("question %d", len(questions)+1)
			}
			i.Metadata.Question = questions[q]
		}
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		ok(w.t, e.Encode(i))
		out.WriteString(squeezed(w.anonymous(strings.Replace(line.String(), `"created_at":"0001-01-01T00:00:00Z",`, "", 1))))
	}
	return out.String()
}

// paired fails where a call has not exactly one result, after it.
func (w *world) paired(alias string) {
	w.t.Helper()
	open, calls := map[string]bool{}, 0
	for _, i := range w.items(alias) {
		switch m := i.Metadata; m.Type {
		case wire.ToolCall:
			if open[m.Tool.InvocationID] {
				w.t.Errorf("%s is called twice", m.Tool.InvocationID)
			}
			open[m.Tool.InvocationID] = true
			calls++
		case wire.ToolResult:
			if !open[m.InvocationID] {
				w.t.Errorf("a result of nothing: %s", m.InvocationID)
			}
			delete(open, m.InvocationID)
		}
	}
	if len(open) > 0 || calls < 7 {
		w.t.Errorf("%d calls, open %v", calls, open)
	}
}

// anonymous is a text without the folders of this machine.
func (w *world) anonymous(s string) string {
	for _, p := range []struct{ path, name string }{{w.work, "WORK"}, {filepath.Join(w.root, "home"), "HOME"}, {w.root, "ROOT"}} {
		real, err := filepath.EvalSymlinks(filepath.Dir(p.path))
		ok(w.t, err)
		for _, path := range []string{p.path, filepath.Join(real, filepath.Base(p.path))} {
			s = strings.ReplaceAll(s, path, p.name)
			s = strings.ReplaceAll(s, regexp.MustCompile("[^a-zA-Z0-9]").ReplaceAllString(path, "-"), p.name)
		}
	}
	return machine.ReplaceAllString(s, `${1}MACHINE`)
}

// machine are the machine's name, and a socket.
var machine = regexp.MustCompile(`("serverName":")[^"]*|/tmp/cc-socks/\d+.sock`)

// spoken are the lines of a thread's log that the client (<) and the driver (>) said.
func (w *world) spoken(log []byte) []byte {
	var out strings.Builder
	for line := range strings.Lines(string(log)) {
		if strings.HasPrefix(line, "< ") || strings.HasPrefix(line, "> ") {
			out.WriteString(squeezed(w.anonymous(line)))
		}
	}
	return []byte(out.String())
}

// squeezed writes a letter that stands there many times in a row once, with how often.
func squeezed(s string) string {
	var out strings.Builder
	r := []rune(s)
	for i := 0; i < len(r); {
		n := 1
		for i+n < len(r) && r[i+n] == r[i] {
			n++
		}
		if n < 200 {
			out.WriteString(string(r[i : i+n]))
		} else {
			fmt.Fprintf(&out, "⟪%c×%d⟫", r[i], n)
		}
		i += n
	}
	return out.String()
}

var squeeze = regexp.MustCompile(`⟪(.)×(\d+)⟫`)

// replay is a client that says what a transcript has, and waits for each line that it was told.
func replay() {
	text, err := os.ReadFile(os.Getenv("TRANSCRIPT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out, in := bufio.NewWriter(os.Stdout), bufio.NewReader(os.Stdin)
	for line := range strings.Lines(string(text)) {
		if said, ok := strings.CutPrefix(line, "< "); ok {
			_, _ = out.WriteString(squeeze.ReplaceAllStringFunc(said, func(m string) string {
				part := squeeze.FindStringSubmatch(m)
				n, _ := strconv.Atoi(part[2])
				return strings.Repeat(part[1], n)
			}))
			continue
		}
		_ = out.Flush()
		if _, err := in.ReadString('\n'); err != nil {
			fmt.Fprintln(os.Stderr, "the transcript goes on, and nothing is said any more")
			os.Exit(1)
		}
	}
	_ = out.Flush()
	_, _ = in.ReadString('\n')
}
