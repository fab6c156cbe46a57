package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// attempts bounds how often a change is made again because another writer came first.
const attempts = 1000

// update changes an object under compare-and-set.
func update(ctx context.Context, w Wire, alias string, change func(json.RawMessage) (json.RawMessage, error)) (Object, error) {
	for range attempts {
		o, err := w.Get(ctx, alias)
		if err != nil {
			return Object{}, err
		}
		if o.Value, err = change(o.Value); err != nil {
			return o, err
		}
		o.Revision, err = w.Put(ctx, alias, o.Revision, o.Value)
		if !errors.Is(err, ErrConflict) {
			return o, err
		}
	}
	return Object{}, ErrConflict
}

// move is the one place where a state is written.
func move(ctx context.Context, w Wire, side Side, alias string, to State, claim string, expect func(Thread) error) error {
	_, err := update(ctx, w, alias, func(value json.RawMessage) (json.RawMessage, error) {
		from, err := StateOf(value)
		if err != nil {
			return nil, err
		}
		if err := (Transition{side, from, to}).check(); err != nil {
			return nil, err
		}
		if expect != nil {
			t, err := Read(value)
			if err == nil {
				err = expect(t)
			}
			if err != nil {
				return nil, err
			}
		}
		if claim != "" {
			if value, err = edit(value, claim, "thread", "metadata", "instance", "worker"); err != nil {
				return nil, err
			}
		}
		return edit(value, to, "thread", "metadata", "instance", "state")
	})
	return err
}

// User is the side of those who prepare threads and read them.
type User struct {
	wire Wire
	id   string
}

// NewUser is the side of a user.
func NewUser(w Wire, id string) *User { return &User{w, id} }

// Create makes a thread that is not yet handed over.
func (u *User) Create(ctx context.Context, alias, workFolder string, agent AgentSettings) error {
	value, err := edit(nil, map[string]string{"work_folder": workFolder}, "thread", "metadata", "workspace")
	if err != nil {
		return err
	}
	if value, err = edit(value, agent, "thread", "metadata", "agent"); err != nil {
		return err
	}
	return u.CreateValue(ctx, alias, value)
}

// CreateValue makes a thread of a whole envelope, with keys that we may not know. Its state may be none or pending.
func (u *User) CreateValue(ctx context.Context, alias string, value json.RawMessage) error {
	if alias == WorkerAlias {
		return fmt.Errorf("the alias %q is the worker's", alias)
	}
	state, err := StateOf(value)
	if err != nil {
		return err
	}
	if state != None && state != Pending {
		return &TransitionError{Transition{UserSide, None, state}}
	}
	_, err = u.wire.Put(ctx, alias, 0, value)
	if errors.Is(err, ErrConflict) {
		return fmt.Errorf("there is a thread %s already: %w", alias, err)
	}
	return err
}

// Configure writes a field of the user's blocks, workspace or agent.
func (u *User) Configure(ctx context.Context, alias, block, field string, to any) error {
	if block != "workspace" && block != "agent" {
		return fmt.Errorf("a user writes workspace and agent, not %q", block)
	}
	_, err := update(ctx, u.wire, alias, func(value json.RawMessage) (json.RawMessage, error) {
		return edit(value, to, "thread", "metadata", block, field)
	})
	return err
}

// SetState drives the thread: pending hands it over, completed ends it.
func (u *User) SetState(ctx context.Context, alias string, to State) error {
	return move(ctx, u.wire, UserSide, alias, to, "", nil)
}

// Post says something in a thread.
func (u *User) Post(ctx context.Context, alias, text string) (Item, error) {
	return u.wire.Post(ctx, alias, Item{UserID: u.id, Content: Say(text)})
}

// Worker is the side of a worker. It has no way to write workspace or agent.
type Worker struct {
	wire         Wire
	user, worker string
}

// NewWorker is the side of a worker: user signs its items, worker names its state tree.
func NewWorker(w Wire, user, worker string) *Worker { return &Worker{w, user, worker} }

// Activate takes a pending thread; of many workers one succeeds.
func (h *Worker) Activate(ctx context.Context, alias string) error {
	return move(ctx, h.wire, WorkerSide, alias, Active, h.worker, nil)
}

// NotOursError is a thread that another worker took.
type NotOursError struct{ Worker string }

func (e *NotOursError) Error() string { return "the thread is worked on by " + e.Worker }

// Fail gives a thread back. One that is active must be ours.
func (h *Worker) Fail(ctx context.Context, alias string) error {
	err := move(ctx, h.wire, WorkerSide, alias, Failed, "", func(t Thread) error {
		if t.Instance.State == Active && t.Instance.Worker != h.worker {
			return &NotOursError{t.Instance.Worker}
		}
		return nil
	})
	var malformed *MalformedError
	if errors.As(err, &malformed) { // its other blocks are wrong, which is why it fails
		return move(ctx, h.wire, WorkerSide, alias, Failed, "", nil)
	}
	return err
}

// Mine says whether we were the last to take a thread.
func (h *Worker) Mine(t Thread) bool { return t.Instance.Worker == h.worker }

// Post adds an item, signed by the worker's user.
func (h *Worker) Post(ctx context.Context, alias string, m ItemMetadata, content string) (Item, error) {
	return h.wire.Post(ctx, alias, Item{UserID: h.user, Content: Say(content), Metadata: m})
}

// Own says whether an item is a post of the worker's user.
func (h *Worker) Own(i Item) bool { return i.UserID == h.user }

// Instance is what a worker says of itself. It informs; nothing is decided by it.
type Instance struct {
	ID         string    `json:"instance_id"`
	Version    string    `json:"version"`
	StartedAt  time.Time `json:"started_at"`
	LastSeenAt time.Time `json:"last_seen_at"`
	Status     string    `json:"status"`
}

// OwnedError is a session whose worker is another user's.
type OwnedError struct{ User string }

func (e *OwnedError) Error() string { return "the session's worker belongs to " + e.User }

// Attach makes the worker's object, or finds that it is of the same user.
func (h *Worker) Attach(ctx context.Context, in Instance) error {
	for range attempts {
		err := h.Announce(ctx, in)
		if !errors.Is(err, ErrNotFound) {
			return err
		}
		value, err := edit(nil, map[string]any{"user": map[string]string{"user_id": h.user}, "instance": in}, "thread", "metadata")
		if err != nil {
			return err
		}
		if _, err = h.wire.Put(ctx, WorkerAlias, 0, value); !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return ErrConflict
}

// Announce writes what the worker says of itself; ErrNotFound says that its object was taken away.
func (h *Worker) Announce(ctx context.Context, in Instance) error {
	_, err := update(ctx, h.wire, WorkerAlias, func(value json.RawMessage) (json.RawMessage, error) {
		t, err := read[struct {
			User struct {
				ID string `json:"user_id"`
			} `json:"user"`
		}](value)
		switch {
		case err != nil:
			return nil, err
		case t.User.ID == "":
			return nil, &MalformedError{errors.New("user.user_id is missing")}
		case t.User.ID != h.user:
			return nil, &OwnedError{t.User.ID}
		}
		return edit(value, in, "thread", "metadata", "instance")
	})
	return err
}
