package interp_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"caper/interp"
	"caper/interp/syntax"
)

// randomEngine has what the generator's programs use.
var randomEngine = sync.OnceValues(func() (*interp.Engine, error) {
	return interp.NewEngine(interp.Options{
		Libraries: map[string]string{"(test)": `(define-library (test) (export ask par-map)
			(import (scheme base) (%primitive) (%support))
			(begin (define (ask . arguments) (apply %host 'ask arguments))))`},
		Order:    []string{"(caper standard)", "(caper prelude)", "(test)"},
		Implicit: []string{"(caper prelude)", "(test)"},
	})
})

// made is one program in both styles.
type made struct {
	direct, plain           []string // definitions, then the form
	plainValue, directValue string
}

func write(c choices) (m made) {
	m.direct, m.directValue = (&generator{r: c}).program()
	m.plain, m.plainValue = (&generator{r: c, plain: true}).program()
	return m
}

func random(r *rand.Rand) choices {
	c := make(choices, 50+r.IntN(900))
	for i := range c {
		c[i] = byte(r.Uint32())
	}
	return c
}

// mostTries bounds the search for a smaller program.
const mostTries = 400

// smaller leaves out choices while the program is still bad.
func smaller(c choices, bad func(choices) bool) choices {
	for size := len(c) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(c); {
			if d := slices.Concat(c[:at], c[at+size:]); bad(d) {
				c = d
			} else if d := slices.Concat(c[:at], make(choices, size), c[at+size:]); string(d) != string(c) && bad(d) {
				c, at = d, at+size
			} else {
				at += size
			}
		}
	}
	return c
}

// way is how a program is run.
type way struct {
	strict  bool
	pieces  bool // every form is loaded by itself, as at a prompt
	slice   func() int64
	between func(m *interp.Machine, c interp.Config, texts []*syntax.Source) (*interp.Machine, error)
}

const fullRun = 300_000

// run runs texts and answers what the last has for value.
func run(t testing.TB, w way, texts ...string) string {
	t.Helper()
	e, err := randomEngine()
	if err != nil {
		t.Fatal(err)
	}
	c := interp.Config{Memory: 64 << 20, Strict: w.strict}
	m, err := e.NewMachine(c)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { m.Close() }()
	if !w.pieces {
		texts = []string{strings.Join(texts, "\n")}
	}
	result := ""
	var loaded []*syntax.Source
	spent := int64(0)
	for _, text := range texts {
		src := syntax.NewSource("random.scm", text)
		if err := m.Load(src); err != nil {
			return "refused " + err.Error()
		}
		loaded = append(loaded, src)
		for done := false; !done; {
			fuel := int64(fullRun)
			if w.slice != nil {
				fuel = w.slice()
			}
			s := m.Run(fuel)
			spent += s.Used
			switch {
			case s.Kind == interp.Suspended:
				if w.between != nil {
					if m, err = w.between(m, c, loaded); err != nil {
						return "between: " + err.Error()
					}
				}
				for _, c := range m.Pending() {
					m.Resume(c.ID, m.Arena().Car(c.Args))
				}
			case s.Kind == interp.Exhausted && s.Which == "fuel" && spent < fullRun:
				if w.between != nil {
					if m, err = w.between(m, c, loaded); err != nil {
						return "between: " + err.Error()
					}
				}
			case s.Kind == interp.Done:
				result, done = m.Text(s.Value, 1<<20), true
			case s.Kind == interp.Exhausted:
				return "exhausted " + s.Which
			default:
				return "raised " + m.Text(s.Value, 1<<20)
			}
		}
	}
	return result
}

// sliced is a way with slices of random size, the machine parked or made again of its bytes between some of them.
func sliced(r *rand.Rand) way {
	e, _ := randomEngine()
	most := []int{3, 40, 400}[r.IntN(3)]
	often := []int{200, 20, 3}[r.IntN(3)]
	return way{
		strict: r.IntN(2) == 0,
		slice:  func() int64 { return int64(1 + r.IntN(most)) },
		between: func(m *interp.Machine, c interp.Config, texts []*syntax.Source) (*interp.Machine, error) {
			switch r.IntN(often) {
			case 0:
				b, err := m.Snapshot()
				if err != nil {
					return m, err
				}
				again, err := e.Restore(c, texts, b)
				if err != nil {
					return m, err
				}
				m.Close()
				return again, nil
			case 1:
				if err := m.Park(); err != nil {
					return m, err
				}
				return m, m.Unpark()
			}
			return m, nil
		},
	}
}

// plain is the value of a program's plain form.
func plain(t testing.TB, m made) string {
	return run(t, way{strict: true}, append(append([]string{prelude}, m.plain...), m.plainValue)...)
}

// disagreement compares all the ways to run a program with its plain form.
func disagreement(t testing.TB, m made, c choices) (want, how, got string) {
	direct := append(append([]string{prelude}, m.direct...), m.directValue)
	want = plain(t, m)
	for _, c := range []struct {
		name string
		way  way
	}{
		{"strict", way{strict: true}},
		{"whole", way{}},
		{"in pieces", way{pieces: true}},
		{"sliced", sliced(rand.New(rand.NewPCG(1, uint64(len(c)))))},
	} {
		// Where collections cost fuel the checking build soon has spent all.
		if got := run(t, c.way, direct...); got != want && !strings.HasPrefix(got, "exhausted fuel") && !strings.HasPrefix(want, "exhausted fuel") {
			return want, c.name, got
		}
	}
	return want, "", ""
}

