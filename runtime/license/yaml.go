package license

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	yamltoken "github.com/goccy/go-yaml/token"
)

const (
	maxPolicyBytes  = 1 << 20
	maxPolicyIndent = 64
	maxPolicyRules  = 10000
	allowedKeys     = "allowed are deny, ask and allow, each a list of rules"
)

// PolicyError says what is wrong in a policy file and where.
type PolicyError struct {
	File string
	Line int
	Why  string
}

func (e *PolicyError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why) }

// ParsePolicy reads a policy.yaml: lists deny, ask and allow of rules and nothing else (law S26: never the posture).
// Every error is a *PolicyError, for the first thing found wrong.
func ParsePolicy(file string, src []byte) (Layer, error) {
	layer := Layer{Name: file}
	if len(src) > maxPolicyBytes {
		return Layer{}, &PolicyError{file, 1, fmt.Sprintf("the file has %d bytes; at most %d are read", len(src), maxPolicyBytes)}
	}
	if err := checkPolicyText(file, src); err != nil {
		return Layer{}, err
	}
	root, err := parsePolicyTree(file, src)
	if err != nil || root == nil {
		return layer, err
	}
	m, ok := root.(*ast.MappingNode)
	if !ok {
		return Layer{}, &PolicyError{file, lineOf(root), "found " + nodeName(root) + " where the lists should be; " + allowedKeys}
	}
	seen := map[string]int{}
	for _, kv := range m.Values {
		key, isString := kv.Key.(*ast.StringNode)
		line := lineOf(kv.Key)
		if !isString {
			return Layer{}, &PolicyError{file, line, "found " + show(kv.Key.String()) + " as a key; " + allowedKeys}
		}
		if before, dup := seen[key.Value]; dup {
			return Layer{}, &PolicyError{file, line, fmt.Sprintf("%s stands here again, first in line %d; put all its rules in one list", show(key.Value), before)}
		}
		seen[key.Value] = line
		into, why := layer.list(key.Value)
		if into == nil {
			return Layer{}, &PolicyError{file, line, why}
		}
		if err := policyRules(file, key.Value, line, kv.Value, into); err != nil {
			return Layer{}, err
		}
	}
	if n := len(layer.Deny) + len(layer.Ask) + len(layer.Allow); n > maxPolicyRules {
		return Layer{}, &PolicyError{file, 1, fmt.Sprintf("it holds %d rules; at most %d are allowed", n, maxPolicyRules)}
	}
	return layer, nil
}

func (l *Layer) list(key string) (*[]Rule, string) {
	switch key {
	case "deny":
		return &l.Deny, ""
	case "ask":
		return &l.Ask, ""
	case "allow":
		return &l.Allow, ""
	case "posture", "policy", "mode", "defaultPolicy":
		return nil, fmt.Sprintf("found the key %s; a policy file holds rules, never the posture or the mode (set those with caper policy set or --policy); %s", key, allowedKeys)
	}
	return nil, fmt.Sprintf("found the key %s; %s", show(key), allowedKeys)
}

func policyRules(file, key string, line int, value ast.Node, into *[]Rule) error {
	seq, ok := value.(*ast.SequenceNode)
	if !ok {
		return &PolicyError{file, max(line, lineOf(value)), fmt.Sprintf("%s holds %s; a list of rules is allowed, one a line after a dash ([] for none)", key, nodeName(value))}
	}
	for _, item := range seq.Values {
		at := lineOf(item)
		s, ok := item.(*ast.StringNode)
		if !ok {
			hint := ""
			if _, isMap := item.(*ast.MappingNode); isMap {
				hint = "; quote a rule that holds a colon"
			}
			return &PolicyError{file, at, fmt.Sprintf("%s holds %s where a rule should be; a rule is a text such as write-file(docs/**) or bash(git push *)%s", key, nodeName(item), hint)}
		}
		r, err := ParseRule(s.Value, fmt.Sprintf("%s:%d", file, at))
		if err != nil {
			return &PolicyError{file, at, err.Error()}
		}
		*into = append(*into, r)
	}
	return nil
}

