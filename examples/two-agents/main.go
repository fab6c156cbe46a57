// Command two-agents plays the two programs of this folder with no network and no model of a provider: agents that write and
// review while a person approves, killed and resumed in between, and twenty of them at once.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"caper/runtime/command"
	"caper/runtime/worker/driver/drivertest"
)

func main() {
	as(os.Getenv("TWO_AGENTS"))
	dir, err := os.MkdirTemp("", "two-agents")
	if err == nil {
		err = play(os.Stdout, dir, os.Args[1:], installed())
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "two-agents:", err)
		os.Exit(1)
	}
}

// as makes this program be caper, or a client that is driven.
func as(role string) {
	switch role {
	case "caper":
		os.Exit(command.Main())
	case "client":
		drivertest.Client()
	}
}

// show is what is played: a home, a workspace, and this program under its other names.
type show struct {
	out        io.Writer
	dir, self  string
	here       string // this folder
	environ    []string
	unfinished bool // nobody was killed yet
}

// play shows one program, with real clients, or where there are none with the one of this folder.
func play(out io.Writer, dir string, args []string, clients map[string]string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	here, err := source()
	if err != nil {
		return err
	}
	s := &show{out: out, dir: dir, self: self, here: here, unfinished: true}
	s.environ = append(os.Environ(), "TWO_AGENTS=caper", "CAPER_HOME="+filepath.Join(dir, "home"), "PWD="+filepath.Join(dir, "work"))
	var agents string
	if len(clients) > 0 {
		fmt.Fprintf(out, "The clients are real, and their model is this program's: %v\n", clients)
		var stop func()
		if agents, stop, err = s.reals(clients); err != nil {
			return err
		}
		defer stop()
	} else {
		fmt.Fprintln(out, "No client is installed: a stand-in plays.")
		agents = fmt.Sprintf("claude_code: {executable: %q, env: {TWO_AGENTS: client, SCRIPTED_STATE: %q, SCRIPTED_PLAY: %q}}\n", self, filepath.Join(dir, "state"), filepath.Join(here, "play.txt"))
	}
	for _, folder := range []string{"home", "work", "state"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "home", "agents.yaml"), []byte(agents), 0o600); err != nil {
		return err
	}
	writer, reviewer := "claude_code", "claude_code"
	if clients["codex"] != "" {
		reviewer = "codex"
	}
	if clients["claude_code"] == "" && len(clients) > 0 {
		writer = "codex"
	}
	if len(args) > 0 && args[0] == "fan-out" {
		return s.done(s.caper("run", "--unattended", "--rules", filepath.Join(here, "rules.yaml"), filepath.Join(here, "fan-out.scm"), "--", writer))
	}
	code, err := s.caper("run", "--park", "--rules", filepath.Join(here, "rules.yaml"), filepath.Join(here, "two-agents.scm"), "--", writer, reviewer)
	for err == nil && (code == command.ExitParked || code == killed) {
		if code == command.ExitParked {
			if err := s.approve(); err != nil {
				return err
			}
		}
		code, err = s.caper("resume")
	}
	if err := s.done(code, err); err != nil {
		return err
	}
	return s.done(s.caper("tree"))
}

// source is this folder: where the command is run from, or the tests.
func source() (string, error) {
	for _, dir := range []string{".", "examples/two-agents"} {
		if _, err := os.Stat(filepath.Join(dir, "two-agents.scm")); err == nil {
			return filepath.Abs(dir)
		}
	}
	return "", errors.New("run it from the root of the repository: go run ./examples/two-agents")
}

// killed stands for the exit code of a process that was killed.
const killed = -1

// caper runs a command of caper and shows what it says. The first time that the reviewer is at work, it is killed.
func (s *show) caper(args ...string) (code int, err error) {
	fmt.Fprintf(s.out, "\n$ caper %s\n", strings.ReplaceAll(strings.Join(args, " "), s.here+"/", ""))
	c := exec.Command(s.self, args...)
	c.Dir, c.Env, c.Stdout, c.Stderr = filepath.Join(s.dir, "work"), s.environ, s.out, s.out
	if err := c.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				if exit.ExitCode() == killed {
					fmt.Fprintln(s.out, "(kill -9, while the reviewer is at work)")
				}
				return exit.ExitCode(), nil
			}
			return 0, err
		case <-look.C:
			if _, err := os.Stat(filepath.Join(s.dir, "reviewing")); err == nil && s.unfinished {
				s.unfinished = false
				if err := c.Process.Kill(); err != nil {
					return 0, err
				}
			}
		}
	}
}

func (s *show) done(code int, err error) error {
	if err == nil && code != 0 {
		err = fmt.Errorf("caper ended with exit code %d", code)
	}
	return err
}

// approve says yes to what waits, in the place of a person.
func (s *show) approve() error {
	c := exec.Command(s.self, "approvals", "--json")
	c.Dir, c.Env, c.Stderr = filepath.Join(s.dir, "work"), s.environ, s.out
	text, err := c.Output()
	if err != nil {
		return err
	}
	n := 0
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var a struct{ Call string }
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return err
		}
		if err := s.done(s.caper("approve", a.Call)); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return errors.New("it is parked, and nothing waits")
	}
	return nil
}
