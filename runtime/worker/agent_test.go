package worker_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is also the scripted agent: it speaks as claude does, and does what it is told.
func TestMain(m *testing.M) {
	switch os.Getenv("SCRIPTED") {
	case "agent":
		scripted()
	case "worker":
		os.Exit(workerProcess())
	}
	os.Exit(m.Run())
}

type object = map[string]any

func scripted() {
	session := "session-new"
	for _, a := range os.Args {
		if id, ok := strings.CutPrefix(a, "--resume="); ok {
			session = id
		}
	}
	out := bufio.NewWriter(os.Stdout)
	say := func(v object) {
		v["session_id"] = session
		b, _ := json.Marshal(v)
		_, _ = out.Write(append(b, '\n'))
		_ = out.Flush()
	}
	block := func(kind string, b object) {
		say(object{"type": kind, "message": object{"content": []any{b}}})
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 32<<20)
	read := func() (l struct {
		Type     string
		Message  struct{ Content string }
		Response struct {
			Response struct{ Behavior, Message string }
		}
	}) {
		if !in.Scan() {
			os.Exit(0)
		}
		_ = json.Unmarshal(in.Bytes(), &l)
		return l
	}
	forever := func() { time.Sleep(time.Hour) }
	n := 0
	for {
		l := read()
		if l.Type != "user" {
			continue
		}
		if session == "session-missing" {
			fmt.Fprintln(os.Stderr, "No conversation found")
			os.Exit(1)
		}
		say(object{"type": "system", "subtype": "init"})
		failed := ""
		for _, line := range strings.Split(l.Message.Content, "\n") {
			verb, rest, _ := strings.Cut(line, " ")
			switch verb {
			case "say":
				block("assistant", object{"type": "text", "text": rest})
			case "big":
				block("assistant", object{"type": "text", "text": strings.Repeat("ü", 1<<20)})
			case "think":
				block("assistant", object{"type": "thinking", "thinking": rest})
			case "run":
				n++
				id := fmt.Sprintf("call-%d-%d", os.Getpid(), n)
				input := object{"command": rest}
				block("assistant", object{"type": "tool_use", "id": id, "name": "Bash", "input": input})
				say(object{"type": "control_request", "request_id": id, "request": object{"subtype": "can_use_tool", "tool_name": "Bash", "tool_use_id": id, "input": input}})
				a := read().Response.Response
				text, bad := a.Message, true
				if a.Behavior == "allow" {
					b, err := exec.Command("sh", "-c", rest).CombinedOutput()
					text, bad = string(b), err != nil
				}
				block("user", object{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": bad})
			case "env":
				block("assistant", object{"type": "text", "text": strings.Join(os.Environ(), "\n")})
			case "args":
				block("assistant", object{"type": "text", "text": strings.Join(os.Args[1:], " ")})
			case "orphan": // a child that leaves the group
				c := exec.Command("sleep", "1000")
				c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
				_ = c.Start()
				block("assistant", object{"type": "text", "text": fmt.Sprint(c.Process.Pid)})
			case "touch":
				_ = os.WriteFile(rest, nil, 0o600)
			case "hang":
				forever()
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
				forever()
			case "half":
				fmt.Print(`{"type":"assistant","message":{"con`)
				os.Exit(0)
			case "wrong":
				fmt.Println(`{"type":"result","is_error":"perhaps","usage":[]}`)
				forever()
			case "nothing":
				os.Exit(0)
			case "error":
				failed = rest
			}
		}
		r := object{"type": "result", "subtype": "success", "is_error": failed != "", "result": failed, "terminal_reason": "completed", "duration_ms": 5, "total_cost_usd": 0.25,
			"usage": object{"input_tokens": 10, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 1, "output_tokens": 7}}
		say(r)
	}
}
