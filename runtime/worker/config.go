package worker

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"caper/runtime/worker/driver"
	"caper/runtime/worker/wire"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// JobType is the one kind of section that there is.
const JobType = "session_agent_harness"

// maxConfig bounds a file of ours, in bytes.
const maxConfig = 256 << 10

// Config is config.yaml.
type Config struct {
	Wire    string `yaml:"wire"` // the folder that holds the sessions, each a folder by its session_id
	Polling struct {
		Idle    int `yaml:"interval_idle_ms"`
		Active  int `yaml:"interval_active_ms"`
		Backoff int `yaml:"backoff_max_ms"`
	} `yaml:"polling"`
	Concurrency struct {
		MaxAgents int `yaml:"max_agents"`
	} `yaml:"concurrency"`
	Agents   map[string]AgentConfig `yaml:"agents"`
	Sections []Section              `yaml:"sections"`
}

// AgentConfig is what a worker says of the agents of one type.
type AgentConfig struct {
	wire.AgentSettings `yaml:",inline"`
	// Env are variables that the agent gets, Inherit names those that it gets of ours, Credentials is a file of more, for
	// the eyes of its owner only. It gets no others but PATH, HOME and their kind.
	Env         map[string]string `yaml:"env"`
	Inherit     []string          `yaml:"inherit"`
	Credentials string            `yaml:"credentials"`
	SilenceMs   int               `yaml:"silence_ms"` // how long a turn may go without a word
	GraceMs     int               `yaml:"grace_ms"`   // between TERM and KILL
}

// Section is one session to work on.
type Section struct {
	Name    string  `yaml:"name"`
	JobType string  `yaml:"job_type"`
	Session Session `yaml:"session"`
}

// Session names a session. On a folder only SessionID says where it is.
type Session struct {
	OrgID      string `yaml:"org_id"`
	BlobID     string `yaml:"blob_id"`
	RevisionID string `yaml:"revision_id"`
	SessionID  string `yaml:"session_id"`
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// LoadConfig reads and checks config.yaml.
func LoadConfig(path string) (*Config, error) {
	c := &Config{}
	c.Polling.Idle, c.Polling.Active, c.Polling.Backoff, c.Concurrency.MaxAgents = 1500, 3000, 30000, 4
	if err := readYAML(path, c); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fail(InvalidConfig, "there is no %s; caper help worker shows one", path)
		}
		return nil, fail(InvalidConfig, "%s: %v", path, err)
	}
	for name, n := range map[string]int{"polling.interval_idle_ms": c.Polling.Idle, "polling.interval_active_ms": c.Polling.Active,
		"polling.backoff_max_ms": c.Polling.Backoff, "concurrency.max_agents": c.Concurrency.MaxAgents} {
		if n < 1 || n > 1<<30 {
			return nil, fail(InvalidConfig, "%s: %s is a positive number, found %d", path, name, n)
		}
	}
	if !filepath.IsAbs(c.Wire) {
		return nil, fail(InvalidConfig, "%s: wire is the absolute path of the folder of sessions, found %q", path, c.Wire)
	}
	if len(c.Sections) == 0 {
		return nil, fail(InvalidConfig, "%s: sections are missing", path)
	}
	targets := map[Session]string{}
	for i, s := range c.Sections {
		switch {
		case s.JobType != JobType:
			return nil, fail(UnknownJobType, "%s: section %d has the job_type %q; there is %s", path, i+1, s.JobType, JobType)
		case s.Session.SessionID == "":
			return nil, fail(MissingSessionKeys, "%s: section %d has no session.session_id", path, i+1)
		case wire.CheckAlias(s.Session.SessionID) != nil:
			return nil, fail(InvalidConfig, "%s: section %d: the session_id names no folder: %q", path, i+1, s.Session.SessionID)
		}
		target := Session{SessionID: s.Session.SessionID}
		if other, ok := targets[target]; ok {
			return nil, fail(DuplicateSection, "%s: the sections %q and %q name one session", path, other, s.Name)
		}
		targets[target] = s.Name
	}
	return c, nil
}

// readYAML reads a file of ours: small, of known members, and without aliases, which could grow without bound.
func readYAML(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return err
	}
	if len(b) > maxConfig {
		return fmt.Errorf("it is larger than %d bytes", maxConfig)
	}
	for _, t := range lexer.Tokenize(string(b)) {
		if t.Type == token.AnchorType || t.Type == token.AliasType {
			return fmt.Errorf("line %d: anchors and aliases are not read", t.Position.Line)
		}
	}
	return yaml.UnmarshalWithOptions(b, into, yaml.DisallowUnknownField())
}

// kept are the variables that an agent gets of ours without being named: none of them is a credential.
var kept = map[string]bool{"PATH": true, "HOME": true, "USER": true, "LOGNAME": true, "SHELL": true, "LANG": true, "TZ": true, "TERM": true, "TMPDIR": true}

