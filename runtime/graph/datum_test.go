package graph

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"caper/interp/number"
	"caper/interp/syntax"

	"github.com/fxamacker/cbor/v2"
	"pgregory.net/rapid"
)

func bigInt(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		panic(s)
	}
	return n
}

// samples holds every kind of datum, its external form, its encoding and its JSON.
var samples = []struct {
	d             Datum
	write         string
	cbor          string
	json          string
	jsonIsOneWay  bool
	otherSpelling Datum // equal to d, and encoded to the same bytes
}{
	{d: true, write: "#t", cbor: "f5", json: "true"},
	{d: false, write: "#f", cbor: "f4", json: "false"},
	{d: int64(0), write: "0", cbor: "00", json: "0", otherSpelling: big.NewInt(0)},
	{d: int64(-1), write: "-1", cbor: "20", json: "-1", otherSpelling: big.NewRat(-1, 1)},
	{d: int64(1000), write: "1000", cbor: "1903e8", json: "1000"},
	{d: int64(math.MinInt64), write: "-9223372036854775808", cbor: "3b7fffffffffffffff", json: "-9223372036854775808"},
	{d: bigInt("9223372036854775808"), write: "9223372036854775808", cbor: "c2488000000000000000", json: "9223372036854775808"},
	{d: bigInt("-9223372036854775809"), write: "-9223372036854775809", cbor: "c3488000000000000000", json: "-9223372036854775809"},
	{d: big.NewRat(1, 3), write: "1/3", cbor: "d81e820103", json: "0.3333333333333333", jsonIsOneWay: true, otherSpelling: big.NewRat(2, 6)},
	{d: 1.5, write: "1.5", cbor: "fb3ff8000000000000", json: "1.5"},
	{d: 1e100, write: "1e100", cbor: "fb54b249ad2594c37d", json: "1e100"},
	{d: 1e-9, write: "1e-9", cbor: "fb3e112e0be826d695", json: "1e-9"},
	{d: 100.0, write: "100.0", cbor: "fb4059000000000000", json: "100.0"},
	{d: math.Copysign(0, -1), write: "-0.0", cbor: "fb8000000000000000", json: "-0.0"},
	{d: math.NaN(), write: "+nan.0", cbor: "fb7ff8000000000001", json: `"+nan.0"`, jsonIsOneWay: true, otherSpelling: math.Float64frombits(0xfff8000000000099)},
	{d: math.Inf(-1), write: "-inf.0", cbor: "fbfff0000000000000", json: `"-inf.0"`, jsonIsOneWay: true},
	{d: number.Complex{Re: int64(1), Im: big.NewRat(-1, 2)}, write: "1-1/2i", cbor: "d9a7f88201d81e822002", json: `"1-1/2i"`, jsonIsOneWay: true,
		otherSpelling: number.Complex{Re: big.NewInt(1), Im: big.NewRat(-2, 4)}},
	{d: number.Complex{Re: int64(0), Im: math.Copysign(0, -1)}, write: "-0.0i", cbor: "d9a7f88200fb8000000000000000", json: `"-0.0i"`, jsonIsOneWay: true},
	{d: number.Complex{Re: math.NaN(), Im: math.Inf(1)}, write: "+nan.0+inf.0i", cbor: "d9a7f882fb7ff8000000000001fb7ff0000000000000", json: `"+nan.0+inf.0i"`, jsonIsOneWay: true},
	{d: "a\"b\\c\né\x00", write: `"a\"b\\c\né\x0;"`, cbor: "6961226" + "25c630ac3a900", json: `"a\"b\\c\né\u0000"`},
	{d: "\xff", write: "\"\ufffd\"", cbor: "d9c80641ff", json: `"` + "\ufffd" + `"`, jsonIsOneWay: true},
	{d: Symbol("read-file"), write: "read-file", cbor: "d82769726561642d66696c65", json: `"read-file"`, jsonIsOneWay: true},
	{d: Symbol("null"), write: "null", cbor: "d827646e756c6c", json: "null"},
	{d: Symbol("two words"), write: "|two words|", cbor: "d8276974776f20776f726473", json: `"two words"`, jsonIsOneWay: true},
	{d: Symbol(""), write: "||", cbor: "d82760", json: `""`, jsonIsOneWay: true},
	{d: Keyword("limit"), write: "#:limit", cbor: "d9c801656c696d6974", json: `"#:limit"`, jsonIsOneWay: true},
	{d: Char('a'), write: `#\a`, cbor: "d9c8021861", json: `"a"`, jsonIsOneWay: true},
	{d: Char('\n'), write: `#\newline`, cbor: "d9c8020a", json: `"\n"`, jsonIsOneWay: true},
	{d: []byte{1, 255}, write: "#u8(1 255)", cbor: "4201ff", json: `"Af8="`, jsonIsOneWay: true},
	{d: Void{}, write: "#<unspecified>", cbor: "f7", json: "null", jsonIsOneWay: true},
	{d: Opaque{"#<procedure car>"}, write: "#<procedure car>", cbor: "d9c80570233c70726f636564757265206361723e", json: `"#<procedure car>"`, jsonIsOneWay: true},
	{d: List{}, write: "()", cbor: "80", json: "{}", otherSpelling: List(nil)},
	{d: Vector{}, write: "#()", cbor: "d9c80480", json: "[]"},
	{d: List{int64(1), "a", List{}}, write: `(1 "a" ())`, cbor: "8301616180", json: `[1,"a",{}]`, jsonIsOneWay: true,
		otherSpelling: &Dotted{Items: []Datum{int64(1)}, Tail: List{"a", List{}}}},
	{d: Vector{int64(1), Vector{true}}, write: "#(1 #(#t))", cbor: "d9c8048201d9c80481f5", json: "[1,[true]]"},
	{d: &Dotted{Items: []Datum{int64(1), int64(2)}, Tail: int64(3)}, write: "(1 2 . 3)", cbor: "d9c80383030102", json: `"(1 2 . 3)"`, jsonIsOneWay: true,
		otherSpelling: &Dotted{Items: []Datum{int64(1)}, Tail: &Dotted{Items: []Datum{int64(2)}, Tail: int64(3)}}},
	{d: List{Char('('), Symbol("a")}, write: `(#\( a)`, cbor: "82d9c8021828d8276161", json: `["(","a"]`, jsonIsOneWay: true},
	{d: List{Symbol("quote"), List{Symbol("unquote"), Symbol("@a")}}, write: "'(unquote @a)", cbor: "82d8276571756f746582d82767756e71756f7465d827624061",
		json: `["quote",["unquote","@a"]]`, jsonIsOneWay: true},
	{d: &Table{Kind: ByEqual}, write: "#hash()", cbor: "d9c8078102", json: "{}", jsonIsOneWay: true},
	{d: &Table{Kind: ByEqv, Frozen: true, Items: []Datum{Symbol("b"), List{int64(1)}, "a", 0.5}}, write: `#hash((b . (1)) ("a" . 0.5))`,
		cbor: "d9c8078505d827616281016161fb3fe0000000000000", json: `{"b":[1],"a":0.5}`, jsonIsOneWay: true},
	{d: &Table{Kind: ByEqual, Items: []Datum{List{}, true}}, write: `#hash((() . #t))`, cbor: "d9c807830280f5", json: `"#hash((() . #t))"`, jsonIsOneWay: true},
	{d: List{&Dotted{Items: []Datum{"a"}, Tail: int64(1)}, List{"b", List{int64(2)}}, &Dotted{Items: []Datum{Symbol("a")}, Tail: int64(3)}},
		write: `(("a" . 1) ("b" (2)) (a . 3))`, cbor: "83d9c8038201616182616281" + "02d9c8038203d8276161", json: `{"a":1,"b":[[2]]}`, jsonIsOneWay: true},
	{d: List{List{"a", "b"}}, write: `(("a" "b"))`, cbor: "818261616162", json: `[["a","b"]]`, jsonIsOneWay: true},
	{d: List{&Dotted{Items: []Datum{Symbol("a")}, Tail: int64(1)}, List{Symbol("b"), &Dotted{Items: []Datum{Symbol("c")}, Tail: Symbol("null")}}},
		write: "((a . 1) (b (c . null)))", cbor: "82d9c8038201d827616182d8276162d9c80382d827646e756c6cd8276163", json: `{"a":1,"b":{"c":null}}`},
}

