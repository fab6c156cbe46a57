package dir_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"caper/runtime/worker/wire"
	"caper/runtime/worker/wire/dir"
	"caper/runtime/worker/wire/wiretest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if root := os.Getenv("DIR_TEST_COUNT"); root != "" {
		os.Exit(count(root))
	}
	goleak.VerifyTestMain(m)
}

func TestContract(t *testing.T) {
	wiretest.Run(t, func(t *testing.T) func() wire.Wire {
		root := t.TempDir()
		return func() wire.Wire {
			d, err := dir.Make(root)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
	})
}

// count adds to an object and posts, as a process of its own that may be killed at any time.
func count(root string) int {
	d, err := dir.Open(root)
	for ctx := context.Background(); err == nil; {
		var o wire.Object
		if o, err = d.Get(ctx, "n"); err != nil {
			break
		}
		var n int
		if err = json.Unmarshal(o.Value, &n); err != nil {
			break
		}
		if _, err = d.Put(ctx, "n", o.Revision, json.RawMessage(strconv.Itoa(n+1))); errors.Is(err, wire.ErrConflict) {
			err = nil
			continue
		}
		if err == nil {
			_, err = d.Post(ctx, "n", wire.Item{UserID: "counter"})
		}
	}
	return 1
}

// TestProcesses kills writers at any moment: no lock stays, no object is torn, items have no gaps.
func TestProcesses(t *testing.T) {
	root := t.TempDir()
	d, err := dir.Make(root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Put(t.Context(), "n", 0, json.RawMessage(`0`)); err != nil {
		t.Fatal(err)
	}
	var killed []*exec.Cmd
	for range 3 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "DIR_TEST_COUNT="+root)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		killed = append(killed, c)
	}
	for _, c := range killed {
		last, err := d.Items(t.Context(), "n", 0, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for more := last; len(more) < len(last)+10; { // it is at work
			if more, err = d.Items(t.Context(), "n", 0, 1<<20); err != nil {
				t.Fatal(err)
			}
		}
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	o, err := d.Get(t.Context(), "n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Put(t.Context(), "n", o.Revision, o.Value); err != nil {
		t.Error(err)
	}
	items, err := d.Items(t.Context(), "n", 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for i, it := range items {
		if it.Seq != uint64(i+1) || it.UserID != "counter" {
			t.Fatalf("item %d: %+v", i+1, it)
		}
	}
}

// TestHostile reads folders in which others put what does not belong there.
func TestHostile(t *testing.T) {
	root := t.TempDir()
	d, err := dir.Make(root)
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Put(t.Context(), "good", 0, json.RawMessage(`{}`)); err != nil {
		t.Fatal(err)
	}
	put("objects/torn.json", `{"revision":1,"val`)
	put("objects/empty.json", ``)
	put("objects/text.json", `"hello"`)
	put("objects/large.json", `{"revision":1,"value":"`+strings.Repeat("x", wire.MaxObject+2000)+`"}`)
	put("objects/deep.json", `{"revision":1,"value":`+strings.Repeat("[", 100_000)+`}`)
	put("objects/.hidden.json", `{}`)
	put("objects/not-json", `{}`)
	put("secret", `{"revision":1,"value":{}}`)
	if err := os.Symlink("../secret", filepath.Join(root, "objects/link.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "objects/folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(root, "objects/pipe.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := d.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, o := range list {
		names += o.Alias + " "
		if (o.Value != nil) != (o.Alias == "good") {
			t.Errorf("%s: %.40s", o.Alias, o.Value)
		}
	}
	if want := "deep empty folder good large link pipe text torn "; names != want {
		t.Errorf("%s", names)
	}
	var malformed *wire.MalformedError
	if _, err := d.Get(t.Context(), "torn"); !errors.As(err, &malformed) {
		t.Errorf("%v", err)
	}
	if err := d.Delete(t.Context(), "torn"); err != nil {
		t.Error(err)
	}
	if _, err := d.Post(t.Context(), "good", wire.Item{}); err != nil {
		t.Fatal(err)
	}
	put("items/good/00000000000000000002.json", `{"seq":`)
	put("items/good/x.json", `{}`)
	items, err := d.Items(t.Context(), "good", 0, 10)
	if err != nil || len(items) != 2 || items[1].Seq != 2 {
		t.Errorf("%v %v", items, err)
	}
	if it, err := d.Post(t.Context(), "good", wire.Item{}); err != nil || it.Seq != 3 {
		t.Errorf("%v %v", it, err)
	}
	if _, err := dir.Open(filepath.Join(root, "none")); !errors.Is(err, wire.ErrNoSession) {
		t.Error(err)
	}
}
