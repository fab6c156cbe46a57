// Package drivertest is a client that speaks as claude does and does what its prompt says, a verb a line: for tests, and for
// demos where no real client is installed. It asks no model.
package drivertest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// The environment of the client.
const (
	// State names a folder in which it keeps what it has still to do, by session, so that another process goes on with it.
	// Without it every session is "session-new", and begins anew.
	State = "SCRIPTED_STATE"
	// Play names a file of scripts, each below a line "# words": the first whose words are in a prompt is what that means.
	Play = "SCRIPTED_PLAY"
	// Alone names a file that a client holds from when it was first told something until it ends. One that finds it held makes
	// a second, with .two behind its name, which says by whom.
	Alone = "SCRIPTED_ALONE"
)

// Left are the command lines of the processes that a driver started, and that are alive, with a text in their environment.
func Left(text string) (all []string) {
	found, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range found {
		env, err := os.ReadFile(path)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if err == nil && len(line) > 0 && bytes.Contains(env, []byte("CAPER_CALL=")) && bytes.Contains(env, []byte(text)) {
			all = append(all, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return all
}

type object = map[string]any

// client is the client at work.
type client struct {
	session string
	state   string
	out     *bufio.Writer
	in      *bufio.Scanner
	calls   int
	last    string // what came of the last call
	failed  string
}

// hold takes the file for this process, and tells of whom it finds there. A process that has ended holds it for a moment yet.
func hold(name string) *os.File {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		return f
	}
	var s syscall.Stat_t
	_ = syscall.Fstat(int(f.Fd()), &s)
	locks, _ := os.ReadFile("/proc/locks")
	for line := range strings.Lines(string(locks)) {
		w := strings.Fields(line)
		if len(w) < 6 || w[1] != "FLOCK" || !strings.HasSuffix(w[5], fmt.Sprintf(":%d", s.Ino)) {
			continue
		}
		if env, err := os.ReadFile("/proc/" + w[4] + "/environ"); err == nil && len(env) > 0 {
			stat, _ := os.ReadFile("/proc/" + w[4] + "/stat")
			_ = os.WriteFile(name+".two", stat, 0o600)
			return f
		}
	}
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	return f
}

// Client is the whole process: it ends with its input.
func Client() {
	c := &client{session: "session-new", state: os.Getenv(State), out: bufio.NewWriter(os.Stdout), in: bufio.NewScanner(os.Stdin)}
	c.in.Buffer(nil, 32<<20)
	var held *os.File
	resumed := false
	if c.state != "" {
		c.session = fmt.Sprintf("session-%d-%d", os.Getpid(), time.Now().UnixNano())
	}
	for _, a := range os.Args {
		if id, ok := strings.CutPrefix(a, "--resume="); ok {
			c.session, resumed = id, true
		}
	}
	for {
		l := c.read()
		if l.Type != "user" {
			continue
		}
		if name := os.Getenv(Alone); name != "" && held == nil {
			held = hold(name) // until the process ends
		}
		left, known := c.remembered()
		if c.session == "session-missing" || resumed && c.state != "" && !known {
			fmt.Fprintln(os.Stderr, "No conversation found")
			os.Exit(1)
		}
		c.say(object{"type": "system", "subtype": "init"})
		lines := left
		if len(lines) == 0 {
			lines = script(l.Message.Content)
		}
		c.failed = ""
		for len(lines) > 0 {
			c.remember(lines)
			c.do(lines[0])
			lines = lines[1:]
		}
		c.remember(nil)
		c.say(object{"type": "result", "subtype": "success", "is_error": c.failed != "", "result": c.failed, "terminal_reason": "completed", "duration_ms": 5, "total_cost_usd": 0.25,
			"usage": object{"input_tokens": 10, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 1, "output_tokens": 7}})
	}
}

// script is what a prompt means.
func script(prompt string) []string {
	if name := os.Getenv(Play); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		for _, part := range strings.Split("\n"+string(text), "\n# ")[1:] {
			words, lines, _ := strings.Cut(part, "\n")
			if strings.Contains(prompt, words) {
				return strings.Split(strings.TrimSpace(lines), "\n")
			}
		}
	}
	return strings.Split(prompt, "\n")
}

func (c *client) remembered() (lines []string, known bool) {
	if c.state == "" {
		return nil, false
	}
	text, err := os.ReadFile(filepath.Join(c.state, c.session))
	if err != nil {
		return nil, false
	}
	_ = json.Unmarshal(text, &lines)
	return lines, true
}

func (c *client) remember(lines []string) {
	if c.state == "" {
		return
	}
	text, _ := json.Marshal(lines)
	if err := os.WriteFile(filepath.Join(c.state, c.session), text, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (c *client) say(v object) {
	v["session_id"] = c.session
	b, _ := json.Marshal(v)
	_, _ = c.out.Write(append(b, '\n'))
	_ = c.out.Flush()
}

func (c *client) block(kind string, b object) {
	c.say(object{"type": kind, "message": object{"content": []any{b}}})
}

func (c *client) text(s string) { c.block("assistant", object{"type": "text", "text": s}) }

type line struct {
	Type     string
	Message  struct{ Content string }
	Response struct {
		Response struct{ Behavior, Message string }
	}
}

func (c *client) read() (l line) {
	if !c.in.Scan() {
		os.Exit(0)
	}
	_ = json.Unmarshal(c.in.Bytes(), &l)
	return l
}

// use asks whether it may use a tool, and does.
func (c *client) use(tool string, input object, do func() (string, error)) {
	c.calls++
	id := fmt.Sprintf("call-%d-%d", os.Getpid(), c.calls)
	c.block("assistant", object{"type": "tool_use", "id": id, "name": tool, "input": input})
	c.say(object{"type": "control_request", "request_id": id, "request": object{"subtype": "can_use_tool", "tool_name": tool, "tool_use_id": id, "input": input}})
	a := c.read().Response.Response
	text, bad := a.Message, true
	if a.Behavior == "allow" {
		var err error
		text, err = do()
		bad = err != nil
	}
	c.last = text
	c.block("user", object{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": bad})
}

func (c *client) do(text string) {
	verb, rest, _ := strings.Cut(text, " ")
	switch verb {
	case "say":
		c.text(rest)
	case "last": // what came of the last call
		c.text(c.last)
	case "big":
		c.text(strings.Repeat("ü", 1<<20))
	case "think":
		c.block("assistant", object{"type": "thinking", "thinking": rest})
	case "run":
		c.use("Bash", object{"command": rest}, func() (string, error) {
			b, err := exec.Command("sh", "-c", rest).CombinedOutput()
			return string(b), err
		})
	case "write":
		path, content, _ := strings.Cut(rest, " ")
		path, _ = filepath.Abs(path)
		c.use("Write", object{"file_path": path, "content": content + "\n"}, func() (string, error) {
			return "written", os.WriteFile(path, []byte(content+"\n"), 0o600)
		})
	case "use":
		c.use(rest, object{"query": "x"}, func() (string, error) { return "used " + rest, nil })
	case "env":
		c.text(strings.Join(os.Environ(), "\n"))
	case "args":
		c.text(strings.Join(os.Args[1:], " "))
	case "orphan": // a child that leaves the group
		child := exec.Command("sleep", "1000")
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		_ = child.Start()
		c.text(fmt.Sprint(child.Process.Pid))
	case "unless": // a file is there
		if name, line, _ := strings.Cut(rest, " "); !exists(name) {
			c.do(line)
		}
	case "touch":
		_ = os.WriteFile(rest, nil, 0o600)
	case "hang":
		time.Sleep(time.Hour)
	case "hang-once": // a process that goes on with the session does not
		if !exists(rest) {
			_ = os.WriteFile(rest, nil, 0o600)
			time.Sleep(time.Hour)
		}
	case "crash":
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(7)
	case "garbage":
		for {
			fmt.Println("\xff\xfe this is no JSON {")
		}
	case "long":
		for range 100 {
			_, _ = os.Stdout.WriteString(strings.Repeat("x", 1<<20))
		}
		time.Sleep(time.Hour)
	case "half":
		fmt.Print(`{"type":"assistant","message":{"con`)
		os.Exit(0)
	case "wrong":
		fmt.Println(`{"type":"result","is_error":"perhaps","usage":[]}`)
		time.Sleep(time.Hour)
	case "nothing":
		os.Exit(0)
	case "error":
		c.failed = rest
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
