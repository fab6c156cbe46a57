package vm

import (
	"fmt"

	"caper/interp/code"
	"caper/interp/heap"
)

// check proves what the run loop takes for granted of a unit: procedures lie inside it, jumps stay inside their
// procedure, backward ones are polled, and frames are of a size that windows can reach. It also finds which globals
// the unit uses. The cage would contain a wrong unit; this names it.
func (p *placed) check() error {
	u := p.unit
	last := 0
	for i := range u.Procs {
		q := &u.Procs[i]
		if q.Start < 1 || q.Start < last || q.End <= q.Start || q.End > len(u.Words) {
			return fmt.Errorf("procedure %d lies at [%d, %d)", i, q.Start, q.End)
		}
		last = q.End
		if q.Info.Regs() < 2 || q.Info.Regs() > maxFrame {
			return fmt.Errorf("procedure %s has a frame of %d words", q.Name, q.Info.Regs())
		}
		if q.Info.Required()+2 > q.Info.Regs() {
			return fmt.Errorf("procedure %s has more parameters than registers", q.Name)
		}
		if u.Words[q.Start-1] != uint64(q.Info) {
			return fmt.Errorf("procedure %s has no info word", q.Name)
		}
		p.maxRegs = max(p.maxRegs, uint64(q.Info.Regs()))
		if err := p.checkProc(q); err != nil {
			return fmt.Errorf("procedure %s: %w", q.Name, err)
		}
	}
	for _, t := range u.Top {
		if t < 0 || t >= len(u.Procs) {
			return fmt.Errorf("no procedure %d to run", t)
		}
	}
	return nil
}

func (p *placed) checkProc(q *code.Proc) error {
	for i := q.Start; i < q.End; i++ {
		in := p.unit.Words[i]
		op := code.Op(uint8(in))
		if op >= code.OpEnd {
			return fmt.Errorf("no instruction %d", op)
		}
		distance, jump := 0, false
		switch code.Table[op].Format {
		case code.FAJ, code.FJ:
			distance, jump = int(int64(in)>>code.ShiftD), true
		case code.FABJ, code.FAIJ:
			distance, jump = int(int64(in)>>code.ShiftC), true
		case code.FANG, code.FABXG:
			p.useGlobal(int(in >> code.ShiftC))
		case code.FGlobal:
			off := in >> code.ShiftD
			if off < heap.GlobalBase || off >= heap.StaticLo || off&7 != 0 {
				return fmt.Errorf("no global at %#x", off)
			}
			p.useGlobal(int(off-heap.GlobalBase) / 8)
		}
		if !jump {
			continue
		}
		if to := i + 1 + distance; to < q.Start || to >= q.End {
			return fmt.Errorf("a jump from word %d to %d", i, to)
		}
		if distance < 0 && op != code.LOOP && op < code.POLLED {
			return fmt.Errorf("the jump back at word %d is not polled", i)
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
