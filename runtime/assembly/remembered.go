package assembly

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
)

// Remembered is a yes that is kept: for a workspace, or for one session of it.
type Remembered struct {
	ID    string // a number for the workspace's, session.number for a session's
	Scope license.Scope
	Rule  string // "" for one very call
	By    string
	At    time.Time
}

// Remembered are the approvals that are kept for a workspace and its sessions, each in the order in which they were given.
func (s *System) Remembered(workspace string) ([]Remembered, error) {
	p := s.policies
	p.mu.Lock()
	defer p.mu.Unlock()
	f, err := p.readProject(workspace)
	if err != nil {
		return nil, err
	}
	var out []Remembered
	for i, a := range f.Approvals {
		out = append(out, Remembered{strconv.Itoa(i + 1), license.Project, a.Rule, a.By, a.At})
	}
	sessions, err := s.Store.Sessions()
	if err != nil {
		return nil, err
	}
	for _, n := range sessions {
		root, err := s.Store.Node(graph.RootID(n))
		if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrNoSession) {
			continue // forgotten meanwhile
		}
		if err != nil {
			return nil, err
		}
		if r, ok := root.(*kind.SessionRoot); !ok || r.Path != workspace {
			continue
		}
		list, err := p.session(n)
		if err != nil {
			return nil, err
		}
		for _, k := range list {
			out = append(out, Remembered{fmt.Sprintf("%d.%d", n, k.number), license.Session, k.Rule, k.By, k.At})
		}
	}
	return out, nil
}

// TakeBack forgets an approval of a workspace or of a session of it.
func (s *System) TakeBack(workspace, id, by string) (Remembered, error) {
	all, err := s.Remembered(workspace)
	if err != nil {
		return Remembered{}, err
	}
	for _, r := range all {
		if r.ID == id {
			return r, s.policies.takeBack(workspace, r, by)
		}
	}
	return Remembered{}, fmt.Errorf("there is no approval %s: %d are kept for %s", id, len(all), workspace)
}

func (p *policies) takeBack(workspace string, r Remembered, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	session, number, ok := strings.Cut(r.ID, ".")
	if !ok {
		f, err := p.readProject(workspace)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(r.ID)
		if err != nil || n > len(f.Approvals) {
			return fmt.Errorf("approval %s was taken back meanwhile", r.ID)
		}
		f.Workspace, f.Approvals = workspace, append(f.Approvals[:n-1:n-1], f.Approvals[n:]...)
		return p.writeProject(f)
	}
	s, err := strconv.ParseUint(session, 10, 64)
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return err
	}
	_, err = p.store.Apply(s, store.Note{ID: graph.RootID(s), Fact: kind.Fact{What: kind.FactTakenBack, Value: kind.Of(n), By: by, At: p.now()}})
	delete(p.sessions, s)
	return err
}
