package view

import (
	"testing"
	"time"
)

func TestTerminalStyle(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want Style
	}{
		{"a terminal of today", map[string]string{"TERM": "xterm-256color", "LANG": "de_DE.UTF-8"}, Style{Width: 80, Color: true, Live: true}},
		{"no colour", map[string]string{"NO_COLOR": "1", "LANG": "C.utf8"}, Style{Width: 80, Live: true}},
		{"dumb", map[string]string{"TERM": "dumb", "LANG": "en_GB.UTF-8"}, Style{Width: 80}},
		{"LC_ALL comes first", map[string]string{"LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"}, Style{Width: 80, Color: true, Live: true, ASCII: true}},
		{"then LC_CTYPE", map[string]string{"LC_CTYPE": "C.UTF-8", "LANG": "C"}, Style{Width: 80, Color: true, Live: true}},
		{"no locale at all", nil, Style{Width: 80, Color: true, Live: true, ASCII: true}},
	} {
		if got := TerminalStyle(80, func(n string) string { return c.env[n] }); got != c.want {
			t.Errorf("%s: %+v, wanted %+v", c.name, got, c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1: "0 ms", 0: "0 ms", 99 * time.Microsecond: "<0.1 ms", 300 * time.Microsecond: "0.3 ms", 949 * time.Microsecond: "0.9 ms", 950 * time.Microsecond: "1 ms", 2 * time.Millisecond: "2 ms",
		999 * time.Millisecond: "999 ms", 999500 * time.Microsecond: "1.0 s", 59900 * time.Millisecond: "59.9 s", 59960 * time.Millisecond: "1:00 min",
		61 * time.Second: "1:01 min", 3*time.Hour + 4*time.Minute: "3:04 h", 100 * time.Hour: "4 days",
	} {
		if got := duration(d); got != want {
			t.Errorf("%v is %q, wanted %q", int64(d), got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 KB", 1400: "1.4 KB", 9949: "9.9 KB", 9950: "10 KB", 999_499: "999 KB", 999_500: "1.0 MB", 5_000_000_000_000_000: "5000 TB"} {
		if got := size(n); got != want {
			t.Errorf("%d bytes are %q, wanted %q", n, got, want)
		}
	}
}

func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		text  string
		cells int
		ascii bool
		want  string
	}{
		{"short", 10, false, "short"},
		{"abcdefghijklmnop", 9, false, "abcde…nop"},
		{"abcdefghijklmnop", 9, true, "abcd...op"},
		{"日本語日本語日本語", 9, false, "日本…語"},
		{"x👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 6, false, "x👩‍👩‍👧…👩‍👩‍👧"},
		{"a\x1b[31m", 20, false, `a\x1b;[31m`},
		{"naïve", 20, true, `na\xef;ve`},
		{"e\u0301te\u0301", 20, false, "e\u0301te\u0301"},
		{"", 0, false, ""},
	} {
		s := Style{ASCII: c.ascii}
		if got := s.middle(c.text, c.cells); got != c.want {
			t.Errorf("%q in %d cells: %q, wanted %q", c.text, c.cells, got, c.want)
		}
	}
}

func TestBar(t *testing.T) {
	for _, c := range []struct {
		done, total int
		utf8, ascii string
	}{{0, 40, "          ", "[..........]"}, {31, 40, "███████▊  ", "[#######...]"}, {40, 40, "██████████", "[##########]"}, {0, 0, "          ", "[..........]"}} {
		if got := (Style{}).bar(c.done, c.total, 10); got != c.utf8 {
			t.Errorf("%d/%d: %q", c.done, c.total, got)
		}
		if got := (Style{ASCII: true}).bar(c.done, c.total, 10); got != c.ascii {
			t.Errorf("%d/%d: %q", c.done, c.total, got)
		}
	}
}
