package license

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"path"
	"sort"
	"strings"
	"time"

	"caper/runtime/graph"
)

// Scope is how long an approval holds.
type Scope string

const (
	Once    Scope = "once"
	Session Scope = "session"
	Project Scope = "project"
)

// Approval is a person's yes on record. It satisfies an ask, never a denial.
type Approval struct {
	Digest string // of the call as shown; empty for one that holds only by its rule
	Scope  Scope
	Rule   string // what is remembered beyond this call, for session and project
	By     string // who answered
	From   string // from where: terminal, page, mcp
	At     time.Time
	Used   bool // a once that was spent
}

// Suggestion is a rule that would be remembered with a yes, for a scope. Several of one scope are remembered together;
// an empty rule means: this very call.
type Suggestion struct {
	Scope Scope
	Rule  string
}

// Digest binds an approval to what a person saw: the tool and its version, the arguments, the folder, the programs
// that would run, where the paths lead, and the files that would be changed.
func Digest(c Call, f Facts) string {
	h := bytes.NewBuffer(make([]byte, 0, 512))
	put(h, "caper call 1", c.Tool, c.Version, string(c.Effect), c.Command, c.Cwd, f.Cwd, c.Workspace, f.Workspace)
	names := make([]string, 0, len(c.Args))
	for name := range c.Args {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		put(h, "arg", name)
		putDatum(h, c.Args[name])
	}
	for _, u := range f.Uses {
		put(h, "use", u.Arg, u.Path, string(u.Access), u.Fact.Lexical, u.Fact.Canonical, string(u.Fact.State), u.Fact.Digest)
		if u.Access != Read && u.Access != List && u.Fact.State == Exists {
			put(h, fmt.Sprint(u.Fact.Entry.Kind, u.Fact.Entry.Dev, u.Fact.Entry.Inode))
			if u.Fact.Digest == "" {
				put(h, fmt.Sprint(u.Fact.Entry.Size, u.Fact.Entry.ModTime))
			}
		}
	}
	for _, name := range sortedKeys(f.Execs) {
		e := f.Execs[name]
		put(h, "exec", name, e.Path, e.Canonical, fmt.Sprint(e.Found, e.Entry.Dev, e.Entry.Inode, e.Entry.Size, e.Entry.ModTime))
	}
	for _, key := range scriptPaths(f) {
		p := f.Paths[key]
		put(h, "script", key, p.Canonical, string(p.State), fmt.Sprint(p.Entry.Dev, p.Entry.Inode, p.Entry.Size, p.Entry.ModTime))
	}
	sum := sha256.Sum256(h.Bytes())
	return hex.EncodeToString(sum[:])
}

// scriptPaths are the files that interpreters of the command are given to run.
func scriptPaths(f Facts) []string {
	if f.Shell == nil {
		return nil
	}
	seen := map[string]bool{}
	for _, c := range f.Shell.Commands {
		if len(c.Words) < 2 || !runsScripts(path.Base(c.Name())) {
			continue
		}
		for _, w := range c.Words[1:] {
			for _, d := range c.Dirs {
				key := absolute(w.Text, d, f.Home)
				if p, ok := f.Paths[key]; ok && p.State == Exists && p.Entry.Kind == File {
					seen[key] = true
				}
			}
		}
	}
	return sortedKeys(seen)
}

// runsScripts says that a program runs the files it is given, or reads what to run from them.
func runsScripts(base string) bool {
	base = strings.TrimRight(base, "0123456789.")
	if isShell(base) {
		return true
	}
	switch base {
	case "python", "node", "deno", "bun", "ruby", "perl", "php", "lua", "Rscript", "make", "gmake", "just",
		"go", "", "source", "awk", "gawk", "mawk", "nawk", "original-awk", "sed", "osascript", "tclsh", "guile", "racket", "chibi-scheme", "sbcl", "java", "psql", "sqlite":
		return true
	}
	return false
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// put writes texts so that no two lists of texts give the same bytes.
func put(h *bytes.Buffer, texts ...string) {
	for _, t := range texts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(t)))
		h.Write(n[:])
		h.WriteString(t)
	}
}

// putDatum writes a datum with the types of all its parts. It works on a stack of its own: depth is the sender's choice.
func putDatum(h *bytes.Buffer, d graph.Datum) {
	todo := []graph.Datum{d}
	many := func(kind string, items []graph.Datum) {
		put(h, kind, fmt.Sprint(len(items)))
		for i := len(items) - 1; i >= 0; i-- {
			todo = append(todo, items[i])
		}
	}
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch d := d.(type) {
		case nil:
			put(h, "nil")
		case bool:
			put(h, "bool", fmt.Sprint(d))
		case int64:
			put(h, "int", fmt.Sprint(d))
		case *big.Int:
			put(h, "int", d.String())
		case *big.Rat:
			put(h, "rat", d.String())
		case float64:
			put(h, "real", fmt.Sprint(math.Float64bits(d)))
		case string:
			put(h, "string", d)
		case graph.Symbol:
			put(h, "symbol", string(d))
		case graph.Keyword:
			put(h, "keyword", string(d))
		case graph.Char:
			put(h, "char", fmt.Sprint(int(d)))
		case []byte:
			put(h, "bytes", string(d))
		case graph.List:
			many("list", d)
		case graph.Vector:
			many("vector", d)
		case *graph.Dotted:
			many("dotted", append(append([]graph.Datum(nil), d.Items...), d.Tail))
		case graph.Void:
			put(h, "void")
		case graph.Opaque:
			put(h, "opaque", d.Text)
		default:
			b, err := graph.Encode(d)
			if err != nil { // too deep for it
				b = graph.AppendWrite(nil, d)
			}
			put(h, "other", string(b))
		}
	}
}
