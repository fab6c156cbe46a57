package interp

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"caper/interp/heap"
	"caper/interp/syntax"
)

// This file defines what a snapshot says of the texts that a machine was given: which were loaded, which it evaluated, in
// which order. A restored machine expands all of them again, so that its names mean what they meant.

// Kinds of entries.
const (
	logLoad        = 0 // the next of the texts that Restore is given
	logEval        = 1 // environment, text
	logEnvironment = 2 // text
	logKept        = 4 // or'ed: its procedures are answered again without expanding
	logNoCode      = 8 // or'ed: its code is not in place
)

const logSum = 16 // bytes of the sum after the log

// log writes down the machine's history.
func (m *Machine) log() []byte {
	b := binary.AppendUvarint(binary.AppendUvarint(nil, m.eval.size), m.eval.since)
	cold := byte(0)
	if m.cold {
		cold = 1
	}
	b = append(b, cold)
	number := 0
	for _, p := range m.history {
		if p.new {
			number++
		}
		flags := byte(0)
		if p.failed {
			flags = logNoCode
		}
		switch n, made := m.eval.made[p.src.Text]; {
		case p.new && made && n == number:
			b = append(b, logEnvironment|logKept|flags)
		case p.new:
			b = append(b, logEnvironment|flags)
		case !p.evaluated:
			if !p.failed { // else nobody will say that it was loaded
				b = append(b, logLoad)
			}
			continue
		default:
			kind := logEval | flags
			if _, ok := m.eval.known[evaluated{p.environment, p.src.Text}]; ok {
				kind |= logKept
			}
			b = binary.AppendUvarint(append(b, kind), uint64(p.environment))
		}
		b = binary.AppendUvarint(b, uint64(len(p.src.Text)))
		b = append(b, p.src.Text...)
	}
	head := binary.AppendUvarint(nil, uint64(len(b)))
	sum := sha256.Sum256(append(head, b...))
	return append(append(head, b...), sum[:logSum]...)
}

// cutLog takes the log off a snapshot.
func cutLog(b []byte) (log, rest []byte, err error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(b)) || uint64(len(b)-k)-n > uint64(len(b)) || uint64(len(b)-k) < n+logSum {
		return nil, nil, fmt.Errorf("%w: its log", ErrDamaged)
	}
	end := k + int(n)
	sum := sha256.Sum256(b[:end])
	if !bytes.Equal(sum[:logSum], b[end:end+logSum]) {
		return nil, nil, fmt.Errorf("%w: its log", ErrDamaged)
	}
	return b[k:end], b[end+logSum:], nil
}

var errNoCode = errors.New("the code was not put in place")

// repeat expands and compiles all that a log names, and answers what is to be known once the code is in place.
func (m *Machine) repeat(log []byte, texts []*syntax.Source) (map[evaluated]*compiled, error) {
	bad := fmt.Errorf("%w: its log", ErrDamaged)
	number := func() uint64 {
		n, k := binary.Uvarint(log)
		if k <= 0 {
			log = nil
			return 1 << 63
		}
		log = log[k:]
		return n
	}
	m.eval.size, m.eval.since = number(), number()
	cold := number()
	kept := map[evaluated]*compiled{}
	if cold > 1 {
		return nil, bad
	}
	m.cold = cold == 1
	for len(log) > 0 {
		kind := log[0] &^ logNoCode
		failed := log[0] != kind
		log = log[1:]
		if kind == logLoad {
			if len(texts) == 0 {
				return nil, fmt.Errorf("%w: a text is missing", ErrOther)
			}
			if _, err := m.compile(texts[0]); err != nil {
				return nil, err
			}
			texts = texts[1:]
			continue
		}
		p := past{new: kind&^logKept == logEnvironment, evaluated: true}
		m.warm()
		if !p.new {
			n := number()
			if kind&^logKept != logEval || n >= uint64(len(m.eval.places)) {
				return nil, bad
			}
			p.environment = int(n)
		}
		n := number()
		if n > uint64(len(log)) {
			return nil, bad
		}
		p.src = syntax.NewSource(evalName, string(log[:n]))
		log = log[n:]
		c, res, err := m.next(p)
		told := err
		if failed {
			told = errNoCode
		}
		m.keep(c, res, told)
		switch {
		case err != nil || kind&logKept == 0: // what failed then fails again
		case p.new:
			m.eval.keep(p.src.Text, len(m.eval.places)-1)
		default:
			kept[evaluated{p.environment, p.src.Text}] = c
		}
	}
	if len(texts) > 0 {
		return nil, fmt.Errorf("%w: a text is too many", ErrOther)
	}
	return kept, nil
}

// know makes what was kept known again.
func (m *Machine) know(kept map[evaluated]*compiled) error {
	m.eval.known = map[evaluated][]heap.Word{}
	placed := m.vm.TopsByHash()
	for e, c := range kept {
		var tops []heap.Word
		for _, u := range c.units {
			list, ok := placed[u.Hash]
			if !ok {
				return fmt.Errorf("%w: code is missing", ErrDamaged)
			}
			tops = append(tops, list...)
		}
		m.eval.known[e] = tops
	}
	for _, c := range m.vm.Pending() {
		if c.Name == callEval || c.Name == callEnvironment {
			m.eval.asked = append(m.eval.asked, c.ID)
		}
	}
	return nil
}
