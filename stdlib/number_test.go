package stdlib_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"caper/interp"
	"caper/interp/syntax"
)

// This file compares the machine's arithmetic with math/big and strconv: every operation as an instruction of compiled
// code, the common ones also as a primitive that is applied.

// cases is how many operations are compared: CAPER_FULL=1 asks for a million.
func cases() int {
	if os.Getenv("CAPER_FULL") != "" {
		return 1_000_000
	}
	return 20_000
}

// TestArithmetic is one program that applies all operations to operands it reads, run again and again.
func TestArithmetic(t *testing.T) {
	seed, _ := strconv.ParseUint(os.Getenv("CAPER_SEED"), 10, 64)
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	e := newEngine(t)
	var program strings.Builder
	program.WriteString("(define ops (list")
	for _, o := range operations {
		fmt.Fprintf(&program, "\n(lambda (a b k) %s)", o.scheme)
	}
	program.WriteString(`))
(define (answer op case) (guard (e (#t 'error)) (apply op case)))
(define (run text)
  (let ((in (open-input-string text)))
    (let next ((case (read in)))
      (unless (eof-object? case)
        (for-each (lambda (op) (write (answer op case)) (newline)) ops)
        (next (read in))))))`)
	const batch = 100
	failed := map[string]int{}
	for done := 0; done < cases(); done += batch * len(operations) {
		var text strings.Builder
		var want, about []string
		for range batch {
			a, b := g.pair()
			k := g.IntN(61) - 30
			fmt.Fprintf(&text, "(%v %v %d)\n", a, b, k)
			for _, o := range operations {
				want = append(want, o.want(a, b, k))
				about = append(about, fmt.Sprintf("%s of %v %v %d", o.scheme, a, b, k))
			}
		}
		got := strings.Split(strings.TrimSpace(runProgram(t, e, program.String(), "(run "+strconv.Quote(text.String())+")")), "\n")
		if len(got) != len(want) {
			t.Fatalf("%d answers to %d questions, the last %s", len(got), len(want), got[len(got)-1])
		}
		for i := range want {
			scheme := operations[i%len(operations)].scheme
			gotten := strings.NewReplacer("(", "[", ")", "]").Replace(got[i])
			wanted := strings.NewReplacer("(", "[", ")", "]").Replace(want[i])
			if want[i] == "" || gotten == wanted {
				continue
			}
			if failed[scheme]++; failed[scheme] <= 3 {
				t.Errorf("%s\n got %s\nwant %s", about[i], got[i], want[i])
			}
		}
	}
}

// runProgram loads two texts into a new machine and answers what they printed.
func runProgram(t *testing.T, e *interp.Engine, texts ...string) string {
	t.Helper()
	out := &screen{}
	m, err := e.NewMachine(interp.Config{Output: out})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, text := range texts {
		if err := m.Load(syntax.NewSource("numbers", text)); err != nil {
			t.Fatal(err)
		}
		switch step := m.Run(1 << 40); step.Kind {
		case interp.Done:
		case interp.Raised:
			t.Fatal(m.Write(step.Value))
		default:
			t.Fatalf("stopped: %v", step.Kind)
		}
	}
	return out.text.String()
}
