package program

import (
	"bytes"
	"sort"
	"sync"

	"caper/runtime/call"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// output is the stored stream of what a program writes. The machine writes into pending; flush puts it on record and then
// shows it. A replay writes the same bytes again: what is on record already is shown, not recorded twice.
type output struct {
	to      Output
	pending []byte
	mute    bool   // nothing is shown
	skip    int64  // bytes that the journal holds already
	left    int64  // budget
	full    func() // makes the machine stop soon, for a flush
	shown   []piece
}

// piece is what was shown: bytes of the bag's own, then all that a child bag wrote, 0 for none.
type piece struct {
	_     struct{} `cbor:",toarray"`
	Own   int64
	Child uint64 // its ordinal and one
}

// wrote notes that bytes of the bag's own were shown.
func (o *output) wrote(n int) {
	if last := len(o.shown) - 1; last >= 0 && o.shown[last].Child == 0 {
		o.shown[last].Own += int64(n)
		return
	}
	o.shown = append(o.shown, piece{Own: int64(n)})
}

// showed notes where a replay shows what a child bag wrote.
func (o *output) showed(ord uint64) {
	o.wrote(0)
	o.shown[len(o.shown)-1].Child = ord + 1
}

// maxPending is how much output waits for the end of a slice.
const maxPending = 256 << 10

// Write implements the machine's current output; false when the budget is spent.
func (o *output) Write(text []byte) bool {
	if int64(len(text)) > o.left {
		text = text[:o.left]
		o.pending = append(o.pending, text...)
		o.left = 0
		return false
	}
	o.left -= int64(len(text))
	o.pending = append(o.pending, text...)
	if len(o.pending) > maxPending && o.full != nil {
		o.full()
	}
	return true
}

// Locked makes an output that nested bags may share.
func Locked(to Output) Output { return &locked{to: to} }

type locked struct {
	mu sync.Mutex
	to Output
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(b)
}

// maxChunk bounds one record of output. More at once is a blob: the store keeps in memory what it was given last.
const maxChunk = 32 << 10

// flush puts pending output on record, with everything that was to be settled before it, and shows it.
func (b *bag) flush() error {
	o := b.out
	if len(o.pending) == 0 {
		return nil
	}
	fresh := o.pending
	known := min(o.skip, int64(len(fresh)))
	o.skip -= known
	fresh = fresh[known:]
	for len(fresh) > 0 && b.job != nil {
		n := min(len(fresh), maxPending)
		if n <= kind.MaxInline {
			n = min(n, maxChunk)
		}
		value, err := b.calls.Keep(bytes.Clone(fresh[:n]))
		if err != nil {
			return err
		}
		fact := kind.Fact{What: kind.FactOutput, Value: value, At: b.now()}
		if _, err := b.calls.Store.Apply(b.id.Session, store.Note{ID: b.id, Fact: fact}); err != nil {
			return err
		}
		fresh = fresh[n:]
	}
	o.wrote(len(o.pending))
	var err error
	if !o.mute {
		_, err = o.to.Write(o.pending)
	}
	if o.pending = o.pending[:0]; cap(o.pending) > 2*maxPending { // one long text
		o.pending = nil
	}
	return err
}

// written is what a job wrote, as it is on record.
func written(calls *call.Service, facts []kind.Fact) (all []byte, err error) {
	for _, f := range facts {
		chunk, err := chunkOf(calls, f)
		if err != nil {
			return nil, err
		}
		all = append(all, chunk...)
	}
	return all, nil
}

// chunkOf is the output that a fact holds.
func chunkOf(calls *call.Service, f kind.Fact) ([]byte, error) {
	if f.What != kind.FactOutput {
		return nil, nil
	}
	d, err := calls.Fetch(f.Value)
	chunk, _ := d.([]byte)
	return chunk, err
}

// showJob shows what a child of an earlier life wrote.
func (b *bag) showJob(e store.Entry) error {
	if b.out.mute {
		return nil
	}
	return showRecorded(b.calls, e, b.out.to)
}

// showRecorded shows what a job of an earlier life and the programs nested in it wrote, in the order in which it was
// recorded.
func showRecorded(calls *call.Service, e store.Entry, to Output) error {
	facts, err := recordedOutput(calls.Store, e, nil)
	if err != nil {
		return err
	}
	sort.SliceStable(facts, func(i, j int) bool { return facts[i].Seq < facts[j].Seq })
	for _, f := range facts {
		chunk, err := chunkOf(calls, f)
		if err != nil {
			return err
		}
		if _, err := to.Write(chunk); err != nil {
			return err
		}
	}
	return nil
}

func recordedOutput(st store.Store, e store.Entry, facts []kind.Fact) ([]kind.Fact, error) {
	job, ok := e.Node.(*kind.ProgrammaticJob)
	if !ok {
		return facts, nil
	}
	for _, f := range e.Facts {
		if f.What == kind.FactOutput {
			facts = append(facts, f)
		}
	}
	for c, err := range st.Children(e.ID.Session, job.Bag, 0) {
		if err != nil {
			return nil, err
		}
		if job, ok := c.Node.(*kind.ProgrammaticJob); ok && job.Background && c.Outcome == nil {
			continue // it goes on, and shows all of its own
		}
		if facts, err = recordedOutput(st, c, facts); err != nil {
			return nil, err
		}
	}
	return facts, nil
}
