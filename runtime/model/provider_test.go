package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
)

func TestText(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		reply := modeltest.Say("Grüße, 世界 🎉")
		reply.Usage = model.Usage{Input: 30, CacheRead: 70, Output: 20, Reasoning: 5}
		c, s := served(t, kind, always(reply))
		var e ear
		a := complete(t, c, ask("hello"), e.fn(stream))
		same(t, a.Blocks, []model.Block{text("Grüße, 世界 🎉")})
		same(t, a.Usage, reply.Usage)
		if a.Stop != model.StopEnd || a.ID != "msg_0" || a.Model != kinds[kind] || len(a.Notes) != 0 {
			t.Errorf("got %+v", a)
		}
		if stream {
			same(t, e.blocks, a.Blocks)
		}
		call := s.Calls()[0]
		if call.Stream != stream || call.Provider != kind || call.Last() != "hello" {
			t.Errorf("the request was %s", call.Body)
		}
		if got := call.Header.Get("Authorization") + call.Header.Get("X-Api-Key"); got != key && got != "Bearer "+key {
			t.Errorf("the key was sent as %q", got)
		}
	})
}

func TestParallelTools(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		first := modeltest.Use("read-file", `{"path": "a"}`, "list-dir", `{"deep":{"x":[1,2]}}`)
		first.Blocks = append([]model.Block{text("I look.")}, first.Blocks...)
		c, s := served(t, kind, modeltest.Steps(first, modeltest.Say("done")))
		r := ask("look")
		r.Tools = []model.Tool{{Name: "read-file", Description: "Reads.", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)}, {Name: "list-dir"}}
		var e ear
		a := complete(t, c, r, e.fn(stream))
		want := []model.Block{text("I look."),
			{Kind: model.ToolUse, ID: "call_0", Name: "read-file", Input: json.RawMessage(`{"path": "a"}`)},
			{Kind: model.ToolUse, ID: "call_1", Name: "list-dir", Input: json.RawMessage(`{"deep":{"x":[1,2]}}`)}}
		if kind == model.KindAnthropic && !stream {
			want[1].Input = json.RawMessage(`{"path":"a"}`) // the server wrote it anew
		}
		same(t, a.Blocks, want)
		if a.Stop != model.StopTools {
			t.Errorf("stopped for %s", a.Stop)
		}
		if stream && (len(e.blocks) != 3 || e.blocks[2].Name != "list-dir" || e.blocks[2].Text != `{"deep":{"x":[1,2]}}`) {
			t.Errorf("heard %+v", e.blocks)
		}
		results := []model.Block{text("mind:"), {Kind: model.ToolResult, ID: "call_0", Text: "A"}, {Kind: model.ToolResult, ID: "call_1", Text: "no such folder", Failed: true}}
		r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Blocks: a.Blocks}, model.Message{Role: model.User, Blocks: results})
		complete(t, c, r, e.fn(stream))
		got := s.Calls()[1].Request.Messages
		if len(got) != 3 {
			t.Fatalf("sent %s", s.Calls()[1].Body)
		}
		if kind != model.KindAnthropic {
			results[2].Failed = false // said in the text
			results[2].Text = "Error: no such folder"
		}
		for i := range got[1].Blocks {
			got[1].Blocks[i].Input = compact(got[1].Blocks[i].Input)
			want[i].Input = compact(want[i].Input)
		}
		same(t, got[1].Blocks, want)
		same(t, got[2].Blocks, []model.Block{results[1], results[2], results[0]})
		same(t, len(s.Calls()[0].Request.Tools), 2)
	})
}

func compact(raw json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	b, _ := json.Marshal(v)
	return b
}

func TestThinkingGoesBackUnchanged(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		first := modeltest.Use("f", `{}`)
		first.Blocks = append([]model.Block{{Kind: model.Thinking, Text: "hm, so"}}, first.Blocks...)
		c, s := served(t, kind, modeltest.Steps(first, modeltest.Say("x")))
		var e ear
		r := ask("think")
		r.Effort = "high"
		a := complete(t, c, r, e.fn(stream))
		if len(a.Blocks) != 2 || a.Blocks[0].Kind != model.Thinking || a.Blocks[0].Text != "hm, so" {
			t.Fatalf("got %+v", a.Blocks)
		}
		if stream {
			same(t, e.blocks[0].Text, "hm, so")
		}
		again := func(blocks []model.Block) modeltest.Call {
			r := ask("think")
			r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Blocks: blocks}, model.Message{Role: model.User, Blocks: []model.Block{{Kind: model.ToolResult, ID: "call_0", Text: "1"}}})
			complete(t, c, r, nil)
			calls := s.Calls()
			return calls[len(calls)-1]
		}
		// A trip over disk changes nothing.
		var kept []model.Block
		b, _ := json.Marshal(a.Blocks)
		if err := json.Unmarshal(b, &kept); err != nil {
			t.Fatal(err)
		}
		call := again(kept)
		back := call.Request.Messages[1].Blocks
		if back[0].Kind != model.Thinking || kind != model.KindChat && !strings.Contains(string(back[0].Native), modeltest.Signature) || !strings.Contains(string(call.Body), "hm, so") {
			t.Errorf("sent back %s", call.Body)
		}
		// Another provider's is left out.
		kept[0].Provider = "other"
		if call = again(kept); strings.Contains(string(call.Body), "hm, so") {
			t.Errorf("sent another's thinking: %s", call.Body)
		}
	})
}

