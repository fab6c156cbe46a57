package command

import "testing"

func TestTame(t *testing.T) {
	for give, want := range map[string]string{
		"plain\n":                     "plain\n",
		"größer\t✓":                   "größer\t✓",
		"\x1b[31mred\x1b[0m":          "\x1b[31mred\x1b[0m",
		"\x1b[1;38;5;200mx\x1b[m":     "\x1b[1;38;5;200mx\x1b[m",
		"\x1b[2J\x1b[Hallow it? y/n ": `\x1b;[2J\x1b;[Hallow it? y/n `,
		"\x1b[8mhidden":               `\x1b;[8mhidden`,
		"\x1b[1;08mhidden":            `\x1b;[1;08mhidden`,
		"safe\rEVIL":                  `safe\xd;EVIL`,
		"dos\r\n":                     "dos\n",
		"\x1b]52;c;AAAA\x07":          `\x1b;]52;c;AAAA\x7;`,
		"\x1b[6n":                     `\x1b;[6n`,
		"\x9b2J":                      `\x9b;2J`,
		"\u009b2J":                    `\x9b;2J`,
		"a\u202eb":                    `a\x202e;b`,
		"\x1b(0":                      `\x1b;(0`,
		"\x1b[31":                     `\x1b;[31`,
		"back\b":                      `back\x8;`,
	} {
		if got := string(tame([]byte(give))); got != want {
			t.Errorf("%q: %q, want %q", give, got, want)
		}
	}
}

func TestCurtain(t *testing.T) {
	var c curtain
	shown := ""
	show := func(b []byte) error { shown += string(b); return nil }
	_ = c.pass([]byte("a"), show)
	open := c.close()
	_ = c.pass([]byte("b"), show)
	_ = c.pass([]byte("c"), show)
	if shown != "a" {
		t.Errorf("while a question stands: %q", shown)
	}
	open()
	_ = c.pass([]byte("d"), show)
	if shown != "abcd" {
		t.Errorf("afterwards: %q", shown)
	}
}

// TestUnescaped: what an agent asks for is shown as it will be, and stays the same JSON.
func TestUnescaped(t *testing.T) {
	for text, want := range map[string]string{
		`{"command":"a \u003e b \u0026\u0026 c \u003C d"}`: `{"command":"a > b && c < d"}`,
		`"\\u003e \u001b[2J \" \\\u0026"`:                  `"\\u003e \u001b[2J \" \\&"`,
		`"\`:                                               `"\`,
	} {
		if got := unescaped(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
