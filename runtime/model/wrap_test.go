package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"caper/runtime/model"
)

// jumping is a time that jumps to where it is awaited.
type jumping struct {
	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
}

func (j *jumping) Now() time.Time {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.now
}

func (j *jumping) AfterFunc(d time.Duration, f func()) func() bool {
	j.mu.Lock()
	j.now = j.now.Add(d)
	j.waits = append(j.waits, d)
	j.mu.Unlock()
	f()
	return func() bool { return false }
}

func temporary(after time.Duration) *model.Error {
	return &model.Error{Code: model.CodeOverloaded, Temporary: true, RetryAfter: after, Message: "busy", Usage: model.Usage{Input: 3}}
}

// scripted fails with each of the errors in turn, having said something, and then answers.
func scripted(errs ...error) (model.Connection, *int) {
	n := 0
	return model.Func(func(_ context.Context, r model.Request, hear func(model.Delta)) (*model.Answer, error) {
		n++
		if hear != nil {
			hear(model.Delta{Kind: model.Text, Text: "so far"})
		}
		if n <= len(errs) {
			return nil, errs[n-1]
		}
		return &model.Answer{Blocks: []model.Block{text("done by " + r.Model)}, Stop: model.StopEnd, Usage: model.Usage{Input: 10}}, nil
	}), &n
}

func TestRetry(t *testing.T) {
	hard := &model.Error{Code: model.CodeAuth, Message: "no"}
	ours := []time.Duration{375 * time.Millisecond, 750 * time.Millisecond, 1500 * time.Millisecond} // chance is a half
	for name, c := range map[string]struct {
		errs  []error
		waits []time.Duration
		code  string
		paid  int64
	}{
		"at once":      {nil, nil, "", 10},
		"twice":        {[]error{temporary(0), temporary(0)}, ours[:2], "", 16},
		"as asked":     {[]error{temporary(9 * time.Second)}, []time.Duration{9 * time.Second}, "", 13},
		"never":        {[]error{hard}, nil, model.CodeAuth, 0},
		"then never":   {[]error{temporary(0), hard}, ours[:1], model.CodeAuth, 3},
		"too often":    {[]error{temporary(0), temporary(0), temporary(0), temporary(0)}, ours[:3], model.CodeOverloaded, 12},
		"too long":     {[]error{temporary(time.Hour)}, nil, model.CodeOverloaded, 3},
		"of no kind":   {[]error{errors.New("reset")}, ours[:1], "", 10},
		"time is over": {[]error{temporary(50 * time.Second), temporary(50 * time.Second)}, []time.Duration{50 * time.Second}, model.CodeOverloaded, 6},
	} {
		t.Run(name, func(t *testing.T) {
			inner, n := scripted(c.errs...)
			j := &jumping{}
			conn := model.Retry(inner, model.RetryPolicy{Tries: 4, Total: 90 * time.Second, Clock: j, Rand: func() float64 { return 0.5 }})
			var e ear
			a, err := conn.Complete(context.Background(), ask("x"), e.hear)
			same(t, e.resets, len(c.waits))
			if c.code != "" {
				if got := fails(t, err); got.Code != c.code || got.Usage.Input != c.paid {
					t.Errorf("got %+v", got)
				}
			} else if err != nil {
				t.Fatal(err)
			} else if a.Usage.Input != c.paid || e.blocks[0].Text != "so far" {
				t.Errorf("paid %+v, heard %+v", a.Usage, e.blocks)
			}
			same(t, *n, len(c.waits)+1)
			same(t, j.waits, c.waits)
		})
	}
}

