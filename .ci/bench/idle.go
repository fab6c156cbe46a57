package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// idle prints what a process that owns its store keeps resident while its program waits, after one call and after 100,000.
func idle(folder, caper string) error {
	for _, mode := range []string{"fast", "sync"} {
		for _, calls := range []int{1, 100_000} {
			rss, err := idleAfter(caper, folder, mode, calls)
			if err != nil {
				return err
			}
			fmt.Printf("%-44s %9.1f MiB\n", fmt.Sprintf("%s, resident, idle after %d calls", mode, calls), rss)
		}
	}
	return nil
}

func idleAfter(caper, folder, mode string, calls int) (float64, error) {
	work := filepath.Join(folder, fmt.Sprint(mode, calls))
	if err := os.Mkdir(work, 0o755); err != nil {
		return 0, err
	}
	program := fmt.Sprintf(`(let loop ((i 0)) (when (< i %d) (read-file "program.scm") (loop (+ i 1))))
(display "made") (newline) (flush-output-port) (sleep 3600)`, calls)
	if err := os.WriteFile(filepath.Join(work, "program.scm"), []byte(program), 0o644); err != nil {
		return 0, err
	}
	c := exec.Command(caper, "run", "--durability", mode, "program.scm")
	c.Dir, c.Env, c.Stderr = work, append(os.Environ(), "CAPER_HOME="+filepath.Join(work, "home")), os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := c.Start(); err != nil {
		return 0, err
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "made\n" {
		return 0, fmt.Errorf("the program wrote %q: %v", line, err)
	}
	time.Sleep(35 * time.Second) // the store lets go of what it kept for speed
	return resident(c.Process.Pid)
}

func resident(pid int) (float64, error) {
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		var kb float64
		if n, _ := fmt.Sscanf(lines.Text(), "VmRSS: %f kB", &kb); n == 1 {
			return kb / 1024, nil
		}
	}
	return 0, fmt.Errorf("process %d shows no VmRSS", pid)
}