func TestEveryKindOfDatum(t *testing.T) {
	for _, s := range samples {
		if got := Write(s.d); got != s.write {
			t.Errorf("Write: got %s, want %s", got, s.write)
		}
		var text strings.Builder
		if err := WriteTo(&text, s.d); err != nil || text.String() != s.write {
			t.Errorf("WriteTo: %s (%v), want %s", text.String(), err, s.write)
		}
		b, err := Encode(s.d)
		if err != nil {
			t.Errorf("%s: %v", s.write, err)
			continue
		}
		if got := hex.EncodeToString(b); got != s.cbor {
			t.Errorf("%s: encoded as %s, want %s", s.write, got, s.cbor)
		}
		back, err := Decode(b)
		if err != nil || !Equal(back, s.d) || Write(back) != s.write {
			t.Errorf("%s: decoded as %s (%v)", s.write, Write(back), err)
		}
		if s.otherSpelling != nil {
			other, err := Encode(s.otherSpelling)
			if err != nil || !bytes.Equal(other, b) || !Equal(s.otherSpelling, s.d) {
				t.Errorf("%s: its other spelling differs: %x (%v)", s.write, other, err)
			}
		}
		j, err := ToJSON(s.d)
		if err != nil || string(j) != s.json {
			t.Errorf("%s: JSON %s (%v), want %s", s.write, j, err, s.json)
		}
		if back, err := FromJSON(j); !s.jsonIsOneWay && (err != nil || !Equal(back, s.d)) {
			t.Errorf("%s: from JSON %s (%v)", s.write, Write(back), err)
		}
	}
}

