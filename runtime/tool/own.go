package tool

import (
	"fmt"
	"regexp"
	"strings"

	"caper/runtime/graph"
)

// This file defines tools that programs define: (define-tool name "doc" '((path string "where") (n integer "how many" 5)) proc).

// Own is the tool that a program defines. A parameter is (name type), (name type doc) or (name type doc default); types are
// string, integer, number, boolean and data. What has a default may be left out.
func Own(name, doc string, schema graph.Datum) (*Tool, error) {
	t := &Tool{Name: name, Summary: firstLine(doc), Effect: Inner}
	if !ownName.MatchString(name) || strings.Contains(name, "__") {
		return nil, fmt.Errorf("define-tool: the name of a tool has 1 to 64 letters, digits, - and single _; found %.80q", name)
	}
	if len(doc) > maxOwnDoc {
		return nil, fmt.Errorf("define-tool: %s: what it says of itself has %d bytes; at most %d are told to a model", name, len(doc), maxOwnDoc)
	}
	list, ok := schema.(graph.List)
	if !ok {
		return nil, fmt.Errorf("define-tool: %s: the parameters are a list such as ((path string \"where\") (n integer \"how many\" 5))", name)
	}
	for _, x := range list {
		p, err := ownParam(x)
		if err != nil {
			return nil, fmt.Errorf("define-tool: %s: %w", name, err)
		}
		if _, twice := t.Param(p.Name); twice {
			return nil, fmt.Errorf("define-tool: %s has two parameters %s", name, p.Name)
		}
		t.Params = append(t.Params, p)
	}
	t.Doc = "`" + Usage(t) + "`\n\n" + doc
	return t, nil
}

// ownName is what providers take for the name of a tool.
var ownName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// maxOwnDoc bounds what each request would carry of one tool.
const maxOwnDoc = 4 << 10

// ownKinds are the types of parameters.
var ownKinds = map[graph.Symbol]Kind{"string": String, "integer": Int, "number": Number, "boolean": Bool, "data": Data}

func ownParam(x graph.Datum) (Param, error) {
	bad := fmt.Errorf("a parameter is (name type), (name type doc) or (name type doc default), with a type of string, integer, number, boolean and data; found %s", graph.Write(x))
	if d, ok := x.(*graph.Dotted); ok && len(d.Items) == 1 { // (name . type)
		x = graph.List{d.Items[0], d.Tail}
	}
	list, ok := x.(graph.List)
	if !ok || len(list) < 2 || len(list) > 4 {
		return Param{}, bad
	}
	name, ok := list[0].(graph.Symbol)
	typ, isType := list[1].(graph.Symbol)
	kind, known := ownKinds[typ]
	if !ok || !isType || !known {
		return Param{}, bad
	}
	p := Param{Name: string(name), Kind: kind, Required: len(list) < 4}
	if len(list) > 2 {
		if p.Doc, ok = list[2].(string); !ok {
			return Param{}, bad
		}
	}
	return p, nil
}

// OwnDefaults are the defaults of a schema, by name.
func OwnDefaults(schema graph.Datum) map[string]graph.Datum {
	out := map[string]graph.Datum{}
	list, _ := schema.(graph.List)
	for _, x := range list {
		if p, ok := x.(graph.List); ok && len(p) == 4 {
			if name, ok := p[0].(graph.Symbol); ok {
				out[string(name)] = p[3]
			}
		}
	}
	return out
}

func firstLine(text string) string {
	for i, r := range text {
		if r == '\n' {
			return text[:i]
		}
	}
	return text
}

// With is the set with more tools. A tool of the set keeps its name.
func (s *Set) With(more ...*Tool) *Set {
	all := make([]*Tool, 0, len(s.names)+len(more))
	for _, n := range s.names {
		all = append(all, s.byName[n])
	}
	seen := map[string]bool{}
	for _, t := range more {
		if _, taken := s.byName[t.Name]; !taken && !seen[t.Name] {
			seen[t.Name] = true
			all = append(all, t)
		}
	}
	set, err := NewSet(all...)
	if err != nil {
		return s // no two have one name
	}
	return set
}
