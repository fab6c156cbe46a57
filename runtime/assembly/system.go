package assembly

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"caper/interp"
	"caper/runtime/agent"
	"caper/runtime/blob"
	"caper/runtime/call"
	"caper/runtime/license"
	"caper/runtime/program"
	"caper/runtime/program/bind"
	"caper/runtime/store"
	"caper/runtime/store/badger"
	"caper/runtime/tool"
)

// Options of a System.
type Options struct {
	Home   Home
	Sync   bool // durability sync; else fast
	Asker  call.Asker
	Faults func(point string) // nil in production
	Umask  int                // of what calls create
	// AcceptLoss opens what is left of a damaged store.
	AcceptLoss bool
	// Alarm is told when the store can no longer write; the process must end.
	Alarm func(error)
	// Models are the connections that agents ask; nil: those of the settings and the environment.
	Models agent.Models
	// Engine answers the engine of programs that agents write; nil: there are none. It is called when the first one runs.
	Engine func() (*interp.Engine, error)
}

// System is a store with everything that works on it. It belongs to the process that holds the store's lock.
type System struct {
	Home     Home
	Store    store.Store
	Calls    *call.Service
	Agents   *agent.Runner
	Lost     *badger.Loss  // what an accident took, told once after opening
	Serving  chan struct{} // holds one while this process takes up what sessions leave open
	policies *policies
	blobs    *blob.Store
	machines snapshots
	engine   func() (*interp.Engine, error)
	models   *models

	programsMu sync.Mutex
	owned      ownTools
	programs   *program.Runner // nil until the first one runs
}

// Tools is the set of tools that programs reach.
func Tools() *tool.Set {
	s, err := tool.NewSet(tool.All()...)
	if err != nil {
		panic(err) // the table of tools contradicts itself: every test fails
	}
	return s
}

// NewEngine builds the engine with the runtime's libraries in it.
func NewEngine(tools *tool.Set) (*interp.Engine, error) {
	return interp.NewEngine(EngineOptions(tools))
}

// EngineOptions are what that engine is made of.
func EngineOptions(tools *tool.Set) interp.Options {
	var postures []string
	for _, p := range license.Postures {
		postures = append(postures, string(p))
	}
	return interp.Options{
		Libraries: bind.Libraries(tools, postures),
		Order: []string{"(caper policy)", "(caper tools)", "(caper standard)", "(caper prelude)", "(caper jobs)",
			"(caper session)", "(caper agents)", "(caper models)"},
		Implicit: []string{"(caper prelude)", "(caper policy)", "(caper tools)", "(caper jobs)", "(caper session)", "(caper agents)", "(caper models)"},
	}
}

// Open opens the store under its lock, which it takes over, and builds what works on it.
func Open(lock *badger.Lock, o Options) (*System, error) {
	st, err := badger.Open(o.Home.Store(), badger.Options{Lock: lock, Durability: durability(o.Sync), Hook: o.Faults, AcceptLoss: o.AcceptLoss, Alarm: o.Alarm})
	if err != nil {
		return nil, err
	}
	s, err := New(st, o)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return s, nil
}

// New builds the system over a store that is open.
func New(st store.Store, o Options) (*System, error) {
	blobs, err := blob.Open(o.Home.Blobs(), o.Sync)
	if err != nil {
		return nil, err
	}
	if err := blobs.Sweep(); err != nil {
		return nil, err
	}
	id, err := storeID(o.Home)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := newPolicies(o.Home, st)
	calls := &call.Service{Store: st, StoreID: id, Tools: Tools(), Blobs: keptBlobs{blobs, o.Home.Blobs()}, World: license.OS{SelfPath: self}, Policy: p, Program: o.Home.PolicyFile(), Asker: o.Asker,
		Now: time.Now, Sync: o.Sync, Umask: o.Umask, Spool: o.Home.Spool(), Faults: o.Faults}
	machines := snapshots{blob.NewCache(o.Home.Snapshots(), o.Faults)}
	calls.Snapshots = machines
	s := &System{Home: o.Home, Store: st, Calls: calls, Agents: &agent.Runner{Calls: calls, Models: o.Models, Settings: o.Home.turnSettings}, policies: p, blobs: blobs, machines: machines, engine: o.Engine, Serving: make(chan struct{}, 1)}
	s.models = newModels(o.Home, o.Engine)
	if o.Models == nil {
		s.Agents.Models, s.Agents.Default = s.models, s.models.standard
		s.Agents.Named = s.modelName
	}
	s.Agents.Expand = s.constitution
	calls.Judge, calls.JudgeTime = &agent.PolicyJudge{Runner: s.Agents, Model: o.Home.policyJudge}, o.Home.judgeTime()
	calls.Hosts, calls.Readings, calls.Serve = s.hosts(), s.readings(), s.serve
	calls.Own = s.own
	return s, nil
}

// snapshots keeps machines of programs that wait.
type snapshots struct{ *blob.Cache }

// Get answers nothing for a name that holds nothing.
func (s snapshots) Get(name string, limit int64) ([]byte, error) {
	b, err := s.Cache.Get(name, limit)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil
	}
	return b, err
}

// keptBlobs bounds what is read back into memory.
type keptBlobs struct {
	*blob.Store
	folder string
}

const maxBlob = 1 << 30

// Get answers what was kept. What is on record and cannot be read any more is damage to the store, wherever it lies.
func (b keptBlobs) Get(name string) ([]byte, error) {
	text, err := b.Store.Get(name, maxBlob)
	if errors.Is(err, blob.ErrNotFound) || errors.Is(err, blob.ErrDamaged) {
		err = fmt.Errorf("%w: a value that it keeps in a file of its own is lost (%s): %w", store.ErrDamaged, b.folder, err)
	}
	return text, err
}

// Close parks what runs in the background and closes the store.
func (s *System) Close() error {
	s.Agents.Close()
	if s.programs != nil {
		s.programs.Forget()
	}
	s.models.close()
	return s.Store.Close()
}

func durability(sync bool) badger.Durability {
	if sync {
		return badger.Sync
	}
	return badger.Fast
}

// storeID names this store in the markers that its child processes carry.
func storeID(h Home) (string, error) {
	path := filepath.Join(h.Data, "id")
	text, err := os.ReadFile(path)
	if err == nil {
		if raw, err := hex.DecodeString(string(text)); err != nil || len(raw) != 8 {
			return "", fmt.Errorf("%w: %s does not hold the store's name; with the file removed it gets a new one", store.ErrDamaged, path)
		}
		return string(text), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %w", store.ErrUnreadable, err)
	}
	var b [8]byte
	_, _ = rand.Read(b[:])
	id := hex.EncodeToString(b[:])
	if err := os.MkdirAll(h.Data, 0o700); err != nil {
		return "", err
	}
	if err := writeWhole(path, []byte(id)); err != nil {
		return "", fmt.Errorf("name the store: %w", err)
	}
	return id, nil
}
