package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"

	"github.com/google/go-cmp/cmp"
)

// A turn of an agent: it reads and writes side by side, runs a command, writes on what came of it, is folded, and says so.
// The model answers by what it is sent, so that it says the same to a request that comes again.
func turnScript(c modeltest.Call) modeltest.Reply {
	q := c.Request
	used := model.Usage{Input: 400, Output: 100}
	if len(q.Tools) == 0 { // the intern that folds
		r := modeltest.Say("A was read, b and c written.")
		r.Usage = used
		return r
	}
	answers := 0
	for _, m := range q.Messages {
		if m.Role == model.Assistant {
			answers++
		}
	}
	var r modeltest.Reply
	switch {
	case strings.Contains(q.Messages[0].Blocks[0].Text, "<summary"):
		r = modeltest.Say("All is done, I think.")
	case answers == 0:
		r = modeltest.Use("read-file", `{"path":"a.txt"}`, "write-file", `{"path":"b.txt","data":"b\n"}`, "append-file", `{"path":"log.txt","data":"one\n"}`)
		r.Blocks = append([]model.Block{{Kind: model.Text, Text: "I look and write at once."}}, r.Blocks...)
	case answers == 1:
		r = modeltest.Use("edit-file", `{"path":"b.txt","old":"b","new":"c"}`, "append-file", `{"path":"log.txt","data":"two\n"}`,
			"bash", `{"command":"printf 'ran\\n' >> \"$COUNTER\"; sleep ${LINGER:-0}; echo did ran"}`)
	default:
		r = modeltest.Use("append-file", `{"path":"log.txt","data":"three\n"}`)
		used.Input = 5000 // from here on the window is nearly full
	}
	r.Usage = used
	return r
}

// turnWorld is a world with a model and its server.
type turnWorld struct {
	*world
	server *modeltest.Server
}

func newTurnWorld(t testing.TB, durability string) *turnWorld {
	t.Helper()
	return newWorldOf(t, durability, turnScript)
}

