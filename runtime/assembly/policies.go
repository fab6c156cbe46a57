package assembly

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	own   string   // the rule file of Caper's home
	guard []string // what no call may touch
	now   func() time.Time

	mu       sync.Mutex
	rules    files[license.Layer]
	projects files[projectFile]
	paths    map[string]string // of the project files, by workspace
	sessions map[uint64][]sessionApproval
}

func newPolicies(h Home, st store.Store) *policies {
	return &policies{home: h, store: st, own: h.PolicyFile(), guard: h.Protected(), now: time.Now, rules: files[license.Layer]{}, projects: files[projectFile]{},
		paths: map[string]string{}, sessions: map[uint64][]sessionApproval{}}
}

// files are settings files as they were read last, by path. Each is looked at for every call and read only when it changed.
type files[T any] map[string]*file[T]

type file[T any] struct {
	info  fs.FileInfo
	value T
	err   error
}

// read answers what a file holds now; ok is false where there is none.
func (known files[T]) read(path string, parse func([]byte) (T, error)) (value T, ok bool, err error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		delete(known, path)
		return value, false, nil
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if info, err = os.Stat(path); errors.Is(err, fs.ErrNotExist) { // what it held may have been refusals
			delete(known, path)
			err = fmt.Errorf("%s: it is a link to a file that does not exist", path)
		}
	}
	if err != nil {
		return value, false, err
	}
	f := known[path]
	if f == nil || !os.SameFile(f.info, info) || f.info.Size() != info.Size() || !f.info.ModTime().Equal(info.ModTime()) {
		f = &file[T]{info: info}
		text, err := readBounded(path, 4<<20)
		if err == nil {
			f.value, err = parse(text)
		}
		f.err = err
		known[path] = f
	}
	return f.value, true, f.err
}

// RepositoryPolicy is where a workspace may carry rules; they can only tighten.
const RepositoryPolicy = ".caper/policy.yaml"

// For implements call.Policies.
func (p *policies) For(_ context.Context, c *call.Context) (license.Policy, error) {
	pol := license.Policy{Posture: c.Posture, Mode: c.Mode, Protected: p.guard,
		ReadAllow: append([]string{c.Workspace}, c.ReadAllow...)}
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	if pol.Layers, err = p.layers(c.Workspace, c.Rules); err != nil {
		return pol, err
	}
	project, err := p.readProject(c.Workspace)
	if err != nil {
		return pol, err
	}
	session, err := p.session(c.Session)
	if err != nil {
		return pol, err
	}
	for _, a := range session {
		pol.Approvals = append(pol.Approvals, a.Approval)
	}
	for _, a := range project.Approvals {
		pol.Approvals = append(pol.Approvals, a.license(license.Project))
	}
	return pol, nil
}

// layers are the rule files that hold in a workspace; the error names file and line.
func (p *policies) layers(workspace string, extra []string) ([]license.Layer, error) {
	var out []license.Layer
	add := func(path string, required, tighten bool) error {
		l, ok, err := p.rules.read(path, func(text []byte) (license.Layer, error) { return license.ParsePolicy(path, text) })
		switch {
		case ok && err == nil:
			l.Tightening = tighten
			out = append(out, l)
		case err == nil && required:
			err = fmt.Errorf("rules: %s: %w", path, fs.ErrNotExist)
		}
		return err
	}
	if err := add(p.own, false, false); err != nil {
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

// readBounded reads a settings file whole. What is no plain file could be endless, or wait for ever.
func readBounded(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: it is no plain file", path)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s: %d bytes are too many, at most %d", path, info.Size(), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s: it is longer than %d bytes", path, limit)
	}
	return text, err
}

// projectFile is what is kept for a workspace, in Caper's home: never in the repository.
type projectFile struct {
	Workspace     string     `json:"workspace"`
	DefaultPolicy string     `json:"defaultPolicy,omitempty"`
	Approvals     []approval `json:"approvals,omitempty"`
}

// approval is a remembered yes as it is kept: by rule, or for the very call of a digest.
type approval struct {
	Rule   string    `json:"rule,omitempty"`
	Digest string    `json:"digest,omitempty"`
	By     string    `json:"by"`
	At     time.Time `json:"at"`
}

func (a approval) license(scope license.Scope) license.Approval {
	return license.Approval{Scope: scope, Rule: a.Rule, Digest: a.Digest, By: a.By, At: a.At}
}

// kept turns an answer's approval into what is kept, a rule or a digest each; the error is a rule that cannot be read.
func kept(a call.Approval, now time.Time) ([]approval, error) {
	var out []approval
	for _, rule := range a.Rules {
		k := approval{Rule: rule, By: a.By, At: now}
		if rule == "" {
			k.Digest = a.Digest
		} else if _, err := license.ParseRule(rule, a.Scope); err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	return out, nil
}

func (p *policies) projectPath(workspace string) string {
	path, ok := p.paths[workspace]
	if !ok {
		h := sha256.Sum256([]byte(workspace))
		path = filepath.Join(p.home.Projects(), hex.EncodeToString(h[:12])+".json")
		p.paths[workspace] = path
	}
	return path
}

func (p *policies) readProject(workspace string) (projectFile, error) {
	path := p.projectPath(workspace)
	f, ok, err := p.projects.read(path, func(text []byte) (f projectFile, err error) {
		err = json.Unmarshal(text, &f)
		return f, err
	})
	if err != nil {
		return f, fmt.Errorf("the settings of this workspace cannot be read: %s: %w", path, err)
	}
	if !ok {
		f.Workspace = workspace
	}
	return f, nil
}

// sessionApproval is one that holds for a session, with its number there.
type sessionApproval struct {
	license.Approval
	number int64
}

// session is what was remembered for a session and not taken back: facts on its root.
func (p *policies) session(s uint64) ([]sessionApproval, error) {
	if known, ok := p.sessions[s]; ok || s == 0 {
		return known, nil
	}
	facts, err := p.store.Facts(graph.RootID(s))
	if err != nil {
		return nil, err
	}
	out := []sessionApproval{}
	number := int64(0)
	for _, f := range facts {
		switch f.What {
		case kind.FactApproved:
			number++
			a := approval{Rule: graph.TextField(f.Value.Datum, "rule"), Digest: graph.TextField(f.Value.Datum, "digest"), By: f.By, At: f.At}
			out = append(out, sessionApproval{a.license(license.Session), number})
		case kind.FactTakenBack:
			out = slices.DeleteFunc(out, func(a sessionApproval) bool { return f.Value.Datum == a.number })
		}
	}
	p.sessions[s] = out
	return out, nil
}

// Remember implements call.Policies.
func (p *policies) Remember(_ context.Context, c *call.Context, a call.Approval) error {
	list, err := kept(a, p.now())
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.Scope == string(license.Project) {
		f, err := p.readProject(c.Workspace)
		if err != nil {
			return err
		}
		f.Workspace, f.Approvals = c.Workspace, append(f.Approvals, list...)
		return p.writeProject(f)
	}
	var notes []store.Change
	for _, k := range list {
		d := graph.List{graph.Pair("rule", k.Rule), graph.Pair("digest", k.Digest)}
		notes = append(notes, store.Note{ID: graph.RootID(c.Session), Fact: kind.Fact{What: kind.FactApproved, Value: kind.Of(d), By: k.By, At: k.At}})
	}
	delete(p.sessions, c.Session)
	_, err = p.store.Apply(c.Session, notes...)
	return err
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
	return writeWhole(path, append(text, '\n'))
}

// writeWhole replaces a file whole, durably: a crash leaves the old one or the new one.
func writeWhole(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".caper-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
