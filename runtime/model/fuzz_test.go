package model_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
)

// FuzzConfig: whatever a file holds, reading it ends in a configuration that opens or in an error with a place.
func FuzzConfig(f *testing.F) {
	f.Add([]byte(goodConfig))
	for _, s := range []string{"", "a: [", "connections: {a: {kind: openai}}", "connections:\n  a: |\n    x", "? x\n: y", "connections:\n  ? [a]\n  : b", "\"\\x", "a: !!binary x", "%YAML 1.2\n---\n", "connections:\n  a: {kind: fallback, chain: [a:b, a]}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, err := model.ParseConfig("f", src)
		if err != nil {
			var e *model.ConfigError
			if !errors.As(err, &e) || e.Line < 1 || e.Column < 0 || e.Why == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		set, err := model.Open(c, model.Env{})
		if err != nil {
			return
		}
		defer set.Close()
		for _, n := range set.Names() {
			_, _ = set.Get(n + ":m")
		}
	})
}

// FuzzAnswer: whatever a server sends, asking it ends in an answer that can be kept and sent back, or in an *Error.
func FuzzAnswer(f *testing.F) {
	names := []string{model.KindAnthropic, model.KindOpenAI, model.KindChat}
	var raw string
	server := modeltest.New(func(modeltest.Call) modeltest.Reply { return modeltest.Reply{Raw: " " + raw} })
	f.Cleanup(server.Close)
	conns := map[string]model.Connection{}
	var cfg model.Config
	for _, kind := range names {
		c := model.ConnectionConfig{Name: kind, Kind: kind, BaseURL: server.URL, KeyEnv: "KEY", Model: kinds[kind]}
		if kind != model.KindAnthropic {
			c.BaseURL += "/v1"
		}
		cfg.Connections = append(cfg.Connections, c)
	}
	set, err := model.Open(cfg, model.Env{Getenv: getenv("KEY", key)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(set.Close)
	for _, kind := range names {
		if conns[kind], err = set.Get(kind); err != nil {
			f.Fatal(err)
		}
	}
	// The seeds are real answers of each kind.
	reply := modeltest.Use("f", `{"a":[1,"x"]}`)
	reply.Blocks = append(reply.Blocks, model.Block{Kind: model.Thinking, Text: "hm"}, text("hello "+key))
	for i, kind := range names {
		for _, stream := range []bool{false, true} {
			body := ""
			record := modeltest.New(func(modeltest.Call) modeltest.Reply { return reply })
			c := model.ConnectionConfig{Name: "r", Kind: kind, BaseURL: record.URL + map[bool]string{true: "", false: "/v1"}[kind == model.KindAnthropic], Model: kinds[kind]}
			s, err := model.Open(model.Config{Connections: []model.ConnectionConfig{c}}, model.Env{})
			if err != nil {
				f.Fatal(err)
			}
			conn, _ := s.Get("r")
			if _, err := conn.Complete(f.Context(), ask("x"), (&ear{}).fn(stream)); err != nil {
				f.Fatal(err)
			}
			body = sentBody(f, record, kind)
			s.Close()
			record.Close()
			f.Add(uint8(i), stream, []byte(body))
			f.Add(uint8(i), stream, []byte(strings.ReplaceAll(body, "index\":0", "index\":1")))
			f.Add(uint8(i), stream, []byte(body[:len(body)/2]))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, stream bool, body []byte) {
		if len(body) > 1<<16 {
			return
		}
		conn := conns[names[int(which)%len(names)]]
		raw = string(body)
		a, err := conn.Complete(t.Context(), ask("x"), (&ear{}).fn(stream))
		if err != nil {
			fails(t, err)
			return
		}
		kept, err := json.Marshal(a)
		if err != nil || !utf8.Valid(kept) {
			t.Fatalf("cannot be kept: %v", err)
		}
		for _, b := range a.Blocks {
			if b.Kind == "" || b.Kind == model.ToolUse && !json.Valid(b.Input) || strings.Contains(b.Text, key) {
				t.Fatalf("got %+v", b)
			}
		}
		r := ask("x")
		r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Blocks: a.Blocks}, ask("y").Messages[0])
		raw = "{}"
		_, err = conn.Complete(t.Context(), r, nil)
		if e := fails(t, err); e.Code != model.CodeMalformed {
			t.Fatalf("cannot be sent back: %v", e)
		}
	})
}
