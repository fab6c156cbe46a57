// Package catalogue reads the recipes of agents that lie in files, .caper/agents/NAME.md: front matter in YAML, then the
// constitution. It mints nothing and decides nothing about rights. Only the assembly imports it.
package catalogue

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"caper/runtime/kind"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a file.
const (
	maxFile   = 64 << 10
	maxFront  = 8 << 10
	maxLine   = 2 << 10
	maxTools  = 200
	maxMarks  = 2
	fieldsSay = "a recipe has name, description, model, tools, nature, keep-alive and void-legal"
)

// Error says what is wrong in a recipe and where.
type Error struct {
	File         string
	Line, Column int
	Why          string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Why) }

// Parse reads one recipe. name is the file's, without its ending, and the recipe's where the front matter says nothing.
// Every error is an *Error, for the first thing found wrong.
func Parse(file, name string, src []byte) (kind.AgentSpec, error) {
	p := &reader{file: file}
	spec := kind.AgentSpec{Name: name}
	src = bytes.ReplaceAll(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), []byte("\r\n"), []byte("\n"))
	switch {
	case len(src) > maxFile:
		p.fail(1, 1, "the file has %d bytes; at most %d are read", len(src), maxFile)
	case !utf8.Valid(src):
		p.fail(1, 1, "the file is not UTF-8")
	default:
		p.recipe(&spec, string(src))
	}
	if p.err != nil {
		return kind.AgentSpec{}, p.err
	}
	return spec, nil
}

type reader struct {
	file string
	err  *Error // the first one
}

func (p *reader) fail(line, column int, format string, a ...any) {
	if p.err == nil {
		p.err = &Error{p.file, line, column, fmt.Sprintf(format, a...)}
	}
}

func (p *reader) at(n ast.Node, format string, a ...any) {
	line, column := 1, 1
	if n != nil {
		if t := n.GetToken(); t != nil && t.Position != nil {
			line, column = t.Position.Line+1, t.Position.Column // the line of --- is not in the YAML
		}
	}
	p.fail(line, column, format, a...)
}

// recipe splits a text into its parts.
func (p *reader) recipe(spec *kind.AgentSpec, text string) {
	front, body := "", text
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		end := strings.Index("\n"+rest, "\n---\n")
		switch {
		case end >= 0:
			front, body = rest[:end], rest[min(end+len("---\n"), len(rest)):]
		case strings.HasSuffix("\n"+rest, "\n---"):
			front, body = strings.TrimSuffix(rest, "---"), ""
		default:
			p.fail(1, 1, "the front matter has no end: a line --- is wanted after it")
			return
		}
	}
	if root := p.tree(front); root != nil {
		p.fields(spec, root)
	}
	if spec.Constitution = kind.Of(strings.TrimSpace(body)); strings.TrimSpace(body) == "" {
		p.fail(1+strings.Count(text, "\n"), 1, "the recipe has no constitution: it is the text after the front matter")
	}
	if !Name(spec.Name) {
		p.fail(1, 1, "the name %.60q is none: letters, digits, - and _, at most 64", spec.Name)
	}
}

