package view

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/store"
)

// Bounds of what moves on the screen.
const (
	frameEvery = 100 * time.Millisecond
	// blockRows is less than any terminal has: a block higher than the screen could not be taken back.
	blockRows = 18
	finalRows = 60
)

// Live shows a program while it runs: a block at the bottom of the terminal that is painted over. Its methods may be
// called from many goroutines.
type Live struct {
	w     io.Writer
	style Style
	stop  chan struct{}
	ended chan struct{}
	once  sync.Once
	feed  *feed // of the painter alone, until it has ended
	calls bool  // a program that makes none is not shown

	mu     sync.Mutex
	block  []string // what is to be seen
	shown  int      // lines of it that are on the screen
	below  int      // column in which unfinished output above the block ends: 0 for none, less when it is not known
	drawn  string   // what the lines that are on the screen say
	hidden int
	closed bool
	last   time.Time // of the last painting
	hold   int       // least width of the first column
	now    func() time.Time
}

// NewLive begins to show a program. calls may be nil.
func NewLive(w io.Writer, s Style, st store.Store, calls *call.Service, id graph.ID) *Live {
	l := newLive(w, s, reader{store: st, calls: calls, own: true}, id)
	go l.run(st)
	return l
}

// LiveCalls is NewLive for a program of which only calls are worth a picture.
func LiveCalls(w io.Writer, s Style, st store.Store, calls *call.Service, id graph.ID) *Live {
	l := newLive(w, s, reader{store: st, calls: calls, own: true}, id)
	l.calls = true
	go l.run(st)
	return l
}

// empty says that there is nothing to show.
func (l *Live) empty() bool {
	root := l.feed.root
	return root == nil || l.calls && root.inner != nil && len(root.inner.groups) == 0
}

func newLive(w io.Writer, s Style, r reader, id graph.ID) *Live {
	return &Live{w: w, style: s, stop: make(chan struct{}), ended: make(chan struct{}), feed: newFeed(r, id), now: time.Now}
}

// run paints at most ten times a second, and only while something changes or runs.
func (l *Live) run(st store.Store) {
	defer close(l.ended)
	token, end := st.Watch(l.feed.id.Session)
	defer end()
	pause := time.NewTimer(frameEvery) // what is over by then was not worth a picture
	defer pause.Stop()
	fresh := true
	for {
		select {
		case <-pause.C:
		case <-l.stop:
			return
		}
		select { // without a token there is nothing to read: only time went on
		case _, ok := <-token:
			if !ok {
				return
			}
			fresh = true
		default:
		}
		if fresh && l.catchUp(l.stop) != nil {
			return // the run itself reports what is wrong with the store
		}
		fresh = false
		l.compose(blockRows)
		l.paint()
		pause.Reset(frameEvery)
		if l.feed.running() {
			continue
		}
		select {
		case _, ok := <-token:
			if !ok {
				return
			}
			fresh = true
		case <-l.stop:
			return
		}
	}
}

// catchUp reads what happened since it was last called, until there is no more or stop says so.
func (l *Live) catchUp(stop <-chan struct{}) error {
	if l.feed.root == nil {
		if err := l.feed.start(); err != nil {
			return err
		}
	}
	for {
		more, err := l.feed.read()
		if err != nil || !more {
			return err
		}
		select {
		case <-stop:
			return nil
		default:
		}
	}
}

// compose makes the picture of what is known.
func (l *Live) compose(most int) {
	root := l.feed.root
	if l.empty() {
		return
	}
	d := drawing{s: l.style, now: l.feed.now()}
	rows := squeeze(l.style, d.rows(root), most/l.style.twice(), "")
	lines, hold := d.lines(rows, l.hold)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.block, l.hold = lines, hold
}

// paint puts the picture on the screen.
func (l *Live) paint() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hidden > 0 || l.closed {
		return
	}
	l.draw()
}

// draw writes the block over the one before. Nothing else writes to the terminal meanwhile: mu is held.
func (l *Live) draw() {
	l.last = l.now()
	picture := strings.Join(l.block, "\n")
	if l.shown > 0 && picture == l.drawn {
		return
	}
	var b bytes.Buffer
	if l.shown > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\r", l.shown)
	} else if l.below != 0 {
		b.WriteString("\r\n")
		l.below = max(l.below, 0)
	}
	b.WriteString("\x1b[?7l") // a terminal that measures signs otherwise than we do must not wrap lines
	for _, t := range l.block {
		b.WriteString(t + "\x1b[K\r\n")
	}
	b.WriteString("\x1b[?7h")
	if l.shown > len(l.block) {
		b.WriteString("\x1b[J")
	}
	l.shown, l.drawn = len(l.block), picture
	_, _ = l.w.Write(b.Bytes()) // a terminal that is gone ends the program by other ways
}

// erase takes the block off the screen and leaves the cursor where output goes on.
func (l *Live) erase() {
	if l.shown == 0 {
		return
	}
	text := fmt.Sprintf("\x1b[%dA\r\x1b[J", l.shown)
	if l.below > 0 {
		text += fmt.Sprintf("\x1b[1A\x1b[%dC", l.below)
	}
	l.shown = 0
	_, _ = io.WriteString(l.w, text)
}

// Print writes output of the program above the block, as it is: it may be no terminal that gets it.
func (l *Live) Print(w io.Writer, b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return w.Write(b)
	}
	l.erase()
	n, err := w.Write(b)
	l.follow(b[:n])
	if l.hidden == 0 && len(l.block) > 0 && l.now().Sub(l.last) >= frameEvery {
		l.draw()
	}
	return n, err
}

// follow keeps the column in which output ends. Where that is not known, the block begins on a new line for good.
func (l *Live) follow(b []byte) {
	const far = 4096
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		l.below, b = 0, b[i+1:]
	}
	if len(b) == 0 {
		return
	}
	text := string(b)
	width := l.style.Width
	if l.below < 0 || width <= 0 || len(text) > far || (Style{}).clean(text) != text {
		l.below = -1
		return
	}
	l.below = (l.below + l.style.cells(text)) % width
}

// Hide takes the block away, for a question, until Show is called as often.
func (l *Live) Hide() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hidden++
	l.erase()
	l.fresh()
}

// fresh begins a new line when output stands on the last one.
func (l *Live) fresh() {
	if l.below != 0 {
		_, _ = io.WriteString(l.w, "\r\n")
		l.below = 0
	}
}

// Show brings the block back.
func (l *Live) Show() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hidden > 0 {
		l.hidden--
	}
	if l.hidden == 0 && !l.closed && len(l.block) > 0 {
		l.draw()
	}
}

// Close ends the showing and leaves the tree as it is now, once.
func (l *Live) Close() {
	l.once.Do(func() {
		close(l.stop)
		<-l.ended
		l.finish()
	})
}

func (l *Live) finish() {
	_ = l.catchUp(nil) // to the end; what the store has to complain of the run itself reports
	text := ""
	if root := l.feed.root; !l.empty() {
		d := drawing{s: l.style, now: l.feed.now()}
		text = d.text(squeeze(l.style, d.rows(root), finalRows, "caper tree "+root.ID+" shows them"), 0)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.erase()
	l.fresh()
	l.closed = true
	_, _ = io.WriteString(l.w, strings.ReplaceAll(text, "\n", "\r\n"))
}