// environ is what agents of this type get.
func (a AgentConfig) environ(ours []string) ([]string, error) {
	keep := map[string]bool{}
	for _, name := range a.Inherit {
		keep[name] = true
	}
	var out []string
	for _, v := range ours {
		name, _, _ := strings.Cut(v, "=")
		if kept[name] || keep[name] || strings.HasPrefix(name, "LC_") {
			out = append(out, v)
		}
	}
	for name, value := range a.Env {
		out = append(out, name+"="+value)
	}
	if a.Credentials == "" {
		return out, nil
	}
	info, err := os.Stat(a.Credentials)
	switch {
	case err != nil:
		return nil, fail(CredentialsNotFound, "the credentials %s: %v", a.Credentials, err)
	case info.Mode().Perm()&0o077 != 0:
		return nil, fail(InsecureCredentials, "%s can be read by others (%v): chmod 600 it", a.Credentials, info.Mode().Perm())
	}
	secrets := map[string]string{}
	if err := readYAML(a.Credentials, &secrets); err != nil {
		return nil, fail(CredentialsNotFound, "the credentials %s: %v", a.Credentials, err)
	}
	for name, value := range secrets {
		out = append(out, name+"="+value)
	}
	return out, nil
}

// LoadAgents reads the file that says of each type of clients how programs drive them; there need be none.
func LoadAgents(path string) (map[string]AgentConfig, error) {
	all := map[string]AgentConfig{}
	if err := readYAML(path, &all); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fail(InvalidConfig, "%s: %v", path, err)
	}
	for name, a := range all {
		switch {
		case name == "caper" || executables[name] == "":
			return nil, fail(InvalidConfig, "%s: there is no client of type %.80q: claude_code or codex", path, name)
		case a.Permissions != nil:
			return nil, fail(InvalidConfig, "%s: %s: permissions are not said here: the policy says what a client that a program drives may do", path, name)
		}
	}
	return all, nil
}

// Spec is how an agent of a type is run, in an environment that is made of ours.
func (a AgentConfig) Spec(kind string, ours []string) (s driver.Spec, err error) {
	set := Resolve(wire.Thread{Agent: wire.AgentSettings{Type: &kind}}, map[string]AgentConfig{kind: a})
	return a.spec(set, ours)
}

func (a AgentConfig) spec(set Settings, ours []string) (s driver.Spec, err error) {
	s = driver.Spec{WorkFolder: set.WorkFolder, Executable: set.Executable, Model: set.Model, Effort: set.Effort, Autonomous: set.Permissions == Autonomous,
		Silence: ms(a.SilenceMs), Grace: ms(a.grace())}
	if s.Environ, err = a.environ(ours); err != nil || set.Type == "caper" {
		return s, err
	}
	if s.Executable, err = find(s.Executable, s.Environ); err != nil {
		return s, fail(Code(driver.CodeExecutable), "%v", err)
	}
	return s, nil
}

// Settings are those of one thread, resolved.
type Settings struct {
	WorkFolder, Type, Executable, Model, Effort, Permissions string
}

const (
	Approval   = "approval"
	Autonomous = "autonomous"
)

// executables are the defaults of executable, for each type that there is.
var executables = map[string]string{"claude_code": "claude", "codex": "codex", "caper": "caper"}

// Resolve takes each field from the thread, else from the worker's entry for the type, else from the default.
func Resolve(t wire.Thread, agents map[string]AgentConfig) Settings {
	first := func(tiers ...*string) string {
		for _, s := range tiers {
			if s != nil {
				return *s
			}
		}
		return ""
	}
	s := Settings{WorkFolder: first(t.Workspace.WorkFolder), Type: first(t.Agent.Type)}
	a := agents[s.Type]
	executable, approval := executables[s.Type], Approval
	s.Executable = first(t.Agent.Executable, a.Executable, &executable)
	s.Model = first(t.Agent.Model, a.Model)
	s.Effort = first(t.Agent.Effort, a.Effort)
	s.Permissions = first(t.Agent.Permissions, a.Permissions, &approval)
	return s
}

// Check makes the checks before a thread is taken, in their order.
func (s Settings) Check(t wire.Thread) *Error {
	switch {
	case t.Workspace.WorkFolder == nil || s.WorkFolder == "":
		return fail(WorkFolderMissing, "workspace.work_folder is missing")
	case t.Agent.Type == nil || s.Type == "":
		return fail(AgentTypeMissing, "agent.type is missing")
	}
	if err := CheckFolder(s.WorkFolder); err != nil {
		return err
	}
	if _, ok := executables[s.Type]; !ok {
		return fail(AgentTypeUnsupported, "there is no agent of type %.80q: claude_code, codex or caper", s.Type)
	}
	if s.Permissions != Approval && s.Permissions != Autonomous {
		return fail(PermissionsUnsupported, "permissions are %s or %s, found %.80q", Approval, Autonomous, s.Permissions)
	}
	return nil
}

// CheckFolder checks a work folder. A link to a folder is one.
func CheckFolder(path string) *Error {
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return fail(WorkFolderNotAbsolute, "the work folder %.200q is no absolute path", path)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fail(WorkFolderNotReadable, "the work folder cannot be read: %v", err)
	case err != nil:
		return fail(WorkFolderNotFound, "the work folder cannot be found: %v", err)
	case !info.IsDir():
		return fail(WorkFolderNotADir, "%s is no folder", path)
	}
	f, err := os.Open(path)
	if err == nil {
		_, err = f.Readdirnames(1)
		_ = f.Close()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fail(WorkFolderNotReadable, "the work folder cannot be read: %v", err)
	}
	return nil
}