func TestRetryIsCancelledWhileItWaits(t *testing.T) {
	inner, n := scripted(temporary(0))
	k := clock{waits: make(chan wait, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := model.Retry(inner, model.RetryPolicy{Clock: k}).Complete(ctx, ask("x"), nil)
		ended <- err
	}()
	<-k.waits
	cancel()
	if e := fails(t, <-ended); e.Code != model.CodeCancelled || e.Usage.Input != 3 || *n != 1 {
		t.Errorf("got %+v after %d tries", e, *n)
	}
}

func TestFallback(t *testing.T) {
	for _, c := range []struct {
		name   string
		first  error
		second error
		code   string
	}{
		{"first", nil, nil, ""},
		{"second", &model.Error{Code: model.CodeAuth, Message: "no key"}, nil, ""},
		{"none", temporary(0), &model.Error{Code: model.CodeNetwork, Message: "down"}, model.CodeNetwork},
		{"refused", &model.Error{Code: model.CodeRefused, Message: "no"}, nil, model.CodeRefused},
		{"wrong", &model.Error{Code: model.CodeBadRequest, Message: "no"}, nil, model.CodeBadRequest},
		{"cancelled", context.Canceled, nil, model.CodeCancelled},
	} {
		t.Run(c.name, func(t *testing.T) {
			var one, two []error
			if c.first != nil {
				one = []error{c.first}
			}
			if c.second != nil {
				two = []error{c.second}
			}
			a1, n1 := scripted(one...)
			a2, n2 := scripted(two...)
			var e ear
			a, err := model.Fallback(model.Link{Name: "a:1", Connection: a1}, model.Link{Name: "b:2", Connection: a2}).Complete(context.Background(), ask("x"), e.hear)
			if c.code != "" {
				if got := fails(t, err); got.Code != c.code {
					t.Errorf("got %v", got)
				}
				same(t, *n2, len(two))
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			same(t, *n1, 1)
			if c.first != nil {
				same(t, a.Notes, []string{"a:1 did not answer: auth", "answered by b:2"})
				same(t, e.resets, 1)
			}
		})
	}
}

func TestLimit(t *testing.T) {
	inner, n := scripted()
	j := &jumping{}
	conn := model.Limit(inner, 2, 0, j)
	for range 5 {
		complete(t, conn, ask("x"), nil)
	}
	same(t, *n, 5)
	if len(j.waits) != 3 || j.waits[0] < 29*time.Second || j.waits[0] > 31*time.Second {
		t.Errorf("two a minute waited %v", j.waits)
	}

	j = &jumping{}
	conn = model.Limit(inner, 0, 15, j) // each costs ten
	for range 4 {
		complete(t, conn, ask("x"), nil)
	}
	var all time.Duration
	for _, w := range j.waits {
		all += w
	}
	if all < 55*time.Second || all > 3*time.Minute {
		t.Errorf("fifteen tokens a minute waited %v", j.waits)
	}

	k := clock{waits: make(chan wait, 1)}
	conn = model.Limit(inner, 1, 0, k)
	complete(t, conn, ask("x"), nil)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := conn.Complete(ctx, ask("x"), nil)
		ended <- err
	}()
	<-k.waits
	cancel()
	if e := fails(t, <-ended); e.Code != model.CodeCancelled {
		t.Errorf("got %v", e)
	}
}

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "er")
	inner, n := scripted()
	conn := model.Cache(inner, dir, "a")
	r := ask("x")
	r.Tools = []model.Tool{{Name: "f", Schema: json.RawMessage(`{"a":1,"b":2}`)}}
	complete(t, conn, r, nil)
	r.Tools[0].Schema = json.RawMessage(`{ "b": 2, "a": 1 }`) // the same
	r.Session = "another"
	var e ear
	a := complete(t, conn, r, e.hear)
	if *n != 1 || a.Usage != (model.Usage{}) || len(a.Notes) != 1 || a.Said() != "done by " || e.blocks[0].Text != "done by " {
		t.Errorf("asked %d times, got %+v, heard %+v", *n, a, e.blocks)
	}
	complete(t, model.Cache(inner, dir, "b"), r, nil)
	complete(t, conn, ask("y"), nil)
	same(t, *n, 3)
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	same(t, len(files), 3)
	for _, f := range files {
		if i, _ := os.Stat(f); i.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v", f, i.Mode())
		}
		write(t, f, `{"blocks": [`)
	}
	complete(t, conn, r, nil) // what is damaged is not there
	same(t, *n, 4)

	failing, n := scripted(temporary(0))
	conn = model.Cache(failing, dir, "c")
	if _, err := conn.Complete(context.Background(), r, nil); err == nil {
		t.Error("no error")
	}
	complete(t, conn, r, nil)
	same(t, *n, 2)
}

