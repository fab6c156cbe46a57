package tool

import (
	"fmt"
	"math"
	"math/big"
	"sort"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"caper/interp/near"
	"caper/runtime/graph"
)

// Args are the checked arguments of one call by parameter name. An optional argument that was not given, or given as #f, is absent.
type Args map[string]graph.Datum

// maxPath bounds a path that a program gives; the kernel's own bound is the same.
const maxPath = 4096

// Bind checks what a program gave against a tool's parameters. Keywords are named without #:.
func Bind(t *Tool, positional []graph.Datum, keywords map[string]graph.Datum) (Args, error) {
	args := make(Args, len(positional)+len(keywords))
	var slots []Param
	for _, p := range t.Params {
		if !p.Keyword {
			slots = append(slots, p)
		}
	}
	if len(positional) > len(slots) {
		return nil, fail(CodeArguments, "%s: %d arguments given, at most %d taken: %s", t.Name, len(positional), len(slots), Usage(t))
	}
	for i, value := range positional {
		if err := args.set(t, slots[i], value); err != nil {
			return nil, err
		}
	}
	names := make([]string, 0, len(keywords))
	for name := range keywords {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		p, ok := t.Param(name)
		if !ok || !p.Keyword {
			return nil, unknownKeyword(t, name, ok)
		}
		if err := args.set(t, p, keywords[name]); err != nil {
			return nil, err
		}
	}
	for _, p := range t.Params {
		if _, given := args[p.Name]; p.Required && !given {
			return nil, fail(CodeArguments, "%s: the argument %s is missing: %s", t.Name, p.Name, Usage(t))
		}
	}
	return args, nil
}

func (a Args) set(t *Tool, p Param, value graph.Datum) error {
	if value == false && !p.Required {
		return nil
	}
	value, err := convert(t, p, value)
	if err != nil {
		return err
	}
	a[p.Name] = value
	return nil
}

func unknownKeyword(t *Tool, name string, positional bool) error {
	if positional {
		return fail(CodeArguments, "%s: %s is given by position, not as #:%s: %s", t.Name, name, name, Usage(t))
	}
	var allowed []string
	for _, p := range t.Params {
		if p.Keyword {
			allowed = append(allowed, "#:"+p.Name)
		}
	}
	if len(allowed) == 0 {
		return fail(CodeArguments, "%s: takes no keywords, found #:%s: %s", t.Name, name, Usage(t))
	}
	return fail(CodeArguments, "%s: there is no #:%s; allowed: %s", t.Name, name, strings.Join(allowed, " ")).meant(near.Names("#:"+name, allowed))
}

// convert checks one value and brings numbers into one form.
func convert(t *Tool, p Param, value graph.Datum) (graph.Datum, error) {
	wrong := func(want string) error {
		hint := ""
		if s, ok := value.(graph.Symbol); ok && p.Kind == String {
			hint = "; write " + strconv.Quote(string(s))
		}
		return fail(CodeArguments, "%s: %s must be %s, found %s%s", t.Name, p.Name, want, Describe(value), hint)
	}
	switch p.Kind {
	case String:
		s, ok := value.(string)
		if !ok {
			return nil, wrong("a string")
		}
		if p.Access == NoAccess || p.Access == CommandAccess {
			return s, nil
		}
		return s, checkPath(t, p, s)
	case Int:
		switch n := value.(type) {
		case int64:
			return n, nil
		case float64:
			if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
				return int64(n), nil
			}
		}
		return nil, wrong("an exact integer")
	case Number:
		switch n := value.(type) {
		case int64:
			return n, nil
		case float64:
			if !math.IsNaN(n) && !math.IsInf(n, 0) {
				return n, nil
			}
		case *big.Rat:
			f, _ := n.Float64()
			return f, nil
		}
		return nil, wrong("a number")
	case Bool:
		b, ok := value.(bool)
		if !ok {
			return nil, wrong("#t or #f")
		}
		return b, nil
	}
	return value, nil
}

func checkPath(t *Tool, p Param, s string) error {
	switch {
	case s == "":
		return fail(CodeBadPath, "%s: %s is an empty string; the current folder is \".\"", t.Name, p.Name)
	case len(s) > maxPath:
		return fail(CodeBadPath, "%s: %s is %d bytes long; at most %d are possible", t.Name, p.Name, len(s), maxPath)
	case strings.IndexByte(s, 0) >= 0:
		return fail(CodeBadPath, "%s: %s has a NUL in it: %s", t.Name, p.Name, showPath(s))
	}
	return nil
}

// Usage answers how t is called, as a Scheme form.
func Usage(t *Tool) string {
	var b strings.Builder
	b.WriteString("(" + t.Name)
	for _, p := range t.Params {
		form := p.Name
		if p.Keyword {
			form = "#:" + p.Name + " " + map[Kind]string{String: "s", Int: "n", Number: "n", Bool: "#t", Data: "d"}[p.Kind]
		}
		if !p.Required {
			form = "[" + form + "]"
		}
		b.WriteString(" " + form)
	}
	return b.String() + ")"
}

// Describe names a value for an error, shortened.
func Describe(value graph.Datum) string {
	switch v := value.(type) {
	case nil:
		return "nothing"
	case bool:
		if v {
			return "#t"
		}
		return "#f"
	case string:
		return "the string " + strconv.Quote(shorten(v, 40))
	case graph.Symbol:
		return "the symbol " + shorten(string(v), 40)
	case graph.Keyword:
		return "the keyword #:" + shorten(string(v), 40)
	case graph.Char:
		return "a character"
	case []byte:
		return fmt.Sprintf("a bytevector of %d bytes", len(v))
	case graph.List:
		if len(v) == 0 {
			return "the empty list"
		}
		return fmt.Sprintf("a list of %d", len(v))
	case *graph.Dotted:
		return "a pair"
	case graph.Vector:
		return fmt.Sprintf("a vector of %d", len(v))
	case graph.Void:
		return "no value"
	case graph.Opaque:
		return shorten(v.Text, 40)
	case *graph.Table:
		return fmt.Sprintf("a hash table of %d", len(v.Items)/2)
	}
	return "the number " + shorten(graph.Write(value), 40)
}

func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

func (a Args) text(name string) string {
	s, _ := a[name].(string)
	return s
}

func (a Args) flag(name string) bool {
	b, _ := a[name].(bool)
	return b
}

// Timeout is the time that #:timeout gives a tool in seconds, 0 for no limit.
func (a Args) Timeout(tool string) (time.Duration, error) {
	seconds := math.Inf(1)
	switch n := a["timeout"].(type) {
	case int64:
		seconds = float64(n)
	case float64:
		seconds = n
	}
	if !(seconds > 0) {
		return 0, fail(CodeArguments, "%s: #:timeout is a number of seconds greater than 0, found %v", tool, a["timeout"])
	}
	if seconds > 1e9 {
		return 0, nil
	}
	return max(time.Duration(seconds*float64(time.Second)), 1), nil
}

func (a Args) int(name string, otherwise int64) int64 {
	if n, ok := a[name].(int64); ok {
		return n
	}
	return otherwise
}

// bytes answers an argument that is a string or a bytevector; it is only to be read.
func (a Args) bytes(tool, name string) ([]byte, error) {
	switch v := a[name].(type) {
	case string:
		return unsafe.Slice(unsafe.StringData(v), len(v)), nil
	case []byte:
		return v, nil
	}
	return nil, fail(CodeArguments, "%s: %s must be a string or a bytevector, found %s", tool, name, Describe(a[name]))
}