func (m made) String() string {
	return strings.Join(append(m.direct, m.directValue), "\n") + "\n; plain:\n" + strings.Join(append(m.plain, m.plainValue), "\n")
}

func setting(name string, or int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return or
}

// TestRandomPrograms holds that a program has one value however it is compiled, cut into slices, parked or stored, and
// that guile finds the same. RANDOM_PROGRAMS sets how many, RANDOM_SEED which.
func TestRandomPrograms(t *testing.T) {
	n := 60
	if os.Getenv("CAPER_FULL") != "" {
		n = 10_000
	}
	n = setting("RANDOM_PROGRAMS", n)
	seed := setting("RANDOM_SEED", 1)
	path, err := exec.LookPath("guile")
	if err != nil {
		t.Log("guile is not here: not compared with it")
	}
	peer := guile{path: path}
	values := 0
	for i := range n {
		c := random(rand.New(rand.NewPCG(uint64(seed), uint64(i))))
		want := check(t, c)
		if strings.HasPrefix(want, "(") && !strings.HasPrefix(want, "(raised condition") {
			values++
		}
		if !strings.HasPrefix(want, "exhausted") {
			peer.add(t, c, want)
		}
	}
	peer.compare(t)
	t.Logf("%d programs, %d ended in a value", n, values)
	if values*10 < n*9 {
		t.Errorf("of %d programs only %d ended in a value", n, values)
	}
}

// check fails when the ways to run a program do not agree, and answers the value of the plain form.
func check(t testing.TB, c choices) string {
	t.Helper()
	want, how, got := disagreement(t, write(c), c)
	if how != "" {
		t.Logf("%s: %s, plain has %s", how, got, want)
		tries := mostTries
		c = smaller(c, func(c choices) bool {
			if tries--; tries < 0 {
				return false
			}
			_, again, _ := disagreement(t, write(c), c)
			return again == how
		})
		m := write(c)
		want, how, got := disagreement(t, m, c)
		t.Errorf("%s: %s\nplain has %s\n%s", how, got, want, m)
	}
	return want
}

// FuzzPrograms lets the fuzzer make the choices.
func FuzzPrograms(f *testing.F) {
	for i := range uint64(20) {
		f.Add([]byte(random(rand.New(rand.NewPCG(9, i)))))
	}
	f.Fuzz(func(t *testing.T, b []byte) { check(t, b) })
}

// guile is the peer. Programs are given to it in batches: it takes long to start.
type guile struct {
	path    string // "": it is not here
	choices []choices
	wants   []string
}

const guileHead = `(import (except (scheme base) cond-expand) (scheme read) (scheme write) (scheme lazy) (scheme case-lambda) (only (srfi 1) fold fold-right reduce filter)
  (only (srfi 69) make-hash-table hash-table-ref/default hash-table-set! hash-table-delete! hash-table-exists? hash-table-update!/default hash-table-size hash-table-fold))
(set-port-encoding! (current-output-port) "UTF-8")
(define (ask x) x)
(define par-map map)
(define (out thunk) (set! trace 7) (write (guard (e (#t (list 'escaped e))) (thunk))) (newline) (force-output))
`

const batch = 500

func (g *guile) add(t testing.TB, c choices, want string) {
	if g.path != "" {
		if g.choices, g.wants = append(g.choices, c), append(g.wants, want); len(g.wants) == batch {
			g.compare(t)
		}
	}
}

// compare empties the batch.
func (g *guile) compare(t testing.TB) {
	t.Helper()
	got := g.run(t, g.choices...)
	for i, want := range g.wants {
		if got[i] == want {
			continue
		}
		tries := mostTries / 4 // each starts a process
		c := smaller(g.choices[i], func(c choices) bool {
			if tries--; tries < 0 {
				return false
			}
			want := plain(t, write(c))
			return !strings.HasPrefix(want, "exhausted") && g.run(t, c)[0] != want
		})
		m := write(c)
		t.Errorf("guile: %s\nwe have %s\n%s", g.run(t, c)[0], plain(t, m), m)
	}
	g.choices, g.wants = nil, nil
}

// run answers what guile has for values of the plain forms of programs.
func (g *guile) run(t testing.TB, programs ...choices) []string {
	t.Helper()
	got := make([]string, len(programs))
	for done := 0; done < len(got); done++ { // again after each program that ends guile itself
		text := guileHead + prelude
		for _, c := range programs[done:] {
			m := write(c)
			text += "(out (lambda () " + strings.Join(m.plain, "\n") + "\n" + m.plainValue + "))\n"
		}
		file := filepath.Join(t.TempDir(), "programs.scm")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(g.path, "--no-auto-compile", file)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		for line := range strings.Lines(string(out)) {
			got[done], done = strings.TrimSuffix(line, "\n"), done+1
		}
		if err == nil {
			break
		}
		got[done] = "guile: " + err.Error() + "\n" + stderr.String()
	}
	return got
}
