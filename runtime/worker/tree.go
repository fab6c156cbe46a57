package worker

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"caper/runtime/worker/wire"

	"github.com/goccy/go-yaml"
	"github.com/oklog/ulid/v2"
	"golang.org/x/sys/unix"
)

// Tree is the folder in which a worker keeps its state, one a profile.
type Tree string

func (t Tree) path(names ...string) string {
	return filepath.Join(append([]string{string(t)}, names...)...)
}

// Identity says who a worker is. User signs what it posts; Worker names the tree.
type Identity struct {
	User   string `yaml:"user_id"`
	Worker string `yaml:"worker_id"`
}

// Identity reads identity.yaml, or makes it for a user where there is none.
func (t Tree) Identity(user string) (Identity, error) {
	var id Identity
	path := t.path("identity.yaml")
	err := readYAML(path, &id)
	switch {
	case errors.Is(err, fs.ErrNotExist) && user != "":
		id = Identity{user, ulid.Make().String()}
		return id, writeYAML(path, id)
	case errors.Is(err, fs.ErrNotExist):
		return id, fail(IdentityNotFound, "there is no %s; caper worker start --user ID makes it", path)
	case err != nil:
		return id, fail(IdentityNotFound, "%s: %v", path, err)
	case id.User == "" || id.Worker == "":
		return id, fail(IdentityNotFound, "%s names no user_id or no worker_id", path)
	case user != "" && user != id.User:
		return id, fail(IdentityMismatch, "the worker here is %s, not %s", id.User, user)
	}
	return id, nil
}

// Running is instance.yaml: the worker that has the tree.
type Running struct {
	ID        string    `yaml:"instance_id" json:"instance_id"`
	PID       int       `yaml:"pid" json:"pid"`
	Version   string    `yaml:"version" json:"version"`
	StartedAt time.Time `yaml:"started_at" json:"started_at"`
}

// Lock takes the tree for this process. The kernel frees what a dead process held; its instance.yaml is replaced.
func (t Tree) Lock(r Running) (unlock func() error, err error) {
	if err := os.MkdirAll(string(t), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(t.path("lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for try := 0; unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil; try++ {
		other, _ := t.Instance()
		// A child of a worker that was killed has the lock until it is another program, a moment later.
		if dead := errors.Is(unix.Kill(other.PID, 0), unix.ESRCH); !dead || try == 100 {
			_ = f.Close()
			return nil, fail(AlreadyRunning, "a worker runs here already, process %d", other.PID)
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = os.Remove(t.path("stop"))
	if err := writeYAML(t.path("instance.yaml"), r); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error { return errors.Join(os.Remove(t.path("instance.yaml")), f.Close()) }, nil
}

// Instance reads instance.yaml; alive says that its worker still has the tree.
func (t Tree) Instance() (r Running, alive bool) {
	_ = readYAML(t.path("instance.yaml"), &r)
	f, err := os.Open(t.path("lock"))
	if err != nil {
		return r, false
	}
	defer f.Close()
	return r, unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil
}

// Stop asks the worker of the tree to stop.
func (t Tree) Stop() error { return os.WriteFile(t.path("stop"), nil, 0o600) }

func (t Tree) stopping() bool {
	_, err := os.Stat(t.path("stop"))
	return err == nil
}

func (t Tree) section(id string) Tree { return Tree(t.path("jobs", JobType+"-"+id)) }

// sectionState is section.yaml.
type sectionState struct {
	Name       string  `yaml:"name"`
	JobType    string  `yaml:"job_type"`
	Session    Session `yaml:"session"`
	Attachment struct {
		Status     string     `yaml:"status"` // attached or refused
		AttachedAt *time.Time `yaml:"attached_at,omitempty"`
		Error      *Error     `yaml:"error,omitempty"`
	} `yaml:"attachment"`
	Events struct {
		LastProcessedAt *time.Time `yaml:"last_processed_at,omitempty"`
	} `yaml:"events"`
}

// Local is thread.yaml: a thread as this worker knows it.
type Local struct {
	Workspace struct {
		WorkFolder string `yaml:"work_folder"`
		AgentType  string `yaml:"agent_type"`
	} `yaml:"workspace"`
	Agent struct {
		State     wire.State `yaml:"state"`
		SessionID string     `yaml:"agent_session_id,omitempty"`
		Error     *Error     `yaml:"error,omitempty"`
		Mark      string     `yaml:"mark,omitempty"`    // of all processes of the agent
		Turn      uint64     `yaml:"turn,omitempty"`    // the last that began
		Through   uint64     `yaml:"through,omitempty"` // the last item of the last turn that ended
		Telling   uint64     `yaml:"telling,omitempty"` // the last item of the turn that began
	} `yaml:"agent"`
}

func (t Tree) threadFile(alias string) string { return t.path("threads", alias, "thread.yaml") }

// local reads a thread's file; one that is not there, or torn, is of no thread that we have.
func (t Tree) local(alias string) Local {
	var l Local
	if readYAML(t.threadFile(alias), &l) != nil {
		return Local{}
	}
	return l
}

func (t Tree) save(alias string, l Local) error { return writeYAML(t.threadFile(alias), l) }

// writeYAML makes a file whole, for its owner's eyes.
func writeYAML(path string, v any) error {
	b, err := yaml.Marshal(v)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// SectionFile is where the section of a session says how it is.
func (t Tree) SectionFile(session string) string { return t.section(session).path("section.yaml") }
