package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"
)

// MaxObject bounds the value of an object, MaxItem an item as JSON.
const (
	MaxObject = 1 << 20
	MaxItem   = 4 << 20
)

// WorkerAlias is the object that says who works on a session; its items are the activity of the worker.
const WorkerAlias = "worker"

// Object is a named value with the number of its last change.
type Object struct {
	Alias    string
	Revision uint64
	Value    json.RawMessage
}

// Thread is what an envelope says, of the keys that we know.
type Thread struct {
	Workspace struct {
		WorkFolder *string `json:"work_folder"`
	} `json:"workspace"`
	Agent    AgentSettings `json:"agent"`
	Instance struct {
		State  State  `json:"state"`
		Worker string `json:"worker"` // which worker took the thread; only that one takes it up again
	} `json:"instance"`
}

// AgentSettings are what a thread says of its agent. What is not given is left to the worker.
type AgentSettings struct {
	Type        *string `json:"type,omitempty" yaml:"-"`
	Executable  *string `json:"executable,omitempty" yaml:"executable"`
	Model       *string `json:"model,omitempty" yaml:"model"`
	Effort      *string `json:"effort,omitempty" yaml:"effort"`
	Permissions *string `json:"permissions,omitempty" yaml:"permissions"`
}

type envelope[T any] struct {
	Thread struct {
		Metadata T `json:"metadata"`
	} `json:"thread"`
}

// MalformedError is a value that is no envelope.
type MalformedError struct{ Err error }

func (e *MalformedError) Error() string {
	var kind *json.UnmarshalTypeError
	if errors.As(e.Err, &kind) {
		return fmt.Sprintf("the envelope is malformed: %s cannot be of type %s", kind.Field, kind.Value)
	}
	return "the envelope is malformed: " + e.Err.Error()
}
func (e *MalformedError) Unwrap() error { return e.Err }

// Read answers what an envelope says.
func Read(value json.RawMessage) (Thread, error) {
	t, err := read[Thread](value)
	return t, err
}

func read[T any](value json.RawMessage) (T, error) {
	var e envelope[T]
	err := checkJSON(value, MaxObject)
	if err == nil {
		err = json.Unmarshal(value, &e)
	}
	if err != nil {
		var none T
		return none, &MalformedError{err}
	}
	return e.Thread.Metadata, nil
}

// StateOf answers the state of an envelope whose other parts may be wrong.
func StateOf(value json.RawMessage) (State, error) {
	t, err := read[struct {
		Instance struct {
			State State `json:"state"`
		} `json:"instance"`
	}](value)
	return t.Instance.State, err
}

// CheckValue refuses what no object holds.
func CheckValue(value json.RawMessage) error {
	if err := checkJSON(value, MaxObject); err != nil {
		return &MalformedError{err}
	}
	return nil
}

func checkJSON(b []byte, most int) error {
	switch {
	case len(b) > most:
		return fmt.Errorf("%d bytes, more than %d", len(b), most)
	case !utf8.Valid(b):
		return errors.New("it is not UTF-8")
	case !json.Valid(b):
		return errors.New("it is not JSON")
	}
	return nil
}

// edit sets one member of a value, by its path, and keeps all others as they are.
func edit(value json.RawMessage, to any, path ...string) (json.RawMessage, error) {
	if len(path) == 0 {
		return marshal(to)
	}
	members := map[string]json.RawMessage{}
	if len(value) > 0 {
		if err := json.Unmarshal(value, &members); err != nil {
			return nil, &MalformedError{err}
		}
		if members == nil { // null
			members = map[string]json.RawMessage{}
		}
	}
	inner, err := edit(members[path[0]], to, path[1:]...)
	if err != nil {
		return nil, err
	}
	members[path[0]] = inner
	return marshal(members)
}

// Metadata answers one block of an envelope as it is, nil when it has none.
func Metadata(value json.RawMessage, block string) json.RawMessage {
	m, err := read[map[string]json.RawMessage](value)
	if err != nil {
		return nil
	}
	return m[block]
}

func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

var aliasForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

// CheckAlias refuses names that could be anything but a name.
func CheckAlias(alias string) error {
	if !aliasForm.MatchString(alias) {
		return fmt.Errorf("an alias is 1 to 64 letters, digits, - and _, and begins with no - or _; found %.80q", alias)
	}
	return nil
}
