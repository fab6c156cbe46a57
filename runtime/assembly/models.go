package assembly

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"caper/interp"
	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/model"
	"caper/runtime/program"
	"caper/runtime/session"
)

// SchemeConnection is the connection of models that are Scheme procedures: scheme:FILE for one of a file, and
// scheme:SESSION/NAME for one that a running program defined.
const SchemeConnection = "scheme"

// models are the connections that agents ask: those of models.yaml and of the environment, and procedures.
type models struct {
	home   Home
	engine func() (*interp.Engine, error)

	mu      sync.Mutex
	set     *model.Set
	prices  model.Prices
	err     error
	opened  bool
	named   map[string]bool           // files that a person or the license let be a model
	files   map[string]*schemeFile    // by path
	defined map[string]call.Procedure // by session/name
}

type schemeFile struct {
	info  fs.FileInfo
	proc  call.Procedure
	close func()
}

func newModels(h Home, engine func() (*interp.Engine, error)) *models {
	return &models{home: h, engine: engine, named: map[string]bool{}, files: map[string]*schemeFile{}, defined: map[string]call.Procedure{}}
}

// ModelsFile and PricesFile are the user's settings.
func (h Home) ModelsFile() string { return filepath.Join(h.Config, "models.yaml") }
func (h Home) PricesFile() string { return filepath.Join(h.Config, "prices.json") }

// open reads the settings when a model is first asked for.
func (m *models) open() (*model.Set, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.opened {
		m.opened = true
		m.set, m.prices, m.err = m.read()
	}
	return m.set, m.err
}

