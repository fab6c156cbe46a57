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
)

// Errors of the way from and to JSON.
var (
	ErrNotJSON  = errors.New("text is not JSON")
	ErrJSONSize = errors.New("JSON is too large")
)

// maxDigits bounds an integer in JSON: turning digits into a number costs more than linear time.
const maxDigits = 50_000

// FromJSON reads one JSON text as SRFI 180 does: an object is a list of pairs with symbols for keys, an array a vector,
// null the symbol null; a number without point and exponent is exact.
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
	if !strings.ContainsAny(s, ".eE") {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n, nil
		}
		if len(s) > maxDigits {
			return nil, ErrJSONSize
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

// ToJSON writes d as JSON. What FromJSON gives comes back as it was. For the rest: a list of pairs whose keys are symbols
// is an object (of equal keys the first counts, as for assq), any other list an array, the empty list {}; symbols,
// keywords, characters and opaque values are strings, bytes are a string in base64, void is null, and what JSON has no
// form for (a rational, an infinity, an improper list) is a string that holds its external form.
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
	case float64:
		text := appendFloat(nil, d)
		if d != d || d-d != 0 { // no number for JSON
			return appendJSONString(b, string(text)), nil
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
	case Opaque:
		return appendJSONString(b, d.Text), nil
	case []byte:
		return appendJSONString(b, base64.StdEncoding.EncodeToString(d)), nil
	case Vector:
		return appendJSONArray(b, d, depth)
	case List:
		if isObject(d) {
			return appendJSONObject(b, d, depth)
		}
		return appendJSONArray(b, d, depth)
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

// isObject reports a list of pairs that have symbols for keys; the empty list is one.
func isObject(l List) bool {
	for _, x := range l {
		if _, _, ok := entry(x); !ok {
			return false
		}
	}
	return true
}

func entry(d Datum) (key Symbol, value Datum, ok bool) {
	switch d := normal(d).(type) {
	case List:
		if len(d) > 0 {
			key, ok = d[0].(Symbol)
			return key, d[1:], ok
		}
	case *Dotted:
		if key, ok = d.Items[0].(Symbol); !ok {
			return "", nil, false
		}
		if len(d.Items) == 1 {
			return key, d.Tail, true
		}
		return key, &Dotted{Items: d.Items[1:], Tail: d.Tail}, true
	}
	return "", nil, false
}

func appendJSONObject(b []byte, l List, depth int) ([]byte, error) {
	b = append(b, '{')
	seen := make(map[Symbol]bool, min(len(l), 64))
	var err error
	for _, x := range l {
		k, v, _ := entry(x)
		if seen[k] {
			continue
		}
		if len(seen) > 0 {
			b = append(b, ',')
		}
		seen[k] = true
		b = append(appendJSONString(b, string(k)), ':')
		if b, err = appendJSON(b, v, depth+1); err != nil {
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
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r == '\r':
			b = append(b, '\\', 'r')
		case r < 0x20 || r == 0x7f || r == 0x2028 || r == 0x2029:
			b = append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
