package license

import (
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

const maxBraceWords = 64

// word expands one word as far as reading can tell: braces make several, substitutions are walked on the way.
func (a *analyser) word(w *syntax.Word, depth int) []Word {
	if w == nil {
		return nil
	}
	for _, p := range w.Parts { // before braces copy the parts: each substitution is walked once
		a.visit(p, depth)
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if syntax.SplitBraces(split) {
		if out, ok := a.braces(split.Parts, nil); ok && !oddBraces(out) {
			return out
		}
		return []Word{{Text: "*"}}
	}
	return []Word{a.flat(w.Parts)}
}

// oddBraces: braces that are left over mean that bash may have paired them otherwise.
func oddBraces(words []Word) bool {
	for _, w := range words {
		if strings.ContainsAny(strings.ReplaceAll(w.Text, "{}", ""), "{}") {
			return true
		}
	}
	return false
}

// braces multiplies the alternatives out. It gives up, with false, on sequences and on too many.
func (a *analyser) braces(parts, before []syntax.WordPart) ([]Word, bool) {
	for i, p := range parts {
		b, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		if b.Sequence {
			return nil, false
		}
		head := append(append([]syntax.WordPart(nil), before...), parts[:i]...)
		var out []Word
		for _, e := range b.Elems {
			rest := append(append([]syntax.WordPart(nil), e.Parts...), parts[i+1:]...)
			more, ok := a.braces(rest, head)
			if !ok || len(out)+len(more) > maxBraceWords || len(head) > maxBraceWords {
				return nil, false
			}
			out = append(out, more...)
		}
		return out, true
	}
	return []Word{a.flat(append(append([]syntax.WordPart(nil), before...), parts...))}, true
}

// visit walks the substitutions inside a part.
func (a *analyser) visit(p syntax.WordPart, depth int) {
	if depth > maxNesting {
		a.hard("it nests more than %d deep", maxNesting)
		return
	}
	switch p := p.(type) {
	case *syntax.CmdSubst:
		a.nested(p.Stmts, depth+1)
	case *syntax.ProcSubst:
		a.nested(p.Stmts, depth+1)
	case *syntax.DblQuoted:
		for _, q := range p.Parts {
			a.visit(q, depth+1)
		}
	case *syntax.ParamExp:
		a.visitParam(p, depth)
	case *syntax.ExtGlob:
		a.extended(p)
	case *syntax.ArithmExp:
		if p.X != nil {
			a.expressions(p.X, depth)
		}
	}
}

// extended is for @(…) and its like, whose inside the parser leaves as text up to the first bracket, quoted or not.
func (a *analyser) extended(p *syntax.ExtGlob) {
	if p.Pattern != nil && strings.ContainsAny(p.Pattern.Value, "$`<>\"'\\") {
		a.hard("an extended pattern holds quotes or an expansion, which are not read")
	}
}

func (a *analyser) visitParam(p *syntax.ParamExp, depth int) {
	if p.Exp != nil && p.Exp.Word != nil {
		a.mention(a.word(p.Exp.Word, depth+1))
		if (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) && p.Param != nil {
			a.variableName(p.Param.Value)
		}
		if p.Exp.Op == syntax.OtherParamOps {
			a.hard("an expansion such as ${x@P} can run commands")
		}
	}
	if p.Repl != nil {
		a.word(p.Repl.Orig, depth+1)
		a.mention(a.word(p.Repl.With, depth+1))
	}
	if p.Index != nil {
		a.expressions(p.Index, depth)
	}
	if p.Slice != nil {
		if p.Slice.Offset != nil {
			a.expressions(p.Slice.Offset, depth)
		}
		if p.Slice.Length != nil {
			a.expressions(p.Slice.Length, depth)
		}
	}
	if p.Excl {
		a.soft("an indirect expansion ${!x} is not known until it runs")
	}
}

// flat joins parts into one word.
func (a *analyser) flat(parts []syntax.WordPart) Word {
	w := Word{Known: true}
	var b strings.Builder
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text, glob := unescape(p.Value)
			if len(parts) == 1 && p.Value == "[" {
				glob = false // the command [, not the begin of a pattern
			}
			if i == 0 {
				text = a.tilde(text, p.Value, len(parts) == 1, &w)
			}
			w.Glob = w.Glob || glob
			b.WriteString(text)
		case *syntax.SglQuoted:
			if p.Dollar {
				b.WriteString(ansiC(p.Value))
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			a.quoted(p, &b, &w)
		case *syntax.ParamExp:
			v, ok := a.variable(p)
			if !ok || strings.ContainsAny(v, " \t\n*?[\\") {
				v, w.Known = "*", false
			}
			b.WriteString(v)
		case *syntax.ProcSubst:
			if len(p.Stmts) == 0 || len(parts) > 1 { // an empty one expands to nothing
				w.Known = false
				b.WriteString("*")
				continue
			}
			b.WriteString("/dev/fd/63")
		case *syntax.ExtGlob:
			w.Glob = true
			b.WriteString("*")
		default:
			w.Known = false
			b.WriteString("*")
		}
	}
	w.Text = b.String()
	if i := strings.IndexAny(w.Text, "*?["); w.Known && w.Glob && i >= 0 && slices.Contains(strings.Split(w.Text[i:], "/"), "..") {
		a.hard("a wildcard stands before .., and what it finds says where that leads")
	}
	return w
}

func (a *analyser) quoted(d *syntax.DblQuoted, b *strings.Builder, w *Word) {
	for _, p := range d.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(unescapeQuoted(p.Value))
		case *syntax.ParamExp:
			v, ok := a.variable(p)
			if !ok {
				v, w.Known = "*", false
			}
			b.WriteString(v)
		default:
			w.Known = false
			b.WriteString("*")
		}
	}
}

