package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/creack/pty"
)

// withCaper builds the product's binary in a new folder, which goes when use is done.
func withCaper(use func(folder, caper string) error) error {
	folder, err := os.MkdirTemp("", "caper-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	caper := filepath.Join(folder, "caper")
	build := exec.Command("go", "build", "-o", caper, ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return use(folder, caper)
}

// prompted is how long a program at a terminal takes until it shows its prompt.
func prompted(home, prompt, program string, args ...string) (time.Duration, error) {
	c := exec.Command(program, args...)
	c.Dir, c.Env = home, append(os.Environ(), "CAPER_HOME="+home, "HOME="+home, "TERM=xterm")
	begin := time.Now()
	tty, err := pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		return 0, err
	}
	defer func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		tty.Close()
	}()
	var shown []byte
	for b := make([]byte, 4096); ; {
		n, err := tty.Read(b)
		if shown = append(shown, b[:n]...); bytes.Contains(shown, []byte(prompt)) {
			return time.Since(begin), nil
		}
		if err != nil {
			return 0, fmt.Errorf("%s ended without its prompt: %w\n%s", program, err, shown)
		}
	}
}

// prompts compares the first prompts of caper and guile, in turn.
func prompts(folder, caper string, runs int) error {
	var took [2][]time.Duration
	for i := range runs + 1 {
		for k, of := range [][2]string{{caper, "caper> "}, {"guile", "scheme@(guile-user)> "}} {
			t, err := prompted(folder, of[1], of[0])
			if err != nil {
				return err
			}
			if i > 0 {
				took[k] = append(took[k], t)
			}
		}
	}
	a, b := median(took[0]), median(took[1])
	fmt.Printf("first prompt: caper %.1f ms, guile %.1f ms, %+.1f (medians; at most 10 more is wanted)\n", ms(a), ms(b), ms(a)-ms(b))
	return nil
}

// start compares the whole processes caper eval 1 and guile -c 1, in turn, and their first prompts.
func start(folder, caper string) error {
	const runs = 21
	var used, took [2][]time.Duration
	for i := range runs + 1 {
		for k, argv := range [][]string{{caper, "eval", "1"}, {"guile", "-c", "1"}} {
			c := exec.Command(argv[0], argv[1:]...)
			c.Env = append(os.Environ(), "CAPER_HOME="+filepath.Join(folder, "home"))
			begin := time.Now()
			if err := c.Run(); err != nil {
				return fmt.Errorf("%v: %w", argv, err)
			}
			if i > 0 { // the first one warms up
				took[k] = append(took[k], time.Since(begin))
				used[k] = append(used[k], c.ProcessState.UserTime()+c.ProcessState.SystemTime())
			}
		}
	}
	for _, row := range []struct {
		what  string
		times [2][]time.Duration
	}{{"processor", used}, {"elapsed", took}} {
		a, b := row.times[0], row.times[1]
		fmt.Printf("caper eval 1 to guile -c 1, %-10s median %.2f (%.1f to %.1f ms), minimum %.2f (%.1f to %.1f ms)\n", row.what+":",
			ratio(median(a), median(b)), ms(median(a)), ms(median(b)), ratio(slices.Min(a), slices.Min(b)), ms(slices.Min(a)), ms(slices.Min(b)))
	}
	return prompts(folder, caper, runs)
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
func ms(d time.Duration) float64       { return float64(d.Microseconds()) / 1000 }
