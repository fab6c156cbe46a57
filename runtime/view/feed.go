package view

import (
	"sort"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
)

// feed follows one program through the events of its session. It reads each event once and each call when something
// happened to it, so that a long program costs no more at its end than at its beginning.
type feed struct {
	reader
	id   graph.ID
	root *Job
	next uint64              // the first event that was not read
	bags map[uint64]*Job     // the programs under the root, by the bag of their children
	subs map[graph.ID]member // the same by their own address
	open map[graph.ID]member // calls that have not ended
	over []graph.ID          // programs that ended in the batch that is being read
	done map[uint64]bits     // ordinals of those that have, by bag
}

// member is a job and the bag that it is in; the root is in none.
type member struct {
	job *Job
	in  *bag
}

// bits is a set of numbers, most of which follow each other.
type bits map[uint64]uint64

func (b bits) has(n uint64) bool { return b[n/64]&(1<<(n%64)) != 0 }
func (b bits) add(n uint64)      { b[n/64] |= 1 << (n % 64) }

func newFeed(r reader, id graph.ID) *feed {
	return &feed{reader: r, id: id, next: 1, bags: map[uint64]*Job{}, subs: map[graph.ID]member{}, open: map[graph.ID]member{}, done: map[uint64]bits{}}
}

// start reads the program itself.
func (f *feed) start() error {
	node, err := f.store.Node(f.id)
	if err != nil {
		return err
	}
	f.root = f.job(store.Entry{ID: f.id, Node: node})
	if f.root == nil {
		return store.ErrNotFound
	}
	f.own(f.id, f.root, nil)
	o, err := f.store.Outcome(f.id)
	if o != nil {
		f.ended(f.root, o)
	}
	return err
}

func (f *feed) own(id graph.ID, j *Job, in *bag) {
	f.subs[id] = member{j, in}
	if j.inner != nil && j.bagNo != 0 {
		f.bags[j.bagNo] = j
	}
}

// batch is how many events are read before anything else may happen.
const batch = 4096

// read takes in a batch of events; more says that there may be others.
func (f *feed) read() (more bool, err error) {
	var events []store.Event
	for e, err := range f.store.Events(f.id.Session, f.next) {
		if err != nil {
			return false, err
		}
		events = append(events, e)
		if len(events) == batch {
			break
		}
	}
	touched := map[uint64]map[uint64]bool{}
	for _, e := range events {
		f.next = e.Seq + 1
		if err := f.event(e, touched); err != nil {
			return false, err
		}
	}
	bags := make([]uint64, 0, len(touched))
	for b := range touched {
		bags = append(bags, b)
	}
	sort.Slice(bags, func(i, k int) bool { return bags[i] < bags[k] })
	for _, b := range bags {
		if err := f.fetch(b, touched[b]); err != nil {
			return false, err
		}
	}
	for _, id := range f.over { // nothing more comes from them
		no := f.subs[id].job.bagNo
		delete(f.bags, no)
		delete(f.done, no)
		delete(f.subs, id)
	}
	f.over = f.over[:0]
	return len(events) == batch, nil
}

// event follows programs at once, since what comes after may stand in their bags, and collects the calls to read.
func (f *feed) event(e store.Event, touched map[uint64]map[uint64]bool) error {
	if p, ok := f.subs[e.ID]; ok {
		if e.What != store.EventSettle || p.job.class() != isRunning {
			return nil
		}
		o, err := f.store.Outcome(e.ID)
		if err != nil || o == nil {
			return err
		}
		if p.in == nil {
			f.ended(p.job, o)
			return nil
		}
		p.in.moved(p.job, func() { f.ended(p.job, o) })
		f.over = append(f.over, e.ID)
		return nil
	}
	parent, ok := f.bags[e.ID.Bag]
	if !ok {
		return nil
	}
	if e.What == store.EventMint && e.Kind == kind.KindProgrammaticJob {
		node, err := f.store.Node(e.ID)
		if err != nil {
			return err
		}
		if j := f.job(store.Entry{ID: e.ID, Node: node}); j != nil {
			parent.inner.add(j)
			f.own(e.ID, j, parent.inner)
		}
		return nil
	}
	if touched[e.ID.Bag] == nil {
		touched[e.ID.Bag] = map[uint64]bool{}
	}
	touched[e.ID.Bag][e.ID.Ord] = true
	return nil
}

// Runs of calls that lie together are read in one scan.
const (
	maxGap  = 8
	scanMin = 4
)

func (f *feed) fetch(bagNo uint64, ords map[uint64]bool) error {
	done := f.done[bagNo]
	if done == nil {
		done = bits{}
		f.done[bagNo] = done
	}
	var list []uint64
	for o := range ords {
		if !done.has(o) {
			list = append(list, o)
		}
	}
	sort.Slice(list, func(i, k int) bool { return list[i] < list[k] })
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n]-list[n-1] <= maxGap {
			n++
		}
		if err := f.fetchRun(bagNo, list[:n], ords); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

func (f *feed) fetchRun(bagNo uint64, run []uint64, wanted map[uint64]bool) error {
	if len(run) < scanMin {
		for _, o := range run {
			e, err := f.store.Entry(graph.ID{Session: f.id.Session, Bag: bagNo, Ord: o})
			if err != nil {
				return err
			}
			f.put(bagNo, e)
		}
		return nil
	}
	last := run[len(run)-1]
	for e, err := range f.store.Children(f.id.Session, bagNo, run[0]) {
		if err != nil {
			return err
		}
		if e.ID.Ord > last {
			break
		}
		if wanted[e.ID.Ord] {
			f.put(bagNo, e)
		}
	}
	return nil
}

// put brings a call up to date. It may be called again with what is known already.
func (f *feed) put(bagNo uint64, e store.Entry) {
	done := f.done[bagNo]
	if done.has(e.ID.Ord) {
		return
	}
	if e.Outcome != nil {
		done.add(e.ID.Ord)
	}
	m, known := f.open[e.ID]
	if known {
		m.in.moved(m.job, func() { f.state(m.job, e) })
	} else {
		j := f.job(e)
		if j == nil {
			return
		}
		m = member{j, f.bags[bagNo].inner}
		m.in.add(j)
	}
	if e.Outcome != nil {
		delete(f.open, e.ID)
		return
	}
	f.open[e.ID] = m
}

// running reports that something goes on by itself.
func (f *feed) running() bool {
	if f.root == nil || f.root.class() != isRunning {
		return false
	}
	for _, p := range f.subs {
		if p.job.inner != nil && p.job.inner.counts[isRunning] > 0 {
			return true
		}
	}
	return len(f.open) == 0 // it computes
}
