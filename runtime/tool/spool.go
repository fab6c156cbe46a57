package tool

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"caper/runtime/graph"
)

// spool is the files of one attempt to run a command.
type spool struct {
	attempt              int64
	stdout, stderr, exit string
}

func spoolOf(dir string, attempt int64) spool {
	name := func(what string) string { return filepath.Join(dir, what+"."+strconv.FormatInt(attempt, 10)) }
	return spool{attempt, name("stdout"), name("stderr"), name("exit")}
}

// newSpool finds names that no attempt has used.
func newSpool(dir string) (spool, error) {
	if dir == "" {
		return spool{}, errors.New("no spool folder is given")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return spool{}, err
	}
	for n := int64(1); n < 1000; n++ {
		s := spoolOf(dir, n)
		if !s.begun() {
			if _, err := os.Lstat(s.exit); errors.Is(err, fs.ErrNotExist) {
				return s, nil
			}
		}
	}
	return spool{}, errors.New("it has the files of 1,000 attempts")
}

// begun reports whether the stub was released: it opens its files only then.
func (s spool) begun() bool {
	for _, path := range []string{s.stdout, s.stderr} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// exitCode answers the exit code, if the command has ended by itself.
func (s spool) exitCode() (int, bool) {
	text, err := os.ReadFile(s.exit)
	if err != nil {
		return 0, false
	}
	digits, whole := bytes.CutSuffix(text, []byte(" end\n"))
	code, err := strconv.Atoi(string(digits))
	if !whole || err != nil {
		return 0, false
	}
	return code, true
}

// spooled answers the output of a command as the value of its call, without an exit code.
func spooled(env *Env, s spool) (Result, error) {
	var r Result
	stdout, err := spooledText(env, s.stdout, &r)
	if err != nil {
		return Result{}, err
	}
	stderr, err := spooledText(env, s.stderr, &r)
	if err != nil {
		return Result{}, err
	}
	r.Receipt.Stdout, r.Receipt.Stderr = stdout.ref, stderr.ref
	r.Blobs = blobs(r.Receipt.Stdout, r.Receipt.Stderr)
	value := record("stdout", stdout.text, "stderr", stderr.text)
	var cut graph.List
	for _, s := range []struct {
		name string
		streamText
	}{{"stdout", stdout}, {"stderr", stderr}} {
		if s.cut {
			cut = append(cut, graph.Symbol(s.name))
		}
		if s.ref != "" {
			value = append(value, pair(s.name+"-blob", s.ref))
		}
	}
	if cut != nil {
		value = append(value, graph.Pair("truncated", cut))
	}
	r.Value = value
	return r, nil
}

// streamText is what a value has of one: of a long one the middle is left out of the text and the whole is a blob.
type streamText struct {
	text string
	cut  bool
	ref  string // the blob, "" where there is no place for blobs
}

func spooledText(env *Env, path string, r *Result) (streamText, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return streamText{}, nil
	}
	if err != nil {
		return streamText{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return streamText{}, err
	}
	size := info.Size()
	r.Receipt.Bytes += size
	if size <= maxStream {
		data, err := readAll(int(f.Fd()), size, maxRead)
		if err != nil {
			return streamText{}, err
		}
		return streamText{text: showName(string(data))}, nil
	}
	out := streamText{cut: true}
	// Past the limit the command is ended; what it wrote until then is not kept beyond this.
	whole := make([]byte, min(size, maxSpool))
	if _, err := io.ReadFull(f, whole); err != nil {
		return streamText{}, err
	}
	if env.Blobs != nil {
		if out.ref, err = env.Blobs.Put(whole); err != nil {
			return streamText{}, err
		}
	}
	head, tail := whole[:maxStream/2], whole[len(whole)-maxStream/2:]
	if i := bytes.LastIndexByte(head, '\n'); i > len(head)-4096 {
		head = head[:i+1]
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i < 4096 {
		tail = tail[i+1:]
	}
	left := fmt.Sprintf("[%d bytes are left out here]\n", len(whole)-len(head)-len(tail))
	if head[len(head)-1] != '\n' {
		left = "\n" + left
	}
	out.text = showName(string(head)) + left + showName(string(tail))
	return out, nil
}

// CleanSpool removes the spool files of a call whose outcome is durable.
func CleanSpool(env *Env) error {
	if env.Spool == "" {
		return nil
	}
	return os.RemoveAll(env.Spool)
}
