package program

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"sync"

	"caper/interp/syntax"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/program/bind"
	"caper/runtime/store"

	"github.com/fxamacker/cbor/v2"
)

// This file defines snapshots: a machine that waits, as bytes, with what the bag knows beside it. A bag that is continued
// goes on from its newest snapshot and replays only what came after. A snapshot is a cache and never authority: it names
// the link of the session's chain at which it was taken, and what does not hold, or cannot be read, is passed over.

// snapshot is a bag that waits.
type snapshot struct {
	Build   string     `cbor:"1,keyasint"`
	Program []byte     `cbor:"2,keyasint"` // digest of the job and the text that the machine loaded
	Seq     uint64     `cbor:"3,keyasint"` // the link: all that the machine was told is on record before it
	Sum     []byte     `cbor:"4,keyasint"`
	NextOrd uint64     `cbor:"5,keyasint"`
	Used    int64      `cbor:"6,keyasint"`
	Calls   []standing `cbor:"7,keyasint,omitempty"`
	Loose   []uint64   `cbor:"8,keyasint,omitempty"`
	Shown   []piece    `cbor:"9,keyasint,omitempty"`
	Kids    []kid      `cbor:"10,keyasint,omitempty"`
	Machine []byte     `cbor:"11,keyasint"`
}

// standing is a call that the machine waits for.
type standing struct {
	_    struct{} `cbor:",toarray"`
	Call uint64   // the machine's number
	Ord  uint64
}

// A snapshot pays when what has to be replayed without it costs more than writing it: the calls that were answered since
// the last one, each as much as callFuel of computing or as callBytes of a snapshot to be written.
const (
	snapshotEvery = 32
	callFuel      = 100_000
	callBytes     = 4 << 10
	atRest        = 4 // a bag that comes to rest is worth a snapshot this many times sooner
)

// maxSnapshot bounds what is written, and read back into memory.
const maxSnapshot = 256 << 20

// due reports whether the bag has grown enough for a snapshot.
func (b *bag) due(sooner int) bool {
	if b.job.Background && !b.kept.Load() && !b.tried {
		return true // without one its parent cannot have any
	}
	every := b.r.SnapshotEvery
	if every == 0 {
		every = (snapshotEvery + b.savedSize/callBytes) / sooner
	}
	return b.grown+int((b.used-b.savedUsed)/callFuel) >= every
}

func (b *bag) keeps() bool { return b.job != nil && b.calls != nil && b.calls.Snapshots != nil }

// save writes a snapshot of a bag that waits, when it is time for one. What fails is tried again later: nothing depends
// on it.
func (b *bag) save(sooner int) {
	if !b.keeps() || b.m == nil || b.astray || b.shade || b.chained || len(b.procedures) > 0 || !b.due(sooner) {
		return
	}
	for _, p := range b.active {
		if p.own != nil {
			return // its machine is a copy of this one at the call
		}
	}
	b.dropKids()
	for _, k := range b.kids {
		if k.nested || !k.bag.kept.Load() {
			return
		}
	}
	b.grown, b.savedUsed = 0, b.used // also when it fails: else it would be tried at every wait
	s, err := b.snapshot()
	if err != nil {
		return
	}
	b.savedSize = len(s)
	b.tried = true
	if len(s) > maxSnapshot-sha256.Size { // the seal is in front
		return
	}
	b.fault("before-snapshot")
	if b.calls.Snapshots.Put(b.shelf(), s) == nil {
		b.kept.Store(true)
	}
	b.fault("after-snapshot")
}

// shelf is the name of the bag's snapshot.
func (b *bag) shelf() string { return fmt.Sprintf("%d/%d.%d", b.id.Session, b.id.Bag, b.id.Ord) }

// drop removes the snapshot of a bag that ended, unless a kid goes on: who continues the kid begins with its parent. Its
// end is flushed first: were it taken back by a crash, the parent's snapshot would want this one again.
func (b *bag) drop() {
	if b.dropKids(); !b.keeps() || !b.kept.Load() || len(b.kids) > 0 || b.calls.Store.Flush(b.id.Session) != nil {
		return
	}
	_ = b.calls.Snapshots.Remove(b.shelf()) // what cannot be removed goes with the session
	b.kept.Store(false)
}

