package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
)

// Cache answers a request that was answered before from a folder, for nothing. scope keeps connections apart that
// would answer differently. Only answers that came to their end are kept; what cannot be read or written is no error.
func Cache(c Connection, folder, scope string) Connection {
	return Func(func(ctx context.Context, r Request, hear func(Delta)) (*Answer, error) {
		digest, err := digestOf(r)
		if err != nil {
			return nil, errorf(CodeBadRequest, "the request holds what is no JSON: %s", clip(err.Error()))
		}
		sum := sha256.Sum256([]byte(scope + "\n" + digest))
		file := filepath.Join(folder, hex.EncodeToString(sum[:])+".json")
		if answer := cached(file); answer != nil {
			answer.Usage = Usage{}
			answer.Notes = append(answer.Notes, "from the cache")
			repeat(answer, hear)
			return answer, nil
		}
		answer, err := c.Complete(ctx, r, hear)
		if err == nil && (answer.Stop == StopEnd || answer.Stop == StopTools) {
			_ = keep(file, answer)
		}
		return answer, err
	})
}

func cached(file string) *Answer {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var a Answer
	if json.Unmarshal(b, &a) != nil || a.Stop == "" {
		return nil
	}
	return &a
}

// keep writes a file whole or not at all.
func keep(file string, a *Answer) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	return err
}

// repeat lets an answer that is there be heard as if it streamed.
func repeat(a *Answer, hear func(Delta)) {
	for i, b := range a.Blocks {
		switch b.Kind {
		case ToolUse:
			tell(hear, Delta{Index: i, Kind: b.Kind, ID: b.ID, Name: b.Name})
			tell(hear, Delta{Index: i, Kind: b.Kind, Text: string(b.Input)})
		case Text, Thinking:
			if b.Text != "" {
				tell(hear, Delta{Index: i, Kind: b.Kind, Text: b.Text})
			}
		}
	}
}
