// Package dir is a wire that is a folder: objects and items are files, made whole by renames, so that any number of
// processes of one machine share it and one that is killed leaves nothing half done.
//
//	objects/ALIAS.json        {"revision": 7, "value": {…}}
//	items/ALIAS/00…042.json   an item each
//	locks/ALIAS               held while the object is changed; holds the last revision of one that was deleted
//	bell                      touched when an item was posted
package dir

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"caper/runtime/worker/wire"

	"golang.org/x/sys/unix"
)

// Dir is a session in a folder.
type Dir struct {
	root string

	mu   sync.Mutex
	last map[string]uint64 // of each alias, an item that is there: where to look for the next number
}

var _ wire.Wire = (*Dir)(nil)

// Make makes the folder where there is none, and opens it.
func Make(root string) (*Dir, error) {
	for _, d := range []string{"objects", "items", "locks"} {
		if err := os.MkdirAll(filepath.Join(root, d), 0o700); err != nil {
			return nil, err
		}
	}
	bell, err := os.OpenFile(filepath.Join(root, "bell"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := bell.Close(); err != nil {
		return nil, err
	}
	return Open(root)
}

// Open opens a folder that is there, else wire.ErrNoSession.
func Open(root string) (*Dir, error) {
	i, err := os.Stat(filepath.Join(root, "objects"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !i.IsDir() {
		return nil, fmt.Errorf("%s: %w", root, wire.ErrNoSession)
	}
	return &Dir{root: root, last: map[string]uint64{}}, err
}

type file struct {
	Revision uint64          `json:"revision"`
	Value    json.RawMessage `json:"value"`
}

func (d *Dir) object(alias string) string { return filepath.Join(d.root, "objects", alias+".json") }
func (d *Dir) items(alias string) string  { return filepath.Join(d.root, "items", alias) }
func (d *Dir) item(alias string, seq uint64) string {
	return filepath.Join(d.items(alias), fmt.Sprintf("%020d.json", seq))
}

// List implements wire.Wire.
func (d *Dir) List(ctx context.Context) ([]wire.Object, error) {
	entries, err := os.ReadDir(filepath.Join(d.root, "objects"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", d.root, wire.ErrNoSession)
	} else if err != nil {
		return nil, err
	}
	var out []wire.Object
	for _, e := range entries {
		alias, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || wire.CheckAlias(alias) != nil {
			continue
		}
		o, err := d.Get(ctx, alias)
		switch {
		case errors.Is(err, wire.ErrNotFound):
		case err != nil:
			out = append(out, wire.Object{Alias: alias})
		default:
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b wire.Object) int { return strings.Compare(a.Alias, b.Alias) })
	return out, ctx.Err()
}

// Get implements wire.Wire.
func (d *Dir) Get(ctx context.Context, alias string) (wire.Object, error) {
	if err := errors.Join(ctx.Err(), wire.CheckAlias(alias)); err != nil {
		return wire.Object{}, err
	}
	b, err := read(d.object(alias), wire.MaxObject+1024)
	if errors.Is(err, fs.ErrNotExist) {
		return wire.Object{}, fmt.Errorf("%s: %w", alias, wire.ErrNotFound)
	}
	var f file
	if err == nil {
		if err = json.Unmarshal(b, &f); err == nil && len(f.Value) == 0 {
			err = errors.New("it has no value")
		}
	}
	if err != nil {
		return wire.Object{}, fmt.Errorf("object %s: %w", alias, &wire.MalformedError{Err: err})
	}
	return wire.Object{Alias: alias, Revision: f.Revision, Value: f.Value}, nil
}

// Put implements wire.Wire.
func (d *Dir) Put(ctx context.Context, alias string, revision uint64, value json.RawMessage) (uint64, error) {
	if err := wire.CheckAlias(alias); err != nil {
		return 0, err
	}
	if err := wire.CheckValue(value); err != nil {
		return 0, err
	}
	free, gone, err := d.lock(ctx, alias)
	if err != nil {
		return 0, err
	}
	defer free()
	o, err := d.Get(ctx, alias)
	switch {
	case errors.Is(err, wire.ErrNotFound):
		o.Revision = 0
	case err != nil:
		return 0, err
	}
	if o.Revision != revision {
		return 0, fmt.Errorf("%s: %w", alias, wire.ErrConflict)
	}
	next := max(revision, gone) + 1
	b, err := json.Marshal(file{next, value})
	if err != nil {
		return 0, err
	}
	if err := write(d.object(alias), b, true); err != nil {
		return 0, err
	}
	return next, nil
}

// Delete implements wire.Wire.
func (d *Dir) Delete(ctx context.Context, alias string) error {
	free, gone, err := d.lock(ctx, alias)
	if err != nil {
		return err
	}
	defer free()
	o, err := d.Get(ctx, alias)
	if errors.Is(err, wire.ErrNotFound) {
		return err
	} // one that cannot be read can be taken away
	if err := os.WriteFile(d.lockFile(alias), strconv.AppendUint(nil, max(gone, o.Revision), 10), 0o600); err != nil {
		return err
	}
	if err := os.Remove(d.object(alias)); err != nil {
		return err
	}
	d.mu.Lock()
	delete(d.last, alias)
	d.mu.Unlock()
	return os.RemoveAll(d.items(alias))
}

// Post implements wire.Wire.
func (d *Dir) Post(ctx context.Context, alias string, item wire.Item) (wire.Item, error) {
	if err := d.there(ctx, alias); err != nil {
		return item, err
	}
	if err := os.MkdirAll(d.items(alias), 0o700); err != nil {
		return item, err
	}
	d.mu.Lock()
	seq, ok := d.last[alias]
	d.mu.Unlock()
	if !ok {
		all, err := d.numbers(alias)
		if err != nil {
			return item, err
		}
		if len(all) > 0 {
			seq = all[len(all)-1]
		}
	}
	item.CreatedAt = time.Now().UTC()
	for { // whoever links a number first has it: numbers have no gaps
		seq++
		item.Seq = seq
		b, err := json.Marshal(item)
		if err != nil {
			return item, err
		}
		if len(b) > wire.MaxItem {
			return item, fmt.Errorf("an item has at most %d bytes, found %d", wire.MaxItem, len(b))
		}
		err = write(d.item(alias, seq), b, false)
		if errors.Is(err, fs.ErrExist) {
			if err := ctx.Err(); err != nil {
				return item, err
			}
			continue
		}
		if err != nil {
			return item, err
		}
		break
	}
	d.mu.Lock()
	d.last[alias] = max(d.last[alias], seq)
	d.mu.Unlock()
	now := time.Now()
	return item, os.Chtimes(filepath.Join(d.root, "bell"), now, now)
}

// Items implements wire.Wire.
func (d *Dir) Items(ctx context.Context, alias string, after uint64, limit int) ([]wire.Item, error) {
	if err := d.there(ctx, alias); err != nil {
		return nil, err
	}
	all, err := d.numbers(alias)
	if err != nil {
		return nil, err
	}
	i, found := slices.BinarySearch(all, after)
	if found {
		i++
	}
	out := []wire.Item{}
	for _, seq := range all[i:min(len(all), i+limit)] {
		item := wire.Item{}
		b, err := read(d.item(alias, seq), wire.MaxItem+1)
		if err != nil || json.Unmarshal(b, &item) != nil {
			item = wire.Item{}
		}
		item.Seq = seq
		out = append(out, item)
	}
	return out, nil
}

// there refuses an object that is not there; one that cannot be read has items too.
func (d *Dir) there(ctx context.Context, alias string) error {
	if err := errors.Join(ctx.Err(), wire.CheckAlias(alias)); err != nil {
		return err
	}
	_, err := os.Lstat(d.object(alias))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", alias, wire.ErrNotFound)
	}
	return err
}

func (d *Dir) numbers(alias string) ([]uint64, error) {
	entries, err := os.ReadDir(d.items(alias))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []uint64
	for _, e := range entries { // sorted by name, which is by number
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok && len(name) == 20 {
			if n, err := strconv.ParseUint(name, 10, 64); err == nil && n > 0 {
				out = append(out, n)
			}
		}
	}
	return out, nil
}

func (d *Dir) lockFile(alias string) string { return filepath.Join(d.root, "locks", alias) }

// lock keeps other writers of an object out. The kernel frees what a dead process held.
func (d *Dir) lock(ctx context.Context, alias string) (free func(), gone uint64, err error) {
	if err := wire.CheckAlias(alias); err != nil {
		return nil, 0, err
	}
	f, err := os.OpenFile(d.lockFile(alias), os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, 0, err
	}
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			break
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return nil, 0, errors.Join(err, f.Close())
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, 0, errors.Join(ctx.Err(), f.Close())
		}
	}
	b, _ := io.ReadAll(io.LimitReader(f, 20))
	gone, _ = strconv.ParseUint(string(b), 10, 64)
	return func() { _ = f.Close() }, gone, nil
}

// read reads a plain file of a bounded size; a link, a pipe or a device is none.
func read(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	i, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !i.Mode().IsRegular():
		return nil, errors.New("it is no plain file")
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("it is larger than %d bytes", most)
	}
	return b, err
}

// write makes a file whole: in the place of an older one, or, when it must be new, only where there is none.
func write(path string, b []byte, replace bool) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if err == nil && replace {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if replace {
		return os.Rename(f.Name(), path)
	}
	return os.Link(f.Name(), path)
}
