package model

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"
)

//go:embed prices.json
var pricesFile []byte

// Price is what tokens of a model cost: dollars a million, which is micro-dollars each. Input tokens that go into a
// cache cost CacheWrite, those that come from it CacheRead; where these are not said, they cost what others do.
type Price struct {
	Prefix     string   `json:"prefix"` // of the model's name: all of it, or up to a dash, a colon or an at; -5 after it is another model
	Input      float64  `json:"input"`
	Output     float64  `json:"output"`
	CacheRead  *float64 `json:"cache_read,omitempty"`
	CacheWrite *float64 `json:"cache_write,omitempty"`
}

// Prices is a table of them.
type Prices struct {
	Date   string  `json:"date"` // when they were right
	Models []Price `json:"models"`
}

var builtin = sync.OnceValue(func() Prices {
	p, err := ParsePrices("prices.json", pricesFile)
	if err != nil {
		panic(err) // a test reads the file
	}
	return p
})

// DefaultPrices is the table that comes with the program.
func DefaultPrices() Prices { return builtin() }

// ParsePrices reads a table.
func ParsePrices(file string, src []byte) (Prices, error) {
	var p Prices
	d := json.NewDecoder(strings.NewReader(string(src)))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		line := 1 + strings.Count(string(src[:min(int(d.InputOffset()), len(src))]), "\n")
		return Prices{}, fmt.Errorf("%s:%d: %s", file, line, clip(err.Error()))
	}
	for _, m := range p.Models {
		for _, v := range []*float64{&m.Input, &m.Output, m.CacheRead, m.CacheWrite} {
			if v != nil && (*v < 0 || *v > 1e6) {
				return Prices{}, fmt.Errorf("%s: the prices of %q are not dollars a million tokens", file, clip(m.Prefix))
			}
		}
		if m.Prefix == "" {
			return Prices{}, fmt.Errorf("%s: a price has no prefix", file)
		}
	}
	return p, nil
}

// Extend answers a table where more stands before p.
func (p Prices) Extend(more Prices) Prices {
	date := p.Date
	if more.Date != "" {
		date = more.Date
	}
	return Prices{date, append(append([]Price(nil), more.Models...), p.Models...)}
}

// Cost answers what tokens cost in millionths of a dollar, rounded up, and whether the price is known. The longest
// prefix counts, and of equal ones the first.
func (p Prices) Cost(u Usage, model string) (micro int64, known bool) {
	best := Price{}
	for _, m := range p.Models {
		if len(m.Prefix) > len(best.Prefix) && priced(model, m.Prefix) {
			best = m
		}
	}
	if best.Prefix == "" {
		return 0, false
	}
	or := func(v *float64) float64 {
		if v == nil {
			return best.Input
		}
		return *v
	}
	cost := float64(u.Input)*best.Input + float64(u.CacheRead)*or(best.CacheRead) + float64(u.CacheWrite)*or(best.CacheWrite) + float64(u.Output)*best.Output
	return int64(math.Ceil(cost - 1e-6)), true // what floats add is no micro-dollar
}

func priced(model, prefix string) bool {
	rest, ok := strings.CutPrefix(model, prefix)
	if !ok || rest == "" {
		return ok
	}
	digits := len(rest[1:]) - len(strings.TrimLeft(rest[1:], "0123456789"))
	return strings.Contains(":@", rest[:1]) || rest[0] == '-' && (digits == 0 || digits > 2)
}
