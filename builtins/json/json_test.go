package json_test

import (
	stdjson "encoding/json"
	"strings"
	"testing"

	"caper/builtins/json"
	"caper/interp/frozen"
	"caper/interp/heap"
	"caper/interp/prim"
)

func newCtx(t testing.TB) *prim.Ctx {
	t.Helper()
	cage, err := heap.NewCage(nil)
	if err != nil {
		t.Fatalf("no cage: %v", err)
	}
	a := &heap.Arena{}
	a.Init(cage, 64<<20, frozen.Index{})
	return &prim.Ctx{Arena: a}
}

func row(name string) *prim.Prim {
	rows := json.Prims()
	for i := range rows {
		if rows[i].Name == name {
			return &rows[i]
		}
	}
	panic(name)
}

func call(c *prim.Ctx, p *prim.Prim, args ...heap.Word) heap.Word {
	c.Prim, c.Fault = p, prim.Fault{}
	return p.Fn(c, args)
}

func TestRoundTrip(t *testing.T) {
	c := newCtx(t)
	for _, text := range []string{
		`null`, `true`, `0`, `-12`, `1.5`, `1.0`, `"x"`, `"\u0001\"\\\n"`, `[]`, `[1,[2,[]],"a"]`, `{"a":1}`, `{"a":{"b":[1,{"c":null}]},"d":[]}`,
		`12345678901234567890123`, `"😀é"`, `1e300`, `1e-7`, `{"a b":1,"":2}`, `{}`, `[{},[]]`, `{"a":{}}`, `"\b\f\u007f\u2028"`,
	} {
		w := call(c, row("json->scheme"), c.NewString(text))
		if w == heap.Raised {
			t.Errorf("%s: %s", text, c.Fault.Message)
			continue
		}
		out := call(c, row("scheme->json"), w)
		if out == heap.Raised || c.Text(out) != text {
			t.Errorf("%s came back as %s %s", text, c.Text(out), c.Fault.Message)
		}
	}
}

// FuzzDecode compares what is accepted with the standard library, and reads what is written.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e-3,"x\ud83d\ude00"]}`, `[`, `{"a":1,}`, `01`, `"\ud800"`, `[1] 2`, " \t\r\n{}", `-`, `1e5`, "\"\x01\""} {
		f.Add(s)
	}
	c := newCtx(f)
	start := c.HP
	f.Fuzz(func(t *testing.T, text string) {
		c.HP = start
		w := call(c, row("json->scheme"), c.NewString(text))
		text = c.Text(c.NewString(text)) // invalid UTF-8 replaced, as in the string that was read
		if w == heap.Raised {
			if c.Fault.Kind != "memory-error" && len(text) < 10_000 && stdjson.Valid([]byte(text)) && !strings.Contains(c.Fault.Message, "out of range") {
				t.Fatalf("refused: %s", c.Fault.Message)
			}
			return
		}
		if !stdjson.Valid([]byte(text)) {
			t.Fatalf("accepted: %q", text)
		}
		out := call(c, row("scheme->json"), w)
		if out == heap.Raised && c.Fault.Kind == "memory-error" {
			return
		}
		if out == heap.Raised {
			t.Fatalf("read and not written: %s", c.Fault.Message)
		}
		if !stdjson.Valid([]byte(c.Text(out))) {
			t.Fatalf("wrote %q", c.Text(out))
		}
	})
}
