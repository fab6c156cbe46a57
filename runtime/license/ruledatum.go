package license

import (
	"fmt"
	"strings"

	"caper/runtime/graph"
)

// RuleKind is the list that a rule belongs to.
type RuleKind string

const (
	KindDeny  RuleKind = "deny"
	KindAsk   RuleKind = "ask"
	KindAllow RuleKind = "allow"
)

// ParseRuleDatum reads a rule written as Scheme data: (deny (bash "rm -rf *")), (allow (write-file "docs/**")),
// (ask server/tool), (deny (web-extract (url "http://*"))).
func ParseRuleDatum(d graph.Datum, origin string) (RuleKind, Rule, error) {
	const want = `write (deny (bash "rm -rf *")), (ask write-file) or (allow (read-file "docs/**"))`
	form, ok := d.(graph.List)
	if !ok || len(form) != 2 {
		return "", Rule{}, fmt.Errorf("a rule is a list of two: %s", want)
	}
	head, ok := form[0].(graph.Symbol)
	kind := RuleKind(head)
	if !ok || kind != KindDeny && kind != KindAsk && kind != KindAllow {
		return "", Rule{}, fmt.Errorf("a rule begins with deny, ask or allow: %s", want)
	}
	text, err := ruleText(form[1])
	if err != nil {
		return "", Rule{}, fmt.Errorf("%w: %s", err, want)
	}
	r, err := ParseRule(text, origin)
	return kind, r, err
}

func ruleText(d graph.Datum) (string, error) {
	if s, ok := d.(graph.Symbol); ok {
		return string(s), nil
	}
	list, ok := d.(graph.List)
	if !ok || len(list) == 0 {
		return "", fmt.Errorf("after its kind a rule names a tool, or a tool with a pattern")
	}
	tool, ok := list[0].(graph.Symbol)
	if !ok {
		return "", fmt.Errorf("a tool is named by a symbol")
	}
	if len(list) == 1 {
		return string(tool), nil
	}
	var parts []string
	for _, item := range list[1:] {
		switch item := item.(type) {
		case string:
			parts = append(parts, item)
		case graph.List:
			if len(item) != 2 {
				return "", fmt.Errorf("an argument's pattern is (name \"glob\")")
			}
			name, okN := item[0].(graph.Symbol)
			glob, okG := item[1].(string)
			if !okN || !okG || strings.Contains(glob, ",") {
				return "", fmt.Errorf("an argument's pattern is (name \"glob\"), the glob without a comma")
			}
			parts = append(parts, string(name)+"="+glob)
		default:
			return "", fmt.Errorf("a pattern is a string or (name \"glob\")")
		}
	}
	if len(parts) > 1 && (string(tool) == BashTool || isFileTool(string(tool))) {
		return "", fmt.Errorf("%s takes one pattern", tool)
	}
	return string(tool) + "(" + strings.Join(parts, ", ") + ")", nil
}

// Datum answers the rule as Scheme data, so that ParseRuleDatum reads it back.
func (r Rule) Datum(kind RuleKind) graph.Datum {
	head, tool := graph.Symbol(kind), graph.Symbol(r.tool)
	switch r.form {
	case formWhole:
		return graph.List{head, tool}
	case formArgs:
		body := graph.List{tool}
		for _, a := range r.args {
			body = append(body, graph.List{graph.Symbol(a.name), a.glob})
		}
		return graph.List{head, body}
	}
	pattern := strings.TrimSuffix(strings.TrimPrefix(r.Text, r.tool+"("), ")")
	return graph.List{head, graph.List{tool, pattern}}
}
