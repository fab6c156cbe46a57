package vm

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"

	"caper/interp/code"
	"caper/interp/heap"
	"caper/interp/number"
)

// placed is a unit at its place in the static area or the image. It is never changed once made, so machines share it.
type placed struct {
	base, end uint64 // code and cells
	limit     uint64 // end of the constants that came with it
	apart     bool   // by LoadApart, or after it was used
	unit      *code.Unit
	tops      []heap.Word // closures of the top-level procedures
	consts    []heap.Word // the unit's constants
	slots     int         // one more than the highest private global used
	imageUsed int         // one more than the highest image global used
	maxRegs   uint64
	thawed    sync.Once // of an image
	referenceSet
}

// ErrUnit says that a unit cannot be what the compiler made.
var ErrUnit = errors.New("malformed unit")

// ErrStatic says that code and constants do not fit the machine's static area.
var ErrStatic = errors.New("the program's code and constants are too large")

// Load places a unit's code and constants in the static area and answers its number, for Start.
func (m *Machine) Load(u *code.Unit) (first int, err error) {
	if m.mem == nil {
		return 0, m.gone()
	}
	if m.loadPrepared(u) {
		return len(m.units) - 1, nil
	}
	if m.apart {
		if _, err := m.LoadApart(u); err != nil {
			return 0, err
		}
		return slices.IndexFunc(m.units, func(p *placed) bool { return p.unit == u }), nil
	}
	pristine := m.pristine()
	p, err := m.place(u)
	if err != nil {
		return 0, err
	}
	m.adopt(p)
	if pristine && u.Hash != ([32]byte{}) {
		m.remember(u)
	}
	return len(m.units) - 1, nil
}

// place puts a unit's code and constants where the static area goes on.
func (m *Machine) place(u *code.Unit) (p *placed, err error) {
	defer func() {
		if r := recover(); r == heap.ErrMemory {
			err = ErrStatic
		} else if r != nil {
			panic(r)
		}
	}()
	p = &placed{unit: u}
	prims := 0
	if m.cfg.Prims != nil {
		prims = len(m.cfg.Prims.Rows)
	}
	if err := p.survey(prims, m.cfg.Verified); err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrUnit, u.Name, err)
	}
	if m.image != nil && p.imageUsed > m.image.globals {
		return nil, fmt.Errorf("%w %s: it was compiled for another library image", ErrUnit, u.Name)
	}
	p.base = m.Static(uint64(len(u.Words)))
	p.end = p.base + uint64(len(u.Words))*8
	copy(m.Words(p.base, p.end), u.Words)
	p.consts = make([]heap.Word, len(u.Consts))
	if err := m.constants(p); err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrUnit, u.Name, err)
	}
	if err := m.relocate(p); err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrUnit, u.Name, err)
	}
	for _, t := range u.Top {
		p.tops = append(p.tops, m.staticClosure(p.base+uint64(u.Procs[t].Start)*8, u.Procs[t].Info))
	}
	p.limit = m.StaticEnd()
	m.linkCalls(p)
	return p, nil
}

// gone is why a machine has no memory.
func (m *Machine) gone() error {
	if m.parked != nil {
		return ErrParked
	}
	return ErrEnded
}

// adopt makes a placed unit known to the machine.
func (m *Machine) adopt(p *placed) {
	i := sort.Search(len(m.units), func(i int) bool { return m.units[i].base > p.base })
	m.units = slices.Insert(m.units, i, p)
	m.maxRegs = max(m.maxRegs, p.maxRegs)
	m.setLimit()
	if p.slots > 0 {
		m.useSlot(heap.ImageGlobals + p.slots - 1)
	}
	if m.image == nil && p.imageUsed > 0 {
		m.useSlot(p.imageUsed - 1)
	}
}

// useSlot makes a global slot and all below it known: new ones are unbound.
func (m *Machine) useSlot(slot int) {
	if slot < heap.ImageGlobals {
		for ; m.imageGlobals <= slot; m.imageGlobals++ {
			m.Store(heap.GlobalOffset(m.imageGlobals), heap.Unbound)
		}
		return
	}
	for ; m.privates <= slot-heap.ImageGlobals; m.privates++ {
		m.Store(heap.GlobalOffset(heap.ImageGlobals+m.privates), heap.Unbound)
	}
}

func (m *Machine) relocate(p *placed) error {
	u := p.unit
	w := m.Words(p.base, p.end)
	for _, r := range u.Relocs {
		if r.Word < 0 || r.Word >= len(w) {
			return fmt.Errorf("relocation of word %d", r.Word)
		}
		isConst := r.Kind == code.RelocConst || r.Kind == code.RelocWhole
		if isConst && (r.Arg < 0 || r.Arg >= len(p.consts)) {
			return fmt.Errorf("relocation to constant %d", r.Arg)
		}
		switch r.Kind {
		case code.RelocD:
			w[r.Word] += p.base << code.ShiftD
		case code.RelocConst:
			c := p.consts[r.Arg]
			if c>>32 != 0 {
				return fmt.Errorf("constant %d does not fit an instruction", r.Arg)
			}
			w[r.Word] = w[r.Word]&0xffffffff | c<<code.ShiftD
		case code.RelocWhole:
			w[r.Word] = p.consts[r.Arg]
		case code.RelocEntry:
			w[r.Word] += p.base
		default:
			return fmt.Errorf("relocation kind %d", r.Kind)
		}
	}
	return nil
}

