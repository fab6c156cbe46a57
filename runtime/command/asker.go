package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"caper/runtime/call"
	"caper/runtime/license"
	"caper/runtime/owner"
	"caper/runtime/view"
)

// asker asks questions at a terminal, one at a time, line by line.
type asker struct {
	mu    sync.Mutex
	term  owner.Terminal
	w     io.Writer
	style view.Style
	live  *view.Live      // hidden while a question stands
	clock *call.Stopwatch // of the program, nil when its time has no end

	away context.Context // ends when what asks goes on in the background: nobody is at the prompt for it; nil: never

	curtain curtain
}

// Ask implements call.Asker.
func (a *asker) Ask(ctx context.Context, q call.Question) (call.Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return call.Answer{}, err
	}
	defer a.clock.Pause()()
	here, leave := context.WithCancel(ctx)
	defer leave()
	if a.away != nil {
		defer context.AfterFunc(a.away, leave)()
		if a.away.Err() != nil {
			fmt.Fprint(a.w, view.Question(a.style, q))
			return a.later(ctx, q)
		}
	}
	defer a.curtain.close()()
	if a.live != nil {
		a.live.Hide()
		defer a.live.Show()
	}
	a.term.Flush()
	fmt.Fprint(a.w, view.Question(a.style, q))
	for {
		fmt.Fprint(a.w, view.Prompt(a.style, q))
		text, err := a.term.ReadLine(here)
		if err != nil && ctx.Err() == nil && here.Err() != nil {
			return a.later(ctx, q)
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				fmt.Fprintln(a.w)
			}
			return call.Answer{}, err
		}
		by := "terminal"
		if q.Doubt != nil {
			switch strings.ToLower(strings.TrimSpace(text)) {
			case "y", "yes":
				return call.Answer{How: call.Happened, By: by}, nil
			case "n", "no":
				return call.Answer{How: call.DidNot, By: by}, nil
			case "r":
				return call.Answer{How: call.Retry, By: by}, nil
			case "l":
				return call.Answer{By: by}, nil
			}
			fmt.Fprintln(a.w, "  please answer with one of the letters")
			continue
		}
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "y", "yes":
			return call.Answer{Yes: true, Scope: "once", By: by}, nil
		case "n", "no":
			return call.Answer{By: by}, nil
		case "s":
			if remembers(q, license.Session) {
				return call.Answer{Yes: true, Scope: "session", By: by}, nil
			}
		case "p":
			if remembers(q, license.Project) {
				return call.Answer{Yes: true, Scope: "project", By: by}, nil
			}
		case "d":
			fmt.Fprint(a.w, view.Diff(a.style, q))
			continue
		case "?", "why":
			fmt.Fprint(a.w, view.Why(a.style, q))
			continue
		}
		fmt.Fprintln(a.w, "  please answer with one of the letters")
	}
}

// later says how a question is answered that nobody is at the prompt for, and waits until it is.
func (a *asker) later(ctx context.Context, q call.Question) (call.Answer, error) {
	fmt.Fprintf(a.w, "  ,approve %s or ,deny %s answers\n", q.ID, q.ID)
	<-ctx.Done()
	return call.Answer{}, ctx.Err()
}

// remembers says whether a yes for a scope has anything to remember.
func remembers(q call.Question, scope license.Scope) bool {
	for _, s := range q.Decision.Remember {
		if s.Scope == scope {
			return true
		}
	}
	return false
}
