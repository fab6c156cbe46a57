package command_test

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"caper/runtime/view"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/term"
)

// measureColumns is a program that prints each line of a file at the beginning of a row, asks the terminal where the
// cursor is then, and writes the columns to another file. So the terminal itself says how wide text is.
func measureColumns() {
	old, err := term.MakeRaw(0)
	if err != nil {
		fail(err)
	}
	defer func() { _ = term.Restore(0, old) }()
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}
	in := bufio.NewReader(os.Stdin)
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		fmt.Printf("\x1b[H\x1b[2J%s\x1b[6n", strings.TrimSuffix(line, "\n"))
		reply, err := in.ReadString('R')
		if err != nil {
			fail(err)
		}
		_, column, _ := strings.Cut(strings.TrimSuffix(reply, "R"), ";")
		n, err := strconv.Atoi(column)
		if err != nil {
			fail(err)
		}
		fmt.Fprintln(&out, n-1)
	}
	if err := os.WriteFile(os.Args[2]+".part", []byte(out.String()), 0o644); err != nil {
		fail(err)
	}
	if err := os.Rename(os.Args[2]+".part", os.Args[2]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// screen is a session in tmux: a terminal whose cells can be looked at.
type screen struct {
	t      *testing.T
	socket string
	dir    string
}

func beginScreen(t *testing.T, columns int, command string) *screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("the screen is looked at in tmux: install it (apt-get install tmux)")
	}
	s := &screen{t: t, dir: t.TempDir()}
	s.socket = filepath.Join(s.dir, "t")
	for _, d := range []string{"home", "work"} {
		if err := os.Mkdir(filepath.Join(s.dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(s.dir, "home")
	t.Cleanup(func() {
		for range 1000 { // Ctrl-C, Ctrl-D, until it is gone: nothing writes into the folder then
			if exec.Command("tmux", "-S", s.socket, "send-keys", "-H", "03", "04").Run() != nil {
				return
			}
		}
		_ = exec.Command("tmux", "-S", s.socket, "kill-server").Run()
	})
	s.tmux("-f", "/dev/null", "-u", "new-session", "-d", "-x", strconv.Itoa(columns), "-y", "30", "-c", filepath.Join(s.dir, "work"),
		"env HOME="+home+" CAPER_HOME="+home+"/caper LC_ALL=C.UTF-8 NO_COLOR=1 PATH="+os.Getenv("PATH")+" "+command)
	return s
}

func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return string(out)
}

// keys sends bytes as they are.
func (s *screen) keys(text string) {
	s.t.Helper()
	args := []string{"send-keys", "-H"}
	for _, b := range []byte(text) {
		args = append(args, hex.EncodeToString([]byte{b}))
	}
	s.tmux(args...)
}

// look is what the terminal shows at one moment, to the last row in which there is something or the cursor. While the REPL paints it hides the cursor.
func (s *screen) look() (lines []string, row, column int, painted bool) {
	s.t.Helper()
	out := s.tmux("display-message", "-p", "#{cursor_y} #{cursor_x} #{cursor_flag}", ";", "capture-pane", "-p")
	where, shown, _ := strings.Cut(out, "\n")
	var flag int
	if _, err := fmt.Sscan(where, &row, &column, &flag); err != nil {
		s.t.Fatal(where, err)
	}
	lines = strings.Split(shown, "\n")
	for len(lines) > row+1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines, row, column, flag == 1
}

func (s *screen) lines() []string { l, _, _, _ := s.look(); return l }

func (s *screen) column() int { _, _, x, _ := s.look(); return x }

// measure answers the columns where the terminal itself is after each of some texts.
func (s *screen) measure(texts []string) []int {
	s.t.Helper()
	in, out := filepath.Join(s.dir, "in"), filepath.Join(s.dir, "out")
	if err := os.WriteFile(in, []byte(strings.Join(texts, "\n")+"\n"), 0o644); err != nil {
		s.t.Fatal(err)
	}
	s.tmux("new-window", "env PATH="+os.Getenv("PATH")+" measure-columns "+in+" "+out)
	s.until("the columns", func() bool { _ = s.tmux("list-windows"); _, err := os.Stat(out); return err == nil })
	text, err := os.ReadFile(out)
	if err != nil {
		s.t.Fatal(err)
	}
	s.until("one window", func() bool { return strings.Count(s.tmux("list-windows"), "\n") == 1 })
	columns := make([]int, len(texts))
	for i, field := range strings.Fields(string(text)) {
		if columns[i], err = strconv.Atoi(field); err != nil {
			s.t.Fatal(err)
		}
	}
	return columns
}

// until looks again and again: each look is a process of its own, so that the terminal gets its turn.
func (s *screen) until(what string, holds func() bool) {
	s.t.Helper()
	for range 1000 {
		if holds() {
			return
		}
	}
	s.t.Fatalf("%s never held; the screen is\n%s\nthe cursor in column %d", what, strings.Join(s.lines(), "\n"), s.column())
}

func (s *screen) prompt() {
	s.t.Helper()
	s.until("an empty prompt", func() bool {
		l := s.lines()
		return strings.TrimRight(l[len(l)-1], " ") == strings.TrimRight(ready, " ") && s.column() == len(ready)
	})
}

// awkward are strings that terminals and tables of widths disagree about.
func awkward(t *testing.T) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../../repl/testdata/strings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		s, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(line, err)
		}
		all = append(all, s)
	}
	return all
}

