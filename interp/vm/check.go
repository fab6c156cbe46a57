package vm

import (
	"fmt"

	"caper/interp/code"
	"caper/interp/heap"
)

// survey verifies a unit, unless it is known to be in order, and finds what it needs of a machine: globals and the largest frame.
func (p *placed) survey(prims int, verified bool) error {
	if !verified {
		if err := code.Verify(p.unit, prims); err != nil {
			return err
		}
	}
	for i := range p.unit.Procs {
		q := &p.unit.Procs[i]
		p.maxRegs = max(p.maxRegs, uint64(q.Info.Regs()))
		for _, in := range p.unit.Words[q.Start:q.End] {
			switch code.Table[uint8(in)].Format {
			case code.FANG, code.FABXG:
				p.useGlobal(int(in >> code.ShiftC))
			case code.FGlobal:
				off := in >> code.ShiftD
				if off < heap.GlobalBase || off >= heap.StaticLo || off&7 != 0 {
					return fmt.Errorf("procedure %s uses a global at %#x", q.Name, off)
				}
				p.useGlobal(int(off-heap.GlobalBase) / 8)
			}
		}
	}
	return nil
}

func (p *placed) useGlobal(slot int) {
	if slot >= heap.ImageGlobals {
		p.slots = max(p.slots, slot-heap.ImageGlobals+1)
	} else {
		p.imageUsed = max(p.imageUsed, slot+1)
	}
}
