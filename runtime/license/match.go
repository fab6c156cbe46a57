package license

import (
	"path"
	"strings"
)

// answer of a match: a command with unknown words can be one that a rule means without anyone knowing.
type answer uint8

const (
	no answer = iota
	maybe
	yes
)

// matchDeny says whether a denying or asking pattern speaks of a command. Flags may stand anywhere, in any spelling,
// beside others; operands must come in order.
func matchDeny(pattern []token, c Simple, sameName func(pattern token) bool) answer {
	if len(c.Words) == 0 {
		return no
	}
	p, rest := trimRest(pattern)
	nameUnknown := c.Name() == ""
	if len(p) > 0 && !nameUnknown && !sameName(p[0]) {
		return no
	}
	name := path.Base(c.Words[0].Text)
	if len(p) > 0 {
		if _, ok := flagTables[path.Base(p[0].text)]; ok {
			name = path.Base(p[0].text) // under another name its options mean the same
		}
		p = p[1:]
	}
	cmd := normalise(name, c.Words[1:])
	var operands []token
	got := matchFlags(p, cmd, c.Open, &operands)
	if got == no {
		return no
	}
	got = min(got, matchOperands(operands, cmd, rest, c.Open))
	if got == yes && nameUnknown {
		got = maybe
	}
	return got
}

func trimRest(pattern []token) ([]token, bool) {
	if n := len(pattern); n > 0 && pattern[n-1].rest {
		return pattern[:n-1], true
	}
	return pattern, false
}

// matchFlags looks every flag of the pattern up among the command's; operands gets the rest of the pattern.
func matchFlags(p, cmd []token, open bool, operands *[]token) answer {
	got := yes
	for i := 0; i < len(p); i++ {
		if !p[i].flag {
			*operands = append(*operands, p[i])
			continue
		}
		var value *token
		flag := p[i]
		if p[i].takes && i+1 < len(p) && p[i+1].argOf {
			value = &p[i+1]
			i++
		}
		one := no
		for j, c := range cmd {
			switch {
			case c.unknown && !c.found:
				one = max(one, maybe)
			case c.flag && sameFlag(flag, c) && flagValue(value, c, cmd, j):
				one = yes
			case c.flag && looseLetters(flag, c):
				one = max(one, maybe)
			}
		}
		if spelledApart(flag, cmd) {
			one = yes
		}
		if open {
			one = max(one, maybe)
		}
		if got = min(got, one); got == no {
			return no
		}
	}
	return got
}

// looseLetters: one letter of a pattern may be in a cluster of a program whose options nobody knows.
func looseLetters(pattern, c token) bool {
	return c.flags == nil && !strings.HasPrefix(c.text, "--") && len(pattern.text) == 2 && strings.Contains(c.text[1:], pattern.text[1:])
}

// spelledApart: the letters of a cluster in the pattern stand one by one in the command.
func spelledApart(pattern token, cmd []token) bool {
	if pattern.flags != nil || len(pattern.text) < 3 {
		return false
	}
	for _, letter := range pattern.text[1:] {
		found := false
		for _, c := range cmd {
			found = found || c.flag && !strings.HasPrefix(c.text, "--") && strings.ContainsRune(c.text, letter)
		}
		if !found {
			return false
		}
	}
	return true
}

func flagValue(want *token, c token, cmd []token, j int) bool {
	if want == nil {
		return true
	}
	if c.hasVal {
		return wildcard(want.text, c.value)
	}
	return j+1 < len(cmd) && (cmd[j+1].unknown || wildcard(want.text, cmd[j+1].text))
}

// matchOperands matches operands in order. A flag that is not known may or may not take the word after it, so both
// readings are tried; a word that is not known can be anything. Both are counted in a table, never recursed on.
func matchOperands(p, cmd []token, rest, open bool) answer {
	// at[i]: the best answer with which the first i operands of the pattern are matched by the words so far.
	at := make([]answer, len(p)+1)
	at[0] = yes
	for j := 0; j < len(cmd); j++ {
		c := cmd[j]
		optional := c.argOf || j > 0 && cmd[j-1].unsure && !cmd[j-1].hasVal
		if c.flag && c.hasVal { // --opt=value is --opt value
			c, optional = token{text: c.value}, true
		}
		if c.flag || c.argOf && c.sure {
			continue
		}
		next := make([]answer, len(p)+1)
		for i := range at {
			if at[i] == no {
				continue
			}
			if optional { // it may be the value of the flag before it
				next[i] = max(next[i], at[i])
			}
			if c.unknown { // it may be nothing, a flag, or several operands
				for k := i; k <= len(p); k++ {
					next[k] = max(next[k], min(at[i], maybe))
				}
			}
			switch {
			case i < len(p) && operandMatches(p[i], c):
				next[i+1] = max(next[i+1], at[i])
			case i < len(p) && c.wild && sharesPrefix(p[i].text, c.text):
				next[i+1] = max(next[i+1], min(at[i], maybe))
			case i == len(p) && rest:
				next[i] = max(next[i], at[i])
			}
		}
		at = next
	}
	best := at[len(p)]
	if open {
		for i := range at {
			best = max(best, min(at[i], maybe))
		}
		if at[len(p)] == yes && rest {
			best = yes
		}
	}
	return best
}

