package format

import "strings"

// This file defines how known forms are indented: how many of what follows the name is special to the form. The rest is
// a body, two columns in; what is special and begins a line stands four in. A form of none special begins its body under
// its first part.

var forms = map[string]int{
	"begin": 0, "cond": 0, "case-lambda": 0, "case-lambda*": 0, "delay": 0, "make-promise": 0, "begin0": 0, "dynamic-wind": 0, "cond-expand": 0,
	"rec": 1, "lambda": 1, "λ": 1, "lambda*": 1, "named-lambda": 1, "let": 1, "let*": 1, "letrec": 1, "letrec*": 1, "let-values": 1,
	"let*-values": 1, "let-syntax": 1, "letrec-syntax": 1, "case": 1, "when": 1, "unless": 1, "guard": 1, "parameterize": 1,
	"syntax-rules": 1, "library": 1, "module": 1, "match": 1, "match-lambda": 0, "match-let": 1, "match-let*": 1, "for": 1, "for/list": 1,
	"for*": 1, "for*/list": 1, "for/fold": 2, "and-let*": 1, "receive": 2, "do": 2, "retry": 1, "let/ec": 1, "let/cc": 1, "catch": 1, "else": 0,
	"dotimes": 1, "dolist": 1, "while": 1, "until": 1, "test-group": 1, "program": 0, "background": 0, "thunk": 0, "export": 0, "import": 0,
}

// lists names the forms whose first part is a list of names or bindings, not a call.
var lists = map[string]bool{
	"lambda": true, "λ": true, "lambda*": true, "let-values": true, "let": true, "let*": true, "letrec": true, "letrec*": true, "parameterize": true,
	"syntax-rules": true, "for": true, "for*": true, "for/list": true, "for*/list": true, "receive": true, "do": true, "let*-values": true, "guard": true,
}

// special is how many parts of a form are special, -1 for a call.
func (f *formatter) special(head string) int {
	if n, ok := f.macros[head]; ok {
		return n
	}
	if n, ok := forms[head]; ok {
		return n
	}
	switch {
	case strings.HasPrefix(head, "define"), strings.HasPrefix(head, "with-") && head != "with-exception-handler",
		strings.HasPrefix(head, "let-"), strings.HasPrefix(head, "let*"), strings.HasPrefix(head, "call-with-"):
		return 1
	}
	return -1
}

// shapes finds the macros that a text defines and whose body is a body: (define-syntax name (syntax-rules () ((_ a b body ...) …))).
func shapes(pieces []piece) map[string]int {
	var code []piece
	for _, p := range pieces {
		if p.kind < skipped {
			code = append(code, p)
		}
	}
	found := map[string]int{}
	at := func(i int) string {
		if i < len(code) {
			return code[i].text
		}
		return ""
	}
	for i, p := range code {
		if p.text != "define-syntax" {
			continue
		}
		name := at(i + 1)
		depth, end := 1, i+1
		for ; end < len(code) && depth > 0; end++ {
			switch code[end].kind {
			case open:
				depth++
			case shut:
				depth--
			}
		}
		for j := i + 2; j < end; j++ {
			if at(j) != "(" && at(j) != "[" || at(j+1) != "_" && at(j+1) != name {
				continue
			}
			if n := bodyAfter(code[j+2 : end]); n >= 0 {
				found[name] = n
				break
			}
		}
	}
	return found
}

// bodyAfter counts the parts of a pattern before "body ...", -1 where it has none.
func bodyAfter(code []piece) int {
	depth, parts := 0, 0
	for i, p := range code {
		switch p.kind {
		case open:
			depth++
		case shut:
			if depth == 0 {
				return -1
			}
			if depth--; depth == 0 {
				parts++
			}
		case atom:
			if depth > 0 {
				continue
			}
			if i+2 < len(code) && code[i+1].text == "..." && code[i+2].kind == shut && bodyName(p.text) {
				return parts
			}
			if i+2 < len(code) && bodyName(p.text) && code[i+1].kind == atom && code[i+2].text == "..." {
				return parts // body0 body ...
			}
			parts++
		}
	}
	return -1
}

func bodyName(s string) bool {
	for _, b := range []string{"body", "form", "stmt", "command", "clause"} {
		if strings.HasPrefix(s, b) {
			return true
		}
	}
	return false
}
