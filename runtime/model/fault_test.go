package model_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
)

func TestFailures(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		for _, c := range []struct {
			status          int
			kind, message   string
			header          map[string]string
			code            string
			temporary       bool
			after           time.Duration
			onlyAt, saysToo string
		}{
			{status: 401, kind: "authentication_error", message: "bad key " + key, code: model.CodeAuth},
			{status: 403, kind: "", message: "", code: model.CodeAuth, saysToo: "no reason"},
			{status: 429, kind: "rate_limit_error", message: "slow", header: map[string]string{"Retry-After": "7"}, code: model.CodeRateLimit, temporary: true, after: 7 * time.Second},
			{status: 429, kind: "rate_limit_error", message: "slow", header: map[string]string{"Retry-After-Ms": "1500"}, code: model.CodeRateLimit, temporary: true, after: 1500 * time.Millisecond},
			{status: 429, kind: "rate_limit_error", message: "slow", header: map[string]string{"Retry-After": "-5"}, code: model.CodeRateLimit, temporary: true},
			{status: 429, kind: "rate_limit_error", message: "slow", header: map[string]string{"Retry-After": "1e300"}, code: model.CodeRateLimit, temporary: true, after: time.Hour},
			{status: 429, kind: "insufficient_quota", message: "pay", code: model.CodeBudget},
			{status: 500, kind: "api_error", message: "oops", code: model.CodeOverloaded, temporary: true},
			{status: 503, kind: "", message: "oops", code: model.CodeOverloaded, temporary: true},
			{status: 529, kind: "overloaded_error", message: "busy", code: model.CodeOverloaded, temporary: true},
			{status: 400, kind: "invalid_request_error", message: "no such thing", code: model.CodeBadRequest},
			{status: 400, kind: "invalid_request_error", message: "prompt is too long: 9 tokens", code: model.CodeTooLong},
			{status: 400, kind: "context_length_exceeded", message: "much", code: model.CodeTooLong},
			{status: 400, kind: "content_policy_violation", message: "no", code: model.CodeRefused},
			{status: 413, kind: "request_too_large", message: "big", code: model.CodeTooLong},
			{status: 404, kind: "not_found_error", message: "no model", code: model.CodeBadRequest},
			{status: 307, header: map[string]string{"Location": "http://127.0.0.1:1/"}, code: model.CodeBadRequest, saysToo: "redirect"},
		} {
			t.Run(fmt.Sprintf("%d %s %s", c.status, c.kind, c.message), func(t *testing.T) {
				reply := modeltest.Fail(c.status, c.kind, c.message)
				reply.Header = c.header
				conn, s := served(t, kind, always(reply))
				_, err := conn.Complete(context.Background(), ask("x"), (&ear{}).fn(stream))
				e := fails(t, err)
				if e.Code != c.code || e.Temporary != c.temporary || e.Status != c.status || e.RetryAfter != c.after {
					t.Errorf("got %+v", e)
				}
				if !strings.Contains(e.Message, c.saysToo) || !strings.Contains(e.Message, strings.TrimSuffix(c.message, key)) {
					t.Errorf("it says %q", e.Message)
				}
				if n := len(s.Calls()); n != 1 {
					t.Errorf("asked %d times: the SDK's own retries are on", n)
				}
			})
		}
	})
}

func TestOddAnswers(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		for name, c := range map[string]struct {
			reply modeltest.Reply
			code  string
		}{
			"no JSON":      {modeltest.Reply{Raw: map[bool]string{false: `{"id": `, true: "event: message_start\ndata: {\"type\": \"mess\n\n"}[stream]}, model.CodeMalformed},
			"not a model":  {modeltest.Reply{Raw: "<html>hello</html>", Header: map[string]string{"Content-Type": "text/html"}}, model.CodeMalformed},
			"empty object": {modeltest.Reply{Raw: map[bool]string{false: `{}`, true: "event: x\ndata: {}\n\n"}[stream]}, map[bool]string{false: model.CodeMalformed, true: model.CodeCut}[stream]},
			"wrong types":  {modeltest.Reply{Raw: map[bool]string{false: `{"content": 7, "output": 7, "choices": 7}`, true: "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":\"x\",\"delta\":[]}\n\n"}[stream]}, model.CodeMalformed},
			"nothing":      {modeltest.Reply{Raw: " "}, map[bool]string{false: model.CodeMalformed, true: model.CodeCut}[stream]},
		} {
			t.Run(name, func(t *testing.T) {
				conn, _ := served(t, kind, always(c.reply))
				_, err := conn.Complete(context.Background(), ask("x"), (&ear{}).fn(stream))
				if e := fails(t, err); e.Code != c.code && !(stream && name == "wrong types" && e.Code == model.CodeCut) {
					t.Errorf("got %v, want %s", e, c.code)
				}
			})
		}
	})
}