func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		for name, c := range map[string]struct {
			stop   model.Stop
			detail string
		}{"length": {model.StopLength, ""}, "refusal": {model.StopRefusal, "I will not"}} {
			t.Run(name, func(t *testing.T) {
				reply := modeltest.Say("so far")
				reply.Stop, reply.StopDetail = c.stop, c.detail
				conn, s := served(t, kind, always(reply))
				r := ask("x")
				r.MaxTokens = 7
				a := complete(t, conn, r, (&ear{}).fn(stream))
				if a.Stop != c.stop || !strings.Contains(a.StopDetail, c.detail) || a.Said() != "so far" {
					t.Errorf("got %+v", a)
				}
				same(t, s.Calls()[0].Request.MaxTokens, 7)
			})
		}
	})
}

func TestBrokenArguments(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		for _, args := range []string{`{"path": "a`, `[1]`, `"x"`, `{"a":1}}`} {
			reply := modeltest.Use("f", "{}", "g", "{}")
			reply.Blocks[0].Failed, reply.Blocks[0].Text = true, args
			conn, _ := served(t, kind, always(reply))
			a := complete(t, conn, ask("x"), (&ear{}).fn(stream))
			b := a.Blocks[0]
			if !b.Failed || !strings.Contains(b.Text, strings.Trim(args, `"`)[:1]) || string(b.Input) != "{}" || b.ID != "call_0" || b.Name != "f" {
				t.Errorf("%s: got %+v", args, b)
			}
			same(t, a.Blocks[1], model.Block{Kind: model.ToolUse, ID: "call_1", Name: "g", Input: json.RawMessage("{}")})
		}
	})
}

func TestHostileBytes(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		whole, _ := served(t, kind, always(modeltest.Say("MARK and "+key)))
		a := complete(t, whole, ask("x"), (&ear{}).fn(stream))
		if strings.Contains(a.Said(), key) || !strings.Contains(a.Said(), strings.Repeat("*", len(key)/2)) {
			t.Errorf("the answer shows the key: %s", a.Said())
		}
		raw := capture(t, kind, stream, modeltest.Say("MARK"))
		for _, split := range []int{0, 1} {
			conn, _ := served(t, kind, always(modeltest.Reply{Raw: strings.ReplaceAll(raw, "MA", "\xff\xc3("), Split: split}))
			a = complete(t, conn, ask("x"), (&ear{}).fn(stream))
			if !strings.HasPrefix(a.Said(), "��(") || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "UTF-8") {
				t.Errorf("got %q, notes %q", a.Said(), a.Notes)
			}
		}
	})
}

// capture answers the body that a reply is sent as.
func capture(t *testing.T, kind string, stream bool, reply modeltest.Reply) string {
	t.Helper()
	conn, s := served(t, kind, always(reply))
	complete(t, conn, ask("x"), (&ear{}).fn(stream))
	return sentBody(t, s, kind)
}

// sentBody answers what the server sends to the first request that it got.
func sentBody(t testing.TB, s *modeltest.Server, kind string) string {
	t.Helper()
	path := map[string]string{model.KindAnthropic: "/v1/messages", model.KindOpenAI: "/v1/responses", model.KindChat: "/v1/chat/completions"}[kind]
	res, err := http.Post(s.URL+path, "application/json", bytes.NewReader(s.Calls()[0].Body))
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestImages(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		conn, s := served(t, kind, always(modeltest.Say("a dot")))
		r := ask("what is it?")
		dot := model.Block{Kind: model.ImageBlock, Image: &model.Image{Type: "image/png", Data: []byte{0x89, 'P', 'N', 'G', 0, 255}}}
		r.Messages[0].Blocks = append(r.Messages[0].Blocks, dot)
		complete(t, conn, r, (&ear{}).fn(stream))
		same(t, s.Calls()[0].Request.Messages[0].Blocks, []model.Block{text("what is it?"), dot})
	})
}

// One connection serves many at once.
func TestAtOnce(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		conn, _ := served(t, kind, func(c modeltest.Call) modeltest.Reply { return modeltest.Say("re: " + c.Last()) })
		answers := make(chan [2]string)
		for i := range 20 {
			go func() {
				q := fmt.Sprint("question ", i)
				a, err := conn.Complete(t.Context(), ask(q), (&ear{}).fn(stream))
				if err != nil {
					answers <- [2]string{q, err.Error()}
					return
				}
				answers <- [2]string{"re: " + q, a.Said()}
			}()
		}
		for range 20 {
			a := <-answers
			same(t, a[1], a[0])
		}
	})
}
