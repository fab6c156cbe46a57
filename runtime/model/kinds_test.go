package model_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
)

// Blocks of kinds that are not known here, and known ones with more in them, go back as they came.
func TestUnknownKindsAreKept(t *testing.T) {
	for kind, natives := range map[string][]string{
		model.KindAnthropic: {
			`{"type":"redacted_thinking","data":"abc"}`,
			`{"type":"hologram","depth":[3,{"x":null}]}`,
			`{"type":"server_tool_use","id":"srv_1","name":"web_search","input":{"query":"q"}}`,
			`{"type":"web_search_tool_result","tool_use_id":"srv_1","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"e"}]}`,
		},
		model.KindOpenAI: {
			`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"zzz"}`,
			`{"type":"hologram","id":"h_1","depth":[3,{"x":null}]}`,
			`{"type":"message","id":"m_1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"hm","annotations":[]}]}`,
			`{"type":"function_call","id":"f_1","call_id":"c_1","name":"f","arguments":"{\"a\": 1}","status":"completed","namespace":"n"}`,
		},
		model.KindChat: {
			`{"reasoning_details":[{"type":"reasoning.encrypted","data":"zzz"}]}`,
			`{"hologram":{"x":[1]}}`,
		},
	} {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprint(kind, stream), func(t *testing.T) {
				var blocks []model.Block
				for _, n := range natives {
					blocks = append(blocks, model.Block{Native: json.RawMessage(n)})
				}
				conn, s := served(t, kind, modeltest.Steps(say(append(blocks, text("done"))...), modeltest.Say("x")))
				a := complete(t, conn, ask("x"), (&ear{}).fn(stream))
				for _, b := range a.Blocks {
					if b.Kind == "" {
						t.Errorf("a block has no kind: %+v", b)
					}
				}
				r := ask("x")
				r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Blocks: a.Blocks}, ask("on").Messages[0])
				complete(t, conn, r, nil)
				var sent any
				if err := json.Unmarshal(s.Calls()[1].Body, &sent); err != nil {
					t.Fatal(err)
				}
				all := string(compact(s.Calls()[1].Body))
				for _, n := range natives {
					want := string(compact(json.RawMessage(n)))
					if kind == model.KindChat {
						want = strings.Trim(want, "{}")
					}
					if !strings.Contains(all, want) {
						t.Errorf("did not send back %s\nbut %s", n, all)
					}
				}
			})
		}
	}
}

// At most four places of a request are marked, where Anthropic's cache gains by it.
func TestCacheMarks(t *testing.T) {
	conn, s := served(t, model.KindAnthropic, always(modeltest.Say("x")))
	r := ask("first")
	r.System = []string{"stable", "today", "now"}
	r.Tools = []model.Tool{{Name: "a"}, {Name: "b"}}
	r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Blocks: []model.Block{text("hm")}}, ask("last").Messages[0])
	complete(t, conn, r, nil)
	c := s.Calls()[0]
	if n := strings.Count(string(c.Body), "cache_control"); n != 4 {
		t.Errorf("%d marks: %s", n, c.Body)
	}
	for _, path := range [][]any{{"system", 0}, {"system", 2}, {"tools", 1}, {"messages", 2, "content", 0}} {
		if c.Field(append(path, "cache_control", "type")...) != "ephemeral" {
			t.Errorf("no mark at %v", path)
		}
	}
}

func TestCacheKey(t *testing.T) {
	conn, s := served(t, model.KindOpenAI, always(modeltest.Say("x")))
	r := ask("x")
	r.Session = "session-7"
	complete(t, conn, r, nil)
	c := s.Calls()[0]
	same(t, c.Request.Session, "session-7")
	same(t, fmt.Sprint(c.Field("store"), c.Field("include")), "false [reasoning.encrypted_content]")
}

