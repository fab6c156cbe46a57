// Package time holds pure helpers on dates: from seconds since 1970 to fields and text, and back. The clock is the
// host's; nothing here reads it. Only package builtins imports it.
package time

import (
	"fmt"
	"math"
	"strings"
	"time"

	"caper/interp/heap"
	"caper/interp/prim"
)

// Prims are the rows of this room.
func Prims() []prim.Prim {
	return []prim.Prim{
		prim.Row("seconds->date-fields", 1, 2, "seconds [offset]", "Year, month, day, hour, minute, second, week day (0 = Sunday), day of the year, in a vector; offset is seconds east of UTC.", fields),
		prim.Row("date-fields->seconds", 3, 7, "year month day [hour minute second [offset]]", "Seconds since 1970.", seconds),
		prim.Row("format-time", 2, 3, "template seconds [offset]", "The template with %Y %m %d %H %M %S %y %e %j %a %A %b %B %p %I %F %T %s %z %% filled in.", format),
		prim.Row("parse-time", 2, 2, "template text", "The seconds since 1970 (UTC) that a text stands for, by a template as of format-time, or #f.", parse),
		prim.Row("date->julian-day-number", 3, 3, "year month day", "The number of the day as astronomers count.", julian),
	}
}

const (
	minSeconds = -62135596800 // the year 1
	maxSeconds = 253402300799 // the year 9999
)

// moment reads seconds at argument i and an offset at argument j.
func moment(c *prim.Ctx, a []heap.Word, i, j int) (t time.Time, ok bool) {
	n, isNumber := c.Number(a[i])
	var s float64
	switch n := n.(type) {
	case int64:
		s = float64(n)
	case float64:
		s = math.Floor(n)
	default:
		isNumber = false
	}
	if !isNumber || !(s >= minSeconds && s <= maxSeconds) {
		c.WrongType(a, i, "seconds since 1970, between the years 1 and 9999")
		return t, false
	}
	offset := 0
	if prim.Given(a, j) {
		if offset, ok = c.Index(a, j, -86400, 86400); !ok {
			return t, false
		}
	}
	return time.Unix(int64(s), 0).In(time.FixedZone("", offset)), true
}

func fields(c *prim.Ctx, a []heap.Word) heap.Word {
	t, ok := moment(c, a, 0, 1)
	if !ok {
		return heap.Raised
	}
	var out []heap.Word
	for _, n := range []int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), int(t.Weekday()), t.YearDay()} {
		out = append(out, heap.Fixnum(int64(n)))
	}
	return c.NewOf(heap.KindVector, out...)
}

func seconds(c *prim.Ctx, a []heap.Word) heap.Word {
	v := [7]int{}
	limits := [7][2]int{{1, 9999}, {1, 12}, {1, 31}, {0, 24}, {0, 59}, {0, 60}, {-86400, 86400}}
	for i := range a {
		var ok bool
		if v[i], ok = c.Index(a, i, limits[i][0], limits[i][1]); !ok {
			return heap.Raised
		}
	}
	t := time.Date(v[0], time.Month(v[1]), v[2], v[3], v[4], v[5], 0, time.UTC)
	if t.Day() != v[2] && v[3] < 24 {
		return c.Fail("range-error", fmt.Sprintf("%s: the month has no day %d", c.Prim.Name, v[2]), a[2])
	}
	return heap.Fixnum(t.Unix() - int64(v[6]))
}

// layouts gives Go's layout for each conversion character.
var layouts = map[byte]string{
	'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'y': "06", 'e': "_2", 'j': "002", 'a': "Mon", 'A': "Monday",
	'b': "Jan", 'B': "January", 'p': "PM", 'I': "03", 'F': "2006-01-02", 'T': "15:04:05", 'D': "01/02/06", 'R': "15:04", 'z': "-0700", 'n': "\n", 't': "\t",
}

func format(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) {
		return heap.Raised
	}
	t, ok := moment(c, a, 1, 2)
	if !ok {
		return heap.Raised
	}
	template := c.Text(a[0])
	if !c.Room(uint64(len(template)) * 8) {
		return c.TooLarge("the text")
	}
	var out strings.Builder
	for i := 0; i < len(template); i++ {
		if template[i] != '%' || i+1 == len(template) {
			out.WriteByte(template[i])
			continue
		}
		i++
		switch d := template[i]; {
		case d == '%':
			out.WriteByte('%')
		case d == 's':
			fmt.Fprint(&out, t.Unix())
		case layouts[d] != "":
			out.WriteString(t.Format(layouts[d]))
		default:
			return c.Fail("range-error", fmt.Sprintf("%s: unknown conversion %%%c", c.Prim.Name, d), a[0])
		}
	}
	return c.NewString(out.String())
}

func parse(c *prim.Ctx, a []heap.Word) heap.Word {
	if !c.String(a, 0) || !c.String(a, 1) {
		return heap.Raised
	}
	template, text := c.Text(a[0]), c.Text(a[1])
	c.Charge(uint64(len(template)+len(text)) / 4)
	var layout strings.Builder
	for i := 0; i < len(template); i++ {
		if template[i] == '%' && i+1 < len(template) && layouts[template[i+1]] != "" {
			i++
			layout.WriteString(layouts[template[i]])
			continue
		}
		layout.WriteByte(template[i])
	}
	t, err := time.Parse(layout.String(), text)
	if err != nil || t.Unix() < minSeconds || t.Unix() > maxSeconds {
		return heap.False
	}
	return heap.Fixnum(t.Unix())
}

func julian(c *prim.Ctx, a []heap.Word) heap.Word {
	w := seconds(c, a)
	if w == heap.Raised {
		return w
	}
	days := math.Floor(float64(heap.FixnumValue(w)) / 86400)
	return heap.Fixnum(int64(days) + 2440588)
}
