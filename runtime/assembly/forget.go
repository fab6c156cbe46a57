package assembly

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/session"
	"caper/runtime/store"
)

// Forget deletes a session and what is kept of it outside the store: its spool, the machines of its programs, and the blobs
// that no other session names.
func (s *System) Forget(n uint64) error {
	if err := s.forkedFrom(n); err != nil {
		return err
	}
	named, err := s.blobsOf(n)
	if err != nil {
		return err
	}
	if err := s.Store.Forget(n); err != nil {
		return err
	}
	others, err := s.Store.Sessions()
	if err != nil {
		return err
	}
	for _, o := range others {
		if len(named) == 0 {
			break
		}
		kept, err := s.blobsOf(o)
		if err != nil {
			return err
		}
		for name := range kept {
			delete(named, name)
		}
	}
	for name := range named {
		err = errors.Join(err, s.blobs.Remove(name))
	}
	return errors.Join(err, s.machines.RemoveGroup(strconv.FormatUint(n, 10)), os.RemoveAll(filepath.Join(s.Home.Spool(), strconv.FormatUint(n, 10))))
}

// forkedFrom refuses to forget what another session goes on from.
func (s *System) forkedFrom(n uint64) error {
	all, err := s.Store.Sessions()
	if err != nil {
		return err
	}
	for _, other := range all {
		agent, ok, err := session.AgentOf(s.Store, other)
		if err != nil {
			return err
		}
		if !ok || other == n {
			continue
		}
		from, err := session.Origin(s.Store, agent)
		if err != nil {
			return err
		}
		if from.ID.Session == n {
			return &ForkedError{Session: n, Fork: other}
		}
	}
	return nil
}

// ForkedError is a session that cannot be forgotten yet.
type ForkedError struct{ Session, Fork uint64 }

func (e *ForkedError) Error() string {
	return fmt.Sprintf("session %d goes on from session %d, so that cannot be forgotten before it", e.Fork, e.Session)
}

var blobName = regexp.MustCompile(`[0-9a-f]{64}`)

// blobsOf are the names of all blobs that a session may hold: whatever in it looks like one.
func (s *System) blobsOf(session uint64) (map[string]bool, error) {
	named := map[string]bool{}
	note := func(b []byte, err error) error {
		for _, n := range blobName.FindAll(b, -1) {
			named[string(n)] = true
		}
		return err
	}
	bags := []uint64{graph.RootBag}
	for len(bags) > 0 {
		bag := bags[len(bags)-1]
		bags = bags[:len(bags)-1]
		for e, err := range s.Store.Children(session, bag, 0) {
			if errors.Is(err, store.ErrNoSession) {
				return named, nil
			}
			if err != nil {
				return nil, err
			}
			if o, ok := e.Node.(interface{ OwnBag() uint64 }); ok && o.OwnBag() != 0 {
				bags = append(bags, o.OwnBag())
			}
			err = note(kind.Encode(e.Node))
			if e.Outcome != nil {
				err = errors.Join(err, note(kind.EncodeOutcome(e.Outcome)))
			}
			for i := range e.Facts {
				err = errors.Join(err, note(kind.EncodeFact(&e.Facts[i])))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return named, nil
}
