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
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
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

func (s *screen) lines() []string {
	s.t.Helper()
	return strings.Split(strings.TrimRight(s.tmux("capture-pane", "-p"), "\n"), "\n")
}

func (s *screen) column() int {
	s.t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(s.tmux("display-message", "-p", "#{cursor_x}")))
	if err != nil {
		s.t.Fatal(err)
	}
	return n
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
	in, out := filepath.Join(s.dir, "in"), filepath.Join(s.dir, "out")
	if err := os.WriteFile(in, []byte(prefixes.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	s.tmux("new-window", "env PATH="+os.Getenv("PATH")+" measure-columns "+in+" "+out)
	s.until("the columns", func() bool { _ = s.tmux("list-windows"); _, err := os.Stat(out); return err == nil })
	columns, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(columns))
	s.until("one window", func() bool { return strings.Count(s.tmux("list-windows"), "\n") == 1 })
	for i, text := range all {
		s.keys(text + "|")
		for n := count[i]; n >= 0; n-- {
			s.keys("\x1b[D")
			s.until(fmt.Sprintf("%q: the cursor after %d of its signs, in column %s", text, n, want[n]), func() bool { return strconv.Itoa(s.column()) == want[n] })
		}
		if want[0] != strconv.Itoa(len(ready)) {
			t.Fatalf("%q begins in column %s", text, want[0])
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

// shown is the input that the last rows of the screen show.
func (s *screen) shown() string {
	l := s.lines()
	for i := len(l) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(l[i], ready); ok {
			text := rest
			for _, row := range l[i+1:] {
				text += strings.TrimPrefix(row, strings.Repeat(" ", len(ready)))
			}
			return text
		}
	}
	return ""
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