func (b *bag) snapshot() ([]byte, error) {
	link, err := b.calls.Store.LastLink(b.id.Session)
	if err != nil {
		return nil, err
	}
	// What stands up to the link, which others may go beyond meanwhile, must not be taken back by a crash.
	if err := b.calls.Store.Flush(b.id.Session); err != nil {
		return nil, err
	}
	s := snapshot{Build: build(), Seq: link.Seq, Sum: link.Sum[:], NextOrd: b.nextOrd, Used: b.used, Shown: b.out.shown, Kids: b.kids}
	if s.Program, err = digest(b.job, b.text); err != nil {
		return nil, err
	}
	for _, p := range b.active {
		s.Calls = append(s.Calls, standing{Call: p.call.ID, Ord: p.id.Ord})
	}
	slices.SortFunc(s.Calls, func(a, b standing) int { return int(int64(a.Call - b.Call)) })
	for ord := range b.loose {
		s.Loose = append(s.Loose, ord)
	}
	slices.Sort(s.Loose)
	if s.Machine, err = b.m.Snapshot(); err != nil {
		return nil, err
	}
	return cbor.Marshal(&s)
}

// build names this build: another may compute differently what a snapshot holds the half of. The engine compares its
// library itself. Where no revision says all, the executable does.
var build = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return executable()
	}
	name, clean := info.GoVersion+" "+info.Main.Version, false
	for _, s := range info.Settings {
		if s.Key == "vcs.modified" {
			clean = s.Value == "false"
		}
		if s.Key == "vcs.revision" || s.Key == "vcs.time" || s.Key == "GOARCH" {
			name += " " + s.Value
		}
	}
	if clean { // there is a revision then
		return name
	}
	return name + " " + executable()
})

// executable is the digest of the file that runs; where that cannot be read, a name that no other process has.
func executable() string {
	f, err := os.Open("/proc/self/exe") // also when another file has its name by now
	if err != nil {
		path, err := os.Executable()
		if err != nil {
			return rand.Text()
		}
		if f, err = os.Open(path); err != nil {
			return rand.Text()
		}
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return rand.Text()
	}
	return hex.EncodeToString(h.Sum(nil))
}

// digest is of all that a bag was admitted with and of the text that its machine loaded.
func digest(job *kind.ProgrammaticJob, text *syntax.Source) ([]byte, error) {
	node, err := kind.Encode(job)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d:%d:%s%s", len(text.Name), len(node), text.Name, node)
	h.Write([]byte(text.Text))
	return h.Sum(nil), nil
}

var snapshotMode = func() cbor.DecMode {
	m, err := cbor.DecOptions{MaxNestedLevels: 16, IndefLength: cbor.IndefLengthForbidden, MaxArrayElements: 1 << 24}.DecMode()
	if err != nil {
		panic(err)
	}
	return m
}()

// recall reads the bag's snapshot and answers it when it holds for what is on record now; nil, nil where there is none.
func (b *bag) recall() (*snapshot, error) {
	if !b.keeps() {
		return nil, nil
	}
	text, err := b.calls.Snapshots.Get(b.shelf(), maxSnapshot)
	if text == nil && err == nil {
		return nil, nil
	}
	b.kept.Store(true)
	if err != nil {
		return nil, err
	}
	s := new(snapshot)
	if err := snapshotMode.Unmarshal(text, s); err != nil {
		return nil, err
	}
	if s.Build != build() {
		return nil, errors.New("another build of Caper wrote it")
	}
	if err := b.prepare(); err != nil {
		return nil, err
	}
	is, err := digest(b.job, b.text)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(s.Program, is) {
		return nil, errors.New("it is of another program")
	}
	link := store.Link{Seq: s.Seq}
	if len(s.Sum) != copy(link.Sum[:], s.Sum) || s.Used < 0 {
		return nil, errors.New("it is malformed")
	}
	if holds, err := b.calls.Store.Holds(b.id.Session, link); err != nil || !holds {
		return nil, errors.Join(errors.New("the journal does not lead to it"), err)
	}
	return s, nil
}

// restored is what is still to be done for a bag that was restored.
type restored struct {
	shown []piece
	wrote []byte // on record
	loose []uint64
}

// restore makes the bag what its snapshot says and sets b.back; nothing is shown or started yet. Where there is no
// snapshot, or where there is a doubt, the bag stays as it was.
func (b *bag) restore(facts []kind.Fact) (doubt error) {
	s, err := b.recall()
	if err == nil && s == nil {
		return nil
	}
	if err == nil {
		var text []byte
		if text, err = written(b.calls, facts); err == nil {
			err = b.rebuild(s, text)
		}
	}
	if err == nil {
		return nil
	}
	b.closeKids()
	if b.m != nil {
		b.m.Close()
	}
	b.m, b.journal, b.todo, b.kids = nil, &journal{}, nil, nil
	clear(b.active)
	clear(b.awaited)
	return fmt.Errorf("run again from the source, because its snapshot cannot be used: %w", err)
}