// Name reports whether a recipe may be called so.
func Name(s string) bool {
	for _, r := range s {
		if r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// tree reads front matter as YAML. What it never needs and what could exhaust a reader is refused before.
func (p *reader) tree(front string) (root ast.Node) {
	defer func() {
		if x := recover(); x != nil {
			p.fail(1, 1, "the front matter cannot be read as YAML")
			root = nil
		}
	}()
	if len(front) > maxFront {
		p.fail(1, 1, "the front matter has %d bytes; at most %d are read", len(front), maxFront)
		return nil
	}
	line := 1
	for text := range strings.Lines(front) {
		line++
		bad := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f })
		if bad >= 0 || len(text) > maxLine {
			p.fail(line, max(bad, 0)+1, "a control character, or a line of more than %d bytes", maxLine)
			return nil
		}
	}
	marks, last := 0, 0
	for _, t := range lexer.Tokenize(front) {
		if t.Position.Line != last {
			last, marks = t.Position.Line, 0
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType, token.TagType, token.DirectiveType:
			p.fail(t.Position.Line+1, t.Position.Column, "anchors, aliases, merges, tags and directives are not read; write it out, or quote it")
			return nil
		case token.MappingStartType, token.SequenceStartType, token.SequenceEntryType, token.MappingKeyType:
			if marks++; marks > maxMarks {
				p.fail(t.Position.Line+1, t.Position.Column, "it nests too deep")
				return nil
			}
		}
	}
	tree, err := parser.ParseBytes([]byte(front), 0)
	if err != nil {
		var y yaml.Error
		if !errors.As(err, &y) {
			p.fail(1, 1, "the front matter cannot be read as YAML")
			return nil
		}
		line, column := 1, 1
		if t := y.GetToken(); t != nil && t.Position != nil {
			line, column = t.Position.Line+1, t.Position.Column
		}
		p.fail(line, column, "the front matter cannot be read as YAML: %.200s", y.GetMessage())
		return nil
	}
	for _, d := range tree.Docs {
		if _, comment := d.Body.(*ast.CommentGroupNode); d.Body == nil || comment {
			continue
		}
		if root != nil {
			p.at(d.Body, "the front matter holds several documents")
			return nil
		}
		root = d.Body
	}
	return root
}

func (p *reader) fields(spec *kind.AgentSpec, root ast.Node) {
	var values []*ast.MappingValueNode
	switch m := root.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	case *ast.NullNode:
	default:
		p.at(root, "the front matter should be names with values; %s", fieldsSay)
	}
	seen := map[string]bool{}
	for _, kv := range values {
		key := kv.Key.GetToken().Value
		if seen[key] {
			p.at(kv.Key, "%.60q stands twice", key)
		}
		seen[key] = true
		p.field(spec, key, kv)
	}
}

func (p *reader) field(spec *kind.AgentSpec, key string, kv *ast.MappingValueNode) {
	v := kv.Value
	switch key {
	case "name":
		spec.Name = p.text(v, key)
	case "description":
		spec.Description = p.text(v, key)
	case "model":
		spec.Model = p.text(v, key)
	case "nature":
		spec.Nature = p.text(v, key)
		if spec.Nature != kind.NatureSession && spec.Nature != kind.NatureProject && spec.Nature != kind.NatureGlobal {
			p.at(v, "nature is session, project or global")
		}
	case "keep-alive", "keepAlive":
		spec.KeepAlive = p.truth(v, key)
	case "void-legal", "voidLegal":
		spec.VoidLegal = p.truth(v, key)
	case "tools":
		spec.Tools = p.names(v)
	case "posture", "policy", "permissions", "mode":
		p.at(kv.Key, "a recipe names no %s: what an agent may do without asking is its caller's to say", key)
	default:
		p.at(kv.Key, "found %.60q; %s", key, fieldsSay)
	}
}

func (p *reader) text(n ast.Node, key string) string {
	switch s := n.(type) {
	case *ast.StringNode:
		return strings.TrimSpace(s.Value)
	case *ast.LiteralNode:
		if s.Value != nil {
			return strings.TrimSpace(s.Value.Value)
		}
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value
	}
	p.at(n, "%s is a text", key)
	return ""
}

func (p *reader) truth(n ast.Node, key string) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		p.at(n, "%s is true or false", key)
		return false
	}
	return b.Value
}

// names reads a list of tools, or the names in one text: read-file, grep.
func (p *reader) names(n ast.Node) []string {
	out := []string{}
	switch s := n.(type) {
	case *ast.SequenceNode:
		for _, v := range s.Values {
			out = append(out, p.text(v, "a tool"))
		}
	case *ast.StringNode:
		out = append(out, strings.FieldsFunc(s.Value, func(r rune) bool { return r == ',' || r == ' ' })...)
	case *ast.NullNode:
	default:
		p.at(n, "tools is a list of names")
	}
	if len(out) > maxTools {
		p.at(n, "%d tools are too many, at most %d", len(out), maxTools)
	}
	return out
}