func TestCassette(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tape.jsonl")
	if _, err := model.Replay(file); err == nil {
		t.Error("replays what is not there")
	}
	inner, n := scripted()
	rec, err := model.Record(inner, file)
	if err != nil {
		t.Fatal(err)
	}
	one, two := ask("count the files in docs"), ask("count the files in tests")
	one.Model, two.Model = "m", "m"
	want := complete(t, rec, one, nil)
	complete(t, rec, one, nil)
	complete(t, rec, two, nil)
	same(t, *n, 3)

	again, err := model.Record(inner, file) // what is there is not asked again
	if err != nil {
		t.Fatal(err)
	}
	complete(t, again, two, nil)
	same(t, *n, 3)

	play, err := model.Replay(file)
	if err != nil {
		t.Fatal(err)
	}
	var e ear
	same(t, complete(t, play, one, e.hear), want)
	same(t, e.blocks[0].Text, "done by m")
	complete(t, play, one, nil)
	_, err = play.Complete(context.Background(), one, nil)
	if e := fails(t, err); e.Code != model.CodeMiss || !strings.Contains(e.Message, "2 times") {
		t.Errorf("got %v", e)
	}
	near := ask("count the files in tests, please")
	near.Model, near.MaxTokens = "m", 5
	_, err = play.Complete(context.Background(), near, nil)
	for _, w := range []string{"line 3", "messages[0].blocks[0].text: recorded …", "in tests\", asked", "please", "max_tokens: recorded without it, asked \"5\""} {
		if e := fails(t, err); e.Code != model.CodeMiss || !strings.Contains(e.Message, w) {
			t.Errorf("%q is not in: %v", w, e)
		}
	}
	write(t, file, "{\"digest\":\"x\",\"answer\":{}}\n{\"dig")
	if _, err := model.Replay(file); err == nil || !strings.Contains(err.Error(), "tape.jsonl:2:") {
		t.Errorf("a cut recording: %v", err)
	}
}

func TestPrices(t *testing.T) {
	p := model.DefaultPrices()
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
		t.Errorf("the table has no date: %v", err)
	}
	u := model.Usage{Input: 1000, CacheRead: 2000, CacheWrite: 4000, Output: 500, Reasoning: 400}
	for _, c := range []struct {
		model string
		micro int64
		known bool
	}{
		{"claude-sonnet-4-5-20250929", 3000 + 600 + 15000 + 7500, true},
		{"claude-sonnet-4-5", 26100, true},
		{"gpt-5-mini-2025-08-07", 250 + 50 + 1000 + 1000, true},
		{"gpt-5.9", 0, false},
		{"claude-sonnet-5-5", 2000 + 400 + 10000 + 5000, true},
		{"claude-sonnet-5-9", 0, false},
		{"claude-opus-4", 0, false},
		{"", 0, false},
	} {
		micro, known := p.Cost(u, c.model)
		if micro != c.micro || known != c.known {
			t.Errorf("%s: %d %v, want %d %v", c.model, micro, known, c.micro, c.known)
		}
	}
	if micro, _ := p.Cost(model.Usage{Input: 1}, "gpt-5-nano"); micro != 1 {
		t.Errorf("a part of a micro-dollar is %d", micro)
	}
	more, err := model.ParsePrices("mine.json", []byte(`{"date":"2027-01-01","models":[{"prefix":"gpt-5-mini","input":0,"output":0},{"prefix":"local","input":0,"output":0}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p = p.Extend(more)
	if micro, known := p.Cost(u, "gpt-5-mini"); micro != 0 || !known {
		t.Errorf("the user's table does not count: %d", micro)
	}
	if micro, known := p.Cost(u, "local:7b"); micro != 0 || !known {
		t.Error("a model of the user's is not known")
	}
	for _, bad := range []string{`{"models":[{"prefix":"","input":1,"output":1}]}`, `{"models":[{"prefix":"x","input":-1,"output":1}]}`, `{"models":[{"prefx":"x"}]}`, "{\n\n}}", `[]`, ``} {
		if _, err := model.ParsePrices("mine.json", []byte(bad)); err == nil && bad != "{\n\n}}" {
			t.Errorf("reads %s", bad)
		}
	}
}
