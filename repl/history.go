package repl

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// maxHistory is how many inputs are kept in memory; maxEntry how long one may be to be remembered.
const (
	maxHistory = 10_000
	maxEntry   = 256 << 10
)

// History is what was typed, in a file of JSON lines. Each is added by one write at the end, so that sessions side by side,
// and those that are killed, lose nothing and tear nothing.
type History struct {
	path string
	mu   sync.Mutex
	read bool
	all  []string
}

// NewHistory keeps what is typed in a file.
func NewHistory(path string) *History { return &History{path: path} }

type entry struct {
	At   int64  `json:"at"` // Unix seconds
	Text string `json:"text"`
}

// Add remembers an input, but not the same twice in a row.
func (h *History) Add(text string) {
	all := h.All()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(text) > maxEntry || len(all) > 0 && all[len(all)-1] == text {
		return
	}
	h.all = append(h.all, text)
	line, err := json.Marshal(entry{time.Now().Unix(), text})
	if err != nil {
		return
	}
	_ = os.MkdirAll(filepath.Dir(h.path), 0o700) // where nothing can be written nothing is remembered
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	_, _ = f.Write(append(line, '\n'))
	_ = f.Close()
}

// All is what is remembered, the newest last. The file is read when it is first asked for.
func (h *History) All() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.read {
		return h.all
	}
	h.read = true
	f, err := os.Open(h.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	const tail = 8 << 20 // older ones are left alone
	if info, err := f.Stat(); err == nil && info.Size() > tail {
		_, _ = f.Seek(-tail, io.SeekEnd)
	}
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadBytes('\n')
		var e entry
		if json.Unmarshal(line, &e) == nil && e.Text != "" { // a line that another program wrote is passed over
			h.all = append(h.all, e.Text)
		}
		if err != nil {
			break
		}
	}
	h.all = h.all[max(0, len(h.all)-maxHistory):]
	return h.all
}
