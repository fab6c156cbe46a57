package repl

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// keysOf takes bytes apart that come in pieces of so many bytes.
func keysOf(text string, size int) (all []string, rest int) {
	var pending []byte
	for i := 0; i < len(text); i += size {
		pending = append(pending, text[i:min(i+size, len(text))]...)
		for {
			k, n := next(pending)
			if n == 0 {
				break
			}
			pending = pending[n:]
			switch {
			case k.name == "":
				all = append(all, "+"+k.text)
			case k.name == "paste":
				all = append(all, "paste+"+k.text)
			default:
				all = append(all, k.name)
			}
		}
	}
	return all, len(pending)
}

func TestKeys(t *testing.T) {
	for _, c := range []struct{ name, bytes, want string }{
		{"text", "ab", "+ab"},
		{"what is beyond ASCII", "λ日é👩‍👩‍👧", "+λ日é👩‍👩‍👧"},
		{"text and Enter", "(f)\r", "+(f) enter"},
		{"arrows, both ways", "\x1b[A\x1bOB\x1b[C\x1b[D", "up down right left"},
		{"with shift, which means nothing", "\x1b[1;2C", "unknown"},
		{"with control", "\x1b[1;5C\x1b[1;5D", "word-right word-left"},
		{"home and end, all ways", "\x1b[H\x1b[1~\x1bOF\x1b[4~\x01\x05", "home home end end home end"},
		{"a focus event", "\x1b[I\x1b[O", "unknown unknown"},
		{"a report of the cursor", "\x1b[12;40R", "unknown"},
		{"an answer about colours", "\x1b]11;rgb:0000/0000/0000\x07x", "unknown +x"},
		{"Alt", "\x1bf\x1b\r", "word-right newline"},
		{"a function key of the Linux console", "\x1b[[A", "unknown"},
		{"ESC ESC", "\x1b\x1b[A", "unknown up"},
		{"a paste", "\x1b[200~a\r\nb\tc\rd\x1b[201~\r", "paste+a\nb\tc\nd enter"},
		{"a paste that holds controls", "\x1b[200~a\x03\x1b[A\x07b\x1b[201~", "paste+a[Ab"},
		{"a paste of nothing", "\x1b[200~\x1b[201~", "paste+"},
		{"Ctrl-C in the middle of a sequence", "\x1b[1;\x03", "unknown interrupt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for size := 1; size <= len(c.bytes); size++ {
				got, rest := keysOf(c.bytes, size)
				// Text that comes in pieces is inserted in pieces.
				text := strings.ReplaceAll(strings.Join(got, " "), " +", "")
				want := strings.ReplaceAll(c.want, " +", "")
				if text != want || rest != 0 {
					t.Errorf("in pieces of %d: %q and %d bytes, want %q", size, text, rest, want)
				}
			}
		})
	}
}

func TestInterruptedIsTypedNotPasted(t *testing.T) {
	for text, want := range map[string]int{
		"": -1, "abc": -1, "abc\x03": 4, "\x03a\x03b": 3, "\x1b[200~\x03\x1b[201~": -1, "\x1b[200~\x03\x1b[201~\x03": 14, "\x1b[200~\x03": -1, "\x1b[\x03": 3, "\x1b\x03": 2,
	} {
		if got := interrupted([]byte(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func FuzzKeys(f *testing.F) {
	for _, s := range []string{"a", "\x1b[A", "\x1b[200~x\x1b[201~", "\x1b]0;x\x07", "\xff\xfe", "é\x1b", "\x1b[1;\x03"} {
		f.Add(s, 1)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		text = text[:min(len(text), 1000)] // each piece is drawn, and there may be one for each byte
		e := editor{prompt: prompt}
		e.reset()
		e.screen.width, e.screen.height = 10, 5
		pending := []byte{}
		size = max(1, size%7)
		for i := 0; i < len(text); i += size {
			pending = append(pending, text[i:min(i+size, len(text))]...)
			interrupted(pending)
			for {
				k, n := next(pending)
				if n == 0 {
					break
				}
				pending = pending[n:]
				if !utf8.ValidString(k.text) || strings.ContainsAny(k.text, "\x1b\x03\r\x7f") {
					t.Fatalf("%q became text", k.text)
				}
				e.edit(k)
				if e.at < 0 || e.at > len(e.text) || e.at != e.boundary(e.at) {
					t.Fatalf("the cursor is at %d of %q, inside a sign", e.at, e.text)
				}
				p := e.screen.clip(e.picture(), e.status)
				if p.at >= len(p.rows) || !strings.HasPrefix(p.rows[p.at], p.before) {
					t.Fatalf("the cursor stands in row %d after %q, of %q", p.at, p.before, p.rows)
				}
				e.screen.paint(p)
			}
		}
	})
}

func ExampleReference() {
	fmt.Println(strings.Count(Reference(), "\n") == len(commands))
	// Output: true
}
