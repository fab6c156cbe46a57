package stdlib_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/syntax"
	"caper/stdlib"
)

// The SRFIs that there are. Beside srfi/N.sld lie srfi/N.index, the names of the document's own index, one a line, and
// srfi/N-test.scm, which applies every one of them.
var srfis = []int{
	0, 1, 2, 6, 8, 9, 11, 13, 14, 16, 19, 23, 26, 27, 28, 30, 31, 34, 35, 38, 39, 41, 43, 45, 48, 60, 61, 62, 64, 69, 87, 88,
	95, 98, 111, 113, 115, 125, 128, 130, 132, 133, 145, 151, 152, 158, 171, 175, 180, 189, 193, 197, 214, 219, 227, 235, 239,
}

// TestIndexes compares what a SRFI exports and what its test applies with the index of its document.
func TestIndexes(t *testing.T) {
	for _, n := range srfis {
		text, err := os.ReadFile(fmt.Sprintf("srfi/%d.index", n))
		if err != nil {
			t.Error(err)
			continue
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			index := map[string]bool{}
			for _, name := range strings.Fields(string(text)) {
				if index[name] {
					t.Errorf("%s is twice in the index", name)
				}
				index[name] = true
			}
			exported, used := map[string]bool{}, map[string]bool{}
			for _, f := range readFile(t, fmt.Sprintf("srfi/%d.sld", n)) {
				for _, d := range f.Datum.(*syntax.List).Items {
					if l, ok := d.Datum.(*syntax.List); ok && isNamed(l.Items[0], "export") {
						for _, e := range l.Items[1:] {
							if renamed, ok := e.Datum.(*syntax.List); ok {
								e = renamed.Items[2]
							}
							exported[e.Text()] = true
						}
					}
				}
			}
			for _, f := range readFile(t, fmt.Sprintf("srfi/%d-test.scm", n)) {
				if l, ok := f.Datum.(*syntax.List); !ok || len(l.Items) == 0 || !isNamed(l.Items[0], "import") {
					symbols(f, used)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(index)) {
				if !exported[name] {
					t.Errorf("%s is not exported", name)
				}
				if !used[name] {
					t.Errorf("%s is not tested", name)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(exported)) {
				if !index[name] {
					t.Errorf("%s is exported and not in the index", name)
				}
			}
		})
	}
}

func readFile(t *testing.T, path string) []*syntax.Syntax {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return readAll(t, syntax.NewSource(path, string(text)))
}

func isNamed(s *syntax.Syntax, name string) bool {
	sym, ok := s.Datum.(*syntax.Symbol)
	return ok && sym.Name == name
}

// symbols collects the symbols of a form, as they are written.
func symbols(s *syntax.Syntax, into map[string]bool) {
	switch d := s.Datum.(type) {
	case *syntax.Symbol:
		into[s.Text()] = true
	case *syntax.List:
		for _, it := range d.Items {
			symbols(it, into)
		}
		if d.Tail != nil {
			symbols(d.Tail, into)
		}
	}
}

// total are the names of the index that no argument makes fail.
var total = strings.Fields(`
	pair? proper-list? circular-list? dotted-list? not-pair? null-list? string? vector? keyword? hash-table? cond-expand
	char-set? char-set:lower-case char-set:upper-case char-set:title-case char-set:letter char-set:digit
	char-set:letter+digit char-set:graphic char-set:printing char-set:whitespace char-set:iso-control
	char-set:punctuation char-set:symbol char-set:hex-digit char-set:blank char-set:ascii char-set:full
	time-duration time-monotonic time-tai time-resolution time? date? default-random-source random-source?
	condition-type? condition? message-condition? serious-condition? error?
	stream? stream-null? stream-pair? stream-constant booleans->integer
	ascii-codepoint? ascii-bytevector? ascii-char? ascii-string? comparator? make-default-comparator default-hash hash-bound
	hash-salt hash hash-by-identity constantly always never reduced reduced? ensure-reduced _ bits set? bag? json-error?
	json-null? nothing just? nothing? maybe? right? left? either? truth->maybe truth->either generation->maybe
	generation->either regexp? valid-sre? regexp-match? flexvector flexvector? string-cursor? box box?`)

// TestErrorCases: a name that can fail is in a case that says how.
func TestErrorCases(t *testing.T) {
	for _, n := range srfis {
		if n == 64 { // its test is a program of its own
			continue
		}
		failing := map[string]bool{}
		forms := readFile(t, fmt.Sprintf("srfi/%d-test.scm", n))
		for i, f := range forms {
			if isNamed(f, "=raises>") {
				symbols(forms[i-1], failing)
			}
		}
		text, _ := os.ReadFile(fmt.Sprintf("srfi/%d.index", n))
		for _, name := range strings.Fields(string(text)) {
			if !failing[name] && !slices.Contains(total, name) {
				t.Errorf("srfi %d: %s has no error case", n, name)
			}
		}
	}
}

// TestNames: every SRFI has its usual names and its feature.
func TestNames(t *testing.T) {
	e := newEngine(t)
	for _, n := range srfis {
		if _, _, ok := stdlib.Source([]string{"srfi", fmt.Sprint(n)}); !ok {
			t.Errorf("srfi %d is not there", n)
			continue
		}
		names := strings.ReplaceAll("(srfi N) (srfi :N) (srfi srfi-N) (srfi N long-name) (srfi :N long-name)", "N", fmt.Sprint(n))
		text := fmt.Sprintf("(import %s) (cond-expand ((and srfi-%d (library (srfi :%d))) 1))", names, n, n)
		m, err := e.NewMachine(interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Load(syntax.NewSource("names", "(import (only (scheme base) cond-expand and)) "+text)); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if s := run(m); s.Kind != interp.Done || m.Write(s.Value) != "1" {
			t.Errorf("%s: %v %s", text, s.Kind, m.Write(s.Value))
		}
		m.Close()
	}
}

// TestLibraries imports every public library into a program of its own.
func TestLibraries(t *testing.T) {
	e := newEngine(t)
	for _, name := range stdlib.Libraries() {
		m, err := e.NewMachine(interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Load(syntax.NewSource(name, "(import "+name+") 1")); err != nil {
			t.Errorf("%s: %v", name, err)
		} else if s := run(m); s.Kind != interp.Done {
			t.Errorf("%s: %v %s", name, s.Kind, m.Write(s.Value))
		}
		m.Close()
	}
}
