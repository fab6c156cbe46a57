package license

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// patternWords reads the pattern of a bash rule: words as bash would read them, where * stands for any text in a word
// and, alone at the end, for any further words.
func patternWords(pattern string) ([]token, error) {
	if strings.HasSuffix(pattern, ":*") { // another tool's habit
		return nil, fmt.Errorf("%q: write a space before the star: %q", pattern, strings.TrimSuffix(pattern, ":*")+" *")
	}
	if why := unreadable(pattern); why != "" {
		return nil, fmt.Errorf("the pattern cannot be read: %s", why)
	}
	file, err := parseShell(pattern, syntax.LangBash)
	if err != nil {
		return nil, fmt.Errorf("%q cannot be read as the words of a command: %v", pattern, err)
	}
	call, err := singleCall(file)
	if err != nil {
		return nil, fmt.Errorf("%q %w", pattern, err)
	}
	var words []Word
	for _, w := range call.Args {
		word, err := patternWord(w)
		if err != nil {
			return nil, fmt.Errorf("%q %w", pattern, err)
		}
		words = append(words, word)
	}
	if len(words) > maxRuleWords {
		return nil, fmt.Errorf("%q has more than %d words", pattern, maxRuleWords)
	}
	return patternTokens(words), nil
}

func singleCall(file *syntax.File) (*syntax.CallExpr, error) {
	const one = "is not one simple command; a rule speaks of one command, and every command of a longer line is judged by itself"
	if len(file.Stmts) != 1 {
		return nil, errors.New(one)
	}
	s := file.Stmts[0]
	if len(s.Redirs) > 0 {
		return nil, fmt.Errorf("has a redirection; files are judged by rules such as write-file(path)")
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || s.Background || s.Negated {
		return nil, errors.New(one)
	}
	if len(call.Assigns) > 0 || len(call.Args) == 0 {
		return nil, fmt.Errorf("sets a variable; a rule holds the words of a command, and those with variables set ask")
	}
	return call, nil
}

func patternWord(w *syntax.Word) (Word, error) {
	out := Word{Known: true}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text, glob := unescape(p.Value)
			if glob && strings.ContainsAny(p.Value, "?[") {
				glob = strings.Contains(text, "*")
			}
			out.Text, out.Glob = out.Text+text, out.Glob || glob
		case *syntax.SglQuoted:
			out.Text += p.Value
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				l, ok := q.(*syntax.Lit)
				if !ok {
					return out, fmt.Errorf("holds an expansion; a pattern is plain words and *")
				}
				out.Text += unescapeQuoted(l.Value)
			}
		default:
			return out, fmt.Errorf("holds an expansion; a pattern is plain words and *")
		}
	}
	return out, nil
}

// patternTokens normalises a pattern as commands are normalised.
func patternTokens(words []Word) []token {
	rest := false
	if n := len(words); n > 0 && words[n-1].Text == "*" && words[n-1].Glob {
		rest, words = true, words[:n-1]
	}
	var out []token
	if len(words) > 0 {
		out = append(out, token{text: words[0].Text, glob: words[0].Glob})
		out = append(out, normalise(words[0].Text, words[1:])...)
		for i := range out {
			out[i].glob = out[i].wild || out[i].glob
			out[i].wild = false
		}
	}
	if rest {
		out = append(out, token{text: "*", rest: true})
	}
	return out
}
