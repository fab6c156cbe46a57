package call

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
	"caper/runtime/tool"

	"github.com/oklog/ulid/v2"
)

// Service serves the calls of one owner of a store.
type Service struct {
	Store   store.Store
	StoreID string // names this store in markers and temporary files
	Tools   *tool.Set
	Blobs   tool.Blobs
	World   license.World
	Policy  Policies
	Program string           // path of the file of rules, which sessions name
	Asker   Asker            // the terminal of this process; nil when there is none
	Now     func() time.Time // the clock
	Sync    bool             // fsync effects before their outcome
	Umask   int              // of what calls create
	Spool   string           // folder for the spool files of external calls
	Faults  func(point string)
	// Hosts are the bodies of the tools that work on the graph themselves, by name.
	Hosts map[string]Host
	// Readings answer what programs ask of the graph and is no call, by operation.
	Readings map[string]Reading
	// Serve makes a procedure of a running program reachable by a name in its session, until the answer is called.
	Serve func(session uint64, what, name string, p Procedure) (end func(), err error)
	// Own answers the tools that were defined for a session, with their bodies; nil: there are none. Programs of that
	// session define others for themselves.
	Own func(session uint64) []*Own
	// Judge decides what the license leaves to a judge; nil: there is none.
	Judge     Judge
	JudgeTime time.Duration // how long it may take; 0: the usual
	// Snapshots keeps machines of programs that wait; nil: a continued program is always run again from its source.
	Snapshots Snapshots

	once     sync.Once
	locks    locks
	kept     reservations
	grounds  grounds
	ceilings ceilings
	slots    chan struct{}
	mu       sync.Mutex
	waiting  map[graph.ID]chan Answer // calls of this process that wait for a person
	running  map[graph.ID]tracked     // programs and turns of this process
}

// NewSession makes a session in which c holds.
func (s *Service) NewSession(c *Context) (uint64, error) {
	return s.Store.NewSession(&kind.SessionRoot{SessionID: ulid.MustNew(ulid.Timestamp(s.Now()), rand.Reader).String(), Path: c.Workspace,
		Mode: string(c.Mode), StandingPolicy: string(c.Posture), ReadAllowlist: c.ReadAllow, PolicyProgram: s.Program})
}

// Snapshots keeps bytes by name, of each name the newest, and gives back only what it was given.
type Snapshots interface {
	Put(name string, b []byte) error
	Get(name string, limit int64) ([]byte, error)
	Remove(name string) error
}

// Policies answers the policy that holds for a bag's calls at this moment: rules on file, the session's lists and
// approvals on record.
type Policies interface {
	For(ctx context.Context, c *Context) (license.Policy, error)
	// Remember keeps a rule that a person chose with a yes for the session or the project.
	Remember(ctx context.Context, c *Context, a Approval) error
}

// Approval is a yes that reaches further than one call.
type Approval struct {
	Scope  string   // session or project
	Rules  []string // as they were shown; an empty one means the very call that Digest binds
	Digest string
	By     string
}

// Context is what the calls of one bag have in common. It is recorded on the bag's job and never changes.
type Context struct {
	Session, Bag  uint64
	Workspace     string // canonical
	Cwd           string // canonical
	Environ       []string
	Env           map[string]string // the same, for the license
	Answerability license.Answerability
	Posture       license.Posture
	Mode          license.Mode
	ReadAllow     []string // paths that the command line named
	Rules         []string // rule files that the command line named
	Terminal      Asker    // the terminal that asked for this bag, when it is not this process's own
	Bounds        Bounds   // beyond which none of its calls goes
}

// Request is one call that a program makes.
type Request struct {
	ID         graph.ID
	Place      kind.Place
	Tool       string
	Positional []graph.Datum
	Keywords   map[string]graph.Datum
	Tighten    []license.Layer // what with-policy forms around the call add; they only tighten
	Posture    license.Posture // the tightest posture of with-policy forms; "" for none
	Consult    []Procedure     // policy procedures of with-policy forms
	// RaiseUncertain makes an effect that cannot be known a failure of the call instead of a question to a person.
	RaiseUncertain bool
	Operator       bool  // a person gave the command: nobody need be asked whether it may be
	Background     bool  // nobody joins it: it goes on in the background once it was let in
	Own            *Own  // of a tool that the calling program defines
	Mode           int64 // permission bits of the file that it writes; 0: those that the file has, or what the umask leaves
	Invalid        error // why the call cannot be made as it came: it fails, and stands on record
}

// Ending is how a call of this process came to rest.
type Ending struct {
	ID      graph.ID
	Outcome kind.Outcome
	// Ride says that losing the outcome would change nothing outside: it may share the next commit.
	Ride bool
	// Mint is set when the node is still to be written: it goes with the outcome, in one transaction.
	Mint *store.Mint
	// Rest is set instead of an outcome when the call waits: parked for a person, or uncertain.
	Rest Rest
	// Inside is what waits inside of a nested program that rests.
	Inside []graph.ID
	// Release gives back what the call held; call it once the outcome is in the store.
	Release func()
	// Spooled says that the call left files which only recovery needs: Clean removes them once the outcome is durable.
	Spooled bool
	Err     error // the store failed: the bag must stop
}

// Rest is why a call waits.
type Rest string

const (
	Settled   Rest = ""
	Parked    Rest = "parked"
	Uncertain Rest = "uncertain"
)

// Points are the moments at which Faults is called: before and after each durable step and around the effect. The tools
// and the store have points of their own.
var Points = []string{"admitted", "decided", "prepared", "minted", "asked", "answered", "performed", "recovering", "recovered"}

func (s *Service) fault(point string) {
	if s.Faults != nil {
		s.Faults(point)
	}
}

func (s *Service) init() {
	s.once.Do(func() {
		s.slots = make(chan struct{}, 64)
		s.waiting = map[graph.ID]chan Answer{}
		s.running = map[graph.ID]tracked{}
	})
}

// acquire waits for one of the places in which effects run at the same time.
func (s *Service) acquire(ctx context.Context) error {
	select {
	case s.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Service) release() { <-s.slots }