// TestScreenCursor: after text and a bar, Left puts the cursor on the bar, and each further one a cluster before it: where
// the terminal itself is after the same prefix. And there are as many Lefts as clusters.
func TestScreenCursor(t *testing.T) {
	all := awkward(t)
	if len(all) < 43 {
		t.Fatalf("only %d strings", len(all))
	}
	s := beginScreen(t, 80, "caper")
	s.prompt()
	var prefixes strings.Builder // of each text from nothing to the whole
	count := make([]int, len(all))
	for i, text := range all {
		prefix := ready
		for it := graphemes.FromString(text); it.Next(); count[i]++ {
			fmt.Fprintln(&prefixes, prefix)
			prefix += view.Style{}.Clean(it.Value())
		}
		fmt.Fprintln(&prefixes, prefix)
	}
	want := s.measure(strings.Split(strings.TrimSuffix(prefixes.String(), "\n"), "\n"))
	for i, text := range all {
		s.keys(text + "|")
		for n := count[i]; n >= 0; n-- {
			s.keys("\x1b[D")
			s.until(fmt.Sprintf("%q: the cursor after %d of its signs, in column %d", text, n, want[n]), func() bool { return s.column() == want[n] })
		}
		if want[0] != len(ready) {
			t.Fatalf("%q begins in column %d", text, want[0])
		}
		want = want[count[i]+1:]
		s.keys("\x05")
		s.until(fmt.Sprintf("%q: the text and the bar whole", text), func() bool {
			l := s.lines()
			return strings.HasSuffix(strings.TrimRight(l[len(l)-1], " "), "|")
		})
		s.keys("\x03")
		s.prompt()
	}
}

// inputOf is the input that the last of some lines show, row by row, and the line in which it begins.
func inputOf(lines []string) (rows []string, first int) {
	for i := len(lines) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(lines[i], ready); ok {
			rows = append(rows, rest)
			for _, row := range lines[i+1:] {
				rows = append(rows, strings.TrimPrefix(row, strings.Repeat(" ", len(ready))))
			}
			return rows, i
		}
	}
	return nil, 0
}

// shown is the same in one piece.
func (s *screen) shown() string {
	rows, _ := inputOf(s.lines())
	return strings.Join(rows, "")
}

