package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-test-0123456789abcdef"

// kinds are the providers, each with a model of its own.
var kinds = map[string]string{model.KindAnthropic: "claude-sonnet-4-6", model.KindOpenAI: "gpt-5.2", model.KindChat: "some-model"}

// served is a connection of a kind to a server that answers by script; retries are off.
func served(t *testing.T, kind string, script func(modeltest.Call) modeltest.Reply, change ...func(*model.ConnectionConfig, *model.Env)) (model.Connection, *modeltest.Server) {
	t.Helper()
	s := modeltest.New(script)
	c := model.ConnectionConfig{Name: "it", Kind: kind, BaseURL: s.URL, KeyEnv: "KEY", Model: kinds[kind]}
	if kind != model.KindAnthropic {
		c.BaseURL += "/v1"
	}
	env := model.Env{Getenv: func(n string) string { return map[string]string{"KEY": key}[n] }}
	for _, f := range change {
		f(&c, &env)
	}
	set, err := model.Open(model.Config{Connections: []model.ConnectionConfig{c}}, env)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := set.Get("it")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close(); s.Close() })
	return conn, s
}

// each runs a test for every provider, streaming and not.
func each(t *testing.T, f func(t *testing.T, kind string, stream bool)) {
	for kind := range kinds {
		t.Run(kind+"/whole", func(t *testing.T) { f(t, kind, false) })
		t.Run(kind+"/stream", func(t *testing.T) { f(t, kind, true) })
	}
}

// ear puts together what is heard, as a hearer would.
type ear struct {
	blocks []model.Block
	resets int
}

func (e *ear) hear(d model.Delta) {
	if d.Reset {
		e.blocks = nil
		e.resets++
		return
	}
	for len(e.blocks) <= d.Index {
		e.blocks = append(e.blocks, model.Block{})
	}
	b := &e.blocks[d.Index]
	if d.Kind != "" {
		b.Kind = d.Kind
	}
	b.Text, b.ID, b.Name = b.Text+d.Text, b.ID+d.ID, b.Name+d.Name
}

func (e *ear) fn(stream bool) func(model.Delta) {
	if !stream {
		return nil
	}
	return e.hear
}

func ask(text string) model.Request {
	return model.Request{Messages: []model.Message{{Role: model.User, Blocks: []model.Block{{Kind: model.Text, Text: text}}}}}
}

func fails(t testing.TB, err error) *model.Error {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("want a *model.Error, got %v", err)
	}
	for _, secret := range []string{key, "0123456789abcdef"} {
		if b, _ := json.Marshal(e); strings.Contains(e.Error(), secret) || strings.Contains(string(b), secret) {
			t.Errorf("the error shows the key: %v", e)
		}
	}
	return e
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func text(s string) model.Block { return model.Block{Kind: model.Text, Text: s} }

func say(blocks ...model.Block) modeltest.Reply {
	return modeltest.Reply{Answer: model.Answer{Blocks: blocks}}
}

func always(r modeltest.Reply) func(modeltest.Call) modeltest.Reply {
	return func(modeltest.Call) modeltest.Reply { return r }
}

func complete(t *testing.T, c model.Connection, r model.Request, hear func(model.Delta)) *model.Answer {
	t.Helper()
	a, err := c.Complete(context.Background(), r, hear)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
