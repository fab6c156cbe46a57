package badger

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// An owner that has nothing to do gives memory back: soon, and once more when Badger's own pools have let go.
const (
	idleFirst  = 2 * time.Second
	idleSecond = 30 * time.Second
)

// idle calls IdleDrop some time after the last work. It has a timer and no goroutine.
type idle struct {
	last  atomic.Int64 // time of the last work, Unix nanoseconds
	armed atomic.Bool

	mu    sync.Mutex
	disk  *disk
	timer *time.Timer
}

func (i *idle) start(d *disk) {
	i.mu.Lock()
	i.disk = d
	i.mu.Unlock()
	i.touch()
}

// touch notes work. It is on the path of every commit: the clock, two atomics, and a timer once a quiet time.
func (i *idle) touch() {
	i.last.Store(time.Now().UnixNano())
	if i.armed.Load() || !i.armed.CompareAndSwap(false, true) {
		return
	}
	i.arm(idleFirst, idleFirst)
}

func (i *idle) arm(after, then time.Duration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.disk == nil {
		i.armed.Store(false)
		return
	}
	if i.timer != nil {
		i.timer.Stop()
	}
	i.timer = time.AfterFunc(after, func() { i.due(then) })
}

// due runs when the store may have been quiet for a time.
func (i *idle) due(quiet time.Duration) {
	since := time.Since(time.Unix(0, i.last.Load()))
	if since < quiet {
		i.arm(max(idleFirst-since, time.Millisecond), idleFirst)
		return
	}
	i.mu.Lock()
	d := i.disk
	i.mu.Unlock()
	if d == nil {
		return
	}
	d.scrub()
	d.drop()
	if quiet == idleFirst {
		i.arm(idleSecond-idleFirst, idleSecond)
	}
	i.armed.Store(false) // the next work begins anew, and takes the timer over
}

func (i *idle) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.disk = nil
	if i.timer != nil {
		i.timer.Stop()
	}
}

// IdleDrop gives back the memory that an idle store does not need: the pages of its tables, which stay in the kernel's
// cache, and the free parts of Go's heap.
func (s *Store) IdleDrop() { s.disk.drop() }

func (d *disk) drop() {
	if folder, err := filepath.Abs(d.folder); err == nil {
		dropTables(folder)
	}
	debug.FreeOSMemory()
}

// dropTables lets go of the resident pages of mapped tables. Tables are never written through their mapping, so nothing is
// lost. A table can be unmapped by a compaction at any time: each mapping is looked up again right before it is dropped.
func dropTables(folder string) {
	for _, line := range tableMappings(folder) {
		for _, now := range tableMappings(folder) {
			if now != line {
				continue
			}
			span, _, _ := strings.Cut(line, " ")
			low, high, _ := strings.Cut(span, "-")
			from, err1 := strconv.ParseUint(low, 16, 64)
			to, err2 := strconv.ParseUint(high, 16, 64)
			if err1 == nil && err2 == nil && to > from {
				unix.Syscall(unix.SYS_MADVISE, uintptr(from), uintptr(to-from), unix.MADV_DONTNEED)
			}
			break
		}
	}
}

func tableMappings(folder string) (lines []string) {
	b, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil // no such file here: the kernel takes the pages when it needs them
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		if at := strings.Index(line, folder+"/"); at >= 0 && strings.HasSuffix(line, ".sst") && strings.Contains(line[:at], "s ") {
			lines = append(lines, line)
		}
	}
	return lines
}