// TestScreenCursorInRows: in an input of several rows the cursor is after each key where the next sign goes. A bar that is
// typed after each key, and taken away again, shows where that is; how wide what stands before it is in its row, the
// terminal says. Then the same keys alone have to bring the cursor to the same places.
func TestScreenCursorInRows(t *testing.T) {
	s := beginScreen(t, 40, "caper")
	s.prompt()
	const home, end, left, right, wordLeft, wordRight, up, down = "\x01", "\x05", "\x02", "\x06", "\x1bb", "\x1bf", "\x10", "\x0e"
	const backspace, remove, transpose, kill, killWord, yank, newline = "\x7f", "\x1b[3~", "\x14", "\x0b", "\x17", "\x19", "\x1b\r"
	text := strings.Repeat("(λ日本語)(👩‍👩‍👧e\u0301🇨🇭x)(한국-abc)(ﬁ👍🏽)", 2)
	keys := []string{text, newline, text}
	for _, k := range []struct {
		times int
		key   string
	}{
		{7, wordLeft}, {9, left}, {1, remove}, {2, backspace}, {1, transpose}, {1, home}, {25, right}, {4, wordRight},
		{1, end}, {3, left}, {1, up}, {2, right}, {1, down}, {1, "日"}, {1, "e\u0301"}, {3, wordLeft}, {1, killWord}, {1, yank}, {5, left}, {1, kill},
		{1, up}, {1, yank}, {2, backspace}, {4, wordLeft}, {1, "🇨🇭"}, {1, end},
	} {
		for range k.times {
			keys = append(keys, k.key)
		}
	}
	var before []string // the cursor in its row, after each key
	var rows []int      // and which row that is
	for _, key := range keys {
		s.keys(key)
		s.keys("|")
		var in []string
		var at, row int
		s.until(fmt.Sprintf("a bar after %q", key), func() bool {
			lines, _, _, painted := s.look()
			in, _ = inputOf(lines)
			at = strings.Index(strings.Join(in, ""), "|")
			return painted && at >= 0
		})
		s.keys(backspace)
		s.until("no bar", func() bool {
			lines, y, _, painted := s.look()
			rows, first := inputOf(lines)
			in, row = rows, y-first
			return painted && !strings.Contains(strings.Join(in, ""), "|")
		})
		for _, r := range in[:row] {
			at -= len(r)
		}
		if at < 0 || at > len(in[row]) {
			t.Fatalf("after %q the next sign goes %d bytes into the row %q of %q", key, at, in[row], in)
		}
		before, rows = append(before, ready+in[row][:at]), append(rows, row)
	}
	if last := rows[len(rows)-1]; last < 3 {
		t.Fatalf("only %d rows", last+1)
	}
	want := s.measure(before)
	s.keys("\x03")
	s.prompt()
	for i, key := range keys {
		s.keys(key)
		s.until(fmt.Sprintf("after %q (key %d) the cursor in row %d, column %d", key, i, rows[i], want[i]), func() bool {
			lines, y, x, painted := s.look()
			_, first := inputOf(lines)
			return painted && y-first == rows[i] && x == want[i]
		})
	}
}

// TestScreenWidths: long lines are broken as the width asks, also when it changes.
func TestScreenWidths(t *testing.T) {
	s := beginScreen(t, 100, "caper")
	s.prompt()
	s.keys("(list 'above)\r")
	s.prompt()
	text := "\"" + strings.Repeat("λx日本語👩‍👩‍👧e\u0301-", 15) + strings.Repeat("abcdefghi-", 12) + "\""
	s.keys(text)
	for _, columns := range []int{100, 40, 100, 57, 40, 300, 100} {
		s.tmux("resize-window", "-x", strconv.Itoa(columns), "-y", "30")
		s.until(fmt.Sprintf("the whole text in %d columns", columns), func() bool { return s.shown() == text })
		s.keys("z\x7f")
		s.until("the same after a key", func() bool { return s.shown() == text })
		s.until("the cursor behind the text", func() bool { // whose last row has signs of one column only
			l := s.lines()
			return s.column() == len(strings.TrimRight(l[len(l)-1], " "))
		})
	}
}

// TestScreenPaste: a paste of 500 lines goes through the terminal's own brackets; a viewport shows its end.
func TestScreenPaste(t *testing.T) {
	s := beginScreen(t, 80, "caper --policy yolo")
	s.prompt()
	var text strings.Builder
	text.WriteString("(define pasted '(\n")
	for i := range 500 {
		fmt.Fprintf(&text, "\tline-%d \"λ 日本\"\n", i)
	}
	text.WriteString("))")
	file := filepath.Join(s.dir, "paste")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	s.tmux("load-buffer", file)
	s.tmux("paste-buffer", "-p")
	s.until("the end of the paste", func() bool { l := s.lines(); return strings.TrimSpace(l[len(l)-1]) == "))" })
	s.keys("\r")
	s.prompt()
	s.keys("(list (length pasted) (list-ref pasted 998))\r")
	s.until("its value", func() bool { return strings.Contains(strings.Join(s.lines(), "\n"), "(1000 line-499)") })
}
