// Package wiretest is the contract of a wire, for each implementation's own tests.
package wiretest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"caper/runtime/worker/wire"
)

// Run tests a wire. fresh makes a session and answers what opens it, each time as another process would.
func Run(t *testing.T, fresh func(t *testing.T) func() wire.Wire) {
	cases := []struct {
		name string
		test func(t *testing.T, a, b wire.Wire)
	}{
		{"an object comes back as it was written", roundTrip},
		{"a put needs the revision", compareAndSet},
		{"of many writers one succeeds", contention},
		{"a deleted object's revisions do not come again", deletion},
		{"aliases are names", aliases},
		{"values are bounded JSON", values},
		{"items are numbered without gaps", items},
		{"writers of items do not pass each other", manyPosters},
		{"no items without an object", itemsOfNothing},
		{"an item that is too large is refused", largeItem},
		{"a change wakes watchers", watch},
		{"a watch ends with its context", watchEnds},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			again := fresh(t)
			c.test(t, again(), again())
		})
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func roundTrip(t *testing.T, a, b wire.Wire) {
	ctx := t.Context()
	const value = `{"thread":{"metadata":{"agent":{"type":"codex"}},"n":12345678901234567890},"other":[1,{"x":null}]}`
	rev, err := a.Put(ctx, "one", 0, json.RawMessage(value))
	ok(t, err)
	o, err := b.Get(ctx, "one")
	ok(t, err)
	if string(o.Value) != value || o.Revision != rev || o.Alias != "one" {
		t.Errorf("%+v: %s", o, o.Value)
	}
	_, err = a.Put(ctx, "another", 0, json.RawMessage(`{}`))
	ok(t, err)
	list, err := b.List(ctx)
	ok(t, err)
	if len(list) != 2 || list[0].Alias != "another" || list[1].Alias != "one" {
		t.Errorf("%v", list)
	}
	if _, err := b.Get(ctx, "two"); !errors.Is(err, wire.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

func compareAndSet(t *testing.T, a, b wire.Wire) {
	ctx := t.Context()
	rev, err := a.Put(ctx, "x", 0, json.RawMessage(`{"n":1}`))
	ok(t, err)
	for _, wrong := range []uint64{0, rev + 1, rev + 100} {
		if _, err := b.Put(ctx, "x", wrong, json.RawMessage(`{"n":2}`)); !errors.Is(err, wire.ErrConflict) {
			t.Errorf("revision %d: %v", wrong, err)
		}
	}
	if _, err := b.Put(ctx, "y", 7, json.RawMessage(`{}`)); !errors.Is(err, wire.ErrConflict) {
		t.Errorf("a revision of nothing: %v", err)
	}
	next, err := b.Put(ctx, "x", rev, json.RawMessage(`{"n":3}`))
	ok(t, err)
	if next <= rev {
		t.Errorf("%d after %d", next, rev)
	}
	o, err := a.Get(ctx, "x")
	ok(t, err)
	if string(o.Value) != `{"n":3}` {
		t.Errorf("%s", o.Value)
	}
}

func contention(t *testing.T, a, b wire.Wire) {
	ctx := t.Context()
	_, err := a.Put(ctx, "n", 0, json.RawMessage(`0`))
	ok(t, err)
	const writers, times = 8, 20
	var all sync.WaitGroup
	for i := range writers {
		w := []wire.Wire{a, b}[i%2]
		all.Go(func() {
			for done := 0; done < times; {
				o, err := w.Get(ctx, "n")
				if err != nil {
					t.Error(err)
					return
				}
				var n int
				_ = json.Unmarshal(o.Value, &n)
				_, err = w.Put(ctx, "n", o.Revision, json.RawMessage(fmt.Sprint(n+1)))
				switch {
				case err == nil:
					done++
				case !errors.Is(err, wire.ErrConflict):
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	o, err := a.Get(ctx, "n")
	ok(t, err)
	if string(o.Value) != fmt.Sprint(writers*times) {
		t.Errorf("%s of %d", o.Value, writers*times)
	}
}

func deletion(t *testing.T, a, b wire.Wire) {
	ctx := t.Context()
	rev, err := a.Put(ctx, "x", 0, json.RawMessage(`{}`))
	ok(t, err)
	_, err = a.Post(ctx, "x", wire.Item{Content: wire.Say("old")})
	ok(t, err)
	ok(t, b.Delete(ctx, "x"))
	if err := a.Delete(ctx, "x"); !errors.Is(err, wire.ErrNotFound) {
		t.Errorf("twice: %v", err)
	}
	next, err := a.Put(ctx, "x", 0, json.RawMessage(`{}`))
	ok(t, err)
	if next <= rev {
		t.Errorf("revision %d came again as %d", rev, next)
	}
	left, err := a.Items(ctx, "x", 0, 10)
	ok(t, err)
	if len(left) != 0 {
		t.Errorf("items of the one before: %v", left)
	}
}

func aliases(t *testing.T, a, _ wire.Wire) {
	for _, bad := range []string{"", ".", "..", "a/b", "../x", "a.b", "-x", "_x", "a b", "ü", "a\x00", string(make([]byte, 65))} {
		if _, err := a.Put(t.Context(), bad, 0, json.RawMessage(`{}`)); err == nil {
			t.Errorf("%q was taken", bad)
		}
		if _, err := a.Get(t.Context(), bad); err == nil {
			t.Errorf("%q was found", bad)
		}
		if _, err := a.Post(t.Context(), bad, wire.Item{}); err == nil {
			t.Errorf("%q was posted to", bad)
		}
		if err := a.Delete(t.Context(), bad); err == nil {
			t.Errorf("%q was deleted", bad)
		}
	}
}

func values(t *testing.T, a, _ wire.Wire) {
	huge := append(append([]byte{'"'}, make([]byte, wire.MaxObject)...), '"')
	for _, bad := range []string{"", "{", "nonsense", "\"\xff\"", string(huge)} {
		var malformed *wire.MalformedError
		if _, err := a.Put(t.Context(), "x", 0, json.RawMessage(bad)); !errors.As(err, &malformed) {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}

func items(t *testing.T, a, b wire.Wire) {
	ctx := t.Context()
	_, err := a.Put(ctx, "x", 0, json.RawMessage(`{}`))
	ok(t, err)
	for i := range 5 {
		w := []wire.Wire{a, b}[i%2]
		got, err := w.Post(ctx, "x", wire.Item{UserID: "u", Content: wire.Say(fmt.Sprint(i)), Metadata: wire.ItemMetadata{Type: wire.Text}})
		ok(t, err)
		if got.Seq != uint64(i+1) {
			t.Errorf("item %d is %d", i+1, got.Seq)
		}
	}
	got, err := b.Items(ctx, "x", 1, 3)
	ok(t, err)
	text := ""
	for _, i := range got {
		text += fmt.Sprintf("%d %s %s %s;", i.Seq, i.TextOf(), i.UserID, i.Metadata.Type)
	}
	if want := "2 1 u text;3 2 u text;4 3 u text;"; text != want {
		t.Errorf("%q", text)
	}
	if got, err := a.Items(ctx, "x", 5, 3); err != nil || len(got) != 0 {
		t.Errorf("%v %v", got, err)
	}
}

func manyPosters(t *testing.T, a, b wire.Wire) {
	ctx := t.Context()
	_, err := a.Put(ctx, "x", 0, json.RawMessage(`{}`))
	ok(t, err)
	const posters, each = 6, 20
	var all sync.WaitGroup
	for p := range posters {
		w := []wire.Wire{a, b}[p%2]
		all.Go(func() {
			for i := range each {
				if _, err := w.Post(ctx, "x", wire.Item{UserID: fmt.Sprint(p), Content: wire.Say(fmt.Sprint(i))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, err := a.Items(ctx, "x", 0, 1000)
	ok(t, err)
	next := map[string]int{}
	for i, it := range got {
		if it.Seq != uint64(i+1) {
			t.Fatalf("item %d is %d", i+1, it.Seq)
		}
		if it.TextOf() != fmt.Sprint(next[it.UserID]) {
			t.Fatalf("%s said %s, not %d", it.UserID, it.TextOf(), next[it.UserID])
		}
		next[it.UserID]++
	}
	if len(got) != posters*each {
		t.Errorf("%d items", len(got))
	}
}

func itemsOfNothing(t *testing.T, a, _ wire.Wire) {
	if _, err := a.Post(t.Context(), "x", wire.Item{}); !errors.Is(err, wire.ErrNotFound) {
		t.Error(err)
	}
	if _, err := a.Items(t.Context(), "x", 0, 1); !errors.Is(err, wire.ErrNotFound) {
		t.Error(err)
	}
}

func largeItem(t *testing.T, a, _ wire.Wire) {
	_, err := a.Put(t.Context(), "x", 0, json.RawMessage(`{}`))
	ok(t, err)
	if _, err := a.Post(t.Context(), "x", wire.Item{Content: wire.Say(string(make([]byte, wire.MaxItem)))}); err == nil {
		t.Error("it was taken")
	}
	if got, err := a.Items(t.Context(), "x", 0, 10); err != nil || len(got) != 0 {
		t.Errorf("%d %v", len(got), err)
	}
}

func watch(t *testing.T, a, b wire.Wire) {
	ctx := t.Context()
	_, err := a.Put(ctx, "x", 0, json.RawMessage(`{}`))
	ok(t, err)
	for _, change := range map[string]func() error{
		"a new object": func() error { _, err := b.Put(ctx, "new", 0, json.RawMessage(`{}`)); return err },
		"a put": func() error {
			o, err := b.Get(ctx, "x")
			if err == nil {
				_, err = b.Put(ctx, "x", o.Revision, json.RawMessage(`{"a":1}`))
			}
			return err
		},
		"an item": func() error { _, err := b.Post(ctx, "x", wire.Item{}); return err },
	} {
		wctx, stop := context.WithCancel(ctx)
		c, err := a.Watch(wctx)
		ok(t, err)
		ok(t, change())
		<-c
		stop()
		for range c { // ends
		}
	}
	c, err := a.Watch(ctx)
	ok(t, err)
	ok(t, b.Delete(ctx, "x"))
	<-c
}

func watchEnds(t *testing.T, a, _ wire.Wire) {
	ctx, stop := context.WithCancel(t.Context())
	c, err := a.Watch(ctx)
	ok(t, err)
	stop()
	for range c {
	}
}
