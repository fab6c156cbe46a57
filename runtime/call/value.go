package call

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"sort"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/tool"
)

// ArgsDatum is a call's arguments as the graph keeps and shows them: the positional ones, then keywords in order of name.
func ArgsDatum(positional []graph.Datum, keywords map[string]graph.Datum) graph.List {
	out := append(graph.List{}, positional...)
	names := make([]string, 0, len(keywords))
	for n := range keywords {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		out = append(out, graph.Keyword(n), keywords[n])
	}
	return out
}

// SplitArgs undoes ArgsDatum, and takes what a program wrote: keywords may stand anywhere.
func SplitArgs(args graph.List) (positional []graph.Datum, keywords map[string]graph.Datum, err error) {
	for i := 0; i < len(args); i++ {
		k, ok := args[i].(graph.Keyword)
		if !ok {
			positional = append(positional, args[i])
			continue
		}
		if i+1 == len(args) {
			return nil, nil, &tool.Error{Code: tool.CodeArguments, Message: fmt.Sprintf("the keyword #:%s has no value after it", k)}
		}
		if _, twice := keywords[string(k)]; twice {
			return nil, nil, &tool.Error{Code: tool.CodeArguments, Message: fmt.Sprintf("the keyword #:%s is given twice", k)}
		}
		if keywords == nil {
			keywords = map[string]graph.Datum{}
		}
		keywords[string(k)] = args[i+1]
		i++
	}
	return positional, keywords, nil
}

// RequestDigest is what a replay compares: the tool, its version and the arguments as given.
func RequestDigest(r Request, t *tool.Tool) []byte {
	version := ""
	if t != nil {
		version = t.Version
	}
	d, err := graph.Digest(graph.List{r.Tool, version, ArgsDatum(r.Positional, r.Keywords)})
	if err != nil { // too deep to be an argument of any tool: the call fails when it is bound
		d = sha256.Sum256([]byte(r.Tool))
	}
	return d[:]
}

// Digest answers RequestDigest for a request to one of the service's tools.
func (s *Service) Digest(r Request) []byte {
	t, _ := s.find(r)
	return RequestDigest(r, t)
}

// Keep keeps a datum inline or, when it is large, in a blob.
func (s *Service) Keep(d graph.Datum) (kind.Value, error) {
	if d == nil {
		return kind.Value{}, nil
	}
	if small(d) {
		return kind.Of(d), nil
	}
	pieces, err := graph.Pieces(d)
	if err != nil {
		return kind.Value{}, err
	}
	size := 0
	for _, b := range pieces {
		size += len(b)
	}
	if size <= kind.MaxInline {
		return kind.Of(d), nil
	}
	hash, err := s.Blobs.Put(pieces...)
	if err != nil {
		return kind.Value{}, err
	}
	return kind.Value{Blob: hash, Size: int64(size)}, nil
}

// Fetch answers the datum of a kept value.
func (s *Service) Fetch(v kind.Value) (graph.Datum, error) {
	if v.Blob == "" {
		return v.Datum, nil
	}
	b, err := s.Blobs.Get(v.Blob)
	if err != nil {
		return nil, err
	}
	return graph.Decode(b)
}

// small reports what certainly needs no blob, without encoding it.
func small(d graph.Datum) bool {
	switch d := d.(type) {
	case string:
		return len(d) < kind.MaxInline/2
	case []byte:
		return len(d) < kind.MaxInline/2
	case bool, int64, float64, graph.Symbol, graph.Keyword, graph.Char, graph.Void:
		return true
	case graph.List:
		if len(d) > 16 {
			return false
		}
		size := 0
		for _, x := range d {
			switch x := x.(type) {
			case string:
				size += len(x)
			case bool, int64, float64, graph.Symbol, graph.Keyword, graph.Char, graph.Void:
			default:
				return false
			}
		}
		return size < kind.MaxInline/2
	}
	return false
}

// spoolFor is the folder in which an external call leaves its output and exit status.
func (s *Service) spoolFor(id graph.ID) string {
	return filepath.Join(s.Spool, fmt.Sprintf("%d", id.Session), fmt.Sprintf("%d.%d", id.Bag, id.Ord))
}

// Clean removes what an external call left for recovery; its outcome is durable.
func (s *Service) Clean(id graph.ID) error { return os.RemoveAll(s.spoolFor(id)) }

// receipt is what a person is shown beside the value, as data: only what is not zero.
func receipt(r tool.Receipt) graph.Datum {
	var out graph.List
	add := func(name string, n int64) {
		if n != 0 {
			out = append(out, graph.Pair(name, n))
		}
	}
	text := func(name, s string) {
		if s != "" {
			out = append(out, graph.Pair(name, s))
		}
	}
	add("bytes", r.Bytes)
	add("matches", r.Matches)
	add("files", r.Files)
	add("binary", r.Binary)
	add("unreadable", r.Unreadable)
	add("protected", r.Protected)
	text("stdout", r.Stdout)
	text("stderr", r.Stderr)
	text("pre-image", r.Preimage)
	for _, n := range r.Notes {
		text("note", n)
	}
	if out == nil {
		return nil
	}
	return out
}
