package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
)

const goodConfig = `# mine
connections:
  work:
    kind: anthropic
    key_env: WORK_KEY
    model: claude-opus-4-6
    headers: {X-Team: blue, X-Secret: $TEAM}
    timeout: 90s
    retries: 2
    rate:
      requests: 50
      tokens: 100000
  local:
    kind: openai-chat
    base_url: http://127.0.0.1:11434/v1
    model: llama:8b
    schema: tool
    cache: /tmp/answers
  both: {kind: fallback, chain: [work, "local:qwen:7b"]}
`

func TestConfig(t *testing.T) {
	c, err := model.ParseConfig("models.yaml", []byte(goodConfig))
	if err != nil {
		t.Fatal(err)
	}
	same(t, c.Connections, []model.ConnectionConfig{
		{Name: "both", Kind: "fallback", Retries: -1, Chain: []string{"work", "local:qwen:7b"}},
		{Name: "local", Kind: "openai-chat", BaseURL: "http://127.0.0.1:11434/v1", Model: "llama:8b", Retries: -1, Schema: "tool", Cache: "/tmp/answers"},
		{Name: "work", Kind: "anthropic", KeyEnv: "WORK_KEY", Model: "claude-opus-4-6", Headers: map[string]string{"X-Team": "blue", "X-Secret": "$TEAM"},
			Timeout: 90 * time.Second, Retries: 2, Requests: 50, Tokens: 100000},
	})
	for _, empty := range []string{"", "# nothing\n", "connections:\n"} {
		if c, err := model.ParseConfig("f", []byte(empty)); err != nil || len(c.Connections) != 0 {
			t.Errorf("%q: %v %v", empty, c, err)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	const secret = "sk-verysecret123456"
	for _, c := range []struct{ text, want string }{
		{"connections:\n  a:\n    kind: anthropic\n    api_key: " + secret, "models.yaml:4:5: keys are not kept in files"},
		{"connections:\n  a:\n    kind: anthropic\n    key_env: " + secret, "4:14: key_env should be the name of a variable"},
		{"connections:\n  a:\n    kind: anthropic\n    base_url: https://u:" + secret + "@h/", "4:15: base_url holds a user"},
		{"connections:\n  a:\n    kind: anthropic\n    base_url: https://h/?key=" + secret, "holds a user, a query"},
		{"connections:\n  a:\n    kind: anthropic\n    headers:\n      Authorization: " + secret, "write $NAME"},
		{"connections:\n  a:\n    kind: anthropic\n   api_key: \"" + secret, "YAML"},
		{"connections:\n  a:\n    kind: x", "3:11: kind should be"},
		{"connections:\n  a: {}", "2:3: kind should be"},
		{"connections:\n  a:b: {kind: openai}", "no colon"},
		{"connections:\n  a: {kind: openai, timeout: soon}", "timeout should be a time"},
		{"connections:\n  a: {kind: openai, timeout: 100h}", "timeout should be a time"},
		{"connections:\n  a: {kind: openai, retries: -1}", "retries should be a number"},
		{"connections:\n  a: {kind: openai, retries: 1000}", "at most 100"},
		{"connections:\n  a: {kind: openai, rate: {pages: 1}}", "it has requests and tokens"},
		{"connections:\n  a: {kind: openai, modle: x}", "\"modle\""},
		{"connections:\n  a: {kind: openai}\n  a: {kind: openai}", "YAML"},
		{"connections:\n  a: {kind: openai, key_env: K, key_command: c}", "not from both"},
		{"connections:\n  a: {kind: openai, chain: [b]}", "only a fallback"},
		{"connections:\n  a: {kind: fallback}", "needs a chain"},
		{"connections:\n  a: &x {kind: openai}\n  b: *x", "anchors"},
		{"connection:\n", "the file has connections"},
		{"- a", "should be names with values"},
		{"connections: 7", "should be names with values"},
		{"a: b\n---\nc: d", "several documents"},
		{"connections: " + strings.Repeat("[", 4000), "too deep"},
		{strings.Repeat("- ", 4000), "too deep"},
		{"\x00", "control character"},
		{strings.Repeat("x", 1<<20+1), "at most"},
	} {
		_, err := model.ParseConfig("models.yaml", []byte(c.text))
		var e *model.ConfigError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || e.Line < 1 || e.Column < 1 {
			t.Errorf("%.80q: %v, want %q", c.text, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("it shows the secret: %v", err)
		}
	}
}

func getenv(vars ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i+1 < len(vars); i += 2 {
		m[vars[i]] = vars[i+1]
	}
	return func(n string) string { return m[n] }
}

func TestDefaultConnections(t *testing.T) {
	s := modeltest.New(always(modeltest.Say("x")))
	defer s.Close()
	set, err := model.Open(model.Config{}, model.Env{Getenv: getenv("ANTHROPIC_API_KEY", key, "OPENAI_API_KEY", key, "ANTHROPIC_BASE_URL", s.URL, "OPENAI_BASE_URL", s.URL+"/v1")})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	same(t, set.Names(), []string{"anthropic", "openai"})
	for _, c := range []struct{ actor, model, provider string }{
		{"anthropic:claude-haiku-4-5", "claude-haiku-4-5", "anthropic"},
		{"anthropic", model.DefaultAnthropicModel, "anthropic"},
		{"openai:ft:gpt-4.1:me", "ft:gpt-4.1:me", "openai"},
		{"openai:", model.DefaultOpenAIModel, "openai"},
	} {
		conn, err := set.Get(c.actor)
		if err != nil {
			t.Fatal(err)
		}
		r := ask("x")
		r.Model = "whatever"
		complete(t, conn, r, nil)
		calls := s.Calls()
		last := calls[len(calls)-1]
		same(t, []string{last.Request.Model, last.Provider}, []string{c.model, c.provider})
	}
	if _, err := set.Get("other:x"); err == nil || !strings.Contains(err.Error(), "anthropic, openai") {
		t.Errorf("got %v", err)
	}
	none, _ := model.Open(model.Config{}, model.Env{})
	if _, err := none.Get("anthropic"); err == nil || !strings.Contains(err.Error(), "ANTHROPIC_API_KEY") {
		t.Errorf("got %v", err)
	}
}

func TestLawS28_AnActorIsSplitAtTheFirstColon(t *testing.T) {
	for actor, want := range map[string][2]string{"a:b": {"a", "b"}, "a:b:c": {"a", "b:c"}, "a": {"a", ""}, "a:": {"a", ""}, ":b": {"", "b"}, "": {"", ""}} {
		c, m := model.Split(actor)
		same(t, [2]string{c, m}, want)
	}
}

// A configured fallback answers by its second link, with the model that the link names.
func TestConfiguredFallback(t *testing.T) {
	s := modeltest.New(func(c modeltest.Call) modeltest.Reply {
		if c.Provider == "anthropic" {
			return modeltest.Fail(401, "authentication_error", "no")
		}
		return modeltest.Say("here")
	})
	defer s.Close()
	cfg, err := model.ParseConfig("f", []byte(fmt.Sprintf("connections:\n  a: {kind: anthropic, base_url: '%s', model: m1}\n  b: {kind: openai-chat, base_url: '%s/v1'}\n  c: {kind: fallback, chain: [a, 'b:m2:x']}\n", s.URL, s.URL)))
	if err != nil {
		t.Fatal(err)
	}
	set, err := model.Open(cfg, model.Env{})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	conn, err := set.Get("c")
	if err != nil {
		t.Fatal(err)
	}
	a := complete(t, conn, ask("x"), nil)
	if a.Model != "m2:x" || len(a.Notes) != 2 {
		t.Errorf("got %+v", a)
	}
	if h := s.Calls()[0].Header; h.Get("X-Api-Key") != "" || h.Get("Authorization") != "" {
		t.Errorf("a key was sent where there is none: %v", h)
	}
	for _, bad := range []string{"connections:\n  c: {kind: fallback, chain: [c]}", "connections:\n  c: {kind: fallback, chain: [d]}\n  d: {kind: fallback, chain: ['c:x']}", "connections:\n  c: {kind: fallback, chain: [e]}"} {
		cfg, err := model.ParseConfig("f", []byte(bad))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := model.Open(cfg, model.Env{}); err == nil {
			t.Errorf("opens %s", bad)
		}
	}
}

func TestKeys(t *testing.T) {
	s := modeltest.New(func(c modeltest.Call) modeltest.Reply {
		return modeltest.Fail(401, "authentication_error", fmt.Sprint(c.Header))
	})
	defer s.Close()
	run := func(c model.ConnectionConfig, env model.Env) *model.Error {
		c.Name, c.Kind, c.BaseURL, c.Model = "it", model.KindAnthropic, s.URL, "m"
		set, err := model.Open(model.Config{Connections: []model.ConnectionConfig{c}}, env)
		if err != nil {
			t.Fatal(err)
		}
		defer set.Close()
		conn, err := set.Get("it")
		if err != nil {
			t.Fatal(err)
		}
		_, err = conn.Complete(context.Background(), ask("x"), nil)
		e := fails(t, err)
		for _, v := range []any{conn, set, c, e} {
			b, _ := json.Marshal(v)
			if all := fmt.Sprintf("%v %+v %#v %s", v, v, v, b); strings.Contains(all, key) {
				t.Errorf("%T shows the key", v)
			}
		}
		if e.Code != model.CodeAuth {
			t.Errorf("got %v", e)
		}
		return e
	}
	if e := run(model.ConnectionConfig{KeyEnv: "K"}, model.Env{}); !strings.Contains(e.Message, "variable K") {
		t.Errorf("got %v", e)
	}
	run(model.ConnectionConfig{KeyEnv: "K"}, model.Env{Getenv: getenv("K", key)})
	run(model.ConnectionConfig{KeyEnv: "K"}, model.Env{Getenv: getenv("K", key+"\nX-Other: y")})
	run(model.ConnectionConfig{KeyEnv: "K", Headers: map[string]string{"X-Also": "$T"}}, model.Env{Getenv: getenv("K", key, "T", "token-"+key)})

	n := 0
	command := func(ctx context.Context, c string) (string, error) {
		n++
		same(t, c, "pass show it")
		return key + "\n", nil
	}
	run(model.ConnectionConfig{KeyCommand: "pass show it"}, model.Env{Command: command})
	same(t, n, 1)
	same(t, s.Calls()[len(s.Calls())-1].Header.Get("X-Api-Key"), key)
	run(model.ConnectionConfig{KeyCommand: "x"}, model.Env{Command: func(context.Context, string) (string, error) { return "", errors.New(key) }})
	run(model.ConnectionConfig{KeyCommand: "x"}, model.Env{Command: func(context.Context, string) (string, error) { return " \n", nil }})
	run(model.ConnectionConfig{KeyCommand: "printf %s " + "sk-of-the-shell"}, model.Env{})
	same(t, s.Calls()[len(s.Calls())-1].Header.Get("X-Api-Key"), "sk-of-the-shell")
	run(model.ConnectionConfig{KeyCommand: "echo " + "sk-of-the-shell; exit 3"}, model.Env{})
}
