package text

import (
	"fmt"

	"caper/interp/heap"
	"caper/interp/prim"
)

// This file defines symbols and keywords.

func symbolRows() []prim.Prim {
	return []prim.Prim{
		prim.Row("symbol?", 1, 1, "value", "Is it a symbol?", func(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(c.IsSymbol(a[0])) }),
		prim.Row("symbol=?", 2, -1, "symbol symbol …", "Are all the same symbol?", symbolsEqual),
		prim.Row("symbol<?", 1, -1, "symbol symbol …", "Are the names in ascending order?", symbolsAscend),
		prim.Row("symbol->string", 1, 1, "symbol", "The name.", nameOf),
		prim.Row("string->symbol", 1, 1, "string", "The symbol of that name.", stringToSymbol),
		prim.Row("intern", 1, 1, "string", "The symbol of that name.", stringToSymbol),
		prim.Row("string->uninterned-symbol", 1, 1, "string", "A symbol that no name reaches.", uninterned),
		prim.Row("symbol-append", 0, -1, "symbol …", "The symbol of the names one after the other.", symbolAppend),
		prim.Row("keyword?", 1, 1, "value", "Is it a keyword?", func(c *prim.Ctx, a []heap.Word) heap.Word { return heap.Bool(c.IsKeyword(a[0])) }),
		prim.Row("keyword->string", 1, 1, "keyword", "The name without its prefix.", keywordName),
		prim.Row("keyword->symbol", 1, 1, "keyword", "The symbol of the same name.", keywordToSymbol),
		prim.Row("string->keyword", 1, 1, "string", "The keyword of that name.", stringToKeyword),
		prim.Row("symbol->keyword", 1, 1, "symbol", "The keyword of the same name.", symbolToKeyword),
	}
}

func symbolsEqual(c *prim.Ctx, a []heap.Word) heap.Word {
	all := true
	for i := range a {
		if !c.Symbol(a, i) {
			return heap.Raised
		}
		all = all && a[i] == a[0]
	}
	return heap.Bool(all)
}

func symbolsAscend(c *prim.Ctx, a []heap.Word) heap.Word {
	all := true
	for i := range a {
		if !c.Symbol(a, i) {
			return heap.Raised
		}
		all = all && (i == 0 || c.SymbolName(a[i-1]) < c.SymbolName(a[i]))
	}
	return heap.Bool(all)
}

func nameOf(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Symbol(a, 0) {
		return heap.Raised
	}
	return c.Field(a[0], 0) // the name lies in the static area: it cannot be changed
}

// made answers a symbol, or a failure when the area for symbols is full.
func made(c *prim.Ctx, name string, make func(string) heap.Word) heap.Word {
	c.Charge(uint64(len(name))/16 + 1)
	if !c.InternRoom(len(name) * 2) {
		return c.Fail("memory-error", fmt.Sprintf("%s: no room is left for new symbols", c.Prim.Name))
	}
	return make(name)
}

func stringToSymbol(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	return made(c, c.Text(a[0]), c.Intern)
}

func uninterned(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	return made(c, c.Text(a[0]), c.NewUninterned)
}

func symbolAppend(c *prim.Ctx, a []heap.Word) heap.Word {
	name := ""
	for i := range a {
		if !c.Symbol(a, i) {
			return heap.Raised
		}
		name += c.SymbolName(a[i])
	}
	return made(c, name, c.Intern)
}

func keywordArg(c *prim.Ctx, a []heap.Word) (name string, ok bool) {
	if !c.IsKeyword(a[0]) {
		c.WrongType(a, 0, "a keyword")
		return "", false
	}
	return c.SymbolName(a[0]), true
}

func keywordName(c *prim.Ctx, a []heap.Word) heap.Word {
	if _, ok := keywordArg(c, a); !ok {
		return heap.Raised
	}
	return c.Field(a[0], 0)
}

func keywordToSymbol(c *prim.Ctx, a []heap.Word) heap.Word {
	name, ok := keywordArg(c, a)
	if !ok {
		return heap.Raised
	}
	return made(c, name, c.Intern)
}

func stringToKeyword(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	return made(c, c.Text(a[0]), c.InternKeyword)
}

func symbolToKeyword(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.Symbol(a, 0) {
		return heap.Raised
	}
	return made(c, c.SymbolName(a[0]), c.InternKeyword)
}
