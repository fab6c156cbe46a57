package license

import (
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// stmts walks statements in the order in which a shell would reach them.
func (a *analyser) stmts(list []*syntax.Stmt, depth int) {
	if depth > maxNesting {
		a.hard("it nests more than %d deep", maxNesting)
		return
	}
	for _, s := range list {
		a.stmt(s, depth)
	}
}

func (a *analyser) stmt(s *syntax.Stmt, depth int) {
	if s == nil || a.full {
		return
	}
	if len(a.out.Commands) > maxCommands || a.words > maxWords {
		a.full = true
		a.hard("it holds more than %d commands or %d words", maxCommands, maxWords)
		return
	}
	dirs := a.dirs
	for _, r := range s.Redirs {
		a.redirect(r, depth)
	}
	a.command(s.Cmd, depth+1)
	if s.Background { // a cd in the background does not move the rest
		a.dirs = dirs
	}
}

func (a *analyser) command(c syntax.Command, depth int) {
	if depth > maxNesting {
		a.hard("it nests more than %d deep", maxNesting)
		return
	}
	switch c := c.(type) {
	case nil:
	case *syntax.CallExpr:
		a.call(c, depth)
	case *syntax.BinaryCmd:
		a.binary(c, depth)
	case *syntax.Subshell:
		dirs := a.dirs
		a.stmts(c.Stmts, depth)
		a.dirs = dirs
	case *syntax.Block:
		a.stmts(c.Stmts, depth)
	case *syntax.IfClause:
		for c != nil {
			a.stmts(c.Cond, depth)
			a.stmts(c.Then, depth)
			c = c.Else
		}
	case *syntax.WhileClause:
		a.repeated(c)
		a.stmts(c.Cond, depth)
		a.stmts(c.Do, depth)
	case *syntax.ForClause:
		a.repeated(c)
		a.loop(c.Loop, depth)
		a.stmts(c.Do, depth)
	case *syntax.CaseClause:
		a.caseOf(c, depth)
	case *syntax.FuncDecl:
		a.function(c, depth)
	case *syntax.TimeClause:
		if c.Stmt == nil { // after a pipe it is the program of that name
			a.simple([]Word{{Text: "time", Known: true}}, situation{}, depth)
		}
		a.stmt(c.Stmt, depth)
	case *syntax.CoprocClause:
		if c.Name != nil {
			a.variableName(plainText(c.Name))
			words := a.word(c.Name, depth)
			switch body := c.Stmt.Cmd.(type) {
			case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause:
			default: // before a simple command it is no name but the command, or an assignment
				if call, ok := body.(*syntax.CallExpr); ok {
					for _, w := range call.Args {
						words = append(words, a.word(w, depth)...)
					}
				}
				if c.Stmt.Cmd != nil {
					a.hard("it holds a coproc that shells read differently")
				}
				a.simple(words, situation{}, depth)
			}
		} else if call, ok := c.Stmt.Cmd.(*syntax.CallExpr); ok && len(call.Assigns) > 0 {
			a.hard("it holds a coproc that shells read differently")
		}
		a.stmt(c.Stmt, depth)
	case *syntax.DeclClause:
		a.declare(c, depth)
	case *syntax.ArithmCmd, *syntax.LetClause, *syntax.TestClause:
		a.expressions(c, depth)
	default:
		a.hard("it holds a form of bash that is not understood")
	}
}

// binary walks a chain of &&, || and pipes without recursing on its left side, which grows with every link.
func (a *analyser) binary(c *syntax.BinaryCmd, depth int) {
	chain := []*syntax.BinaryCmd{c}
	for {
		x := chain[len(chain)-1].X
		left, ok := x.Cmd.(*syntax.BinaryCmd)
		if !ok || len(x.Redirs) > 0 || x.Background {
			break
		}
		chain = append(chain, left)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		b := chain[i]
		dirs := a.dirs
		piped := b.Op == syntax.Pipe || b.Op == syntax.PipeAll
		if i == len(chain)-1 {
			a.stmt(b.X, depth)
		}
		if piped {
			a.dirs = mergeDirs(dirs, a.dirs)
		}
		a.stmt(b.Y, depth)
		if piped {
			a.dirs = mergeDirs(dirs, a.dirs)
		}
	}
}

// repeated gives up on the working folder when a loop or function moves it.
func (a *analyser) repeated(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok {
			if t := plainText(w); t == "cd" || t == "pushd" || t == "popd" {
				a.dirs = nil
			}
		}
		return true
	})
}

func (a *analyser) loop(l syntax.Loop, depth int) {
	switch l := l.(type) {
	case *syntax.WordIter:
		a.variableName(l.Name.Value)
		for _, w := range l.Items {
			a.mention(a.word(w, depth))
		}
	case *syntax.CStyleLoop:
		for _, x := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
			if x != nil {
				a.expressions(x, depth)
			}
		}
	}
}

func (a *analyser) caseOf(c *syntax.CaseClause, depth int) {
	a.mention(a.word(c.Word, depth))
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			a.word(p, depth)
		}
		a.stmts(item.Stmts, depth)
	}
}

func (a *analyser) function(f *syntax.FuncDecl, depth int) {
	if f.Name != nil {
		a.functions[f.Name.Value] = true
	}
	dirs := a.dirs
	a.repeated(f)
	moved := a.dirs == nil
	a.dirs = nil // it runs wherever it is called
	a.stmt(f.Body, depth)
	if a.dirs = dirs; moved {
		a.dirs = nil
	}
}