// checkPolicyText refuses, from the tokens alone, what a policy never needs and what could exhaust a parser: anchors,
// tags, deep nesting.
func checkPolicyText(file string, src []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PolicyError{file, 1, "it cannot be read as YAML"}
		}
	}()
	line, column, indenting := 1, 0, true
	for _, b := range src {
		switch {
		case b == '\n':
			line, column, indenting = line+1, 0, true
			continue
		case b < ' ' && b != '\t' && b != '\r' || b == 0x7f:
			return &PolicyError{file, line, "it holds a control character; text is allowed"}
		}
		column++
		indenting = indenting && (b == ' ' || b == '\t')
		if indenting && column > maxPolicyIndent {
			return &PolicyError{file, line, fmt.Sprintf("it is indented more than %d columns", maxPolicyIndent)}
		}
		if column > 2*maxRuleText {
			return &PolicyError{file, line, fmt.Sprintf("the line is longer than %d bytes", 2*maxRuleText)}
		}
	}
	flow, onLine, last, all := 0, 0, 0, 0
	for _, t := range lexer.Tokenize(string(src)) {
		at := t.Position.Line
		if at != last {
			onLine, last = 0, at
		}
		switch t.Type {
		case yamltoken.AnchorType, yamltoken.AliasType, yamltoken.MergeKeyType:
			return &PolicyError{file, at, "found an anchor, an alias or a merge; write every rule out, and quote one that begins with * or &"}
		case yamltoken.TagType, yamltoken.DirectiveType:
			return &PolicyError{file, at, "found a tag or directive; rules are plain texts"}
		case yamltoken.MappingStartType, yamltoken.SequenceStartType:
			flow++
		case yamltoken.MappingEndType, yamltoken.SequenceEndType:
			flow--
		case yamltoken.SequenceEntryType, yamltoken.MappingKeyType, yamltoken.MappingValueType:
			onLine++
			if all++; all > maxPolicyRules+100 {
				return &PolicyError{file, at, fmt.Sprintf("it holds more than %d rules", maxPolicyRules)}
			}
		}
		if flow > 3 || onLine > 3 {
			return &PolicyError{file, at, "it nests too deep; " + allowedKeys}
		}
	}
	return nil
}

// parsePolicyTree answers the one document of a file, nil when it is empty. A panic of the parser is an error.
func parsePolicyTree(file string, src []byte) (root ast.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, &PolicyError{file, 1, "it cannot be read as YAML"}
		}
	}()
	tree, err := parser.ParseBytes(src, 0)
	if err != nil {
		line, why := 1, err.Error()
		var y yaml.Error
		if errors.As(err, &y) {
			why = y.GetMessage()
			if t := y.GetToken(); t != nil && t.Position != nil {
				line = t.Position.Line
			}
		}
		why, _, _ = strings.Cut(why, "\n")
		return nil, &PolicyError{file, line, "it cannot be read as YAML: " + show(why)}
	}
	var bodies []ast.Node
	for _, d := range tree.Docs {
		if d.Body == nil {
			continue
		}
		if _, comment := d.Body.(*ast.CommentGroupNode); !comment {
			bodies = append(bodies, d.Body)
		}
	}
	switch len(bodies) {
	case 0:
		return nil, nil
	case 1:
		if kv, ok := bodies[0].(*ast.MappingValueNode); ok {
			return &ast.MappingNode{BaseNode: &ast.BaseNode{}, Start: kv.Start, Values: []*ast.MappingValueNode{kv}}, nil
		}
		return bodies[0], nil
	}
	return nil, &PolicyError{file, lineOf(bodies[1]), "found a second document; one is allowed"}
}

func lineOf(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 1
	}
	return n.GetToken().Position.Line
}

func nodeName(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.StringNode:
		return "the text " + show(n.Value)
	case *ast.LiteralNode:
		return "a block of text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "the number " + show(n.String())
	case *ast.BoolNode:
		return "the truth value " + show(n.String())
	case *ast.SequenceNode:
		return "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	}
	return "something else"
}
