package bind_test

import (
	"math"
	"math/big"
	"strings"
	"sync"
	"testing"

	"caper/interp"
	"caper/interp/heap"
	"caper/interp/number"
	"caper/interp/syntax"
	"caper/runtime/graph"
	"caper/runtime/program/bind"

	"pgregory.net/rapid"
)

var engine = sync.OnceValues(func() (*interp.Engine, error) {
	return interp.NewEngine(interp.Options{
		Libraries: map[string]string{"(test)": `(define-library (test) (export ask) (import (%syntax) (%primitive))
			(begin (define (ask . arguments) (apply %host 'ask arguments))))`},
		Order:    []string{"(caper standard)", "(caper prelude)", "(test)"},
		Implicit: []string{"(caper prelude)", "(test)"},
	})
})

// asking runs a program that asks for ever; the answer gives it a value and reads what it asks with next.
func asking(t *testing.T, text string) func(t *rapid.T, given graph.Datum) graph.List {
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.NewMachine(interp.Config{Memory: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	if err := m.Load(syntax.NewSource("test", text)); err != nil {
		t.Fatal(err)
	}
	next := func() uint64 {
		s := m.Run(1 << 40)
		if s.Kind != interp.Suspended || len(s.Calls) != 1 {
			t.Fatalf("the program ended: %s", m.Write(s.Value))
		}
		return s.Calls[0].ID
	}
	id := next()
	return func(t *rapid.T, given graph.Datum) graph.List {
		w, err := bind.FromDatum(m.Arena(), given)
		if err != nil {
			t.Fatal(err)
		}
		m.Resume(id, w)
		id = next()
		var args heap.Word
		for _, c := range m.Pending() {
			if c.ID == id {
				args = c.Args
			}
		}
		d, data, err := bind.ToDatum(m, args)
		if err != nil || !data {
			t.Fatalf("%s: %v", m.Write(args), err)
		}
		return d.(graph.List)
	}
}

// values generates data of every kind that a program can hold.
func values() *rapid.Generator[graph.Datum] {
	integer := rapid.Custom(func(t *rapid.T) graph.Datum {
		n, err := number.Expt(rapid.Int64().Draw(t, "base"), rapid.Int64Range(0, 4).Draw(t, "power"), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		return n
	})
	real := rapid.OneOf(integer, rapid.Map(rapid.Float64(), func(f float64) graph.Datum { return f }), rapid.SampledFrom([]graph.Datum{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e21, 1e-6, 9.5e-7}),
		rapid.Custom(func(t *rapid.T) graph.Datum {
			return number.Normalize(big.NewRat(rapid.Int64().Draw(t, "over"), rapid.Int64Range(1, 1<<40).Draw(t, "under")))
		}))
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", ".", "...", "null", "1+", "+i", "-inf.0", "a b", "A", "|", "#", "#:", "#:k", "k", "#t", "@x", "quote", "unquote", "ſ"}))
	atom := rapid.OneOf(real,
		rapid.Custom(func(t *rapid.T) graph.Datum { return number.Rectangular(real.Draw(t, "re"), real.Draw(t, "im")) }),
		rapid.Map(rapid.Bool(), func(b bool) graph.Datum { return b }),
		rapid.Map(text, func(s string) graph.Datum { return s }),
		rapid.Map(text, func(s string) graph.Datum { return graph.Symbol(s) }),
		rapid.Map(text, func(s string) graph.Datum { return graph.Keyword(s) }),
		rapid.Map(rapid.Rune(), func(r rune) graph.Datum { return graph.Char(r) }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) graph.Datum { return b }),
		rapid.Just(graph.Datum(graph.Void{})),
	)
	var any func(depth int) *rapid.Generator[graph.Datum]
	any = func(depth int) *rapid.Generator[graph.Datum] {
		if depth == 0 {
			return atom
		}
		inner := rapid.Deferred(func() *rapid.Generator[graph.Datum] { return any(depth - 1) })
		items := rapid.SliceOfN(inner, 0, 6)
		return rapid.OneOf(atom,
			rapid.Map(items, func(d []graph.Datum) graph.Datum { return graph.List(d) }),
			rapid.Map(items, func(d []graph.Datum) graph.Datum { return graph.Vector(d) }),
			rapid.Custom(func(t *rapid.T) graph.Datum {
				return &graph.Dotted{Items: rapid.SliceOfN(inner, 1, 4).Draw(t, "items"), Tail: inner.Draw(t, "tail")}
			}),
			rapid.Custom(func(t *rapid.T) graph.Datum { // an alist
				var l graph.List
				for _, v := range items.Draw(t, "values") {
					l = append(l, &graph.Dotted{Items: []graph.Datum{rapid.OneOf(
						rapid.Map(text, func(s string) graph.Datum { return graph.Symbol(s) }),
						rapid.Map(text, func(s string) graph.Datum { return s })).Draw(t, "key")}, Tail: v})
				}
				return l
			}),
			rapid.Custom(func(t *rapid.T) graph.Datum {
				table := &graph.Table{Kind: graph.TableKind(rapid.Uint8Range(0, 3).Draw(t, "kind")), Frozen: rapid.Bool().Draw(t, "frozen")}
				seen := map[string]bool{}
				for _, k := range rapid.SliceOfN(inner, 0, 12).Draw(t, "keys") {
					if b, _ := graph.Encode(k); !seen[string(b)] {
						seen[string(b)] = true
						table.Items = append(table.Items, k, inner.Draw(t, "value"))
					}
				}
				return table
			}))
	}
	return any(3)
}

// TestValuesCrossExactly sends data into a program and gets them back: they are the same, they are shown as the program's own
// write prints them, and where scheme->json has a text for them the runtime has the same.
func TestValuesCrossExactly(t *testing.T) {
	ask := asking(t, `
		(define (written x) (call-with-output-string (lambda (p) (write x p))))
		(define (json x) (guard (e (#t (list (condition/report-string e)))) (scheme->json x)))
		(let loop ((x (ask))) (loop (ask x (written x) (json x))))`)
	rapid.Check(t, func(t *rapid.T) {
		d := values().Draw(t, "value")
		got := ask(t, d)
		if !graph.Equal(got[0], d) {
			t.Fatalf("%s came back as %s", graph.Write(d), graph.Write(got[0]))
		}
		if text := graph.Write(d); text != got[1] {
			t.Fatalf("shown as %s, written as %s", text, got[1])
		}
		j, err := graph.ToJSON(d)
		if err != nil {
			t.Fatal(err)
		}
		switch text, ok := got[2].(string); {
		case ok && text != string(j):
			t.Fatalf("%s is shown as %s, scheme->json writes %s", graph.Write(d), j, text)
		case !ok && !strings.Contains(graph.Write(got[2]), "JSON") && !strings.Contains(graph.Write(got[2]), "the key of an object must be"):
			t.Fatalf("%s: %s", graph.Write(d), graph.Write(got[2]))
		}
	})
}

// TestOneReaderOfJSON compares what the runtime and a program read of JSON, and what comes of it when it is written again.
func TestOneReaderOfJSON(t *testing.T) {
	ask := asking(t, `
		(define (read text) (guard (e (#t (list #f))) (let ((x (json->scheme text))) (list x (scheme->json x)))))
		(let loop ((text (ask))) (loop (apply ask (read text))))`)
	pieces := rapid.SampledFrom([]string{"{", "}", "[", "]", ",", ":", `"a":`, `"a":`, `"b":`, `"a"`, `"\ud83d\ude00"`, `"\ud800"`, `"\u2028\b\f\u007f"`, `""`, "null", "true",
		"0", "-0", "-0.0", "1e2", "1e999", "1.5e-7", "123456789012345678901234567890", "01", " ", "{}", "[]", `{"a":{},"b":[]}`, `{"a":1,"b":2,"a":3}`})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 1, 8).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "of a value") {
			j, err := graph.ToJSON(values().Draw(t, "value"))
			if err != nil {
				t.Fatal(err)
			}
			text = string(j)
		}
		d, err := graph.FromJSON([]byte(text))
		got := ask(t, text)
		if (err == nil) != (len(got) == 2) || err == nil && !graph.Equal(d, got[0]) {
			t.Fatalf("%s: %s (%v), json->scheme %s", text, graph.Write(d), err, graph.Write(got[0]))
		}
		if err != nil {
			return
		}
		again, err := graph.ToJSON(d)
		if err != nil || string(again) != got[1] {
			t.Fatalf("%s: %s (%v), scheme->json %s", text, again, err, got[1])
		}
		if back, err := graph.FromJSON(again); err != nil || !graph.Equal(back, d) {
			t.Fatalf("%s became %s, and that %s (%v)", text, again, graph.Write(back), err)
		}
	})
}