func TestEffort(t *testing.T) {
	for _, c := range []struct{ kind, model, effort, path, want string }{
		{model.KindAnthropic, "claude-opus-4-6", "high", "output_config", "map[effort:high]"},
		{model.KindAnthropic, "claude-opus-4-6", "high", "thinking", "map[display:summarized type:adaptive]"},
		{model.KindAnthropic, "claude-sonnet-4-5-20250929", "low", "thinking", "map[budget_tokens:2048 type:enabled]"},
		{model.KindAnthropic, "claude-sonnet-4-20250514", "max", "thinking", "map[budget_tokens:14976 type:enabled]"},
		{model.KindAnthropic, "claude-opus-4-6", "none", "thinking", "map[type:disabled]"},
		{model.KindAnthropic, "claude-opus-4-6", "", "thinking", "<nil>"},
		{model.KindOpenAI, "gpt-5.2", "low", "reasoning", "map[effort:low summary:auto]"},
		{model.KindOpenAI, "gpt-5.2", "none", "reasoning", "map[effort:none]"},
		{model.KindOpenAI, "gpt-4.1", "", "include", "<nil>"},
		{model.KindChat, "x", "low", "reasoning_effort", "low"},
	} {
		conn, s := served(t, c.kind, always(modeltest.Say("x")), func(k *model.ConnectionConfig, _ *model.Env) { k.Model = c.model })
		r := ask("x")
		r.Effort = c.effort
		half := 0.5
		r.Temperature = &half
		a := complete(t, conn, r, nil)
		call := s.Calls()[0]
		same(t, fmt.Sprint(call.Field(c.path)), c.want)
		thinks := c.kind == model.KindAnthropic && c.effort != "" && c.effort != "none"
		if (call.Field("temperature") == nil) != thinks || (len(a.Notes) == 1) != thinks {
			t.Errorf("%v: temperature %v, notes %q", c, call.Field("temperature"), a.Notes)
		}
	}
}

// A request is checked before it is sent.
func TestRequestsThatAreRefused(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		conn, s := served(t, kind, always(modeltest.Say("x")))
		for name, change := range map[string]func(*model.Request){
			"no message": func(r *model.Request) { r.Messages = nil },
			"role":       func(r *model.Request) { r.Messages[0].Role = "system" },
			"native":     func(r *model.Request) { r.Messages[0].Blocks[0].Native = json.RawMessage("{") },
			"tool":       func(r *model.Request) { r.Tools = []model.Tool{{Name: "f", Schema: json.RawMessage("{")}} },
		} {
			r := ask("x")
			change(&r)
			_, err := conn.Complete(t.Context(), r, nil)
			if e := fails(t, err); e.Code != model.CodeBadRequest {
				t.Errorf("%s: %v", name, e)
			}
		}
		if len(s.Calls()) != 0 {
			t.Error("it was sent")
		}
	})
}

// Failures that come when the answer has begun.
func TestFailuresInTheStream(t *testing.T) {
	for _, c := range []struct{ kind, raw, code, says string }{
		{model.KindAnthropic, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"busy " + key + "\"}}\n\n", model.CodeOverloaded, "busy"},
		{model.KindAnthropic, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long\"}}\n\n", model.CodeTooLong, "too long"},
		{model.KindOpenAI, "event: error\ndata: {\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"slow " + key + "\"}\n\n", model.CodeRateLimit, "slow"},
		{model.KindOpenAI, "event: error\ndata: {\"type\":\"error\",\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"long\"}}\n\n", model.CodeTooLong, "long"},
		{model.KindOpenAI, "event: response.failed\ndata: {\"type\":\"response.failed\",\"response\":{\"id\":\"r\",\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":\"oops\"}}}\n\n", model.CodeOverloaded, "oops"},
		{model.KindOpenAI, "event: response.failed\ndata: {\"type\":\"response.failed\",\"response\":{\"id\":\"r\",\"status\":\"failed\",\"error\":{\"code\":\"invalid_prompt\",\"message\":\"no\"}}}\n\n", model.CodeRefused, "no"},
		{model.KindChat, "data: {\"error\":{\"code\":502,\"message\":\"upstream " + key + "\"}}\n\n", model.CodeOverloaded, "upstream"},
		{model.KindChat, "data: {\"error\":\"plain\"}\n\n", model.CodeOverloaded, "plain"},
	} {
		conn, _ := served(t, c.kind, always(modeltest.Reply{Raw: c.raw}))
		_, err := conn.Complete(t.Context(), ask("x"), (&ear{}).hear)
		if e := fails(t, err); e.Code != c.code || !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: got %v, want %s", c.raw, e, c.code)
		}
	}
	// Some send it with the status of success, and whole.
	conn, _ := served(t, model.KindChat, always(modeltest.Reply{Raw: `{"error":{"code":"rate_limit_exceeded","message":"slow"}}`}))
	_, err := conn.Complete(t.Context(), ask("x"), nil)
	if e := fails(t, err); e.Code != model.CodeRateLimit {
		t.Errorf("got %v", e)
	}
}