// variable answers the value of the few variables that are recorded and that the command line does not touch.
func (a *analyser) variable(p *syntax.ParamExp) (string, bool) {
	if p.Param == nil || p.Flags != nil || p.Excl || p.Length || p.Width || p.IsSet || p.NestedParam != nil ||
		p.Index != nil || p.Slice != nil || p.Repl != nil || p.Names != 0 || p.Exp != nil || len(p.Modifiers) > 0 {
		return "", false
	}
	name := p.Param.Value
	switch name {
	case "HOME", "USER", "LOGNAME", "TMPDIR", "CAPER_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME":
	case "PWD":
		if len(a.dirs) != 1 || a.dirs[0] != a.env.Cwd || a.env.Cwd == "" {
			return "", false
		}
		for _, mover := range []string{"cd", "pushd", "popd", "env", "chdir"} {
			if strings.Contains(a.unquoted, mover) {
				return "", false
			}
		}
	default:
		return "", false
	}
	rest := strings.ReplaceAll(strings.ReplaceAll(a.unquoted, "${"+name+"}", ""), "$"+name, "")
	if strings.Contains(rest, name) {
		return "", false
	}
	switch name {
	case "PWD":
		return a.env.Cwd, true
	case "HOME":
		return a.env.Home, a.env.Home != ""
	}
	v, ok := a.env.Vars[name]
	return v, ok && v != ""
}

// tilde expands a leading ~ or ~/; ~name, ~+ and ~- are not known.
func (a *analyser) tilde(text, raw string, whole bool, w *Word) string {
	if !strings.HasPrefix(raw, "~") {
		return text
	}
	user, _, slash := strings.Cut(raw[1:], "/")
	if user == "" && (slash || whole) && a.env.Home != "" {
		return a.env.Home + text[1:]
	}
	if !slash && !whole {
		w.Known = false
		return "*"
	}
	w.Known = false
	if i := strings.IndexByte(text, '/'); i >= 0 {
		return "*" + text[i:]
	}
	return "*"
}

// unescape takes the backslashes out of an unquoted literal and says whether a live wildcard is in it.
func unescape(s string) (string, bool) {
	var b strings.Builder
	glob := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			i++
			switch {
			case i >= len(s): // at the very end it is itself
				b.WriteByte(c)
			case s[i] != '\n':
				b.WriteByte(s[i])
			}
		case '*', '?', '[':
			glob = true
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), glob
}

func unescapeQuoted(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ansiC decodes the text of $'…'. A NUL ends it, as in bash.
func ansiC(s string) string {
	var b strings.Builder
	simple := map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': 7, 'b': 8, 'e': 27, 'E': 27, 'f': 12, 'v': 11}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		c := s[i]
		r, isSimple := simple[c]
		switch {
		case isSimple:
			b.WriteByte(r)
		case c >= '0' && c <= '7':
			v, n := number(s[i:], 3, 8)
			i += n - 1
			b.WriteByte(byte(v))
		case c == 'x' || c == 'u' || c == 'U':
			width := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
			v, n := number(s[i+1:], width, 16)
			i += n
			switch {
			case n == 0:
				b.WriteByte('\\')
				b.WriteByte(c)
			case c == 'x':
				b.WriteByte(byte(v))
			default:
				b.WriteString(string(utf8.AppendRune(nil, rune(v))))
			}
		case c == 'c' && i+1 < len(s):
			i++
			b.WriteByte(s[i] & 0x1f)
		case strings.IndexByte("\\'\"?", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	text, _, _ := strings.Cut(b.String(), "\x00")
	return text
}

func number(s string, most, base int) (v, n int) {
	for n < len(s) && n < most {
		d := strings.IndexByte("0123456789abcdef", s[n]|0x20)
		if s[n] >= '0' && s[n] <= '9' {
			d = int(s[n] - '0')
		}
		if d < 0 || d >= base {
			break
		}
		v = v*base + d
		n++
	}
	return v, n
}

// plainText joins the literal parts of a word, quotes gone, for looking a name up in a scan.
func plainText(w *syntax.Word) string {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text, _ := unescape(p.Value)
			b.WriteString(text)
		case *syntax.SglQuoted:
			if p.Dollar {
				b.WriteString(ansiC(p.Value))
			} else {
				b.WriteString(p.Value)
			}
		case *syntax.DblQuoted:
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); ok {
					b.WriteString(unescapeQuoted(l.Value))
				}
			}
		}
	}
	return b.String()
}

// chdir follows a cd that the command line makes: afterwards either folder may be the current one.
func (a *analyser) chdir(words []Word) {
	target := ""
	for _, w := range words[1:] {
		if !w.Known || w.Glob {
			a.dirs = nil
			return
		}
		if w.Text == "-" {
			a.dirs = nil // where the shell was before, maybe in another life
			return
		}
		if w.hasLetter("P") {
			a.dirs = nil // it goes where links lead
			return
		}
		if !strings.HasPrefix(w.Text, "-") {
			target = w.Text
			break
		}
	}
	if target == "" {
		target = a.env.Home
	}
	for _, d := range a.seen {
		if next := absolute(target, d, ""); len(a.seen) < 2*maxDirs && !slices.Contains(a.seen, next) {
			a.seen = append(a.seen[:len(a.seen):len(a.seen)], next)
		}
	}
	if a.dirs == nil {
		return
	}
	var next []string
	for _, d := range a.dirs {
		next = append(next, absolute(target, d, ""))
	}
	a.dirs = mergeDirs(a.dirs, next)
}