// closeKids closes kids that were not started.
func (b *bag) closeKids() {
	for _, k := range b.kids {
		k.bag.closeKids()
		k.bag.close()
	}
}

func (b *bag) rebuild(s *snapshot, wrote []byte) (err error) {
	low := s.NextOrd
	for _, c := range s.Calls {
		low = min(low, c.Ord)
	}
	if b.journal, err = readJournal(b.calls.Store, b.id.Session, b.job.Bag, low); err != nil {
		return err
	}
	m, err := b.r.Engine.Restore(b.config(loader{b: b.loaded, ctx: b.backgrounds.ctx, next: new(uint64), only: true}), []*syntax.Source{b.text}, s.Machine)
	if err != nil {
		return err
	}
	b.use(m)
	if err := b.stand(s.Calls); err != nil {
		return err
	}
	for _, k := range s.Kids {
		if err := b.revive(k); err != nil {
			return err
		}
	}
	own, limit := int64(0), min(int64(len(wrote)), b.out.left)
	for _, p := range s.Shown {
		if p.Own < 0 || p.Own > limit-own {
			return errors.New("more was written than is on record")
		}
		own += p.Own
	}
	b.out.left -= own
	b.out.skip = max(b.out.skip, int64(len(wrote))-own)
	b.nextOrd, b.used, b.savedUsed, b.savedSize = s.NextOrd, s.Used, s.Used, len(s.Machine)
	b.fuel -= s.Used
	b.back = &restored{s.Shown, wrote, s.Loose}
	return nil
}

// stand lists again the calls that the machine waits for.
func (b *bag) stand(calls []standing) error {
	ords := make(map[uint64]uint64, len(calls))
	for _, c := range calls {
		ords[c.Call] = c.Ord
	}
	waits := b.m.Pending()
	if len(waits) != len(ords) || len(ords) != len(calls) {
		return errors.New("its machine waits for other calls")
	}
	for _, c := range waits {
		ord, ok := ords[c.ID]
		if !ok {
			return errors.New("its machine waits for other calls")
		}
		op, args, err := bind.Operation(b.m, c)
		if err != nil {
			return err
		}
		p, name, err := b.pending(c, ord, op, args)
		if err != nil {
			return err
		}
		b.await(p)
		if err := b.checked(p, name); err != nil {
			return err
		}
	}
	return nil
}

// revive restores a kid that goes on.
func (b *bag) revive(k kid) error {
	id := graph.ID{Session: b.id.Session, Bag: b.job.Bag, Ord: k.Ord}
	e, err := b.calls.Store.Entry(id)
	if err != nil {
		return err
	}
	shade, err := b.leaves(&e)
	if err != nil || e.Outcome != nil && !shade {
		return err
	}
	base, err := b.around(k)
	if err != nil {
		return err
	}
	k.bag = b.beside(id, kind.Place{}, base)
	if shade {
		k.bag.asShade()
	}
	b.kids = append(b.kids, k)
	if err := k.bag.recognise(e); err != nil {
		return err
	}
	doubt := k.bag.restore(e.Facts)
	if k.bag.back == nil {
		return fmt.Errorf("%s, in the background, has no snapshot of use (%v)", id, doubt)
	}
	return nil
}

// goOn does what is left when a bag was restored: it shows again what a replay would show, ends what nobody waits for,
// and starts the kids.
func (b *bag) goOn() error {
	r := b.back
	b.back = nil
	b.fault("restored")
	for _, p := range r.shown {
		if err := b.showAgain(p, r.wrote[:p.Own]); err != nil {
			return err
		}
		r.wrote = r.wrote[p.Own:]
	}
	for _, ord := range r.loose {
		if b.shade {
			break
		}
		err := b.forsake(graph.ID{Session: b.id.Session, Bag: b.job.Bag, Ord: ord})
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	for _, k := range b.kids {
		if err := k.bag.goOn(); err != nil {
			return err
		}
		b.backgrounds.start(k.bag)
	}
	return nil
}

// showAgain shows one piece. What kids wrote that go on they show themselves.
func (b *bag) showAgain(p piece, own []byte) error {
	b.out.wrote(len(own))
	if !b.out.mute {
		if _, err := b.out.to.Write(own); err != nil {
			return err
		}
	}
	if p.Child == 0 {
		return nil
	}
	b.out.showed(p.Child - 1)
	e, err := b.calls.Store.Entry(graph.ID{Session: b.id.Session, Bag: b.job.Bag, Ord: p.Child - 1})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if job, ok := e.Node.(*kind.ProgrammaticJob); ok && job.Background && e.Outcome == nil {
		return nil
	}
	return b.showJob(e)
}
