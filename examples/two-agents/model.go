package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"caper/runtime/model"
	"caper/runtime/model/modeltest"
	"caper/runtime/worker/driver/drivertest"
)

// installed are the real clients that CAPER_AGENTS or the PATH has, by type.
func installed() map[string]string {
	found := map[string]string{}
	for kind, name := range map[string]string{"claude_code": "claude", "codex": "codex"} {
		path, err := drivertest.Real(kind)
		if err != nil {
			path, err = exec.LookPath(name)
		}
		if err == nil {
			found[kind] = path
		}
	}
	return found
}

// reals is what agents.yaml says of real clients, whose model is ours.
func (s *show) reals(clients map[string]string) (agents string, stop func(), err error) {
	m := &actor{dir: s.dir}
	server := modeltest.New(m.answer)
	env, err := drivertest.Loopback(filepath.Join(s.dir, "clients"), server.URL)
	if err != nil {
		server.Close()
		return "", nil, err
	}
	all := map[string]any{}
	for kind, path := range clients {
		all[kind] = map[string]any{"executable": path, "env": env}
	}
	text, err := json.Marshal(all)
	return string(text), server.Close, err
}

// actor is the model of the real clients: it knows the play of play.txt.
type actor struct {
	dir string

	mu       sync.Mutex
	hesitate bool // it did
}

const draft = "The frog is small, the pond is wide.\n"

var prompts = regexp.MustCompile(`^(Write a poem|A reviewer says|Review poem|Say where you are|You were interrupted)`)

func (m *actor) answer(c modeltest.Call) modeltest.Reply {
	var said, calls strings.Builder
	var last model.Block
	for _, msg := range c.Request.Messages {
		for _, b := range msg.Blocks {
			switch {
			case b.Kind == model.ToolUse:
				calls.Write(b.Input)
			case msg.Role == model.User && (b.Kind == model.ToolResult || prompts.MatchString(b.Text)): // not what the client adds
				last = b
				said.WriteString(b.Text + "\n")
			}
		}
	}
	result := last.Kind == model.ToolResult
	switch story := said.String(); {
	case strings.Contains(story, "Say where you are."):
		if !result {
			return m.run(c, "pwd")
		}
		return modeltest.Say(strings.TrimSpace(last.Text))
	case strings.Contains(story, "Review poem.txt"):
		switch {
		case result && strings.Contains(calls.String(), "grep"):
			if strings.Contains(last.Text, "Approved.") {
				return modeltest.Say("Approved.")
			}
			return modeltest.Say("It has one line only.")
		case !result && !strings.Contains(calls.String(), "cat"):
			return m.run(c, "cat poem.txt")
		case result && m.first(): // it thinks, and its client is killed
			if err := os.WriteFile(filepath.Join(m.dir, "reviewing"), nil, 0o600); err == nil {
				return modeltest.Reply{Answer: modeltest.Say("Hm.").Answer, Hang: 1}
			}
		}
		return m.run(c, "grep -q / poem.txt && echo Approved. || echo 'It has one line only.'")
	case result && !last.Failed:
		return modeltest.Say("I wrote poem.txt.")
	case strings.Contains(story, "A reviewer says"):
		return m.write(c, "The frog is small, the pond is wide; / it leaps, and lands the other side.\n")
	}
	return m.write(c, draft)
}

func (m *actor) first() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.hesitate
	m.hesitate = true
	return !was
}

func (m *actor) use(c modeltest.Call, tool string, input map[string]string) modeltest.Reply {
	text, _ := json.Marshal(input) // texts
	r := modeltest.Use(tool, string(text))
	r.Blocks[0].ID = fmt.Sprintf("call_%d", c.N) // claude leaves out a call whose id it has seen
	return r
}

func (m *actor) run(c modeltest.Call, command string) modeltest.Reply {
	if c.Provider == "anthropic" {
		return m.use(c, "Bash", map[string]string{"command": command})
	}
	return m.use(c, "exec_command", map[string]string{"cmd": command})
}

func (m *actor) write(c modeltest.Call, text string) modeltest.Reply {
	if c.Provider == "anthropic" {
		return m.use(c, "Write", map[string]string{"file_path": filepath.Join(m.dir, "work", "poem.txt"), "content": text})
	}
	how := "Add File: poem.txt"
	if text != draft {
		how = "Update File: poem.txt\n@@\n-" + strings.TrimSuffix(draft, "\n")
	}
	return m.run(c, fmt.Sprintf("apply_patch <<'EOF'\n*** Begin Patch\n*** %s\n+%s*** End Patch\nEOF", how, text))
}
