package prim

import (
	"strings"

	"caper/interp/heap"
)

// Hint says what was probably meant where args[i] should have been what want says: that two arguments stand in the wrong
// order, how what was found becomes what is wanted, or "". params are the parameters of the procedure as documented.
func Hint(a *heap.Arena, name, params string, args []heap.Word, i int, want string) string {
	names := strings.FieldsFunc(params, func(r rune) bool { return strings.ContainsRune(" []", r) })
	for j := range args {
		if j == i || i >= len(names) || j >= len(names) || !accepts(a, want, args[j]) || accepts(a, want, args[i]) {
			continue
		}
		// What stands at j is wanted at i. It may be right at j too, unless its parameter says otherwise.
		own := parameters[names[j]]
		if own == want || own != "" && (accepts(a, own, args[j]) || !accepts(a, own, args[i])) || names[j] == "…" || own == "" && names[j] == names[i] {
			continue
		}
		return "the order is (" + name + " " + params + ")"
	}
	return Instead(a, want, args[i])
}

// parameters says what the names of parameters stand for; others may be anything.
var parameters = map[string]string{
	"list": "a list", "alist": "a list", "strings": "a list", "vector": "a vector", "string": "a string", "text": "a string", "prefix": "a string",
	"suffix": "a string", "delimiter": "a string", "pattern": "a string", "k": "a number", "n": "a number", "number": "a number", "start": "a number", "end": "a number",
	"radix": "a number", "base": "a number", "exponent": "a number", "char": "a character", "symbol": "a symbol", "table": "a hash table", "bytevector": "a bytevector", "port": "a port",
}

// accepts reports whether w is surely what want says.
func accepts(a *heap.Arena, want string, w heap.Word) bool {
	switch want {
	case "a list", "a proper list", "a list that ends", "an association list":
		return w == heap.Null || heap.IsPair(w)
	case "a pair":
		return heap.IsPair(w)
	case "a vector":
		return a.IsVector(w)
	case "a string":
		return a.IsString(w)
	case "a symbol":
		return a.IsSymbol(w)
	case "a character", "a character, a character set or a predicate":
		return heap.IsChar(w)
	case "a number", "a real number", "an exact integer", "an integer", "an exact integer of 0 or more":
		return a.IsNumber(w)
	case "a hash table":
		return a.Is(w, heap.KindTable)
	case "a bytevector":
		return a.Is(w, heap.KindBytes)
	case "a port":
		return a.Is(w, heap.KindPort)
	case "a procedure":
		return a.IsProcedure(w)
	}
	return false
}

// Instead says how a value that is not what is wanted becomes it, or why it came, or "".
func Instead(a *heap.Arena, want string, w heap.Word) string {
	if w == heap.Unspecified {
		return "it has no value: what displays, assigns or defines, or an if without else, answers nothing"
	}
	list := accepts(a, want, heap.Null)
	number := strings.HasPrefix(want, "an exact integer") || want == "a number" || want == "a real number" || want == "an integer"
	switch {
	case strings.HasSuffix(want, "that is no literal"):
		return "what is written in the text is not changed: (list ...), (vector ...) or a copy makes a new one"
	case want == "a string" && a.IsSymbol(w):
		return "(symbol->string x) makes a string of a symbol"
	case want == "a string" && a.IsNumber(w):
		return "(number->string x) makes a string of a number"
	case want == "a string" && heap.IsChar(w):
		return "(string x) makes a string of a character"
	case want == "a string" && a.Is(w, heap.KindBytes):
		return "(utf8->string x) makes a string of bytes"
	case number && a.IsString(w):
		return "(string->number x) makes a number of a string"
	case number && heap.IsChar(w):
		return "(char->integer x) makes a number of a character, (digit-value x) of a digit"
	case strings.HasPrefix(want, "an exact integer") && a.IsNumber(w):
		return "(exact x) makes an exact number, after (round x) or (floor x) an integer"
	case want == "a symbol" && a.IsString(w):
		return "(string->symbol x) makes a symbol of a string"
	case strings.HasPrefix(want, "a character") && a.IsString(w) && a.StringLen(w) == 1:
		return `a character is written #\` + a.Text(w) + ", or taken out with (string-ref x 0)"
	case list && a.IsVector(w):
		return "(vector->list x) makes a list of a vector"
	case list && a.IsString(w):
		return "(string->list x) makes a list of a string's characters"
	case list && a.Is(w, heap.KindTable):
		return "(hash-table->alist x) makes a list of a hash table"
	case list && a.IsProcedure(w):
		return "a procedure is the first argument, the list comes after it"
	case want == "a vector" && (w == heap.Null || heap.IsPair(w)):
		return "it is a list: (list-ref x k) takes an element, (list->vector x) makes a vector"
	case want == "a hash table" && heap.IsPair(w):
		return "it is a list: (assoc-ref alist key) looks into an association list"
	case want == "a pair" && w == heap.Null:
		return "the list has no more elements: ask with null? or pair? before"
	case want == "a pair" && a.IsVector(w):
		return "it is a vector: (vector-ref x k) takes an element"
	case want == "a pair" && a.IsString(w):
		return "it is a string: (string-ref x k) takes a character"
	case w == heap.False && want != "a boolean":
		return "#f is what a search answers that found nothing: ask with if before"
	case a.IsProcedure(w) && want != "a procedure":
		return "it is a procedure: a call of it stands in parentheses"
	}
	return ""
}
