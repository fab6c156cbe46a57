package model

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"caper/interp/near"
)

// Env is the world as connections see it. The zero value of a member is the real one, but Getenv, which knows nothing.
type Env struct {
	Getenv    func(string) string
	Command   func(ctx context.Context, command string) (string, error) // runs a key_command
	Clock     Clock
	Rand      func() float64 // from 0 to 1
	Transport http.RoundTripper
	Scheme    func(file string) Connection // what a connection of kind scheme asks
}

// Set is the connections that a configuration names. They are built when they are first asked for.
type Set struct {
	env   Env
	named map[string]ConnectionConfig
	http  *http.Client

	mu    sync.Mutex
	built map[string]Connection
}

// The models that are asked where neither the name nor the configuration says which.
const (
	DefaultAnthropicModel = "claude-sonnet-5-5"
	DefaultOpenAIModel    = "gpt-5.5"
)

// Open makes a set. With ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment there are connections anthropic and
// openai also where the configuration has none of that name.
func Open(cfg Config, env Env) (*Set, error) {
	if env.Getenv == nil {
		env.Getenv = func(string) string { return "" }
	}
	if env.Clock == nil {
		env.Clock = RealClock{}
	}
	if env.Rand == nil {
		env.Rand = rand.Float64
	}
	if env.Command == nil {
		env.Command = shell
	}
	if env.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxResponseHeaderBytes = 1 << 20
		env.Transport = t
	}
	s := &Set{env: env, named: map[string]ConnectionConfig{}, built: map[string]Connection{}}
	s.http = &http.Client{Transport: env.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, d := range []ConnectionConfig{
		{Name: "anthropic", Kind: KindAnthropic, KeyEnv: "ANTHROPIC_API_KEY", BaseURL: env.Getenv("ANTHROPIC_BASE_URL"), Retries: -1},
		{Name: "openai", Kind: KindOpenAI, KeyEnv: "OPENAI_API_KEY", BaseURL: env.Getenv("OPENAI_BASE_URL"), Retries: -1},
	} {
		if env.Getenv(d.KeyEnv) == "" {
			continue
		}
		if d.BaseURL != "" {
			if why := badBase(d.BaseURL); why != "" {
				return nil, fmt.Errorf("the base address of %s in the environment %s", d.Name, why)
			}
		}
		s.named[d.Name] = d
	}
	for _, c := range cfg.Connections {
		s.named[c.Name] = c
	}
	for _, c := range cfg.Connections {
		if err := s.chain(c, nil); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// chain checks that fallbacks lead somewhere and never back.
func (s *Set) chain(c ConnectionConfig, above []string) error {
	if slices.Contains(above, c.Name) {
		return fmt.Errorf("the connection %s falls back on itself", c.Name)
	}
	if len(above) > 10 {
		return fmt.Errorf("the connection %s falls back more than ten deep", above[0])
	}
	for _, link := range c.Chain {
		name, _, _ := strings.Cut(link, ":")
		next, ok := s.named[name]
		if !ok {
			return fmt.Errorf("the connection %s falls back on %q, which is not there; there are: %s", c.Name, clip(name), strings.Join(s.Names(), ", "))
		}
		if err := s.chain(next, append(above, c.Name)); err != nil {
			return err
		}
	}
	return nil
}

// Names answers the names of the connections, sorted.
func (s *Set) Names() []string {
	return slices.Sorted(maps.Keys(s.named))
}

// Close lets go of the network.
func (s *Set) Close() { s.http.CloseIdleConnections() }

// Split cuts the name of an actor, connection:model, at the first colon (law S28). The model is empty where none is named.
func Split(actor string) (connection, model string) {
	connection, model, _ = strings.Cut(actor, ":")
	return connection, model
}

// Get answers what asks an actor, connection:model; with no model, the connection's own. The model of a Request is set
// to it.
func (s *Set) Get(actor string) (Connection, error) {
	name, model := Split(actor)
	c, ok := s.named[name]
	if !ok {
		if len(s.named) == 0 {
			return nil, fmt.Errorf("there is no connection %q, and none at all: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or write models.yaml", clip(name))
		}
		meant := near.Question(near.Names(name, s.Names()))
		if meant != "" {
			meant = " (" + meant + ")"
		}
		return nil, fmt.Errorf("there is no connection %q%s; there are: %s", clip(name), meant, strings.Join(s.Names(), ", "))
	}
	conn, err := s.build(c)
	if err != nil {
		return nil, err
	}
	if model == "" {
		model = c.Model
	}
	if model == "" && c.BaseURL == "" || model == "" && (c.Name == "anthropic" || c.Name == "openai") {
		model = map[string]string{KindAnthropic: DefaultAnthropicModel, KindOpenAI: DefaultOpenAIModel, KindChat: DefaultOpenAIModel}[c.Kind]
	}
	if model == "" && c.Kind != KindFallback && c.Kind != KindScheme {
		return nil, fmt.Errorf("the connection %s has no model of its own: name one as %s:MODEL", name, name)
	}
	return Func(func(ctx context.Context, r Request, hear func(Delta)) (*Answer, error) {
		if model != "" {
			r.Model = model
		}
		return conn.Complete(ctx, r, hear)
	}), nil
}

func (s *Set) build(c ConnectionConfig) (Connection, error) {
	s.mu.Lock()
	conn := s.built[c.Name]
	s.mu.Unlock()
	if conn != nil {
		return conn, nil
	}
	if c.Kind == KindFallback {
		var chain []Link
		for _, link := range c.Chain {
			next, err := s.Get(link)
			if err != nil {
				return nil, err
			}
			chain = append(chain, Link{link, next})
		}
		conn = Fallback(chain...)
	} else if c.Kind == KindScheme {
		if s.env.Scheme == nil {
			return nil, fmt.Errorf("the connection %s is a Scheme procedure, and no programs can be run here", c.Name)
		}
		conn = s.env.Scheme(c.File)
	} else {
		conn = s.direct(c)
		if c.Requests > 0 || c.Tokens > 0 {
			conn = Limit(conn, c.Requests, c.Tokens, s.env.Clock)
		}
		if c.Retries != 0 {
			conn = Retry(conn, RetryPolicy{Tries: max(c.Retries, -1) + 1, Clock: s.env.Clock, Rand: s.env.Rand})
		}
	}
	if c.Cache != "" {
		conn = Cache(conn, c.Cache, c.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if first := s.built[c.Name]; first != nil {
		return first, nil
	}
	s.built[c.Name] = conn
	return conn, nil
}

// direct builds the connection to a provider.
func (s *Set) direct(c ConnectionConfig) Connection {
	w := &wire{client: s.http, clock: s.env.Clock, silence: c.Timeout, key: s.keyOf(c)}
	if w.silence == 0 {
		w.silence = defaultWait
	}
	// Natives of one address are nothing to another.
	name := c.Kind
	if host := hostOf(c.BaseURL); host != "" {
		name += "@" + host
	}
	d := &direct{wire: w}
	switch c.Kind {
	case KindAnthropic:
		d.provider = newMessages(name, c.BaseURL)
	case KindOpenAI:
		d.provider = newResponder(name, c.BaseURL)
	default:
		d.provider = newChat(name, c.BaseURL)
	}
	if c.Schema != "" {
		d.provider = schemaBy{d.provider, c.Schema == "native"}
	}
	return d
}

// schemaBy is a provider that is told how to ask for structured output.
type schemaBy struct {
	provider
	way bool
}

func (s schemaBy) native(Request) bool { return s.way }

// keyOf answers what finds a connection's key when a request is sent. Keys live in closures only, so that no printing
// of a value finds them.
func (s *Set) keyOf(c ConnectionConfig) func(context.Context) (header, value string, headers map[string]string, secrets []string, err error) {
	var mu sync.Mutex
	kept := ""
	find := func(ctx context.Context) (string, error) {
		switch {
		case c.KeyEnv != "":
			if k := strings.TrimSpace(s.env.Getenv(c.KeyEnv)); k != "" {
				return k, nil
			}
			return "", errorf(CodeAuth, "the variable %s, which should hold the key of the connection %s, is empty", c.KeyEnv, c.Name)
		case c.KeyCommand != "":
			mu.Lock()
			defer mu.Unlock()
			if kept != "" {
				return kept, nil
			}
			out, err := s.env.Command(ctx, c.KeyCommand)
			if err != nil { // its text may hold anything
				return "", errorf(CodeAuth, "the key_command of the connection %s failed", c.Name)
			}
			if kept = strings.TrimSpace(out); kept == "" {
				return "", errorf(CodeAuth, "the key_command of the connection %s printed nothing", c.Name)
			}
			return kept, nil
		}
		return "", nil
	}
	return func(ctx context.Context) (header, value string, headers map[string]string, secrets []string, err error) {
		k, err := find(ctx)
		if err != nil {
			return "", "", nil, nil, err
		}
		if strings.ContainsFunc(k, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
			return "", "", nil, nil, errorf(CodeAuth, "the key of the connection %s has several lines, or signs that no key has", c.Name)
		}
		if k != "" {
			header, value = "Authorization", "Bearer "+k
			if c.Kind == KindAnthropic {
				header, value = "X-Api-Key", k
			}
		}
		secrets = secret(secrets, k)
		headers = map[string]string{}
		for name, v := range c.Headers {
			if from, ok := strings.CutPrefix(v, "$"); ok {
				if v = s.env.Getenv(from); strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r >= 0x7f }) {
					return "", "", nil, nil, errorf(CodeAuth, "the variable %s has several lines, or signs that no header has", clip(from))
				}
				secrets = secret(secrets, v)
			}
			headers[name] = v
		}
		return header, value, headers, secrets, nil
	}
}

// secret adds a secret that is long enough to be one, and not itself the stars that stand for one.
func secret(all []string, s string) []string {
	if len(s) < 6 || strings.Trim(s, "*") == "" {
		return all
	}
	return append(all, s)
}

const commandTime = 30 * time.Second

func shell(ctx context.Context, command string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	return string(out), err
}
