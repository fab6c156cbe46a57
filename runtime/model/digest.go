package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

// plain is a request as generic JSON: what is said, not how it was written. Session is left out, since it only helps
// the provider to find its own cache.
func plain(r Request) (any, error) {
	r.Session = ""
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return generic(b)
}

func generic(b []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// digestOf names a request by its content: the same for all ways to write the same JSON.
func digestOf(r Request) (string, error) {
	v, err := plain(r)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(v) // members come out sorted
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// leaves spreads generic JSON out: a text for each path.
func leaves(v any, at string, into map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			leaves(e, at+"."+k, into)
		}
	case []any:
		for i, e := range v {
			leaves(e, fmt.Sprintf("%s[%d]", at, i), into)
		}
	default:
		into[strings.TrimPrefix(at, ".")] = fmt.Sprint(v)
	}
}

// differences answers how two requests differ, by paths, sorted, and how far they are apart.
func differences(recorded, asked any) (out []string, far float64) {
	a, b := map[string]string{}, map[string]string{}
	leaves(recorded, "", a)
	leaves(asked, "", b)
	for k, x := range a {
		if y, ok := b[k]; !ok {
			out = append(out, fmt.Sprintf("%s: recorded %s, asked without it", k, shorten(x, 0)))
			far++
		} else if x != y {
			from := common(x, y)
			far += 1 - float64(from)/float64(max(len(x), len(y)))
			out = append(out, fmt.Sprintf("%s: recorded %s, asked %s", k, shorten(x, from), shorten(y, from)))
		}
	}
	for k, y := range b {
		if _, ok := a[k]; !ok {
			out = append(out, fmt.Sprintf("%s: recorded without it, asked %s", k, shorten(y, 0)))
			far++
		}
	}
	sort.Strings(out)
	return out, far
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// shorten quotes a text from shortly before a place on.
func shorten(s string, from int) string {
	const before, after = 20, 60
	head, tail := "", ""
	if from > before {
		s, head = s[from-before:], "…"
	}
	if len(s) > before+after {
		s, tail = s[:before+after], "…"
	}
	return fmt.Sprintf("%s%q%s", head, strings.ToValidUTF8(s, ""), tail)
}