// TestWhatIsNoData gives programs what they must not get.
func TestWhatIsNoData(t *testing.T) {
	e, err := engine()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`(ask 1 car)`:                         "ask: argument 2 is #<procedure car>, which is no data",
		`(ask 1 #:key (list 1 (vector car)))`: "ask: item 1 of item 2 of #:key is #<procedure car>, which is no data",
		`(ask (current-output-port))`:         "ask: argument 1 is #<output port>, which is no data",
		`(ask (box 1))`:                       "ask: argument 1 is #<box 1>, which is no data",
		`(ask (string->char-set "a"))`:        "ask: argument 1 is #<char-set>, which is no data",
		`(ask #px"a+")`:                       `ask: argument 1 is #px"a+", which is no data`,
		`(ask (eof-object))`:                  "ask: argument 1 is #<eof>, which is no data",
		`(ask (delay 1))`:                     "ask: argument 1 is #<promise>, which is no data",
		`(ask (call/cc (lambda (k) k)))`:      "ask: argument 1 is #<procedure>, which is no data",
		`(let () (define-record-type point (make x) point? (x x)) (ask (make 1)))`:        "ask: argument 1 is #<point x: 1>, which is no data",
		`(let ((t (make-equal-hash-table))) (hash-table-set! t car 1) (ask t))`:           "ask: item 1 of argument 1 is #<procedure car>, which is no data",
		`(let ((l (list 1 2))) (set-cdr! (cdr l) l) (ask l))`:                             "ask: the value is circular: (#0=(1 2 . #0#))",
		`(let ((l (list 1 2))) (set-car! l l) (ask l))`:                                   "ask: the value is nested more than 10000 deep, or circular: (#0=(#0# 2))",
		`(let ((v (vector 1))) (vector-set! v 0 v) (ask v))`:                              "ask: the value is nested more than 10000 deep, or circular: (#0=#(#0#))",
		`(let ((t (make-equal-hash-table))) (hash-table-set! t 1 t) (ask t))`:             "ask: the value is nested more than 10000 deep, or circular: (#0=#hash((1 . #0#)))",
		`(ask (let loop ((n 40) (x '(1 2 3))) (if (= n 0) x (loop (- n 1) (list x x)))))`: "ask: the value is too large for the memory limit: ((((((((",
		`(define (f x) x) (ask (list 'a f))`:                                              "ask: item 2 of argument 1 is #<procedure f>, which is no data",
	} {
		m, err := e.NewMachine(interp.Config{Memory: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Load(syntax.NewSource("test", text)); err != nil {
			t.Fatal(text, err)
		}
		s := m.Run(1 << 40)
		if s.Kind != interp.Suspended {
			t.Fatal(text, m.Write(s.Value))
		}
		if _, _, err := bind.Operation(m, s.Calls[0]); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		m.Close()
	}
	m, err := e.NewMachine(interp.Config{Memory: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Load(syntax.NewSource("test", "(ask)")); err != nil {
		t.Fatal(err)
	}
	s := m.Run(1 << 40)
	if err := bind.Give(m, s.Calls[0].ID, bind.OpProgram, graph.List{int64(1), graph.Opaque{Text: "#<port>"}}); err != nil {
		t.Fatal(err)
	}
	if s = m.Run(1 << 40); s.Kind != interp.Raised || !strings.HasPrefix(m.Write(s.Value), "run-program: item 2 of the value is #<port>, which is no data") {
		t.Error(m.Write(s.Value))
	}
}
