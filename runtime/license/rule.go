package license

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// Rule is one parsed rule. Text is what a person wrote; Origin is where: file:line, "session", "command line".
type Rule struct {
	Text   string
	Origin string

	tool  string // "bash", "write-file", "server/tool", "server/*"
	form  form
	glob  string    // form path
	words []token   // form words
	args  []argGlob // form args
}

type form uint8

const (
	formWhole form = iota
	formPath
	formWords
	formArgs
)

type argGlob struct{ name, glob string }

// Tool is the tool that the rule speaks about.
func (r Rule) Tool() string { return r.tool }

const (
	maxRuleText  = 4096
	maxRuleWords = 64
)

// ParseRule reads `tool` or `tool(pattern)`. Errors say what was found and what is allowed.
func ParseRule(text, origin string) (Rule, error) {
	r := Rule{Text: text, Origin: origin}
	if err := checkRuleText(text); err != nil {
		return Rule{}, err
	}
	name, pattern, has := strings.Cut(text, "(")
	r.tool = name
	if err := checkToolName(name); err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", text, err)
	}
	if !has {
		return r, nil
	}
	if !strings.HasSuffix(pattern, ")") {
		return Rule{}, fmt.Errorf("rule %q: the parenthesis after %s is not closed at the end; write tool(pattern), and in YAML quote a rule that holds # or a colon", text, name)
	}
	pattern = pattern[:len(pattern)-1]
	if strings.TrimSpace(pattern) == "" {
		return Rule{}, fmt.Errorf("rule %q: the pattern is empty; write just %s for every call of it", text, name)
	}
	if err := r.parsePattern(pattern); err != nil {
		return Rule{}, fmt.Errorf("rule %q: %w", text, err)
	}
	return r, nil
}

func (r *Rule) parsePattern(pattern string) error {
	switch {
	case r.tool == BashTool:
		words, err := patternWords(pattern)
		if err != nil {
			return err
		}
		if len(words) == 1 && words[0].rest {
			return nil // every command: the same as the tool alone
		}
		r.form, r.words = formWords, words
	case isFileTool(r.tool):
		if name, _, pair := strings.Cut(pattern, "="); pair && plainName(name) {
			return fmt.Errorf("%s takes a path glob, not arg=glob; a path that holds = begins with ./", r.tool)
		}
		if err := checkPathGlob(pattern); err != nil {
			return err
		}
		r.form, r.glob = formPath, pattern
	default:
		args, err := patternArgs(pattern)
		if err != nil {
			return err
		}
		r.form, r.args = formArgs, args
	}
	return nil
}

func checkRuleText(text string) error {
	switch {
	case text == "":
		return fmt.Errorf("the rule is empty; write tool or tool(pattern)")
	case len(text) > maxRuleText:
		return fmt.Errorf("the rule has %d bytes; at most %d are allowed", len(text), maxRuleText)
	case !utf8.ValidString(text):
		return fmt.Errorf("the rule %q is not UTF-8", text)
	case strings.TrimSpace(text) != text:
		return fmt.Errorf("the rule %q begins or ends with a space; take it away", text)
	}
	for _, c := range text {
		if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) {
			return fmt.Errorf("the rule %q holds the invisible character %U; take it away", text, c)
		}
	}
	return nil
}

// checkToolName accepts a Scheme-like name, or server/tool and server/* for MCP.
func checkToolName(name string) error {
	if name == "*" || name == "" {
		return fmt.Errorf("no tool is named; write a tool's name such as bash, write-file or server/tool (all tools at once is what the posture is for)")
	}
	server, tool, slash := strings.Cut(name, "/")
	if !plainName(server) {
		return fmt.Errorf("%q is no tool's name; letters, digits and - _ . ! ? are allowed, and one / for an MCP tool", name)
	}
	if slash && tool != "*" && !plainName(tool) {
		return fmt.Errorf("%q is no MCP tool; write server/tool or server/*", name)
	}
	return nil
}

func plainName(s string) bool {
	for _, c := range s {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_.!?", c) {
			return false
		}
	}
	return s != ""
}

func checkPathGlob(pattern string) error {
	if !doublestar.ValidatePattern(pattern) {
		return fmt.Errorf("%q is no valid glob; *, **, ?, [a-z] and {a,b} are allowed", pattern)
	}
	if strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "//") {
		return fmt.Errorf("%q begins with one slash; // begins an absolute path, no slash one in the workspace, ~/ one in the home folder", pattern)
	}
	for _, part := range strings.Split(pattern, "/") {
		if part == ".." {
			return fmt.Errorf("%q holds ..; write the path that is meant, // begins an absolute one", pattern)
		}
	}
	if strings.HasPrefix(pattern, "~") && !strings.HasPrefix(pattern, "~/") && pattern != "~" {
		return fmt.Errorf("%q: only ~/ is understood, for the home folder", pattern)
	}
	if strings.Count(pattern, "{") > 8 || strings.Count(pattern, "**") > 8 {
		return fmt.Errorf("%q has more than 8 ** or { }; write several rules", pattern)
	}
	return nil
}

func patternArgs(pattern string) ([]argGlob, error) {
	var out []argGlob
	for _, pair := range strings.Split(pattern, ",") {
		name, glob, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok || !plainName(name) || glob == "" {
			return nil, fmt.Errorf("%q is no arg=glob pair; write tool(arg=glob, other=glob)", strings.TrimSpace(pair))
		}
		if len(out) >= 32 {
			return nil, fmt.Errorf("more than 32 pairs")
		}
		out = append(out, argGlob{name, glob})
	}
	return out, nil
}
