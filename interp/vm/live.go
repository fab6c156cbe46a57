package vm

import (
	"caper/interp/code"
	"caper/interp/heap"
)

// This file defines which words of a frame the collector keeps: a variable that is read no more keeps nothing alive.
// What procedures still read is found out when the collector first meets them.

// liveness remembers what was found out.
type liveness struct {
	procs map[*code.Proc]*code.Liveness
	last  [livePlaces]livePlace // by where frames go on
}

type livePlace struct {
	offset uint64
	live   []uint64
}

const (
	livePlaces = 256
	liveProcs  = 1 << 10 // of further procedures all registers count as read
)

// liveAt is the set of registers that a frame still reads once what returns with a return word has returned; nil: all.
func (m *Machine) liveAt(ret heap.Word) []uint64 {
	offset := ret >> 16
	if m.liveness == nil {
		m.liveness = &liveness{procs: map[*code.Proc]*code.Liveness{}}
	}
	p := &m.liveness.last[offset/8%livePlaces]
	if p.offset != offset {
		*p = livePlace{offset, m.findLive(offset)}
	}
	return p.live
}

func (m *Machine) findLive(offset uint64) []uint64 {
	u := m.unitAt(offset)
	if u == nil {
		return nil
	}
	q := u.procAt(offset)
	if q == nil {
		return nil
	}
	l, ok := m.liveness.procs[q]
	if !ok {
		if len(m.liveness.procs) >= liveProcs {
			return nil
		}
		l = code.NewLiveness(m.Words(u.base+uint64(q.Start)*8, u.base+uint64(q.End)*8), q.Info.Regs())
		m.liveness.procs[q] = l
	}
	if l == nil {
		return nil
	}
	return l.At(int(offset-u.base)/8 - q.Start)
}

// clearDead makes #f of what the frames of the stack hold and do not read. The topmost lies at fp and ends at top; it
// goes on at ip, nil: somewhere.
//
//go:norace
func (m *Machine) clearDead(fp, ip up, top uint64) {
	var live []uint64
	if ip != nil {
		live = m.liveAt(m.off(ip) << 16)
	}
	for o, end := m.off(fp), top; ; {
		if live != nil {
			for i := uint64(2); o+i*8 < end; i++ {
				if i/64 >= uint64(len(live)) || live[i/64]>>(i%64)&1 == 0 {
					*rg(m.mem, o+i*8) = heap.False
				}
			}
		}
		ret := *rg(m.mem, o+8)
		window := ret & 0xffff
		if o <= stackBase || window < 16 || o-window < stackBase {
			return
		}
		live, end, o = m.liveAt(ret), o, o-window
	}
}
