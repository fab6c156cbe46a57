package dir

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// slow is how often a watcher looks by itself where the system tells it of no changes.
const slow = 2 * time.Second

// Watch implements wire.Wire.
func (d *Dir) Watch(ctx context.Context) (<-chan struct{}, error) {
	out := make(chan struct{}, 1)
	w, err := fsnotify.NewWatcher()
	if err == nil {
		for _, p := range []string{filepath.Join(d.root, "objects"), filepath.Join(d.root, "bell")} {
			if err = w.Add(p); err != nil {
				_ = w.Close()
				break
			}
		}
	}
	if err != nil { // no watches left, or a file system without them
		go tick(ctx, out)
		return out, nil
	}
	go func() {
		defer close(out)
		defer w.Close()
		for {
			select {
			case e, ok := <-w.Events:
				if !ok {
					return
				}
				if strings.HasPrefix(filepath.Base(e.Name), ".new-") {
					continue
				}
			case _, ok := <-w.Errors: // an overflow lost events: something changed
				if !ok {
					return
				}
			case <-ctx.Done():
				return
			}
			ring(out)
		}
	}()
	return out, nil
}

func tick(ctx context.Context, out chan struct{}) {
	defer close(out)
	t := time.NewTicker(slow)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			ring(out)
		case <-ctx.Done():
			return
		}
	}
}

func ring(out chan struct{}) {
	select {
	case out <- struct{}{}:
	default:
	}
}
