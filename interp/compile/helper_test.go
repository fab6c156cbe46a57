package compile

import (
	"strings"
	"testing"

	"caper/interp/code"
	"caper/interp/expand"
	"caper/interp/heap"
	"caper/interp/prim"
	"caper/interp/syntax"
)

// testPrims stand for the builtins: names and arities only.
func testPrims() *prim.Table {
	var rows []prim.Prim
	add := func(min, max int, names string) {
		for _, n := range strings.Fields(names) {
			rows = append(rows, prim.Prim{Name: n, Min: min, Max: max})
		}
	}
	add(1, 1, "car cdr cadr caddr cddr vector-length string-length not null? pair? zero? positive? negative? 1+ -1+ length char? symbol? sqrt list?")
	add(2, 2, "cons vector-ref string-ref set-car! set-cdr! eq? eqv? equal? quotient remainder modulo")
	add(3, 3, "vector-set!")
	add(2, 3, "%make-rtd %record?")
	add(1, -1, "%record")
	add(4, 4, "%record-ref")
	add(5, 5, "%record-set!")
	add(0, -1, "+ * list vector append string-append")
	add(1, -1, "- / < > <= >= = max min")
	add(1, 2, "make-vector display")
	add(0, 1, "newline")
	return prim.NewTable(rows)
}

type world struct {
	prims *prim.Table
	world *expand.World
	names map[int]string
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{prims: testPrims(), world: expand.NewWorld(nil, expand.NewSlots(0, heap.ImageGlobals), nil, expand.Limits{})}
	names := []string{"call/cc"}
	for _, p := range w.prims.Rows {
		names = append(names, p.Name)
	}
	if err := w.world.DefinePrimitives("(%primitive)", names); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) expand(t testing.TB, text string) []expand.Node {
	t.Helper()
	forms, err := syntax.ReadAll(syntax.NewSource("t.scm", text))
	if err != nil {
		t.Fatal(err)
	}
	p := w.world.NewProgram([]string{"(%syntax)", "(%primitive)"})
	p.Strict = true
	res, err := p.Expand(forms)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var body []expand.Node
	for _, u := range res.Units {
		body = append(body, u.Body...)
	}
	w.names = map[int]string{}
	for _, n := range flatten(body) {
		if d, ok := n.(*expand.GlobalDefine); ok {
			w.names[d.Global.Slot] = d.Global.Name
		}
	}
	return body
}

func (w *world) compile(t testing.TB, text string) *code.Unit {
	t.Helper()
	u, err := Compile("t", w.expand(t, text), Options{Prims: w.prims})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if err := code.Verify(u, len(w.prims.Rows)); err != nil {
		t.Fatalf("%s: %v\n%s", text, err, w.listing(u))
	}
	return u
}

func (w *world) listing(u *code.Unit) string {
	return code.Disassemble(u, code.Names{
		Global: func(slot int) string { return w.names[slot] },
		Prim:   func(n int) string { return w.prims.Rows[n].Name },
	})
}