// TestLargeTexts: a large text is written and encoded in pieces.
func TestLargeTexts(t *testing.T) {
	for _, unit := range []string{"a", "é", "\n", "€", "\xff", "x😀"} {
		s := strings.Repeat(unit, 3*largeText/len(unit)+1)
		for _, d := range []Datum{s, []byte(s), List{s, []byte(s)}, List{Symbol("f"), s, Keyword("k"), Vector{int64(1), s, "end"}}, Pair(s, s)} {
			want := Write(d)
			if text, ok := d.(string); ok && want != syntax.WriteString(text) {
				t.Errorf("%q: written otherwise in pieces", unit)
			}
			var written bytes.Buffer
			if err := WriteTo(&written, d); err != nil || written.String() != want {
				t.Errorf("%q: written otherwise as it goes (%v)", unit, err)
			}
			pieces, err := Pieces(d)
			if err != nil {
				t.Fatal(err)
			}
			b, err := Encode(d)
			if err != nil || !bytes.Equal(bytes.Join(pieces, nil), b) {
				t.Errorf("%q: encoded otherwise in pieces (%v)", unit, err)
			}
			if sum, err := Digest(d); err != nil || sum != sha256.Sum256(b) {
				t.Errorf("%q: another digest than its encoding's (%v)", unit, err)
			}
			for _, p := range pieces[:len(pieces)-1] {
				if len(p) >= largeText && len(p) != len(s) {
					t.Errorf("%q: a piece of %d bytes was copied together", unit, len(p))
				}
			}
			if back, err := Decode(b); err != nil || !Equal(back, d) {
				t.Errorf("%q: %v", unit, err)
			}
		}
	}
}

func TestDifferentDataDiffer(t *testing.T) {
	for i, a := range samples {
		for j, b := range samples {
			if Equal(a.d, b.d) != (i == j) {
				t.Errorf("Equal(%s, %s) is %v", a.write, b.write, i != j)
			}
		}
	}
}

