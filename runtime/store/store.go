package store

import (
	"errors"
	"iter"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// Errors of a request. They leave the store as it was.
var (
	ErrNotFound  = errors.New("no such node")
	ErrNoSession = errors.New("no such session")
	ErrExists    = errors.New("node exists already")
	ErrSettled   = errors.New("node has an outcome already")
	ErrTooBig    = errors.New("value is too large for the store: put it into a blob")
	ErrDiskFull  = errors.New("the disk of the store is nearly full: no new call is begun")
	ErrEmpty     = errors.New("a request needs at least one change")
)

// Errors of the store as a whole.
var (
	ErrPoisoned = errors.New("a commit failed: what is on disk is not known, and the store must be opened anew")
	ErrClosed   = errors.New("store is closed")
)

// Errors of opening. They carry a sentence for a person; the command line ends with 6.
var (
	ErrLocked     = errors.New("another process owns the store")
	ErrDamaged    = errors.New("the store is damaged")
	ErrUnreadable = errors.New("the store cannot be opened")
)

// Limits of one change and one transaction. A request beyond the latter becomes several transactions.
const (
	MaxValue        = 256 << 10
	MaxBatchBytes   = 1 << 20
	MaxBatchEntries = 4000
)

// Change is one of Mint, Settle, Note, Wait, Unwait and Start.
type Change interface{ change() }

type (
	// Mint writes a new node. Open also marks it as started, for a call that needs no question.
	Mint struct {
		ID   graph.ID
		Node kind.Node
		Open bool
	}
	// Settle gives a node its outcome, if it has none: else ErrSettled. It takes the node out of the open and the
	// waiting index.
	Settle struct {
		ID      graph.ID
		Outcome kind.Outcome
	}
	// Note appends a fact.
	Note struct {
		ID   graph.ID
		Fact kind.Fact
	}
	// Wait puts an unsettled node into the queue of those that wait for a person.
	Wait struct{ ID graph.ID }
	// Unwait takes it out again.
	Unwait struct{ ID graph.ID }
	// Start marks an unsettled node as started: a call that was minted earlier and then approved. It leaves the queue.
	Start struct{ ID graph.ID }
)

func (Mint) change()   {}
func (Settle) change() {}
func (Note) change()   {}
func (Wait) change()   {}
func (Unwait) change() {}
func (Start) change()  {}

// Receipt says which events of the session a request became: one a change, in order.
type Receipt struct{ First, Last uint64 }

// Entry is a node with all that is known of it.
type Entry = kind.Entry

// Link names a moment of a session by the newest event and the hash of the chain up to it. Two stores that hold the same
// link have the same history before it.
type Link struct {
	Seq uint64
	Sum [32]byte
}

// What an event tells.
type What uint8

// The kinds of event. Numbers are stored.
const (
	EventSession What = 1 // the session was made
	EventMint    What = 2
	EventSettle  What = 3
	EventNote    What = 4
	EventWait    What = 5
	EventUnwait  What = 6
	EventStart   What = 7
)

var whatNames = [...]string{"", "session", "mint", "settle", "note", "wait", "unwait", "start"}

func (w What) String() string {
	if int(w) < len(whatNames) && w > 0 {
		return whatNames[w]
	}
	return "unknown"
}

// Event is one change of a session, as watchers and logs see it.
type Event struct {
	Seq    uint64 // gapless from 1 in each session
	What   What
	ID     graph.ID
	Kind   kind.Kind // of a mint and of a session
	Open   bool      // of a mint: started at once
	Detail string    // of a settle its state, of a note what it says
	At     time.Time
}

// Store keeps sessions. All methods may be called from many goroutines. What an iterator yields is read as it goes:
// it shows at least what was there when it began.
type Store interface {
	// NewSession makes a session with its root, durably, and answers its number. Numbers are never used twice.
	NewSession(root *kind.SessionRoot) (uint64, error)
	// Sessions lists the sessions in the order of their making.
	Sessions() ([]uint64, error)
	// NewBag answers the number of a bag that nobody has. It is kept once a node that owns it is minted.
	NewBag(session uint64) (uint64, error)
	// Next answers the ordinal that follows the last of a bag: the place of its next child, unless somebody is quicker.
	Next(session, bag uint64) (uint64, error)
	// Apply makes the changes and their events in one transaction and returns when they are durable. When one of them
	// is refused none is made. Only beyond MaxBatchEntries or MaxBatchBytes it becomes several transactions, in order.
	Apply(session uint64, changes ...Change) (Receipt, error)
	// Ride queues a settle that may share the next commit. Its check is made and its place given at once; it is
	// durable after Flush, after any later Apply of the session, or soon. Anybody who reads the session sees it.
	Ride(session uint64, settle Settle) (Receipt, error)
	// Flush returns when all that was queued for the session is durable.
	Flush(session uint64) error

	Node(id graph.ID) (kind.Node, error)
	Outcome(id graph.ID) (*kind.Outcome, error) // nil, nil while there is none
	Facts(id graph.ID) ([]kind.Fact, error)
	Entry(id graph.ID) (Entry, error)
	// Owner answers the node whose children are in a bag; RootBag belongs to the session's root.
	Owner(session, bag uint64) (graph.ID, error)
	// Children yields the nodes of a bag from an ordinal on, in one scan.
	Children(session, bag, from uint64) iter.Seq2[Entry, error]
	// Open yields the started and unsettled nodes of a session.
	Open(session uint64) iter.Seq2[graph.ID, error]
	// OpenFrom yields those of one bag from an ordinal on: no walk over what was settled long ago.
	OpenFrom(session, bag, from uint64) iter.Seq2[graph.ID, error]
	// Waiting yields the nodes that wait for a person, in all sessions.
	Waiting() iter.Seq2[graph.ID, error]
	// Events yields a session's events from a number on.
	Events(session, from uint64) iter.Seq2[Event, error]
	// LastEvent is the number of the session's newest durable event.
	LastEvent(session uint64) (uint64, error)
	// LastLink is the end of the session's chain, of events that are not durable yet too.
	LastLink(session uint64) (Link, error)
	// Holds reports whether the session's chain has a link: all that was there when it was the last is there unchanged.
	Holds(session uint64, link Link) (bool, error)
	// Watch answers a channel that holds a token whenever the session (0: any session) has durable events that came
	// after the last token was taken, and a function that ends the watch.
	Watch(session uint64) (<-chan struct{}, func())
	// Verify checks a session's chain of events link by link, and every stored value against it.
	Verify(session uint64) error

	// Forget deletes all of a session.
	Forget(session uint64) error
	Close() error
}

// Pair is one key that a transaction sets or deletes.
type Pair struct {
	Key, Value []byte
	Delete     bool
}

// Tip names the newest event record of a transaction: what an anchor outside the backend remembers.
type Tip struct {
	Records uint64 // event records ever written to this store, the tip included
	Session uint64
	Seq     uint64 // the record's key
	Hash    [32]byte
}

// Backend holds ordered bytes. Its methods may be called from many goroutines, Write from one at a time.
type Backend interface {
	// Write makes all pairs visible and durable at once, or none. After an error nothing is known. A tip without
	// records means that the pairs belong to no session's chain.
	Write(pairs []Pair, tip Tip) error
	// Room answers ErrDiskFull when no new call should begin.
	Room() error
	Get(key []byte) (value []byte, ok bool, err error)
	// Scan calls yield with the pairs that begin with prefix, from a key on, in order, until it answers false. The
	// bytes are good until yield returns.
	Scan(prefix, from []byte, yield func(key, value []byte) bool) error
	// Keys is Scan without values.
	Keys(prefix, from []byte, yield func(key []byte) bool) error
	// Last answers the greatest key that begins with prefix.
	Last(prefix []byte) (key, value []byte, ok bool, err error)
	Close() error
}

// Options of a Ledger.
type Options struct {
	Now func() time.Time // nil: time.Now; called from many goroutines
	// Hook, when set, is called at every boundary at which a crash would leave a different state. Tests only.
	Hook func(point string)
	// RideFor is the longest time that a settle waits for company; 0 means 2 ms.
	RideFor time.Duration
}
