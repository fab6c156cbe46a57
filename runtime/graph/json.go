package graph

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"caper/interp/number"
)

// Errors of the way from and to JSON.
var (
	ErrNotJSON  = errors.New("text is not JSON")
	ErrJSONSize = errors.New("JSON is too large")
)

// The mapping between JSON and data is written down in "caper help json", and json->scheme and scheme->json have the same:
// a test of package bind compares.

// maxDigits bounds a number in JSON: turning digits into a number costs more than linear time.
const maxDigits = 100_000

// FromJSON reads one JSON text.
func FromJSON(text []byte) (Datum, error) {
	if len(text) > MaxSize {
		return nil, ErrJSONSize
	}
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("%w: it is not UTF-8", ErrNotJSON)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	// A frame is an object or an array that is being read.
	type frame struct {
		items  []Datum
		key    Symbol
		object bool
		keyed  bool
		keys   map[Symbol]int // where the entry of a key is
	}
	var stack []frame
	for {
		tok, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("%w: %v", ErrNotJSON, orEOF(err))
		}
		var d Datum
		switch t := tok.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				if len(stack) >= MaxDepth {
					return nil, ErrTooDeep
				}
				stack = append(stack, frame{object: t == '{'})
				continue
			}
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if d = Vector(top.items); top.object {
				d = List(top.items)
			}
		case string:
			if n := len(stack); n > 0 && stack[n-1].object && !stack[n-1].keyed {
				stack[n-1].key, stack[n-1].keyed = Symbol(t), true
				continue
			}
			d = t
		case json.Number:
			if d, err = jsonNumber(string(t)); err != nil {
				return nil, err
			}
		case bool:
			d = t
		case nil:
			d = Symbol("null")
		}
		if len(stack) == 0 {
			if _, err := dec.Token(); err != io.EOF {
				return nil, fmt.Errorf("%w: something follows the value", ErrNotJSON)
			}
			return d, nil
		}
		top := &stack[len(stack)-1]
		if top.object {
			d, top.keyed = pair(top.key, d), false
			if i, twice := top.keys[top.key]; twice {
				top.items[i] = d
				continue
			}
			if top.keys == nil {
				top.keys = map[Symbol]int{}
			}
			top.keys[top.key] = len(top.items)
		}
		top.items = append(top.items, d)
	}
}

func orEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// pair is (key . value), spelled as a list when it is one.
func pair(key Symbol, value Datum) Datum {
	if l, ok := value.(List); ok {
		return append(List{key}, l...)
	}
	return &Dotted{Items: []Datum{key}, Tail: value}
}

func jsonNumber(s string) (Datum, error) {
	if len(s) > maxDigits {
		return nil, ErrJSONSize
	}
	if !strings.ContainsAny(s, ".eE") {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n, nil
		}
		if n, ok := new(big.Int).SetString(s, 10); ok {
			return n, nil
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil, fmt.Errorf("%w: the number %.40s is out of range", ErrNotJSON, s)
	}
	return f, nil
}

// ToJSON writes d as JSON. What FromJSON gives comes back as it was. Where scheme->json raises, this writes what a person
// can use: bytes as a string in base64, and what JSON has no form for (an infinity, a complex number, an improper list, an
// opaque value) as a string that holds its external form.
func ToJSON(d Datum) ([]byte, error) { return AppendJSON(nil, d) }

// AppendJSON appends the JSON of d to b.
func AppendJSON(b []byte, d Datum) ([]byte, error) { return appendJSON(b, d, 0) }

