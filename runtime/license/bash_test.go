package license

import (
	"context"
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// These tests hold the reading of a command line against a real bash: on texts made of whatever shells read in odd
// ways, every word and every command that bash arrives at must be among those that were judged, or the reading must
// have said that it cannot know. Bash runs with a PATH that holds nothing, in an empty folder.

const bashTexts = 500

func needBash(t *testing.T) string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("compares with bash: install it (apt-get install bash)")
	}
	if testing.Short() {
		t.Skip("runs bash some thousand times: run without -short")
	}
	return bash
}

func made(r *rand.Rand, parts []string, most int) string {
	var b strings.Builder
	for range 1 + r.Intn(most) {
		b.WriteString(parts[r.Intn(len(parts))])
	}
	return b.String()
}

func TestWordsAsBashReadsThem(t *testing.T) {
	bash, dir := needBash(t), t.TempDir()
	r := rand.New(rand.NewSource(1))
	parts := []string{"a", "b", "'", `"`, `\`, "{", "}", ",", "~", "/", "$", "!", "#", "=", ":", "]", "-", " ", "x", "$'", `\x41`, `\101`, `\n`,
		"..", "1", "^", "%", "@", "+", "\n", "é", "\t", `$"`, "{a,b}", "~a"}
	compared := 0
	for range bashTexts {
		text := made(r, parts, 9)
		src := `printf '%s\0' X ` + text
		cmd := exec.Command(bash, "--norc", "-c", src)
		cmd.Dir, cmd.Env = dir, []string{"HOME=/hh", "PATH=/nonexistent"}
		out, err := cmd.Output()
		sh := Analyse(src, ShellEnv{Cwd: dir, Home: "/hh", Vars: map[string]string{"HOME": "/hh"}})
		if err != nil || len(sh.Hard) > 0 {
			continue
		}
		var ours []string
		known := true
		for _, w := range sh.Commands[0].Words[2:] {
			known = known && w.Known && !w.Glob
			ours = append(ours, w.Text)
		}
		theirs := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		if known && !slices.Equal(ours, theirs) {
			t.Errorf("%q: bash has %q, read as %q", text, theirs, ours)
		}
		compared++
	}
	t.Logf("%d texts compared", compared)
}

func TestCommandsAsBashFindsThem(t *testing.T) {
	bash, dir := needBash(t), t.TempDir()
	r := rand.New(rand.NewSource(2))
	parts := []string{"a", "b", " a ", " b ", "'", `"`, `\`, "\\\n", " # ", "#\\\n", "{ ", "; }", ";", " && ", " || ", " | ", " & ", "(", ")", "$(", "`", " > x",
		" < x", " <<< a", "<<E\n", "<<'E'\n", "\nE\n", "\n", " if ", " then ", "; fi ", " for i in ", "; do ", "; done", "case a in ", "a)", ";;", " esac", "! ",
		"a()", "<(", ">(", "$((", "))", "[[ ", " ]] ", "${a:-", "}", "eval ", "a=1 ", "time ", "coproc ", "exec ", "command ", "trap a EXIT", " 2>&1 ", "{a,b}", `$'\x61'`, "&>x", "|&", "sh -c ", "builtin ", "+="}
	// Nothing is found, so bash hands every command to this, which notes it.
	const note = `command_not_found_handle(){ local line=CMD; while [ $# -gt 0 ]; do line="$line"$'\1'"$1"; shift; done; printf '%s\2' "$line" >&9; }` + "\n"
	ran := 0
	for range bashTexts {
		text := made(r, parts, 12)
		work, err := os.MkdirTemp(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		log := work + ".log" // its own: what an earlier text left running may still write
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		cmd := exec.CommandContext(ctx, bash, "--norc", "-c", "exec 9>"+log+"\n"+note+"cd "+work+"\n"+text)
		cmd.Env, cmd.WaitDelay = []string{"HOME=/hh", "PATH=/nonexistent"}, time.Second
		_ = cmd.Run() // it may well fail; what it ran is in the log
		cancel()
		out, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		sh := Analyse(text, ShellEnv{Cwd: work, Home: "/hh"})
		if len(sh.Hard) > 0 {
			continue
		}
		for _, line := range strings.Split(string(out), "\x02") {
			if argv := strings.Split(strings.TrimPrefix(line, "CMD\x01"), "\x01"); line != "" {
				ran++
				if !judged(sh, argv) {
					t.Errorf("%q: bash ran %q, which was not judged", text, argv)
				}
			}
		}
	}
	t.Logf("%d commands ran", ran)
}

// judged: the command is among those read, word for word, or with words that are said not to be known.
func judged(sh *Shell, argv []string) bool {
	for _, c := range sh.Commands {
		var words []string
		open := c.Open
		for _, w := range c.Words {
			open = open || !w.Known || w.Glob
			words = append(words, w.Text)
		}
		if slices.Equal(words, argv) || open && len(words) > 0 && words[0] == argv[0] {
			return true
		}
	}
	return false
}
