package assembly

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/license"
	"caper/runtime/store"
)

// policies answers the policy of a call: rule files on disk, the session's lists, and what people told it to remember.
type policies struct {
	home  Home
	store store.Store
	now   func() time.Time

	mu       sync.Mutex
	files    map[string]*ruleFile
	sessions map[uint64]*license.Layer
}

type ruleFile struct {
	stamp string
	layer license.Layer
	err   error
}

// RepositoryPolicy is where a workspace may carry rules; they can only tighten.
const RepositoryPolicy = ".caper/policy.yaml"

// For implements call.Policies.
func (p *policies) For(_ context.Context, c *call.Context) (license.Policy, error) {
	pol := license.Policy{Posture: c.Posture, Mode: c.Mode, Protected: p.home.Protected(),
		ReadAllow: append([]string{c.Workspace}, c.ReadAllow...)}
	p.mu.Lock()
	defer p.mu.Unlock()
	layers, err := p.layers(c.Workspace, c.Rules)
	if err != nil {
		return pol, err
	}
	project, err := p.project(c.Workspace)
	if err != nil {
		return pol, err
	}
	session, err := p.session(c.Session)
	if err != nil {
		return pol, err
	}
	pol.Layers = append(layers, project, *session)
	return pol, nil
}

// Layers are the rule files that hold in a workspace; the error names file and line.
func (p *policies) layers(workspace string, extra []string) ([]license.Layer, error) {
	var out []license.Layer
	add := func(path string, required, tighten bool) error {
		l, err := p.file(path, required)
		if err == nil && l != nil {
			l.Tightening = tighten
			out = append(out, *l)
		}
		return err
	}
	if err := add(p.home.PolicyFile(), false, false); err != nil {
		return nil, err
	}
	if err := add(filepath.Join(workspace, RepositoryPolicy), false, true); err != nil {
		return nil, err
	}
	for _, f := range extra {
		if err := add(f, true, false); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// file reads a rule file, again only when it changed.
func (p *policies) file(path string, required bool) (*license.Layer, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !required {
		delete(p.files, path)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	stamp := fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	f := p.files[path]
	if f == nil || f.stamp != stamp {
		f = &ruleFile{stamp: stamp}
		text, err := readBounded(path, 4<<20)
		if err == nil {
			f.layer, err = license.ParsePolicy(path, text)
		}
		f.err = err
		p.files[path] = f
	}
	if f.err != nil {
		return nil, f.err
	}
	l := f.layer
	return &l, nil
}

func readBounded(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s: %d bytes are too many, at most %d", path, info.Size(), limit)
	}
	return os.ReadFile(path)
}

// projectFile is what is kept for a workspace, in Caper's home: never in the repository.
type projectFile struct {
	Workspace     string   `json:"workspace"`
	DefaultPolicy string   `json:"defaultPolicy,omitempty"`
	Allow         []string `json:"allow,omitempty"`
}

func (p *policies) projectPath(workspace string) string {
	h := sha256.Sum256([]byte(workspace))
	return filepath.Join(p.home.Projects(), hex.EncodeToString(h[:12])+".json")
}

func (p *policies) readProject(workspace string) (projectFile, error) {
	path := p.projectPath(workspace)
	text, err := readBounded(path, 4<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return projectFile{Workspace: workspace}, nil
	}
	var f projectFile
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		return f, fmt.Errorf("the settings of this workspace cannot be read: %s: %w", path, err)
	}
	return f, nil
}

func (p *policies) project(workspace string) (license.Layer, error) {
	f, err := p.readProject(workspace)
	if err != nil {
		return license.Layer{}, err
	}
	l := license.Layer{Name: "project"}
	for _, text := range f.Allow {
		r, err := license.ParseRule(text, "project")
		if err != nil {
			return l, fmt.Errorf("%s: %w", p.projectPath(workspace), err)
		}
		l.Allow = append(l.Allow, r)
	}
	return l, nil
}

// session is what was remembered for a session: facts on its root.
func (p *policies) session(s uint64) (*license.Layer, error) {
	if l := p.sessions[s]; l != nil {
		return l, nil
	}
	l := &license.Layer{Name: "session"}
	if s != 0 {
		facts, err := p.store.Facts(graph.RootID(s))
		if err != nil {
			return nil, err
		}
		for _, f := range facts {
			text, ok := f.Value.Datum.(string)
			if !ok || f.What != kind.FactApproved {
				continue
			}
			r, err := license.ParseRule(text, "session")
			if err != nil {
				return nil, fmt.Errorf("session %d remembers a rule that cannot be read: %w", s, err)
			}
			l.Allow = append(l.Allow, r)
		}
		p.sessions[s] = l
	}
	return l, nil
}

// Remember implements call.Policies.
func (p *policies) Remember(_ context.Context, c *call.Context, a call.Approval) error {
	r, err := license.ParseRule(a.Rule, a.Scope)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.Scope == "project" {
		f, err := p.readProject(c.Workspace)
		if err != nil {
			return err
		}
		f.Workspace, f.Allow = c.Workspace, append(f.Allow, a.Rule)
		return p.writeProject(f)
	}
	l, err := p.session(c.Session)
	if err != nil {
		return err
	}
	note := store.Note{ID: graph.RootID(c.Session), Fact: kind.Fact{What: kind.FactApproved, Value: kind.Of(a.Rule), By: a.By, At: p.now()}}
	if _, err := p.store.Apply(c.Session, note); err != nil {
		return err
	}
	l.Allow = append(l.Allow, r)
	return nil
}

func (p *policies) writeProject(f projectFile) error {
	return writeJSON(p.projectPath(f.Workspace), f)
}

// writeJSON replaces a settings file whole, durably.
func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".caper-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	_, err = tmp.Write(append(text, '\n'))
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