func appendJSON(b []byte, d Datum, depth int) ([]byte, error) {
	if depth > MaxDepth {
		return nil, ErrTooDeep
	}
	if len(b) > MaxSize {
		return nil, ErrJSONSize
	}
	switch d := normal(d).(type) {
	case nil:
		return nil, ErrNotDatum
	case bool:
		return strconv.AppendBool(b, d), nil
	case int64:
		return strconv.AppendInt(b, d, 10), nil
	case *big.Int:
		return d.Append(b, 10), nil
	case *big.Rat, float64:
		f := number.ToInexact(d)
		text := number.Format(f, 10)
		if f-f != 0 { // no number for JSON
			return appendJSONString(b, text), nil
		}
		return append(b, text...), nil
	case Void:
		return append(b, "null"...), nil
	case Symbol:
		if d == "null" {
			return append(b, "null"...), nil
		}
		return appendJSONString(b, string(d)), nil
	case string:
		return appendJSONString(b, d), nil
	case Keyword:
		return appendJSONString(b, "#:"+string(d)), nil
	case Char:
		return appendJSONString(b, string(rune(d))), nil
	case []byte:
		return appendJSONString(b, base64.StdEncoding.EncodeToString(d)), nil
	case Vector:
		return appendJSONArray(b, d, depth)
	case List:
		if entries, ok := object(d); ok {
			return appendJSONObject(b, entries, depth)
		}
		return appendJSONArray(b, d, depth)
	case *Table:
		if entries, ok := members(d); ok {
			return appendJSONObject(b, entries, depth)
		}
		return appendJSONString(b, Write(d)), nil
	default:
		return appendJSONString(b, Write(d)), nil
	}
}

func appendJSONArray(b []byte, items []Datum, depth int) ([]byte, error) {
	b = append(b, '[')
	var err error
	for i, x := range items {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendJSON(b, x, depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

type member struct {
	key   string
	value Datum
}

// object answers the entries of a list that is written as an object: each is a pair whose key is a symbol, or a string
// unless it could be a row of an array such as ("a" "b").
func object(l List) ([]member, bool) {
	entries := make([]member, 0, len(l))
	for _, x := range l {
		k, v, ok := entry(x)
		if !ok {
			return nil, false
		}
		entries = append(entries, member{k, v})
	}
	return entries, true
}

func entry(d Datum) (key string, value Datum, ok bool) {
	var head, next Datum // next is the second item where there is one
	switch d := normal(d).(type) {
	case List:
		if len(d) == 0 {
			return "", nil, false
		}
		if head, value = d[0], d[1:]; len(d) > 1 {
			next = d[1]
		}
	case *Dotted:
		if head, value = d.Items[0], d.Tail; len(d.Items) > 1 {
			value, next = &Dotted{Items: d.Items[1:], Tail: d.Tail}, d.Items[1]
		}
	default:
		return "", nil, false
	}
	switch head := head.(type) {
	case Symbol:
		return string(head), value, true
	case string:
		return head, value, next == nil || isPair(next)
	}
	return "", nil, false
}

func isPair(d Datum) bool {
	switch d := normal(d).(type) {
	case List:
		return len(d) > 0
	case *Dotted:
		return true
	}
	return false
}

// members are the entries of a table whose keys can be those of an object.
func members(t *Table) ([]member, bool) {
	entries := make([]member, 0, len(t.Items)/2)
	for i := 0; i+1 < len(t.Items); i += 2 {
		m := member{value: t.Items[i+1]}
		switch k := normal(t.Items[i]).(type) {
		case Symbol:
			m.key = string(k)
		case Keyword:
			m.key = string(k)
		case string:
			m.key = k
		case int64, *big.Int, *big.Rat, float64:
			m.key = number.Format(k, 10)
		default:
			return nil, false
		}
		entries = append(entries, m)
	}
	return entries, true
}

// appendJSONObject writes the first entry of each key, which is the one that assq finds.
func appendJSONObject(b []byte, entries []member, depth int) ([]byte, error) {
	b = append(b, '{')
	seen := make(map[string]bool, min(len(entries), 64))
	var err error
	for _, m := range entries {
		if seen[m.key] {
			continue
		}
		if len(seen) > 0 {
			b = append(b, ',')
		}
		seen[m.key] = true
		b = append(appendJSONString(b, m.key), ':')
		if b, err = appendJSON(b, m.value, depth+1); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

const hexDigits = "0123456789abcdef"

// appendJSONString escapes what JSON demands, and U+2028 and U+2029 for readers that are JavaScript. Bytes that are not
// UTF-8 become U+FFFD.
func appendJSONString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= '\b' && r <= '\r' && r != '\v':
			b = append(b, '\\', "btn fr"[r-'\b'])
		case r < 0x20 || r == 0x7f || r == 0x2028 || r == 0x2029:
			b = append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
