package badger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"caper/runtime/store"

	db "github.com/dgraph-io/badger/v4"
)

// disk is the store.Backend over Badger and the files beside it.
type disk struct {
	dir, folder string
	sync        bool
	db          *db.DB
	anchor      *anchor
	space       space
	lock        *Lock
	hook        func(string)
	alarm       func(error)
	now         func() time.Time
	idle        idle

	records uint64    // as the checks at opening found it
	newest  store.Tip // the same of the newest record, where they had to look
	gone    uint64    // records written off, this opening's among them
	tip     store.Tip // last anchored
	writes  int
	synced  time.Time // the anchor
	changed time.Time // mtime of the folder when it was last synced

	verified verified // tables, since an opening read them
	unread   []string // of these, those that this opening did not; then the idle timer's

	failed  atomic.Bool // some write failed: no clean close
	alarmed atomic.Pointer[error]
	running atomic.Bool // the checks at opening have passed
}

// alarmLog is Badger's logger. Badger only logs what it cannot do in the background, tries again for ever, and lets
// commits wait without end: here an error is an alarm.
type alarmLog disk

func (l *alarmLog) Errorf(format string, args ...any) {
	err := fmt.Errorf("the database reports: %s", strings.TrimSpace(fmt.Sprintf(format, args...)))
	if l.alarmed.CompareAndSwap(nil, &err) && l.alarm != nil && l.running.Load() {
		l.alarm(err)
	}
}
func (*alarmLog) Warningf(string, ...any) {}
func (*alarmLog) Infof(string, ...any)    {}
func (*alarmLog) Debugf(string, ...any)   {}

// Write commits one transaction and then moves the anchor. Called by the committer, one at a time.
func (d *disk) Write(pairs []store.Pair, tip store.Tip) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the database broke: %v", p)
		}
		if err != nil {
			d.failed.Store(true)
		}
	}()
	if a := d.alarmed.Load(); a != nil {
		return *a
	}
	d.idle.touch()
	if d.writes++; d.writes%16 == 0 && d.space.left() < roomToSettle {
		d.space.release()
	}
	t := d.db.NewTransaction(true)
	defer t.Discard()
	for _, p := range pairs {
		if p.Delete {
			err = t.Delete(p.Key)
		} else {
			err = t.Set(p.Key, p.Value)
		}
		if err != nil {
			return err
		}
	}
	if err := t.Commit(); err != nil {
		return err
	}
	if d.sync {
		if err := d.syncNames(); err != nil {
			return err
		}
	}
	if tip.Records == 0 {
		return nil
	}
	d.hook("before-anchor")
	if err := d.anchor.write(tip); err != nil {
		return err
	}
	d.tip = tip
	d.hook("after-anchor")
	if now := time.Now(); now.Sub(d.synced) > 3*time.Second {
		d.synced = now
		return d.anchor.sync()
	}
	return nil
}

// syncNames makes the names of new files durable: Badger syncs no folder when it begins a file in the background.
func (d *disk) syncNames() error {
	fi, err := os.Stat(d.folder)
	if err != nil {
		return err
	}
	if fi.ModTime().Equal(d.changed) {
		return nil
	}
	if err := syncFolder(d.folder); err != nil {
		return err
	}
	d.changed = fi.ModTime()
	return nil
}

// Room refuses a new call while the disk is nearly full.
func (d *disk) Room() error {
	if left := d.space.left(); left < roomForCalls {
		return fmt.Errorf("%w: %d MiB are left in %s, %d are needed", store.ErrDiskFull, left>>20, d.dir, roomForCalls>>20)
	}
	return nil
}

// Get reads one value.
func (d *disk) Get(k []byte) (v []byte, ok bool, err error) {
	t := d.db.NewTransaction(false)
	defer t.Discard()
	item, err := t.Get(k)
	if errors.Is(err, db.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err == nil {
		v, err = item.ValueCopy(nil)
	}
	return v, err == nil, err
}

// Scan yields pairs in order.
func (d *disk) Scan(prefix, from []byte, yield func(k, v []byte) bool) error {
	var fail error
	d.each(prefix, from, func(item *db.Item) bool {
		more := false
		fail = item.Value(func(v []byte) error {
			more = yield(item.Key(), v)
			return nil
		})
		return fail == nil && more
	})
	return fail
}

// Keys yields keys in order.
func (d *disk) Keys(prefix, from []byte, yield func(k []byte) bool) error {
	d.each(prefix, from, func(item *db.Item) bool { return yield(item.Key()) })
	return nil
}

func (d *disk) each(prefix, from []byte, yield func(*db.Item) bool) {
	d.idle.touch()
	t := d.db.NewTransaction(false)
	defer t.Discard()
	it := t.NewIterator(db.IteratorOptions{Prefix: prefix})
	defer it.Close()
	if from == nil {
		from = prefix
	}
	for it.Seek(from); it.ValidForPrefix(prefix); it.Next() {
		if !yield(it.Item()) {
			return
		}
	}
}

// Last finds the greatest key with a prefix.
func (d *disk) Last(prefix []byte) (k, v []byte, ok bool, err error) {
	t := d.db.NewTransaction(false)
	defer t.Discard()
	it := t.NewIterator(db.IteratorOptions{Prefix: prefix, Reverse: true})
	defer it.Close()
	end := append([]byte{}, prefix...)
	for range 36 { // longer than any key
		end = append(end, 0xff)
	}
	it.Seek(end)
	if !it.ValidForPrefix(prefix) {
		return nil, nil, false, nil
	}
	k = it.Item().KeyCopy(nil)
	v, err = it.Item().ValueCopy(nil)
	return k, v, err == nil, err
}

// Close ends the store. After a failed write it leaves no record of a clean close.
func (d *disk) Close() error { return d.close() }

func (d *disk) close() error {
	d.idle.stop()
	if a := d.alarmed.Load(); a != nil {
		return *a // Badger may still be trying, and would never end: the lock stays until the process does
	}
	err := d.closeBadger()
	if err == nil && !d.failed.Load() {
		err = d.closeAnchor()
	}
	if cerr := d.anchor.close(); err == nil {
		err = cerr
	}
	if d.lock != nil {
		if lerr := d.lock.Release(); err == nil {
			err = lerr
		}
	}
	return err
}

func (d *disk) closeAnchor() error {
	d.hook("before-clean")
	manifest, err := os.ReadFile(filepath.Join(d.folder, db.ManifestFilename))
	if err != nil {
		return err
	}
	_ = d.verified.save(d.dir, d.folder, d.now()) // without it the next opening reads more: no reason for a close to be unclean
	return d.anchor.writeClean(manifest)
}

// flattenAbove is the number of tables in the first level that a close merges: each short life of a store leaves one.
const flattenAbove = 8

func (d *disk) closeBadger() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the database broke as it closed: %v", p)
		}
	}()
	if d.db == nil {
		return nil
	}
	if !d.failed.Load() && d.alarmed.Load() == nil && d.db.Levels()[0].NumTables > flattenAbove {
		if err := d.db.Flatten(2); err != nil {
			return err
		}
	}
	return d.db.Close()
}
