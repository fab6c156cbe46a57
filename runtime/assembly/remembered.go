package assembly

import (
	"fmt"
	"time"
)

// Remembered is a yes that is kept for a workspace.
type Remembered struct {
	Rule string // "" for one very call
	By   string
	At   time.Time
}

// Remembered are the approvals that are kept for a workspace, in the order in which they were given.
func (s *System) Remembered(workspace string) ([]Remembered, error) {
	s.policies.mu.Lock()
	defer s.policies.mu.Unlock()
	f, err := s.policies.readProject(workspace)
	if err != nil {
		return nil, err
	}
	var out []Remembered
	for _, a := range f.Approvals {
		out = append(out, Remembered{a.Rule, a.By, a.At})
	}
	return out, nil
}

// TakeBack forgets the approval of a workspace with a number, counted from 1.
func (s *System) TakeBack(workspace string, n int) (Remembered, error) {
	s.policies.mu.Lock()
	defer s.policies.mu.Unlock()
	f, err := s.policies.readProject(workspace)
	if err != nil {
		return Remembered{}, err
	}
	if n < 1 || n > len(f.Approvals) {
		return Remembered{}, fmt.Errorf("there is no approval %d: %d are kept for %s", n, len(f.Approvals), workspace)
	}
	a := f.Approvals[n-1]
	f.Workspace, f.Approvals = workspace, append(f.Approvals[:n-1:n-1], f.Approvals[n:]...)
	return Remembered{a.Rule, a.By, a.At}, s.policies.writeProject(f)
}
