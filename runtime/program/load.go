package program

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"caper/interp"
	"caper/interp/heap"
	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program/bind"
	"caper/runtime/store"
)

// open asks for what serves calls.
func (b *bag) open() error {
	if b.calls != nil {
		return nil
	}
	calls, err := b.r.Open()
	b.calls = calls
	return err
}

// now is the clock of the calls; before the store is open nothing is dated.
func (b *bag) now() time.Time {
	if b.calls == nil {
		return time.Time{}
	}
	return b.calls.Now()
}

func (b *bag) fault(point string) {
	if b.calls != nil && b.calls.Faults != nil {
		b.calls.Faults(point)
	}
}

// seed draws the seed of a new program's random numbers.
func seed() uint64 {
	var x [8]byte
	_, _ = rand.Read(x[:]) // never fails
	return binary.BigEndian.Uint64(x[:]) >> 4
}

// errLoadRests says that a file which the program needs waits for a person, or that the program is to stop.
var errLoadRests = errors.New("loading waits")

// load makes the machine and puts the program into it. A program that cannot be read, expanded or compiled fails as a
// whole before anything ran: the error is returned as it is, for the terminal to show with its place.
func (b *bag) load(ctx context.Context) (*Failure, error) {
	if err := b.machine(ctx); err != nil {
		if d := (*Divergence)(nil); errors.As(err, &d) {
			return &Failure{Kind: divergence, Message: "what earlier programs defined cannot be made again: " + err.Error()}, nil
		}
		return nil, err
	}
	return b.loadFirst()
}

// loadFirst gives the machine what it is to run first.
func (b *bag) loadFirst() (*Failure, error) {
	if err := b.prepare(); err != nil {
		return nil, err
	}
	if b.spec.Open { // the names come before the text, which so keeps its lines
		names, err := b.names()
		if err != nil {
			return nil, err
		}
		if names != "" {
			b.texts = append(b.texts, syntax.NewSource("arguments", names))
		}
	}
	b.texts = append(b.texts, b.text)
	return b.begun(b.loadText())
}

// machine makes the bag's machine, or takes over the one that it goes on in.
func (b *bag) machine(ctx context.Context) error {
	if b.spec.Open {
		return b.enter(ctx)
	}
	m, err := b.r.Engine.NewMachine(b.config(loader{b: b, ctx: ctx, next: &b.nextOrd}))
	if err == nil {
		b.use(m)
	}
	return err
}

// loadText gives the machine the next text.
func (b *bag) loadText() error {
	text := b.texts[0]
	b.texts = b.texts[1:]
	return b.m.Load(text)
}

// begun is what became of loading a text.
func (b *bag) begun(err error) (*Failure, error) {
	switch {
	case err == nil:
		return nil, nil
	case b.broken != nil: // not the program's fault: the job stays as it is
		return nil, b.broken
	case len(b.waiting) > 0 || b.ctx.Err() != nil:
		return nil, errLoadRests
	case b.isChild || b.link:
		return &Failure{Kind: "syntax-error", Message: err.Error()}, nil
	}
	return nil, b.unreadable(err)
}

// config is what the bag's machine is made of.
func (b *bag) config(l loader) interp.Config {
	return interp.Config{Memory: orDefault(b.spec.Budget.Memory, DefaultMemory), Output: b.out, Loader: l, Strict: true, Open: b.spec.Open}
}

func (b *bag) use(m *interp.Machine) { b.m, b.out.full = m, m.Interrupt }

// prepare makes the text that the machine loads.
func (b *bag) prepare() error {
	if b.text != nil {
		return nil
	}
	if b.isChild {
		if err := b.arguments(); err != nil {
			return err
		}
	}
	b.text, b.loaded = syntax.NewSource(b.spec.Name, b.spec.Source), b
	return nil
}

// unreadable settles a job whose program cannot even begin, so that nothing waits for it.
func (b *bag) unreadable(err error) error {
	if b.job == nil {
		return err
	}
	o := kind.Outcome{State: kind.Failed, By: "runtime", Error: &kind.Error{Code: "syntax-error", Message: err.Error()}}
	if _, serr := b.calls.Store.Apply(b.id.Session, store.Settle{ID: b.id, Outcome: o}); serr != nil && !errors.Is(serr, store.ErrSettled) {
		return errors.Join(err, serr)
	}
	return err
}

// arguments defines what a nested program finds under the names of its #:args, an association list. The values are asked
// for when the program begins: text could not hold each of them.
func (b *bag) arguments() error {
	text, err := b.names()
	if text != "" {
		b.spec.Source = text + "\n" + b.spec.Source
	}
	return err
}

