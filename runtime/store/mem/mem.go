// Package mem keeps a store in memory: for tests, simulation and programs that leave nothing behind. It never touches a
// disk; assembly, sim and tests may import it.
package mem

import (
	"bytes"
	"sort"
	"sync"

	"caper/runtime/store"
)

// Open makes an empty store in memory.
func Open(o store.Options) (*store.Ledger, error) { return New().Open(o) }

// Disk is what a store in memory leaves when it is closed, so that it can be opened again.
type Disk struct {
	mu     sync.RWMutex
	values map[string][]byte
	runs   [][]string // sorted runs of keys, each before the next
}

// New is an empty disk.
func New() *Disk { return &Disk{values: map[string][]byte{}} }

// Open opens the store that lies on the disk.
func (d *Disk) Open(o store.Options) (*store.Ledger, error) { return store.NewLedger(d, -1, o) }

// Clone copies the disk as it is now: what a crash at this moment would leave.
func (d *Disk) Clone() *Disk {
	d.mu.RLock()
	defer d.mu.RUnlock()
	c := New()
	for k, v := range d.values {
		c.values[k] = v
	}
	for _, r := range d.runs {
		c.runs = append(c.runs, append([]string{}, r...))
	}
	return c
}

// runLimit is the length at which a run is cut in two.
const runLimit = 512

// find answers the run that holds a key or would, and the key's place in it.
func (d *Disk) find(k string) (run, at int, ok bool) {
	run = sort.Search(len(d.runs), func(i int) bool { return d.runs[i][0] > k }) - 1
	if run < 0 {
		return 0, 0, false
	}
	r := d.runs[run]
	at = sort.SearchStrings(r, k)
	return run, at, at < len(r) && r[at] == k
}

func (d *Disk) insert(k string) {
	if len(d.runs) == 0 {
		d.runs = [][]string{{k}}
		return
	}
	run, at, _ := d.find(k)
	r := d.runs[run]
	r = append(r, "")
	copy(r[at+1:], r[at:])
	r[at] = k
	d.runs[run] = r
	if len(r) < runLimit {
		return
	}
	// Keys mostly come in order: then the cut leaves a full run behind and goes on with a short one.
	cut := len(r) / 2
	if at == len(r)-1 {
		cut = len(r) - 1
	}
	d.runs = append(d.runs, nil)
	copy(d.runs[run+2:], d.runs[run+1:])
	d.runs[run+1] = append([]string{}, r[cut:]...)
	d.runs[run] = r[:cut:cut]
}

func (d *Disk) remove(k string) {
	run, at, ok := d.find(k)
	if !ok {
		return
	}
	r := append(d.runs[run][:at], d.runs[run][at+1:]...)
	if len(r) > 0 {
		d.runs[run] = r
		return
	}
	d.runs = append(d.runs[:run], d.runs[run+1:]...)
}

// Write makes all pairs visible at once.
func (d *Disk) Write(pairs []store.Pair, _ store.Tip) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range pairs {
		k := string(p.Key)
		_, had := d.values[k]
		switch {
		case p.Delete:
			if had {
				delete(d.values, k)
				d.remove(k)
			}
		default:
			d.values[k] = p.Value
			if !had {
				d.insert(k)
			}
		}
	}
	return nil
}

// Room is never short.
func (d *Disk) Room() error { return nil }

// Get reads one value.
func (d *Disk) Get(k []byte) ([]byte, bool, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	v, ok := d.values[string(k)]
	return v, ok, nil
}

// page is how many pairs a scan takes while it holds the lock; what it yields may write.
const page = 128

// Scan yields pairs in order.
func (d *Disk) Scan(prefix, from []byte, yield func(k, v []byte) bool) error {
	if bytes.Compare(from, prefix) < 0 {
		from = prefix
	}
	next, more := string(from), true
	for more {
		var got []store.Pair
		got, next, more = d.page(string(prefix), next)
		for _, p := range got {
			if !yield(p.Key, p.Value) {
				return nil
			}
		}
	}
	return nil
}

func (d *Disk) page(prefix, from string) (got []store.Pair, next string, more bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if len(d.runs) == 0 {
		return nil, "", false
	}
	run, at, _ := d.find(from)
	for ; run < len(d.runs); run, at = run+1, 0 {
		for r := d.runs[run]; at < len(r); at++ {
			k := r[at]
			if len(k) < len(prefix) || k[:len(prefix)] != prefix {
				return got, "", false
			}
			if len(got) == page {
				return got, k, true
			}
			got = append(got, store.Pair{Key: []byte(k), Value: d.values[k]})
		}
	}
	return got, "", false
}

// Keys yields keys in order.
func (d *Disk) Keys(prefix, from []byte, yield func(k []byte) bool) error {
	return d.Scan(prefix, from, func(k, _ []byte) bool { return yield(k) })
}

// Last finds the greatest key with a prefix.
func (d *Disk) Last(prefix []byte) (k, v []byte, ok bool, err error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	end := string(prefix) + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
	if len(d.runs) == 0 {
		return nil, nil, false, nil
	}
	run, at, found := d.find(end)
	if !found {
		at--
	}
	if at < 0 {
		return nil, nil, false, nil
	}
	s := d.runs[run][at]
	if !bytes.HasPrefix([]byte(s), prefix) {
		return nil, nil, false, nil
	}
	return []byte(s), d.values[s], true, nil
}

// Close leaves the disk as it is.
func (d *Disk) Close() error { return nil }