func (a *analyser) declare(d *syntax.DeclClause, depth int) {
	if d.Variant.Value == "nameref" {
		a.hard("a name reference can set any variable")
	}
	exports := d.Variant.Value == "export"
	for _, as := range d.Args {
		if as.Naked && as.Name == nil && as.Value != nil {
			words := a.word(as.Value, depth)
			a.mention(words)
			for _, w := range words {
				exports = exports || w.hasLetter("x")
				if w.hasLetter("n") {
					a.hard("a name reference can set any variable")
				}
				if w.hasLetter("i") {
					a.soft("arithmetic evaluates what its variables hold")
				}
				name, _, _ := strings.Cut(w.Text, "=")
				a.variableName(name)
				if !w.Known {
					a.hard("%s takes a name or value that is not known until it runs", d.Variant.Value)
				}
			}
			continue
		}
		a.assign(as, depth, true)
		if exports && as.Name != nil && !harmlessVariable(as.Name.Value) {
			a.soft("the variable %s may change what a program does", as.Name.Value)
		}
	}
}

// expressions visits arithmetic and tests for the substitutions inside them. Arithmetic evaluates what its variables
// hold, subscripts with substitutions included, so one that names any is not wholly known.
func (a *analyser) expressions(n syntax.Node, depth int) {
	_, test := n.(*syntax.TestClause)
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			a.nested(n.Stmts, depth+1)
			return false
		case *syntax.ProcSubst:
			a.nested(n.Stmts, depth+1)
			return false
		case *syntax.ParamExp:
			a.visitParam(n, depth+1)
		case *syntax.ExtGlob:
			a.extended(n)
		case *syntax.Word:
			text := plainText(n)
			a.mention([]Word{{Text: text, Known: true}})
			if !test && (strings.IndexFunc(text, unicode.IsLetter) >= 0 || !plain(n)) {
				a.soft("arithmetic evaluates what its variables hold")
			}
		case *syntax.UnaryTest:
			if n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar {
				if w, ok := n.X.(*syntax.Word); !ok || !plain(w) {
					a.soft("a test of a variable evaluates what its subscript holds")
				}
			}
		case *syntax.BinaryTest:
			switch n.Op {
			case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
				a.soft("a comparison of numbers evaluates what its words hold")
			}
		}
		return true
	})
}

// plain says that the text of a word is all that is in it.
func plain(w *syntax.Word) bool {
	ok := true
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n.(type) {
		case nil, *syntax.Word, *syntax.Lit, *syntax.SglQuoted, *syntax.DblQuoted:
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// nested walks the statements of a substitution: its own shell, whose cd ends with it.
func (a *analyser) nested(list []*syntax.Stmt, depth int) {
	dirs := a.dirs
	a.stmts(list, depth)
	a.dirs = dirs
}

func (a *analyser) mention(ws []Word) {
	for _, w := range ws {
		if a.words++; a.words > maxWords {
			return
		}
		a.subscript(w)
		if w.Text != "" {
			a.out.Mentions = append(a.out.Mentions, w)
		}
	}
}

// subscript finds a text that bash, where it takes it for the name of a variable, would run a part of.
func (a *analyser) subscript(w Word) {
	if i := strings.IndexByte(w.Text, '['); i >= 0 && (strings.Contains(w.Text[i:], "$(") || strings.Contains(w.Text[i:], "`")) {
		a.hard("a text holds a subscript with a command in it")
	}
}

func (a *analyser) redirect(r *syntax.Redirect, depth int) {
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		a.hard("a redirection sets the variable %s", r.N.Value)
	}
	if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc {
		if escapes(r.Word) {
			a.hard("a here-document ends at a word with escapes, which shells read differently")
		}
		if r.Word != nil && r.Word.Lit() != "" && !strings.Contains(r.Word.Lit(), "\\") && strings.Contains(a.src, "\\\n") {
			a.hard("a here-document with a continued line, which shells end differently")
		}
		a.word(r.Hdoc, depth)
		return
	}
	ws := a.word(r.Word, depth)
	if r.Op == syntax.WordHdoc {
		a.mention(ws)
		return
	}
	f := ShellFile{Access: Write, Dirs: a.dirs}
	switch r.Op {
	case syntax.RdrIn:
		f.Access = Read
	case syntax.DplIn, syntax.DplOut:
		if len(ws) == 1 && ws[0].Known && isDescriptor(ws[0].Text) {
			return
		}
		if r.Op == syntax.DplIn {
			f.Access = Read
		}
	case syntax.AppOut, syntax.AppAll:
		f.Append = true
	}
	for _, w := range ws {
		f.Word = w
		if !w.Known || w.Glob || a.dirs == nil && !strings.HasPrefix(w.Text, "/") {
			a.soft("a redirection goes to a file that is not known until it runs")
		}
		if w.Known && w.Text != "" {
			a.out.Files = append(a.out.Files, f)
		}
	}
}

// escapes says that a word has a backslash in quotes, or quotes in which backslashes would have a meaning.
func escapes(w *syntax.Word) bool {
	found := false
	if w != nil {
		syntax.Walk(w, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.SglQuoted:
				found = found || n.Dollar || strings.ContainsAny(n.Value, "\\\n")
			case *syntax.DblQuoted:
				found = found || n.Dollar
				for _, p := range n.Parts {
					l, lit := p.(*syntax.Lit)
					found = found || !lit || strings.ContainsAny(l.Value, "\\\n")
				}
			}
			return true
		})
	}
	return found
}

func isDescriptor(s string) bool {
	s = strings.TrimSuffix(s, "-")
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func mergeDirs(a, b []string) []string {
	if a == nil || b == nil {
		return nil
	}
	out := append([]string{}, a...)
	for _, d := range b {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	if len(out) > maxDirs {
		return nil
	}
	return out
}