// A stream that ends at any byte before its end is cut, whether the connection breaks or closes in order.
func TestCutStream(t *testing.T) {
	for kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			reply := modeltest.Use("f", `{"a": "b"}`)
			reply.Blocks = append(reply.Blocks, model.Block{Kind: model.Thinking, Text: "hm"}, text("hello there"))
			var at int
			broken := false
			conn, s := served(t, kind, func(modeltest.Call) modeltest.Reply {
				r := reply
				if broken {
					r.Cut = at
				} else {
					r.End = at
				}
				return r
			})
			at = 1 << 20
			complete(t, conn, ask("x"), (&ear{}).hear)
			for at = 10; ; at += 97 {
				broken = !broken
				_, err := conn.Complete(context.Background(), ask("x"), (&ear{}).hear)
				if err == nil {
					break
				}
				if e := fails(t, err); e.Code != model.CodeCut || !e.Temporary {
					t.Fatalf("at %d: %+v", at, e)
				}
			}
			if len(s.Calls()) < 15 {
				t.Errorf("a stream of %d bytes was whole", at)
			}
		})
	}
}

// Where the packets end makes no difference.
func TestSplitEvents(t *testing.T) {
	for kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			reply := modeltest.Use("f", `{"a": "ö"}`)
			reply.Blocks = append(reply.Blocks, text("Grüße 世界"))
			var want *model.Answer
			for _, split := range []int{0, 1, 3, 100} {
				reply.Split = split
				conn, _ := served(t, kind, always(reply))
				a := complete(t, conn, ask("x"), (&ear{}).hear)
				if want == nil {
					want = a
				}
				same(t, a, want)
			}
		})
	}
}

func TestTooBig(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		big := make([]model.Block, 0, 1)
		for range 40 {
			big = append(big, text(strings.Repeat("0123456789abcdef", 1<<14))) // 256 KiB
		}
		conn, _ := served(t, kind, always(say(big...)))
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		heard := 0
		hear := func(d model.Delta) { heard += len(d.Text) }
		if !stream {
			hear = nil
		}
		_, err := conn.Complete(context.Background(), ask("x"), hear)
		if e := fails(t, err); e.Code != model.CodeTooBig || e.Temporary {
			t.Errorf("got %+v", e)
		}
		if heard > 9<<20 {
			t.Errorf("heard %d bytes", heard)
		}
		runtime.ReadMemStats(&after)
		grown := int64(after.HeapSys) - int64(before.HeapSys)
		t.Logf("the heap grew by %d MiB", grown>>20)
		if grown > 160<<20 {
			t.Errorf("the heap grew by %d MiB", grown>>20)
		}
	})
}

// What is large and not too large comes whole.
func TestLarge(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		want := strings.Repeat("0123456789abcde\n", 7<<16) // 7 MiB, and each line's end is two bytes on the way
		conn, _ := served(t, kind, always(modeltest.Say(want)))
		if a := complete(t, conn, ask("x"), (&ear{}).fn(stream)); a.Said() != want {
			t.Errorf("got %d bytes", len(a.Said()))
		}
	})
}

func TestCancelInTheMiddle(t *testing.T) {
	for kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			reply := modeltest.Say("hello there, this is long enough to be heard in pieces")
			reply.Hang = len(capture(t, kind, true, reply)) * 2 / 3
			conn, s := served(t, kind, always(reply))
			ctx, cancel := context.WithCancel(context.Background())
			_, err := conn.Complete(ctx, ask("x"), func(d model.Delta) { cancel() })
			if e := fails(t, err); e.Code != model.CodeCancelled || e.Temporary || !errors.Is(err, context.Canceled) {
				t.Errorf("got %+v", e)
			}
			<-s.Gone // the server sees it
		})
	}
}

// clock is a time that moves when told to.
type clock struct {
	model.RealClock
	waits chan wait
}

type wait struct {
	d time.Duration
	f func()
}

func (c clock) AfterFunc(d time.Duration, f func()) func() bool {
	select {
	case c.waits <- wait{d, f}:
	default:
	}
	return func() bool { return true }
}

func TestSilence(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		reply := modeltest.Say("hello there, this is long enough to be heard in pieces")
		reply.Hang = 300
		k := clock{waits: make(chan wait, 100)}
		conn, _ := served(t, kind, always(reply), func(c *model.ConnectionConfig, e *model.Env) {
			c.Timeout, e.Clock = 90*time.Second, k
		})
		ended := make(chan error)
		go func() {
			_, err := conn.Complete(context.Background(), ask("x"), (&ear{}).fn(stream))
			ended <- err
		}()
		w := <-k.waits
		same(t, w.d, 90*time.Second)
		w.f()
		if e := fails(t, <-ended); e.Code != model.CodeTimeout || !e.Temporary {
			t.Errorf("got %+v", e)
		}
	})
}

func TestDeadline(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		conn, _ := served(t, kind, always(modeltest.Say("x")))
		ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
		defer cancel()
		_, err := conn.Complete(ctx, ask("x"), (&ear{}).fn(stream))
		if e := fails(t, err); e.Code != model.CodeTimeout || e.Temporary || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %+v", e)
		}
	})
}

func TestNobodyThere(t *testing.T) {
	each(t, func(t *testing.T, kind string, stream bool) {
		conn, s := served(t, kind, always(modeltest.Say("x")))
		s.Close()
		_, err := conn.Complete(context.Background(), ask("x"), (&ear{}).fn(stream))
		if e := fails(t, err); e.Code != model.CodeNetwork || !e.Temporary {
			t.Errorf("got %+v", e)
		}
	})
}