// names is the text that makes these definitions.
func (b *bag) names() (string, error) {
	list, _ := b.spec.Data.(graph.List)
	if len(list) == 0 {
		return "", nil
	}
	var text strings.Builder
	text.WriteString("(begin")
	for i, x := range list {
		name, _, ok := argument(x)
		if !ok {
			return "", fmt.Errorf("program: #:args is a list of (name . value)")
		}
		fmt.Fprintf(&text, " (define %s (#%%argument %d))", graph.Write(name), i)
	}
	return text.String() + ")", nil
}

// argument answers what arguments has put into the text. It is on record with the job.
func (b *bag) argument(c interp.Call, args graph.List) error {
	list, _ := b.spec.Data.(graph.List)
	if len(args) == 1 {
		if n, ok := args[0].(int64); ok && n >= 0 && n < int64(len(list)) {
			_, value, _ := argument(list[n])
			b.answered = true
			return bind.Give(b.m, c.ID, c.Name, value)
		}
	}
	return b.refuse(c, "range-error", "the program has no such argument")
}

// CheckNames reports what is wrong with data that is to be there under names.
func CheckNames(d graph.Datum) error {
	list, ok := d.(graph.List)
	for _, x := range list {
		_, _, named := argument(x)
		ok = ok && named
	}
	if !ok {
		return errors.New("an object of names with data is wanted, in Scheme ((name . value) …)")
	}
	return nil
}

func argument(x graph.Datum) (graph.Symbol, graph.Datum, bool) {
	switch x := x.(type) {
	case *graph.Dotted:
		name, ok := x.Items[0].(graph.Symbol)
		if len(x.Items) == 1 {
			return name, x.Tail, ok
		}
		return name, &graph.Dotted{Items: x.Items[1:], Tail: x.Tail}, ok
	case graph.List:
		if len(x) == 0 {
			return "", nil, false
		}
		name, ok := x[0].(graph.Symbol)
		return name, x[1:], ok
	}
	return "", nil, false
}

// record puts the source into the job, or its blob.
func (b *bag) record(job *kind.ProgrammaticJob) error {
	if len(b.spec.Source) <= kind.MaxInline/2 {
		job.Source = b.spec.Source
	} else {
		hash, err := b.calls.Blobs.Put([]byte(b.spec.Source))
		if err != nil {
			return err
		}
		job.SourceBlob = hash
	}
	args := b.spec.Data
	if args == nil {
		list := graph.List{}
		for _, a := range b.spec.Args {
			list = append(list, a)
		}
		args = list
	}
	var err error
	job.Args, err = b.calls.Keep(args)
	return err
}

// SourceOf is the text of a program on record.
func SourceOf(calls *call.Service, id graph.ID) (string, error) {
	n, err := calls.Store.Node(id)
	if err != nil {
		return "", err
	}
	job, ok := n.(*kind.ProgrammaticJob)
	if !ok {
		return "", fmt.Errorf("%s is a %s, not a program", id, n.Kind().Name())
	}
	return sourceOf(calls, job)
}

func sourceOf(calls *call.Service, job *kind.ProgrammaticJob) (string, error) {
	if job.SourceBlob == "" {
		return job.Source, nil
	}
	text, err := calls.Blobs.Get(job.SourceBlob)
	return string(text), err
}

// settledResult is the result of a bag that ended in an earlier life.
func settledResult(calls *call.Service, id graph.ID, e store.Entry, out Output) (Result, error) {
	if err := showRecorded(calls, e, out); err != nil {
		return Result{}, err
	}
	o := e.Outcome
	r := Result{ID: id}
	switch o.State {
	case kind.Settled:
		r.State = Done
		d, err := calls.Fetch(o.Value)
		if err != nil {
			return r, err
		}
		if list, ok := d.(graph.List); ok && len(list) == 2 && list[0] == graph.Symbol("exit") {
			code, _ := list[1].(int64)
			return Result{ID: id, State: Exited, Code: int(code)}, nil
		}
		_, r.NoValue = d.(graph.Void)
		r.Value = d
	case kind.Denied:
		r.State = Denied
	case kind.Cancelled:
		r.State = Cancelled
	default:
		r.State = Raised
	}
	if o.Error != nil {
		r.Error = &Failure{Kind: o.Error.Code, Message: o.Error.Message}
		if o.Error.Code == "budget" {
			r.State = Budget
		}
	}
	return r, nil
}

// value is the result of a program that ended with a value. It is shown as write prints it, now and when it is shown again
// from the record: what no datum can hold (it has a cycle, or is too deep) is on record as that text.
func (b *bag) value(w heap.Word) Result {
	r := Result{State: Done, NoValue: w == heap.Unspecified}
	d, data, err := bind.ToDatum(b.m, w)
	if err != nil || !data {
		if text := bind.Shown(b.m, w); err != nil || text != graph.Write(d) { // a record in it may lead back to where it is
			d = graph.Opaque{Text: text}
		}
	}
	b.m.Arena().Settle()
	r.Value = d
	return r
}

