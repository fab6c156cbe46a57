package agent_test

import (
	"strings"
	"testing"

	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/model"

	"github.com/google/go-cmp/cmp"
)

func TestTurn(t *testing.T) {
	for _, c := range []struct {
		name    string
		replies []reply
		tape    []string
		state   kind.State
		text    string
	}{
		{"a text", []reply{say("hello")}, []string{"prompt user", "completion settled"}, kind.Settled, "hello"},
		{"two reads at once", []reply{calls(use{"read-file", map[string]any{"path": "a"}}, use{"read-file", map[string]any{"path": "b"}}), say("read")},
			[]string{"prompt user", "completion settled", "calls settled settled", "completion settled"}, kind.Settled, "read"},
		{"a call that is denied", []reply{calls(use{"write-file", map[string]any{"path": "c", "data": "x"}}), say("then not")},
			[]string{"prompt user", "completion settled", "calls denied", "completion settled"}, kind.Settled, "then not"},
		{"a tool that there is none of", []reply{calls(use{"red-file", map[string]any{"path": "a"}}), say("sorry")},
			[]string{"prompt user", "completion settled", "calls failed", "completion settled"}, kind.Settled, "sorry"},
		{"an argument that there is none of", []reply{calls(use{"read-file", map[string]any{"file": "a"}}), say("sorry")},
			[]string{"prompt user", "completion settled", "calls failed", "completion settled"}, kind.Settled, "sorry"},
		{"it thinks and then speaks", []reply{think("hm"), say("yes")},
			[]string{"prompt user", "completion settled", "prompt thought-continue", "completion settled"}, kind.Settled, "yes"},
		{"the model fails", []reply{fail(&model.Error{Code: "auth", Message: "no key"})}, []string{"prompt user", "completion failed"}, kind.Failed, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, license.Manual)
			w.file("a", "text of a")
			w.file("b", "text of b")
			res := w.turn("do it", c.replies...)
			if res.State != c.state || res.Text != c.text {
				t.Errorf("the turn ended as %s with %q (%v), wanted %s with %q", res.State, res.Text, res.Error, c.state, c.text)
			}
			if diff := cmp.Diff(c.tape, w.tape(res.ID)); diff != "" {
				t.Errorf("the tape:\n%s", diff)
			}
		})
	}
}

func TestResultsGoBackInCallOrder(t *testing.T) {
	w := newWorld(t, license.Manual)
	w.file("a", "text of a")
	w.file("b", "text of b")
	w.turn("do it", calls(use{"read-file", map[string]any{"path": "a"}}, use{"nothing", nil}, use{"read-file", map[string]any{"path": "b"}}), say("read"))
	last := w.asked[1].Messages
	var got []string
	for _, m := range last {
		for _, b := range m.Blocks {
			text, _, _ := strings.Cut(b.Text, "\n")
			got = append(got, strings.TrimSpace(string(m.Role)+" "+string(b.Kind)+" "+b.ID+" "+text))
		}
	}
	want := []string{"user text  do it", "assistant tool-use use0", "assistant tool-use use1", "assistant tool-use use2",
		"user tool-result use0 text of a", "user tool-result use1 there is no tool called nothing", "user tool-result use2 text of b"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
