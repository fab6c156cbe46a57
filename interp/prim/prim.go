// Package prim says what a primitive is: a Go function over words with a name, an arity and a doc line, and the little
// that it may do. A primitive never calls back into Scheme and never reaches the host: what must, suspends (the machine's
// business). The builtins, the compiler and the machine import it; it imports heap.
package prim

import (
	"fmt"
	"strings"
	"sync"

	"caper/interp/heap"
)

// Func is a primitive's body. args is a view of the caller's registers: words stay valid for the whole call, since
// allocation never collects. It returns its value, or c.Fail… (heap.Raised).
type Func func(c *Ctx, args []heap.Word) heap.Word

// Prim is one row of the table of primitives.
type Prim struct {
	Name     string
	As       string // the name in messages of one that only the library calls; "" for its own
	Min, Max int    // arguments; Max < 0: any number
	Args     string // the argument list for messages and documentation: "list k", "string [start [end]]"
	Doc      string
	Fn       Func
}

// shown is the name in messages: what only the library may call serves the procedure of the same name.
func (p *Prim) shown() string {
	if p.As != "" {
		return p.As
	}
	return strings.TrimPrefix(p.Name, "%")
}

// Ctx is what a primitive works with: the arena (embedded) and the ways to fail and to charge for work.
// There is one in each machine.
type Ctx struct {
	*heap.Arena
	Prim  *Prim // the one running, for messages
	Fuel  int64 // work charged by primitives, taken from the machine's budget at the next poll
	Fault Fault // what failed, when Raised was returned
	Out   Output
	// MidLine says that the last character that went out was no newline. It is state of the program.
	MidLine bool
	Small   [64]byte // for a short text on its way to a port, which may keep nothing of it

	// What the machine knows and a primitive may ask; both may be nil.
	ProcName func(procedure heap.Word) string // the name it was defined with, or ""
	Cache    map[string]any                   // results that can be computed again, bounded by who fills it: no state of the program
}

// Output is the current output: the machine's host takes what is written. It reports false when the output budget is spent.
type Output interface{ Write(text []byte) bool }

// Fault is a failed primitive: the machine makes a condition of it.
type Fault struct {
	Kind      string // a condition kind: see heap.CondKind
	Message   string
	Irritants heap.Word // list
	Data      heap.Word // alist
	Hint      string    // what to do about it
	Exhausted string    // not a condition: "memory", "output": the machine stops
	Room      bool      // nothing was done yet for want of memory: after a collection the machine tries again
}

// Fail records a failure with irritants and answers heap.Raised.
func (c *Ctx) Fail(kind, message string, irritants ...heap.Word) heap.Word {
	c.Fault = Fault{Kind: kind, Message: message, Irritants: c.List(irritants...), Data: heap.Null}
	return heap.Raised
}

// WrongType fails because argument i (from 0) is not what is wanted ("a pair", "an exact integer").
func (c *Ctx) WrongType(args []heap.Word, i int, want string) heap.Word {
	c.Fail("type-error", fmt.Sprintf("%s: argument %d must be %s", c.Prim.shown(), i+1, want), args[i])
	c.Fault.Hint = Hint(c.Arena, c.Prim.shown(), c.Prim.Args, args, i, want)
	return heap.Raised
}

// OutOfRange fails because index argument i lies outside [lo, hi].
func (c *Ctx) OutOfRange(args []heap.Word, i int, lo, hi int) heap.Word {
	return c.Fail("range-error", fmt.Sprintf("%s: argument %d must be from %d to %d", c.Prim.shown(), i+1, lo, hi), args[i])
}

// TooLarge fails because the result would not fit the memory limit. Call it when Room says no, before anything was done:
// the primitive is run once more when a collection has made room.
func (c *Ctx) TooLarge(what string) heap.Word {
	c.Fail("memory-error", fmt.Sprintf("%s: %s does not fit the memory limit", c.Prim.shown(), what))
	c.Fault.Room = true
	return heap.Raised
}

// Room reports whether n bytes would fit the memory limit, and charges the work when they do; ask before allocating a size that the
// program chose.
func (c *Ctx) Room(n uint64) bool {
	if !c.Reserve(n) {
		return false
	}
	c.Charge(n / 16)
	return true
}

// Charge counts work that takes longer than a call: about one unit for each element or 16 bytes touched.
func (c *Ctx) Charge(units uint64) { c.Fuel += int64(min(units, 1<<40)) }

// Index reads argument i as an index in [lo, hi]; when it is none the failure is recorded and ok is false.
func (c *Ctx) Index(args []heap.Word, i int, lo, hi int) (n int, ok bool) {
	w := args[i]
	if !heap.IsFixnum(w) {
		c.WrongType(args, i, "an exact integer")
		return 0, false
	}
	v := heap.FixnumValue(w)
	if v < int64(lo) || v > int64(hi) {
		c.OutOfRange(args, i, lo, hi)
		return 0, false
	}
	return int(v), true
}

// Span reads optional start and end arguments from position i on, within [0, n].
func (c *Ctx) Span(args []heap.Word, i, n int) (start, end int, ok bool) {
	start, end = 0, n
	if len(args) > i+1 && args[i+1] != heap.Default {
		if end, ok = c.Index(args, i+1, 0, n); !ok {
			return 0, 0, false
		}
	}
	if len(args) > i && args[i] != heap.Default {
		if start, ok = c.Index(args, i, 0, end); !ok {
			return 0, 0, false
		}
	}
	return start, end, true
}

// Table is an ordered list of primitives, indexed by the number that PRIM instructions carry.
type Table struct {
	Rows   []Prim
	byName func() map[string]int
}

// NewTable is a table of the rows. A name given twice panics when a name is looked up, since tables are fixed when the
// program is built; a process whose programs call none needs no index.
func NewTable(rows []Prim) *Table {
	return &Table{rows, sync.OnceValue(func() map[string]int {
		index := make(map[string]int, len(rows))
		for i, p := range rows {
			if _, dup := index[p.Name]; dup {
				panic("primitive defined twice: " + p.Name)
			}
			index[p.Name] = i
		}
		return index
	})}
}

// Lookup answers a primitive's number.
func (t *Table) Lookup(name string) (int, bool) {
	i, ok := t.byName()[name]
	return i, ok
}