func TestBytesThatAreNoDatum(t *testing.T) {
	for name, in := range map[string]string{
		"nothing":                        "",
		"a longer head than needed":      "1801",
		"an indefinite array":            "9fff",
		"a half float":                   "f93c00",
		"a NaN with a payload":           "fb7ff8000000000099",
		"null":                           "f6",
		"a map":                          "a0",
		"a bignum that is no bignum":     "c24101",
		"a bignum with a leading zero":   "c2490080000000000000ff",
		"a rational that is an integer":  "d81e820301",
		"a rational not in lowest terms": "d81e820204",
		"a rational over zero":           "d81e820100",
		"a rational over minus one":      "d81e820120",
		"a string that is not UTF-8":     "61ff",
		"raw text that is UTF-8":         "d9c8064161",
		"a tail without items":           "d9c8038101",
		"a tail that is a list":          "d9c803828001",
		"a tail that is dotted":          "d9c80382d9c803820102" + "01",
		"a complex that is real":         "d9a7f8820100",
		"a complex of two exactnesses":   "d9a7f88201fb3ff8000000000000",
		"a complex of strings":           "d9a7f88261616161",
		"a complex of complexes":         "d9a7f88201d9a7f8820101",
		"a table without a kind":         "d9c80780",
		"a table of an unknown kind":     "d9c8078108",
		"a table with a key alone":       "d9c807820201",
		"an unknown tag":                 "d9c8ff01",
		"an array with too few items":    "8201",
		"an array of four billion":       "9affffffff",
		"a string of many bytes":         "5b7fffffffffffffff",
		"bytes left over":                "0000",
		"an integer beyond int64":        "1bffffffffffffffff",
		"a tag and nothing":              "d827",
	} {
		b, err := hex.DecodeString(in)
		if err != nil {
			t.Fatal(name, err)
		}
		if d, err := Decode(b); err == nil {
			t.Errorf("%s: decoded as %s", name, Write(d))
		}
	}
}

func TestDepthIsCounted(t *testing.T) {
	deep := func(n int) Datum {
		var d Datum = List{}
		for range n {
			d = List{d}
		}
		return d
	}
	if b, err := Encode(deep(MaxDepth)); err != nil {
		t.Error(err)
	} else if _, err := Decode(b); err != nil {
		t.Error(err)
	}
	_, err := Encode(deep(MaxDepth + 1))
	if !errors.Is(err, ErrTooDeep) {
		t.Errorf("encode: %v", err)
	}
	_, err = Decode(append(bytes.Repeat([]byte{0x81}, MaxDepth+1), 0x80))
	if !errors.Is(err, ErrTooDeep) {
		t.Errorf("decode: %v", err)
	}
	_, err = ToJSON(deep(MaxDepth + 1))
	if !errors.Is(err, ErrTooDeep) {
		t.Errorf("to JSON: %v", err)
	}
	_, err = FromJSON([]byte(strings.Repeat("[", 1<<20)))
	if !errors.Is(err, ErrTooDeep) {
		t.Errorf("from JSON: %v", err)
	}
	const million = 1_000_000
	a, b := deep(million), deep(million)
	if text := Write(a); len(text) != 2*(million+1) {
		t.Errorf("written: %d bytes", len(text))
	}
	if !Equal(a, b) {
		t.Error("two equal deep data differ")
	}
	var chain Datum = int64(0)
	for range million {
		chain = &Dotted{Items: []Datum{int64(1)}, Tail: chain}
	}
	if text := Write(chain); !strings.HasSuffix(text, " 1 . 0)") {
		t.Errorf("a long chain of pairs ends in %s", text[len(text)-10:])
	}
	if _, err := Digest(chain); err != nil {
		t.Error(err)
	}
}

func TestFromJSONRefuses(t *testing.T) {
	for _, in := range []string{"", "{", "[1,]", `{"a" 1}`, "1 2", "nul", `"\x"`, "\"\xff\"", "1e999", "[1}", `{"a":1,}`, strings.Repeat("9", maxDigits+1)} {
		if d, err := FromJSON([]byte(in)); err == nil {
			t.Errorf("%.20q became %s", in, Write(d))
		}
	}
}

func TestIDs(t *testing.T) {
	id := ID{3, 1, 12}
	if got, err := ParseID(id.String()); got != id || err != nil {
		t.Errorf("%s came back as %s, %v", id, got, err)
	}
	for _, in := range []string{"", "1", "1.2", "1.2.3.4", "a.b.c", "1.2.", "01.2.3", "+1.2.3", "-1.2.3", " 1.2.3", "1.2.18446744073709551616", "1..3", strings.Repeat("1", 99)} {
		if id, err := ParseID(in); err == nil {
			t.Errorf("%q became %s", in, id)
		}
	}
}