func (m *models) read() (*model.Set, model.Prices, error) {
	var cfg model.Config
	prices := model.DefaultPrices()
	text, err := readBounded(m.home.ModelsFile(), 1<<20)
	if err == nil {
		cfg, err = model.ParseConfig(m.home.ModelsFile(), text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, prices, err
	}
	var more model.Prices
	text, err = readBounded(m.home.PricesFile(), 1<<20)
	if err == nil {
		more, err = model.ParsePrices(m.home.PricesFile(), text)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, prices, err
	}
	set, err := model.Open(cfg, model.Env{Getenv: os.Getenv, Scheme: m.configured})
	return set, prices.Extend(more), err
}

// configured is the connection of a settings file of kind scheme.
func (m *models) configured(file string) model.Connection {
	if !filepath.IsAbs(file) {
		file = filepath.Join(m.home.Config, file)
	}
	return m.ofFile(file, func(q model.Request) string { return q.Model })
}

// ofFile is the connection of a file, whose model has the name that is given for a request.
func (m *models) ofFile(file string, name func(model.Request) string) model.Connection {
	return model.Func(func(ctx context.Context, q model.Request, hear func(model.Delta)) (*model.Answer, error) {
		p, err := m.procedure(ctx, file, name(q))
		if err != nil {
			return nil, &model.Error{Code: "scheme", Message: err.Error()}
		}
		return schemeModel(p).Complete(ctx, q, hear)
	})
}

// Get implements agent.Models.
func (m *models) Get(name string) (model.Connection, string, error) {
	connection, which := model.Split(name)
	if connection != SchemeConnection {
		set, err := m.open()
		if err != nil {
			return nil, "", err
		}
		if name == "" {
			return nil, "", errors.New("no model is named, and the settings know none: set ANTHROPIC_API_KEY or OPENAI_API_KEY, write models.yaml, or name one with --model")
		}
		c, err := set.Get(name)
		return c, which, err
	}
	m.mu.Lock()
	p, named := m.defined[which], m.named[which]
	m.mu.Unlock()
	switch {
	case p != nil:
		return schemeModel(p), which, nil
	case !named:
		return nil, "", fmt.Errorf("there is no model %s: a program that runs defines one with define-model, and a file is named on the command line", name)
	}
	return m.ofFile(which, func(model.Request) string { return "" }), which, nil
}

// Cost implements agent.Models. What a procedure answers costs nothing.
func (m *models) Cost(name string, u model.Usage) (int64, bool) {
	connection, which := model.Split(name)
	if connection == SchemeConnection {
		return 0, true
	}
	if _, err := m.open(); err != nil {
		return 0, false
	}
	return m.prices.Cost(u, which)
}

// Names are the connections that there are.
func (m *models) Names() []string {
	set, err := m.open()
	if err != nil {
		return nil
	}
	return set.Names()
}

// standard is what is asked where nothing names a model: the settings' choice, else the first connection that there is.
func (m *models) standard() string {
	if c, err := readConfig(m.home); err == nil && c.Model != "" {
		return c.Model
	}
	names := m.Names()
	for _, n := range []string{"anthropic", "openai"} {
		if slices.Contains(names, n) {
			return n
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return ""
}

// NameModel answers the full name of a model that a person names from a folder: a file of one may then be read.
func (s *System) NameModel(cwd, name string) string {
	file, ok := strings.CutPrefix(name, SchemeConnection+":")
	if !ok || file == "" {
		return name
	}
	if !filepath.IsAbs(file) {
		if cwd == "" { // a procedure of a program, not a file
			return name
		}
		file = filepath.Join(cwd, file)
	}
	s.models.allow(file)
	return SchemeConnection + ":" + file
}

// FindModel finds what a person's next turn asks, so that a wrong name is told before anything is made: what is named, else
// the session's model, else that of its agent's recipe, else the settings'. A session that is still to be made gets the agent.
func (s *System) FindModel(ctx context.Context, c *call.Context, named, agent string) error {
	kept, recipe, err := s.standing(c, agent)
	if err != nil {
		return err
	}
	s.NameModel("", kept) // who set it might read it
	name := cmp.Or(named, kept, recipe.Model, s.models.standard())
	if full, ok := s.models.has(c.Session, name); ok {
		name = full
	}
	connection, which := model.Split(name)
	if connection == SchemeConnection && named == "" && kept == "" {
		return nil // the license says whether a recipe's file may be read, when it is asked
	}
	if _, _, err = s.models.Get(name); err == nil && connection == SchemeConnection && filepath.IsAbs(which) {
		if _, err = s.models.procedure(ctx, which, ""); err != nil {
			err = fmt.Errorf("the model %s cannot be used: %w", name, err)
		}
	}
	return err
}

// standing is the model that a session asks, "" for none, and the recipe of its agent, or of the agent that it will get.
func (s *System) standing(c *call.Context, agent string) (kept string, recipe kind.AgentSpec, err error) {
	if c.Session == 0 {
		if agent != "" {
			recipe, err = s.named(c, agent)
		}
		return "", recipe, err
	}
	settings, err := session.SettingsOf(s.Store, c.Session)
	if err != nil {
		return "", recipe, err
	}
	if id, ok, err := session.AgentOf(s.Store, c.Session); err != nil {
		return "", recipe, err
	} else if ok {
		recipe, err = session.Spec(s.Store, id)
		return settings.Kvs["model"], recipe, err
	}
	return settings.Kvs["model"], recipe, nil
}

// KeepModel notes that a session asks a model from now on, where no turn names another.
func (s *System) KeepModel(session uint64, name, by string) error {
	return s.note(session, kind.FactKv, &graph.Dotted{Items: []graph.Datum{"model"}, Tail: name}, by)
}

// allow lets a file be a model: a person named it, or the license let the program read it.
func (m *models) allow(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.named[path] = true
}

func (m *models) allowed(path string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.named[path]
}

// define makes a procedure of a program a model.
func (m *models) define(session uint64, name string, p call.Procedure) (end func(), err error) {
	key := definedKey(session, name)
	m.mu.Lock()
	defer m.mu.Unlock()
	if strings.ContainsAny(name, ":/ \t\n") {
		return nil, fmt.Errorf("the name %q has a colon, a slash or a space", name)
	}
	m.defined[key] = p
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.defined[key] == p {
			delete(m.defined, key)
		}
	}, nil
}

func definedKey(session uint64, name string) string {
	return strconv.FormatUint(session, 10) + "/" + name
}

// has answers the full name of a model that a program of the session defined.
func (m *models) has(session uint64, name string) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := definedKey(session, name)
	_, ok := m.defined[key]
	return SchemeConnection + ":" + key, ok
}

// of are the models that programs of a session defined.
func (m *models) of(session uint64) (names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := definedKey(session, "")
	for key := range m.defined {
		if strings.HasPrefix(key, before) {
			names = append(names, SchemeConnection+":"+key)
		}
	}
	slices.Sort(names)
	return names
}

// procedure is the model of a file, read again when it changed. name may be "" where the file defines one.
func (m *models) procedure(ctx context.Context, path, name string) (call.Procedure, error) {
	if m.engine == nil {
		return nil, errors.New("no programs can be run here")
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	key := path + "\x00" + name
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.files[key]; f != nil {
		if unchanged(f.info, info) {
			return f.proc, nil
		}
		f.close()
		delete(m.files, key)
	}
	text, err := readBounded(path, 4<<20)
	if err != nil {
		return nil, err
	}
	engine, err := m.engine()
	if err != nil {
		return nil, err
	}
	all, end, err := program.Procedures(ctx, engine, syntax.NewSource(path, string(text)), "model")
	if err != nil {
		return nil, err
	}
	p := all[name]
	if name == "" && len(all) == 1 {
		p = slices.Collect(maps.Values(all))[0]
	}
	if p == nil {
		end()
		return nil, fmt.Errorf("%s: it should define one model with (define-model 'name (lambda (messages tools) …)); it defines %d", path, len(all))
	}
	m.files[key] = &schemeFile{info, p, end}
	return p, nil
}

// unchanged says that a file is the one that was read.
func unchanged(was, is fs.FileInfo) bool {
	return os.SameFile(was, is) && was.ModTime().Equal(is.ModTime()) && was.Size() == is.Size()
}

func (m *models) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.files {
		f.close()
	}
	if m.set != nil {
		m.set.Close()
	}
}

// Connections names the connections to models that the settings and the environment give. Nothing is asked.
func Connections(h Home) ([]string, error) {
	m := newModels(h, nil)
	defer m.close()
	set, err := m.open()
	if err != nil {
		return nil, err
	}
	return set.Names(), nil
}
