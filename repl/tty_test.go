package repl

import (
	"bytes"
	"testing"
)

// TestWrittenWhileAsked: what is written while a question waits stands below it, and what was typed goes on behind it.
func TestWrittenWhileAsked(t *testing.T) {
	for typed, want := range map[string]string{
		"":   "allow it? \none\n\x1b7two, \x1b7three\n\x1b7",
		"ye": "allow it? \x1b8\x1b[Kye\none\n\x1b7ye\ntwo, \x1b7ye\nthree\n\x1b7ye",
	} {
		var out bytes.Buffer
		tty := &TTY{out: &out, column0: true}
		_, _ = tty.Write([]byte("allow it? "))
		tty.mode, tty.asked = asking, &question{}
		if typed != "" {
			tty.answer(key{text: typed})
		}
		for _, text := range []string{"one\n", "two, ", "three\n"} {
			_, _ = tty.Write([]byte(text))
		}
		if out.String() != want {
			t.Errorf("typed %q:\ngot  %q\nwant %q", typed, out.String(), want)
		}
	}
}