// datum generates data of every kind.
func datum() *rapid.Generator[Datum] {
	atom := rapid.OneOf(
		rapid.Map(rapid.Bool(), func(b bool) Datum { return b }),
		rapid.Map(rapid.Int64(), func(n int64) Datum { return n }),
		rapid.Map(rapid.Float64(), func(f float64) Datum { return f }),
		rapid.Map(rapid.String(), func(s string) Datum { return s }),
		rapid.Map(rapid.String(), func(s string) Datum { return Symbol(s) }),
		rapid.Map(rapid.String(), func(s string) Datum { return Keyword(s) }),
		rapid.Map(rapid.Rune(), func(r rune) Datum { return Char(r) }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) Datum { return b }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) Datum { return new(big.Int).SetBytes(b) }),
		rapid.Custom(func(t *rapid.T) Datum {
			return big.NewRat(rapid.Int64().Draw(t, "num"), rapid.Int64Range(1, 1<<40).Draw(t, "den"))
		}),
		rapid.Custom(func(t *rapid.T) Datum {
			if rapid.Bool().Draw(t, "exact") {
				return number.Complex{Re: rapid.Int64().Draw(t, "re"), Im: rapid.Int64().Draw(t, "im")}
			}
			return number.Complex{Re: rapid.Float64().Draw(t, "re"), Im: rapid.Float64().Draw(t, "im")}
		}),
		rapid.Just(Datum(Void{})),
		rapid.Map(rapid.String(), func(s string) Datum { return Opaque{s} }),
	)
	var any func(depth int) *rapid.Generator[Datum]
	any = func(depth int) *rapid.Generator[Datum] {
		if depth == 0 {
			return atom
		}
		items := rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[Datum] { return any(depth - 1) }), 0, 5)
		return rapid.OneOf(atom,
			rapid.Map(items, func(d []Datum) Datum { return List(d) }),
			rapid.Map(items, func(d []Datum) Datum { return Vector(d) }),
			rapid.Custom(func(t *rapid.T) Datum {
				table := &Table{Kind: TableKind(rapid.Uint8Range(0, 3).Draw(t, "kind")), Frozen: rapid.Bool().Draw(t, "frozen"), Items: items.Draw(t, "items")}
				table.Items = table.Items[:len(table.Items)&^1]
				return table
			}),
			rapid.Custom(func(t *rapid.T) Datum {
				return &Dotted{Items: items.Draw(t, "items"), Tail: any(depth-1).Draw(t, "tail")}
			}))
	}
	return any(4)
}

func TestCodecIsCanonical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := datum().Draw(t, "a")
		b, err := Encode(a)
		if err != nil {
			t.Fatal(err)
		}
		if err := cbor.Wellformed(b); err != nil {
			t.Fatalf("%x is not CBOR: %v", b, err)
		}
		back, err := Decode(b)
		if err != nil || !Equal(a, back) || Write(a) != Write(back) {
			t.Fatalf("%s came back as %s (%v)", Write(a), Write(back), err)
		}
		again, err := Encode(back)
		if err != nil || !bytes.Equal(b, again) {
			t.Fatalf("%x, then %x (%v)", b, again, err)
		}
		j, err := ToJSON(a)
		if err != nil {
			t.Fatal(err)
		}
		d, err := FromJSON(j)
		if err != nil {
			t.Fatalf("%s: %v", j, err)
		}
		if j2, err := ToJSON(d); err != nil || !bytes.Equal(j, j2) {
			t.Fatalf("%s, then %s (%v)", j, j2, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, s := range samples {
		b, _ := hex.DecodeString(s.cbor)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := Decode(b)
		if err != nil {
			return
		}
		again, err := Encode(d)
		if err != nil || !bytes.Equal(b, again) {
			t.Errorf("%x became %s, which is %x (%v)", b, Write(d), again, err)
		}
		if !Equal(d, d) {
			t.Errorf("%s does not equal itself", Write(d))
		}
	})
}

func FuzzFromJSON(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.json))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := FromJSON(b)
		if err != nil {
			return
		}
		j, err := ToJSON(d)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := FromJSON(j); err != nil {
			t.Errorf("%s became %s: %v", b, j, err)
		} else if j2, err := ToJSON(back); err != nil || !bytes.Equal(j, j2) {
			t.Errorf("%s, then %s (%v)", j, j2, err)
		}
	})
}