// operandMatches compares one operand; a path is compared as written and cleaned.
func operandMatches(p, c token) bool {
	if !p.glob {
		return p.text == c.text || strings.Contains(c.text, "/") && path.Clean(p.text) == path.Clean(c.text)
	}
	return wildcard(p.text, c.text) || strings.Contains(c.text, "/") && wildcard(p.text, path.Clean(c.text))
}

// sharesPrefix says that a wildcard of the command could become what the pattern means.
func sharesPrefix(pattern, word string) bool {
	a, _, _ := strings.Cut(pattern, "*")
	b := word
	if i := strings.IndexAny(word, "*?["); i >= 0 {
		b = word[:i]
	}
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// matchAllow says whether an allowing pattern covers a command: word by word in order, flags of one run in any order
// and spelling, nothing more than the pattern says but for a * at its end. extra answers other names of a word that is
// a path, which must match too.
func matchAllow(pattern []token, c Simple, sameName func(pattern token) bool, extra func(word string) []string) bool {
	if len(c.Soft) > 0 || c.Open || c.Name() == "" {
		return false
	}
	p, rest := trimRest(pattern)
	if len(p) == 0 || p[0].glob || !sameName(p[0]) {
		return false
	}
	p = p[1:]
	cmd := normalise(c.Words[0].Text, c.Words[1:])
	i := 0
	for len(p) > 0 {
		if p[0].flag {
			n := run(p)
			m := run(cmd[i:])
			last := n == len(p)
			if !coverFlags(p[:n], cmd[i:i+m], last && rest) {
				return false
			}
			p, i = p[n:], i+m
			continue
		}
		if i >= len(cmd) || cmd[i].flag || cmd[i].unknown || !allowOperand(p[0], cmd[i], extra) {
			return false
		}
		p, i = p[1:], i+1
	}
	return rest || i == len(cmd)
}

// run is the length of the run of flags, with their values, at the start of tokens.
func run(ts []token) int {
	n := 0
	for n < len(ts) && (ts[n].flag || ts[n].argOf) {
		n++
	}
	return n
}

// coverFlags: every flag of the pattern is there, and nothing else unless more is allowed.
func coverFlags(p, cmd []token, more bool) bool {
	used := make([]bool, len(cmd))
	for i := 0; i < len(p); i++ {
		if p[i].argOf {
			continue
		}
		found := false
		for j, c := range cmd {
			if used[j] || !c.flag || !sameFlag(p[i], c) || p[i].hasVal != c.hasVal && p[i].hasVal {
				continue
			}
			if p[i].takes && i+1 < len(p) && p[i+1].argOf {
				if c.hasVal && !wildcard(p[i+1].text, c.value) ||
					!c.hasVal && !(j+1 < len(cmd) && !cmd[j+1].unknown && wildcard(p[i+1].text, cmd[j+1].text)) {
					continue
				}
			} else if !more && !p[i].hasVal && (c.hasVal || c.takes && j+1 < len(cmd) && cmd[j+1].argOf) {
				continue
			}
			used[j], found = true, true
			if j+1 < len(cmd) && cmd[j+1].argOf {
				used[j+1] = true
			}
			// -r and -R of rm are one flag: a repetition of it says nothing new
			for k := range cmd {
				if cmd[k].flag && !cmd[k].hasVal && !cmd[k].takes && sameFlag(p[i], cmd[k]) {
					used[k] = true
				}
			}
			break
		}
		if !found {
			return false
		}
	}
	if more {
		return true
	}
	for _, u := range used {
		if !u {
			return false
		}
	}
	return true
}

func allowOperand(p, c token, extra func(string) []string) bool {
	if !p.glob {
		return !c.wild && p.text == c.text
	}
	if c.wild && strings.Contains(p.text, "/") {
		return false // which files it becomes is not known, and the pattern speaks of some only
	}
	if !wildcard(p.text, c.text) {
		return false
	}
	if strings.Contains(p.text, "/") {
		if strings.HasPrefix(p.text, "./") != strings.HasPrefix(c.text, "./") && path.IsAbs(p.text) != path.IsAbs(c.text) {
			return false
		}
		for _, other := range extra(c.text) {
			if !wildcard(strings.TrimPrefix(p.text, "./"), other) {
				return false
			}
		}
	}
	return true
}
