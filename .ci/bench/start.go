package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// buildCaper builds the product's binary.
func buildCaper(folder string) (string, error) {
	caper := filepath.Join(folder, "caper")
	build := exec.Command("go", "build", "-o", caper, ".")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return caper, nil
}

// start compares the whole processes caper eval 1 and guile -c 1, in turn.
func start() error {
	folder, err := os.MkdirTemp("", "caper-start-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	caper, err := buildCaper(folder)
	if err != nil {
		return err
	}
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
	return nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
func ms(d time.Duration) float64       { return float64(d.Microseconds()) / 1000 }