func newWorldOf(t testing.TB, durability string, script func(modeltest.Call) modeltest.Reply) *turnWorld {
	t.Helper()
	w := &turnWorld{newWorld(t, durability), modeltest.New(script)}
	t.Cleanup(w.server.Close)
	w.write("a.txt", "text of a\n")
	w.write("log.txt", "")
	if err := os.WriteFile(filepath.Join(w.home, "config.json"), []byte(`{"compaction":{"window":5000}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *turnWorld) env(extra ...string) []string {
	return append([]string{"ANTHROPIC_API_KEY=key", "ANTHROPIC_BASE_URL=" + w.server.URL}, extra...)
}

func (w *turnWorld) ask(extra ...string) result {
	return w.caper(w.env(extra...), "ask", "--policy", "yolo", "--durability", w.durability, "--model", "anthropic:m", "do it")
}

// paid are the requests that the server got, each as its messages without what differs from run to run.
func (w *turnWorld) paid() (out []string) {
	for _, c := range w.server.Calls() {
		text, err := json.Marshal(c.Request.Messages)
		if err != nil {
			w.t.Error(err)
		}
		out = append(out, anyID.ReplaceAllString(strings.ReplaceAll(string(text), w.root, "ROOT"), "ID"))
	}
	return out
}

// recorded counts the completions whose answer is on record, of the turn and of its interns.
func (w *turnWorld) recorded() int {
	w.t.Helper()
	if turn := w.turn(); turn != "" {
		return strings.Count(w.ok("tree", turn, "--json", "--durability", w.durability), `"kind":"CompletionJob","name":`) - w.open(turn)
	}
	return 0
}

var unanswered = regexp.MustCompile(`"kind":"CompletionJob","name":"[a-z-]+"(,"args":"[^}]*?")?,"state":"(running|interrupted)"`)

func (w *turnWorld) open(turn string) int {
	return len(unanswered.FindAllString(w.ok("tree", turn, "--json", "--durability", w.durability), -1))
}

// turn is the id of the turn, "" when it is not on record. An ask that died before that leaves an empty session before it.
func (w *turnWorld) turn() string {
	for _, id := range []string{"2.1.2", "1.1.2"} {
		if r := w.caper(nil, "tree", id, "--json", "--durability", w.durability); r.code == 0 {
			return id
		}
	}
	return ""
}

// story is the transcript without what differs from run to run.
func (w *turnWorld) story() string {
	w.t.Helper()
	session, _, _ := strings.Cut(w.turn(), ".")
	text := w.ok("transcript", session, "--durability", w.durability)
	text = strings.ReplaceAll(text, "  happened  says tester with caper", " 1 ms exit 0, 8 B") // a command of which a person said it
	text = strings.ReplaceAll(text, "caper transcript "+session, "caper transcript N")
	return anyTime.ReplaceAllString(strings.ReplaceAll(anyID.ReplaceAllString(text, "ID"), w.root, "ROOT"), "TIME ")
}

// TestKillATurn kills a turn at every boundary, and resumes it: no answer on record is paid for again, every call has one
// result, a command of which nobody knows is asked about and never run twice, and the conversation reads as that of the unbroken turn.
func TestKillATurn(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			whole := newTurnWorld(t, mode)
			log := filepath.Join(whole.root, "points")
			r := whole.ask("CAPER_FAULT_LOG=" + log)
			if r.code != 0 || !strings.Contains(r.stdout, "All is done") {
				t.Fatalf("the unbroken turn: %v", r)
			}
			want, paid, story := ending{Stdout: r.stdout, Files: whole.files(), Ticks: []string{"ran"}}, whole.paid(), whole.story()
			if n := whole.recorded(); n != len(paid) || n != 5 {
				t.Fatalf("%d requests, %d on record:\n%s", len(paid), n, strings.Join(paid, "\n"))
			}
			passed := passages(strings.Fields(whole.read(log)))
			var mu sync.Mutex
			cut, doubts := 0, 0
			t.Run("kill", func(t *testing.T) {
				for i, p := range names(passed) {
					for _, k := range turnKills(i, p, passed[p], mode) {
						t.Run(k.String(), func(t *testing.T) {
							t.Parallel()
							w := newTurnWorld(t, mode)
							r := w.ask("CAPER_FAULT="+k[0], "LINGER="+map[bool]string{true: "100"}[p == "released"]) // a command that still runs is killed, and nobody knows
							if !r.killed {
								return // calls side by side differ from run to run
							}
							again, asked, err := w.goOn(r, paid)
							mu.Lock()
							cut += again
							doubts += asked
							mu.Unlock()
							if err == nil {
								err = w.right(want, story)
							}
							if err != nil {
								t.Fatal(err)
							}
						})
					}
				}
			})
			if doubts == 0 {
				t.Error("no command was killed in its midst")
			}
			t.Logf("%d requests were cut off before their answer was on record, and asked again; of %d commands a person said what they did", cut, doubts)
		})
	}
}

// turnKills are the passages of a point at which a turn is killed; all of the turn's own, where a command runs, and a slice of
// the others.
func turnKills(i int, point string, last int, mode string) []kills {
	own := strings.HasPrefix(point, "turn-") || strings.HasPrefix(point, "intern-") || strings.HasPrefix(point, "compact-") ||
		point == "released"
	switch {
	case full() || own && mode == "fast" && last <= 6:
		return chosen(i, point, last)
	case own || i%3 == 0:
		return []kills{{fmt.Sprintf("%s:%d", point, 1+(i*7)%last)}}
	}
	return nil
}

// goOn resumes a killed turn to its end and compares what was paid with what was on record. again counts the requests that
// were asked a second time, doubts the commands of which a person had to say what they did.
func (w *turnWorld) goOn(r result, want []string) (again, doubts int, err error) {
	before := w.paid()
	kept := w.recorded()
	turn := w.turn()
	if turn == "" {
		r = w.ask() // nothing was on record
	} else if r = w.resume(turn); r.code == 5 {
		n, err := w.resolveAll(r)
		if doubts = n.uncertain; err != nil {
			return 0, doubts, err
		}
		r = w.resume(turn)
	}
	if r.code != 0 || !strings.Contains(r.stdout, "All is done") {
		return 0, doubts, fmt.Errorf("the resumed turn: %v", r)
	}
	after := w.paid()[len(before):]
	if len(after) != len(want)-kept {
		return 0, doubts, fmt.Errorf("%d of %d answers were on record, %d were asked for after that, %d before", kept, len(want), len(after), len(before))
	}
	if d := cmp.Diff(want[kept:], after); d != "" {
		return 0, doubts, fmt.Errorf("what was asked after the crash (-want +got):\n%s", d)
	}
	return len(before) - kept, doubts, nil
}

// resume goes on with a turn.
func (w *turnWorld) resume(turn string) result {
	return w.caper(w.env(), "resume", turn, "--durability", w.durability)
}

var anyTime = regexp.MustCompile(` +<?\d+(\.\d+)? (ms|s) *`)

var anyID = regexp.MustCompile(`\b\d+\.\d+\.\d+\b`)

// right compares the workspace and the transcript, and looks after the store.
func (w *turnWorld) right(want ending, story string) error {
	if d := cmp.Diff(want.Files, w.files()); d != "" {
		return fmt.Errorf("the files (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want.Ticks, w.lines()); d != "" {
		return fmt.Errorf("what the command did outside (-want +got):\n%s", d)
	}
	if err := w.noneLeft(); err != nil {
		return err
	}
	if d := cmp.Diff(story, w.story()); d != "" {
		return fmt.Errorf("the transcript (-want +got):\n%s", d)
	}
	return w.verify()
}

// sending is a turn whose program sends work to the background and ends: the turn goes on without it.
func sending(c modeltest.Call) modeltest.Reply {
	for _, m := range c.Request.Messages {
		if m.Role == model.Assistant {
			return modeltest.Say("All is done, I think.")
		}
	}
	return modeltest.Use("scheme", `{"program":"(define (late) (write-file \"late.txt\" \"one\\n\") (bash \"printf 'ran\\\\n' >> $COUNTER; sleep ${LINGER:-0}\") (append-file \"late.txt\" (read-file \"b.txt\")) (display \"late\")) (write-file \"b.txt\" \"b\\n\") (background late) (append-file \"log.txt\" \"early\\n\") (display \"early\") 7"}`)
}

// TestKillWhatATurnSent kills a turn, and what its program sent to the background, at boundaries of both, and resumes: all is
// done once, and the call that went on ends with what both wrote.
func TestKillWhatATurnSent(t *testing.T) {
	const mode = "fast"
	whole := newWorldOf(t, mode, sending)
	log := filepath.Join(whole.root, "points")
	r := whole.ask("CAPER_FAULT_LOG=" + log)
	if err := whole.sent(r, ""); err != nil {
		t.Fatal(err)
	}
	want := whole.files()
	passed := passages(strings.Fields(whole.read(log)))
	var doubts atomic.Int64
	t.Cleanup(func() {
		if doubts.Load() == 0 {
			t.Error("the command was not killed in its midst")
		}
	})
	for i, p := range names(passed) {
		for _, k := range chosen(i, p, passed[p]) {
			t.Run(k.String(), func(t *testing.T) {
				t.Parallel()
				w := newWorldOf(t, mode, sending)
				r := w.ask("CAPER_FAULT="+k[0], "LINGER="+map[bool]string{true: "100"}[p == "released"])
				if r.killed {
					if turn := w.turn(); turn == "" {
						r = w.ask()
					} else if r = w.resume(turn); r.code == 5 {
						n, err := w.resolveAll(r)
						if err != nil {
							t.Fatal(err)
						}
						doubts.Add(int64(n.uncertain))
						r = w.resume(turn)
					}
				}
				if err := w.sent(r, want); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// sent reports what is wrong with a turn of sending that came to its end; want are the files, unless it is the unbroken one.
func (w *turnWorld) sent(r result, want string) error {
	if r.code != 0 || !strings.Contains(r.stdout, "All is done") {
		return fmt.Errorf("it answered %v", r)
	}
	if d := cmp.Diff(want, w.files()); want != "" && d != "" {
		return fmt.Errorf("the files (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"ran"}, w.lines()); d != "" {
		return fmt.Errorf("what the command did outside (-want +got):\n%s", d)
	}
	tree := w.ok("tree", w.turn(), "--json", "--durability", w.durability)
	if strings.Contains(tree, `"state":"running"`) || strings.Contains(tree, `"state":"interrupted"`) {
		return fmt.Errorf("something goes on:\n%s", tree)
	}
	job := regexp.MustCompile(`"id":"([^"]*)"[^{}]*"name":"scheme"`).FindStringSubmatch(tree)
	if job == nil {
		return fmt.Errorf("no call of scheme:\n%s", tree)
	}
	if text := w.ok("show", job[1], "--durability", w.durability); !strings.Contains(text, "early") || !strings.Contains(text, "late") {
		return fmt.Errorf("the call's value: %s", text)
	}
	return errors.Join(w.noneLeft(), w.verify())
}