// linkCalls lets calls of the image's procedures, which stay what they are, enter them without a look at the variable, the
// number of arguments, or the clauses of a case-lambda.
func (m *Machine) linkCalls(p *placed) {
	if m.image == nil {
		return
	}
	for i := range p.unit.Procs {
		q := &p.unit.Procs[i]
		words := m.Words(p.base+uint64(q.Start)*8, p.base+uint64(q.End)*8)
		for j, in := range words {
			words[j] = m.linked(in)
		}
	}
}

// linked is CALLW for a CALLG that may become one.
func (m *Machine) linked(in uint64) uint64 {
	slot, argc := in>>code.ShiftC, int(in>>code.ShiftB&0xffff)
	if code.Op(uint8(in)) != code.CALLG || slot >= heap.ImageGlobals || argc > 0xff {
		return in
	}
	f := m.Arena.Load(heap.GlobalOffset(int(slot)))
	if heap.IsClosure(f) && m.closureInfo(f).Case() {
		f = m.fixedClause(f, argc)
	}
	if !heap.IsClosure(f) || heap.Mutable(f) || f>>32 != 0 || *ld(m.mem, f, 8-heap.TagClosure)>>48 != uint64(argc) || m.nativeOp(f) != 0 {
		return in
	}
	return uint64(code.CALLW) | uint64(argc)<<code.ShiftX | in&(0xffff<<code.ShiftA) | f<<code.ShiftD
}

// constants builds the unit's constants in order. Pairs and vectors may refer to themselves and to later ones, so their
// places are made first.
func (m *Machine) constants(p *placed) error {
	u := p.unit
	for i, c := range u.Consts {
		w, err := m.constant(p, c.Datum)
		if err != nil {
			return fmt.Errorf("constant %d: %w", i, err)
		}
		p.consts[i] = w
	}
	item := func(i int) (heap.Word, error) {
		if i < 0 || i >= len(p.consts) {
			return 0, fmt.Errorf("no constant %d", i)
		}
		return p.consts[i], nil
	}
	fill := func(off uint64, items ...int) error {
		for i, k := range items {
			w, err := item(k)
			if err != nil {
				return err
			}
			m.Store(off+uint64(i)*8, w)
		}
		return nil
	}
	for i, c := range u.Consts {
		var err error
		switch d := c.Datum.(type) {
		case code.Pair:
			err = fill(p.consts[i]-heap.TagPair, d.Car, d.Cdr)
		case code.Vector:
			err = fill(p.consts[i]-heap.TagObject+8, d.Items...)
		}
		if err != nil {
			return fmt.Errorf("constant %d: %w", i, err)
		}
	}
	return nil
}

func (m *Machine) constant(p *placed, datum any) (heap.Word, error) {
	switch d := datum.(type) {
	case bool:
		return heap.Bool(d), nil
	case code.Null:
		return heap.Null, nil
	case code.Void:
		return heap.Unspecified, nil
	case rune:
		return heap.Char(d), nil
	case string:
		return m.StaticString(d), nil
	case code.Symbol:
		return m.Intern(string(d)), nil
	case code.Keyword:
		return m.InternKeyword(string(d)), nil
	case code.Pair:
		o := m.Static(2)
		m.Store(o, heap.False)
		m.Store(o+8, heap.False)
		return o + heap.TagPair, nil
	case code.Vector:
		o := m.Static(uint64(len(d.Items)) + 1)
		m.Store(o, heap.Header(heap.KindVector, uint64(len(d.Items))))
		return o + heap.TagObject, nil
	case code.Closure:
		if d.Proc < 0 || d.Proc >= len(p.unit.Procs) {
			return 0, fmt.Errorf("no procedure %d", d.Proc)
		}
		q := &p.unit.Procs[d.Proc]
		if q.Info.Captures() != 0 {
			return 0, fmt.Errorf("procedure %s is no constant: it captures variables", q.Name)
		}
		return m.staticClosure(p.base+uint64(q.Start)*8, q.Info), nil
	case []byte:
		return m.StaticBytes(d), nil
	}
	if number.IsNumber(datum) {
		return m.StaticNumber(datum), nil
	}
	return 0, fmt.Errorf("a %T cannot be a constant", datum)
}

// unitAt is the unit that holds a code offset, nil if none.
func (m *Machine) unitAt(off uint64) *placed {
	units, ofImage := m.units, m.image != nil && off < heap.PrivateLo
	if ofImage {
		units = m.image.units
	}
	i := sort.Search(len(units), func(i int) bool { return units[i].base > off }) - 1
	if i < 0 || off >= units[i].end {
		return nil
	}
	if ofImage {
		return m.image.unit(i)
	}
	return units[i]
}

// procAt is the procedure that holds a code offset, nil if none.
func (p *placed) procAt(off uint64) *code.Proc {
	word := int(off-p.base) / 8
	procs := p.unit.Procs
	i := sort.Search(len(procs), func(i int) bool { return procs[i].Start > word }) - 1
	if i < 0 || word >= procs[i].End {
		return nil
	}
	return &procs[i]
}

// procOfReturn is the procedure that holds the instruction before a return offset; a procedure that was stopped at its
// very beginning counts as well.
func (m *Machine) procOfReturn(offset uint64) (*placed, *code.Proc) {
	for _, at := range [2]uint64{offset - 8, offset} {
		if u := m.unitAt(at); u != nil {
			if q := u.procAt(at); q != nil {
				return u, q
			}
		}
	}
	return nil, nil
}