// raised is the result of a program that ended with an uncaught condition.
func (b *bag) raised(w heap.Word) Result { return b.failed(w, b.m.Backtrace(w)) }

func (b *bag) failed(w heap.Word, frames []interp.Frame) Result {
	a := b.m.Arena()
	f := &Failure{Kind: "raised", Message: "an object that is no condition was raised", Irritants: b.m.Write(w)}
	if a.IsType(w, heap.TypeCondition) {
		f.Kind = "error"
		if k := a.Field(w, heap.CondKind); a.IsSymbol(k) {
			f.Kind = a.SymbolName(k)
		}
		f.Message = a.Text(a.Field(w, heap.CondMessage))
		f.Irritants = b.irritants(a.Field(w, heap.CondIrritants))
		if d, _, err := bind.ToDatum(b.m, a.Field(w, heap.CondData)); err == nil {
			f.Data = d
			hints, _ := graph.Field(d, "hints").(graph.List)
			for _, h := range hints {
				if text, ok := h.(string); ok {
					f.Hints = append(f.Hints, text)
				}
			}
		}
	}
	if f.Kind == "arity-error" {
		f.Hints = append(f.Hints, b.begins(w)...)
	}
	f.Trace = trace(frames)
	b.locate(f)
	r := Result{State: Raised, Error: f}
	if f.Kind == "denied" || f.Kind == "tool-error" && graph.Field(f.Data, "code") == graph.Symbol("denied") { // by itself, or by what its program called
		r.State = Denied
	}
	return r
}

// library is where the frames of the standard library lie.
const library = "stdlib/"

// begins says where the body stands of the program's procedure that got the wrong arguments.
func (b *bag) begins(condition heap.Word) []string {
	a := b.m.Arena()
	entries, _ := a.Slice(a.Field(condition, heap.CondData), 10)
	for _, e := range entries {
		if heap.IsPair(e) && a.IsSymbol(a.Car(e)) && a.SymbolName(a.Car(e)) == "procedure" {
			if at, ok := b.m.Begins(a.Cdr(e)); ok && b.text != nil && at.File == b.text.Name {
				return []string{fmt.Sprintf("its body begins at %s:%d:%d", at.File, at.Line, at.Column)}
			}
		}
	}
	return nil
}

// locate finds the text of a failure, and of a mistake in it what only the text shows.
func (b *bag) locate(f *Failure) {
	for _, frame := range f.Trace {
		if frame.File == "" {
			continue
		}
		if b.text != nil && frame.File == b.text.Name {
			f.At = b.text.DatumAt(frame.Line, frame.Column)
		}
		break
	}
	if !f.At.Known() {
		return
	}
	called := strings.HasSuffix(f.Message, "no procedure")
	if by := f.Trace[0]; by.File == "" {
		if called && f.Kind == "type-error" {
			f.Hints = []string{by.Procedure + " was given it where it calls a procedure"}
		}
		if strings.HasPrefix(f.At.Text(), "("+by.Procedure) {
			f.Trace = f.Trace[1:] // the text says so
		}
		return
	}
	text, start := f.At.Source.Text, int(f.At.Start)
	const ends = " \t\r\n()[]'`,@\""
	if called && start > 0 && start < len(text) && text[start] == '(' && !strings.ContainsRune(ends, rune(text[start-1])) {
		name := text[strings.LastIndexAny(text[:start], ends)+1 : start]
		f.Hints = []string{"a call has the procedure inside its parentheses: (" + name + " argument ...)"}
	}
}

// trace is a backtrace for a person: the frames of the program, and in front the procedure of the library that was
// called from there, if the library failed; when the program has none, the frames of the library.
func trace(all []interp.Frame) (out []Frame) {
	var inner []Frame
	for _, fr := range all {
		f := Frame{Procedure: fr.Proc, File: fr.File, Line: fr.Line, Column: fr.Column, Kept: fr.Kept, Vars: fr.Vars}
		switch {
		case fr.File == "": // the machine's own driver
		case strings.HasPrefix(fr.File, library) || strings.HasPrefix(fr.File, "("):
			inner = append(inner, f)
		default:
			if n := len(inner); out == nil && n > 0 && inner[n-1].Procedure != "" && inner[n-1].Procedure[0] != '%' {
				out = append(out, Frame{Procedure: inner[n-1].Procedure})
			}
			out = append(out, f)
		}
	}
	if out == nil {
		return inner
	}
	return out
}

func (b *bag) irritants(list heap.Word) string {
	items, _ := b.m.Arena().Slice(list, 100)
	var parts []string
	for _, w := range items {
		parts = append(parts, b.m.Write(w))
	}
	return strings.Join(parts, " ")
}
