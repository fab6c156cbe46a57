package model

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
)

// take is one line of a cassette.
type take struct {
	Digest  string          `json:"digest"`
	Request json.RawMessage `json:"request"`
	Answer  Answer          `json:"answer"`
}

// cassette is a file of real answers, one a line.
type cassette struct {
	file  string
	mu    sync.Mutex
	takes []take
	given map[string]int // how often each digest was answered
	inner Connection
}

const maxCassette = 1 << 30

// Record is a connection whose answers are kept in a file, for Replay. What the file holds is not asked again: to record
// anew, remove it. The same request asked n times is recorded n times.
func Record(c Connection, file string) (Connection, error) {
	k, err := openCassette(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	k.inner = c
	return k, nil
}

// Replay answers from a file that Record wrote, and from nothing else.
func Replay(file string) (Connection, error) {
	k, err := openCassette(file)
	if err != nil {
		return nil, err
	}
	return k, nil
}

func openCassette(file string) (*cassette, error) {
	k := &cassette{file: file, given: map[string]int{}}
	f, err := os.Open(file)
	if err != nil {
		return k, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(io.LimitReader(f, maxCassette), 1<<16)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			var t take
			if json.Unmarshal(line, &t) != nil || t.Digest == "" {
				return k, fmt.Errorf("%s:%d: no answer of a model stands here; was the recording cut short?", file, n)
			}
			k.takes = append(k.takes, t)
		}
		if err == io.EOF {
			return k, nil
		}
		if err != nil {
			return k, err
		}
	}
}

// Complete is Connection's.
func (k *cassette) Complete(ctx context.Context, r Request, hear func(Delta)) (*Answer, error) {
	digest, err := digestOf(r)
	if err != nil {
		return nil, errorf(CodeBadRequest, "the request holds what is no JSON: %s", clip(err.Error()))
	}
	if answer := k.find(digest); answer != nil {
		if ctx.Err() != nil {
			return nil, asError(ctx, ctx.Err())
		}
		repeat(answer, hear)
		return answer, nil
	}
	if k.inner == nil {
		return nil, k.miss(digest, r)
	}
	answer, err := k.inner.Complete(ctx, r, hear)
	if err != nil {
		return nil, err
	}
	if err := k.record(digest, r, answer); err != nil {
		return nil, fmt.Errorf("the answer cannot be recorded: %w", err)
	}
	return answer, nil
}

// find answers the next take of a request.
func (k *cassette) find(digest string) *Answer {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := 0
	for _, t := range k.takes {
		if t.Digest != digest {
			continue
		}
		if n == k.given[digest] {
			k.given[digest]++
			// A copy of its own: the caller may change it.
			b, err := json.Marshal(t.Answer)
			var a Answer
			if err != nil || json.Unmarshal(b, &a) != nil {
				return nil
			}
			return &a
		}
		n++
	}
	return nil
}

func (k *cassette) record(digest string, r Request, a *Answer) error {
	v, err := plain(r)
	if err != nil {
		return err
	}
	request, err := json.Marshal(v)
	if err != nil {
		return err
	}
	line, err := json.Marshal(take{digest, request, *a})
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	f, err := os.OpenFile(k.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		var kept take // as it will be read
		if err = json.Unmarshal(line, &kept); err == nil {
			k.takes = append(k.takes, kept)
			k.given[digest]++
		}
	}
	return err
}

const shownDifferences = 5

// miss says what the cassette does not hold, and how the nearest request that it holds differs.
func (k *cassette) miss(digest string, r Request) *Error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if n := k.given[digest]; n > 0 {
		return errorf(CodeMiss, "%s holds this request %d times, and it was asked once more", k.file, n)
	}
	asked, err := plain(r)
	if err != nil {
		return errorf(CodeBadRequest, "%s", clip(err.Error()))
	}
	var nearest []string
	at, least := -1, 0.0
	for i, t := range k.takes {
		recorded, err := generic(t.Request)
		if err != nil {
			continue
		}
		if d, far := differences(recorded, asked); at < 0 || far < least {
			nearest, at, least = d, i, far
		}
	}
	if at < 0 {
		return errorf(CodeMiss, "%s holds no answer at all", k.file)
	}
	more := ""
	if len(nearest) > shownDifferences {
		more = fmt.Sprintf("\n  and %d more", len(nearest)-shownDifferences)
		nearest = nearest[:shownDifferences]
	}
	return errorf(CodeMiss, "%s does not hold this request; the nearest, in line %d, differs in\n  %s%s", k.file, at+1, strings.Join(nearest, "\n  "), more)
}
