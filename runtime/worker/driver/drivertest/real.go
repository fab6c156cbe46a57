package drivertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Agents names a node_modules folder in which the real clients are.
const Agents = "CAPER_AGENTS"

// Real answers the real client of a type that Agents has, or why there is none.
func Real(kind string) (path string, err error) {
	dir := os.Getenv(Agents)
	if dir == "" {
		return "", fmt.Errorf("npm install @anthropic-ai/claude-code @openai/codex in a folder, and set %s to its node_modules", Agents)
	}
	for _, p := range map[string][]string{
		"claude_code": {".bin/claude", "@anthropic-ai/claude-code-linux-x64/claude"},
		"codex":       {"@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"},
	}[kind] {
		if path := filepath.Join(dir, p); exec.Command(path, "--version").Run() == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s cannot be run from %s, which %s names: npm install it there for this system (linux, x64)", kind, dir, Agents)
}

// Loopback is the environment in which real clients speak with the model at a URL and with nobody else; what they keep is
// below home, which is made.
func Loopback(home, url string) (map[string]string, error) {
	config := fmt.Sprintf(`model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "%s/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[features]
plugins = false
[sandbox_workspace_write]
exclude_slash_tmp = true
`, url)
	for _, folder := range []string{"codex", "tmp"} {
		if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(home, "codex", "config.toml"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	return map[string]string{"HOME": home, "CLAUDE_CONFIG_DIR": filepath.Join(home, ".claude"), "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "sk-dummy",
		"CODEX_HOME": filepath.Join(home, "codex"), "MOCK_KEY": "dummy", "TMPDIR": filepath.Join(home, "tmp"), "CLAUDE_CODE_MAX_RETRIES": "1"}, nil
}