// A result may hold a picture.
func TestPictureInResult(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		conn, s := served(t, kind, always(modeltest.Say("x")))
		r := ask("x")
		r.Messages = append(r.Messages,
			model.Message{Role: model.Assistant, Blocks: []model.Block{{Kind: model.ToolUse, ID: "c", Name: "f"}}},
			model.Message{Role: model.User, Blocks: []model.Block{{Kind: model.ToolResult, ID: "c", Text: "seen", Image: &model.Image{Type: "image/png", Data: []byte("PNG")}}}})
		complete(t, conn, r, (&ear{}).fn(stream))
		if body := string(s.Calls()[0].Body); !strings.Contains(body, "UE5H") || !strings.Contains(body, "seen") {
			t.Errorf("sent %s", body)
		}
	})
}

// A key that is nothing but stars changes nothing.
func TestKeyOfStars(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		conn, _ := served(t, kind, always(modeltest.Say("********")), func(_ *model.ConnectionConfig, e *model.Env) { e.Getenv = getenv("KEY", "******") })
		same(t, complete(t, conn, ask("x"), (&ear{}).fn(stream)).Said(), "********")
	})
}

// What comes in pieces of a kind that is not known here is noted, and does not go back in part.
func TestUnknownPieces(t *testing.T) {
	events := `event: message_start
data: {"type":"message_start","message":{"id":"m","model":"m","content":[],"usage":{}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"hologram"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"light_delta","light":"x"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}

event: message_stop
data: {"type":"message_stop"}

`
	conn, _ := served(t, model.KindAnthropic, always(modeltest.Reply{Raw: events}))
	a := complete(t, conn, ask("x"), (&ear{}).hear)
	if len(a.Blocks) != 1 || a.Blocks[0].Native != nil || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "hologram") {
		t.Errorf("got %+v", a)
	}
}

// Providers that number all calls alike, or send the arguments as an object.
func TestOddCalls(t *testing.T) {
	chunk := func(delta, finish string) string {
		return `data: {"id":"c","model":"m","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + "}]}\n\n"
	}
	conn, _ := served(t, model.KindChat, always(modeltest.Reply{Raw: chunk(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}`, "null") +
		chunk(`{"tool_calls":[{"index":0,"id":"b","function":{"name":"g","arguments":{"x":1}}}]}`, `"stop"`) + "data: [DONE]\n\n"}))
	a := complete(t, conn, ask("x"), (&ear{}).hear)
	same(t, a.Blocks, []model.Block{
		{Kind: model.ToolUse, ID: "a", Name: "f", Input: json.RawMessage(`{}`)},
		{Kind: model.ToolUse, ID: "b", Name: "g", Input: json.RawMessage(`{"x":1}`)},
	})
	same(t, a.Stop, model.StopTools)
}

// The root package of OpenAI's SDK costs each start of the program too much.
func TestRootPackageOfOpenAI(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "\"github.com/openai/openai-go/"+"v3\"") {
			t.Errorf("%s imports it", f)
		}
	}
}
