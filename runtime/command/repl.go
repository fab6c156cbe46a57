package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"caper/interp"
	"caper/interp/syntax"
	"caper/repl"
	"caper/runtime/assembly"
	"caper/runtime/owner"
	"caper/runtime/tool"
	"caper/runtime/view"
)

// leastWidth is how many columns the form editor needs.
const leastWidth = 20

// repl reads what a person types, or a pipe holds, until it ends.
func (v *verb) repl(editor string) error {
	home, err := assembly.FindHome(v.env)
	if err != nil {
		return failf(ExitUsage, "", "%w", err)
	}
	flags, ok := withoutEditor(v.Args)
	if !ok || editor != "form" && editor != "liner" && editor != "plain" {
		return failf(ExitUsage, "", "--editor is form, liner or plain; found %q", editor)
	}
	h := &host{v: v}
	person := v.Terminal != nil && v.Screen
	o := repl.Options{Host: h, Flags: flags, Terminal: person, Park: owner.ErrPark}
	if person {
		o.History = repl.NewHistory(filepath.Join(home.Data, "history.jsonl"))
	}
	var shell *repl.Shell
	switch {
	case person && editor == "form" && v.Style.Live && v.Style.Width >= leastWidth && v.catch != nil:
		o.Front, err = repl.NewTTY(repl.TTYOptions{In: 0, Out: v.Stdout, Style: v.Style, Base: v.ctx, Cause: owner.ErrInterrupt, History: o.History,
			Complete: func(text string, at int) (int, []repl.Candidate) { return shell.Complete(text, at) }})
		if err != nil {
			return err
		}
	case person && editor == "liner" && v.Style.Live && v.catch != nil:
		o.Front = repl.NewLiner(v.ctx, v.Stdout, owner.ErrInterrupt, func(text string, at int) (int, []repl.Candidate) { return shell.Complete(text, at) }, o.History)
	case v.Terminal != nil:
		o.Front = repl.NewPlain(v.ctx, v.Terminal, v.Stdout, v.Screen, owner.ErrInterrupt)
	case v.pipe != nil:
		o.Front = repl.NewPlain(v.ctx, v.pipe, v.Stdout, false, owner.ErrInterrupt)
	default:
		o.Front = repl.NewPlain(v.ctx, repl.Lines(v.Stdin), v.Stdout, false, owner.ErrInterrupt)
	}
	if o.Errors = v.Stderr; v.Terminal != nil {
		o.Errors = o.Front
	}
	shell = repl.New(o)
	h.front = o.Front
	if hears, ok := o.Front.(interface{ Interrupt() }); ok && v.catch != nil {
		interrupt := hears.Interrupt
		v.catch.Store(&interrupt)
		defer v.catch.Store(nil)
	}
	if person && v.First && v.Style.Live && !v.quiet {
		fmt.Fprint(o.Front, view.Welcome(v.Style, [2]string{",help", "what can be typed here; Ctrl-D leaves"}))
	}
	whole := false
	defer func() {
		if !whole { // a defect of ours must not leave the terminal as it is now
			_ = o.Front.Close()
		}
	}()
	v.code = shell.Run()
	whole = true
	return o.Front.Close()
}

// withoutEditor are the flags of a command line without the one that only the session knows.
func withoutEditor(args []string) (flags []string, ok bool) {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--editor":
			i++
		case strings.HasPrefix(args[i], "--editor="):
		default:
			flags = append(flags, args[i])
		}
	}
	return flags, bare(flags)
}

// host runs the command lines of a session.
type host struct {
	v     *verb
	front repl.Front

	once  sync.Once
	names []repl.Candidate
	docs  map[string]interp.Doc // of the names
}

// Run implements repl.Host.
func (h *host) Run(ctx context.Context, l repl.Line) int {
	v := h.v
	inv := &Invocation{Args: l.Args, Cwd: v.Cwd, Environ: v.Environ, Stdout: h.front, Stderr: h.front, Screen: v.Screen, Style: v.Style, Job: l.Job, Freed: l.Freed, Held: l.Held, catch: v.catch}
	if s, ok := h.front.(interface{ Size() (int, int) }); ok {
		inv.Style.Width, _ = s.Size()
	}
	if v.Terminal == nil {
		inv.Stderr = v.Stderr
	}
	if l.Errors != nil {
		inv.Stderr = &copied{inv.Stderr, l.Errors}
	}
	if v.Terminal != nil {
		inv.Terminal = h.front
	} else {
		inv.Stdin = &lines{ctx: ctx, read: h.front.ReadLine}
	}
	if v.remote != nil {
		return v.remote(ctx, inv)
	}
	return Execute(ctx, inv, v.opened)
}

// copied writes to one, and a copy to another.
type copied struct {
	io.Writer
	copy io.Writer
}

func (c *copied) Write(b []byte) (int, error) {
	if !bytes.Contains(b, []byte("\x1b[?7")) && !bytes.Contains(b, []byte("\x1b[J")) { // what moves on the screen is not said
		_, _ = c.copy.Write(b)
	}
	return c.Writer.Write(b)
}

// Explain implements repl.Host.
func (h *host) Explain(before []string, text string) (core, code string, err error) {
	engine, err := newEngine()
	if err != nil {
		return "", "", err
	}
	var sources []*syntax.Source
	for _, t := range before {
		sources = append(sources, syntax.NewSource("before", t))
	}
	x, err := engine.Explain(interp.Config{Memory: 256 << 20, Output: nothing{}, Open: true}, sources, syntax.NewSource("form", text))
	return x.Core, x.Code, err
}

// Names implements repl.Host.
func (h *host) Names() []repl.Candidate {
	h.once.Do(func() {
		engine, err := newEngine()
		if err != nil {
			return // the first input says so
		}
		m, err := engine.NewMachine(interp.Config{Memory: 64 << 20, Output: nothing{}})
		if err != nil {
			return
		}
		defer m.Close()
		if err := m.Load(syntax.NewSource("names", "0")); err != nil { // what no program imports is not seen
			return
		}
		docs := engine.Docs()
		h.docs = make(map[string]interp.Doc, len(docs))
		set := assembly.Tools()
		for _, name := range m.Names() {
			if strings.HasPrefix(name, "#%") {
				continue
			}
			c := repl.Candidate{Text: name, Doc: docs[name].Line}
			if t, ok := set.Get(name); ok {
				c.Use, c.Doc = tool.Usage(t), t.Summary
			} else if doc := docs[name]; len(doc.Uses) > 0 {
				c.Use = doc.Uses[0]
			}
			h.names, h.docs[name] = append(h.names, c), docs[name]
		}
	})
	return h.names
}

// nothing is the output of a machine that runs nothing.
type nothing struct{}

func (nothing) Write([]byte) bool { return true }

// Tool implements repl.Host.
func (h *host) Tool(name string) bool {
	_, ok := assembly.Tools().Get(name)
	return ok
}

// Keywords implements repl.Host.
func (h *host) Keywords(name string) (all []repl.Candidate) {
	t, ok := assembly.Tools().Get(name)
	if !ok {
		return nil
	}
	for _, p := range t.Params {
		if p.Keyword {
			all = append(all, repl.Candidate{Text: p.Name, Doc: p.Doc})
		}
	}
	return all
}

// Doc implements repl.Host.
func (h *host) Doc(name string) string {
	if t, ok := assembly.Tools().Get(name); ok {
		return t.Doc
	}
	h.Names()
	return h.docs[name].String()
}
