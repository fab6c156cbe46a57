package vm

import (
	"caper/interp/code"
	"caper/interp/heap"
)

// prepared is what loading a sequence of units into a fresh machine yields: always the same words at the same place, so
// machines after the first copy them, and a parked machine need not keep them.
type prepared struct {
	before  *prepared // the units loaded earlier, nil: none
	unit    *placed
	words   []heap.Word // static words from the end of before on
	end     uint64
	symbols map[string]heap.Word // of this and all before
	size    int                  // bytes
}

type preparedKey struct {
	before *prepared
	hash   [32]byte
}

// mostPrepared is how many bytes of placed units an image remembers. Beyond it all is forgotten: machines that use some
// keep theirs.
const mostPrepared = 8 << 20

func (p *prepared) staticEnd() uint64 {
	if p == nil {
		return heap.StaticLo
	}
	return p.end
}

// pristine reports whether the machine's static area holds what m.prepared says and nothing else.
func (m *Machine) pristine() bool {
	return m.image != nil && m.StaticEnd() == m.prepared.staticEnd() && len(m.Symbols()) == 0
}

// loadPrepared places a unit that was placed before in the same circumstances.
func (m *Machine) loadPrepared(u *code.Unit) bool {
	if u.Hash == ([32]byte{}) || !m.pristine() {
		return false
	}
	m.image.preparedMu.Lock()
	p := m.image.prepared[preparedKey{m.prepared, u.Hash}]
	m.image.preparedMu.Unlock()
	if p == nil {
		return false
	}
	m.AdoptStatic(p.words, p.symbols)
	m.prepared = p
	m.adopt(p.unit)
	return true
}

// remember keeps what loading u, which began in a pristine machine, yielded.
func (m *Machine) remember(u *code.Unit) {
	own := m.Symbols()
	begin := m.prepared.staticEnd()
	p := &prepared{before: m.prepared, unit: m.units[len(m.units)-1], end: m.StaticEnd(), symbols: own}
	p.words = append([]heap.Word(nil), m.Words(begin, p.end)...)
	p.size = (len(u.Words) + len(p.words)) * 16
	if adopted := m.Adopted(); len(adopted) > 0 {
		p.symbols = make(map[string]heap.Word, len(adopted)+len(own))
		for k, w := range adopted {
			p.symbols[k] = w
		}
		for k, w := range own {
			p.symbols[k] = w
		}
	}
	m.ShareSymbols(p.symbols)
	m.prepared = p
	i := m.image
	i.preparedMu.Lock()
	defer i.preparedMu.Unlock()
	if i.preparedSize += p.size; i.preparedSize > mostPrepared || i.prepared == nil {
		i.prepared, i.preparedSize = map[preparedKey]*prepared{}, p.size
	}
	i.prepared[preparedKey{p.before, u.Hash}] = p
}
