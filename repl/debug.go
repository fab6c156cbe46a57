package repl

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"caper/interp/syntax"
)

// This file defines what a person does about an input that failed: look into its frames, and have it go on.

// Failure is what an input failed with, while it still stands where it failed.
type Failure struct {
	Text   string // as it is shown
	Head   string // without the frames
	Frames []Frame
	Retry  string // the call that may be made again, "" where none failed
	At     int    // where the input failed, as an offset in its text, -1 where that is not known
}

// Frame is a procedure that was called and has not returned.
type Frame struct {
	Title  string // what and where
	Source string // the lines around the place, which is marked; "" where the text is not known
	Kept   bool   // Vars are known
	Vars   []Var
}

// Var is a variable and what is shown of its value.
type Var struct{ Name, Value string }

// Restart is how an input goes on that failed: it makes the call again or uses the value of an expression, else it ends.
type Restart struct {
	Retry bool
	Use   string
	// Shown says of one that ends that the person has seen why.
	Shown bool
}

// offer says how an input may go on.
func (s *Shell) offer(f Failure) {
	if f.Retry != "" {
		s.say("; ,retry makes the call %s again\n", clean(f.Retry))
	}
	s.say("; ,use EXPR goes on with a value in its place, ,abort or another input ends it\n")
}

// restart has the input that waits go on.
func (s *Shell) restart(ctx context.Context, r Restart) {
	f := s.held
	if f == nil {
		s.fail("no input waits: ,retry, ,use and ,abort are for one that failed just now, at a terminal")
		return
	}
	s.held = nil
	if r.Retry || r.Use != "" {
		f.went = append(f.went, r)
	}
	f.answer <- r
	s.follow(ctx, f)
}

// abort ends an input that waits, if there is one.
func (s *Shell) abort(ctx context.Context) {
	if s.held != nil {
		s.restart(ctx, Restart{Shown: true})
	}
}

func (s *Shell) retry(ctx context.Context, _ string) {
	if s.held != nil && s.held.retry == "" {
		s.fail("no call failed that could be made again; ,use EXPR gives a value instead")
		return
	}
	s.restart(ctx, Restart{Retry: true})
}

func (s *Shell) use(ctx context.Context, args string) {
	if forms, err := syntax.ReadAll(syntax.NewSource(",use", args)); err != nil {
		s.fail("%s", err)
	} else if len(forms) != 1 {
		s.fail(",use wants one expression; found %d", len(forms))
	} else {
		s.restart(ctx, Restart{Use: args})
	}
}

func (s *Shell) backtrace(_ context.Context, _ string) {
	switch {
	case s.failure == "":
		s.fail("nothing has failed")
	case len(s.frames) == 0:
		s.say("%s", s.failure)
	default:
		s.say("%s", s.head)
		for i, f := range s.frames {
			mark := " "
			if i == s.frame {
				mark = ">"
			}
			s.say("%s %2d %s\n", mark, i, f.Title)
		}
	}
}

// mostFrames bounds what is kept of a failure.
const mostFrames = 64

// lookedAt is the frame that is looked at.
func (s *Shell) lookedAt() (f Frame, ok bool) {
	if len(s.frames) == 0 {
		s.fail("nothing has failed that could be looked into")
		return f, false
	}
	return s.frames[s.frame], true
}

func (s *Shell) chooseFrame(_ context.Context, args string) {
	if args != "" {
		n, err := strconv.Atoi(args)
		if err != nil || n < 0 || n >= len(s.frames) && len(s.frames) > 0 {
			s.fail(",frame wants a number from 0 to %d, as ,bt shows them; found %q", max(len(s.frames)-1, 0), args)
			return
		}
		if len(s.frames) > 0 {
			s.frame = n
		}
	}
	if f, ok := s.lookedAt(); ok {
		s.say("%d %s\n%s", s.frame, f.Title, f.Source)
		if f.Source == "" {
			s.say("  its text is not at hand\n")
		}
	}
}

func (s *Shell) locals(_ context.Context, _ string) {
	f, ok := s.lookedAt()
	switch {
	case !ok:
	case !f.Kept:
		s.say("%d %s: the frame is gone, with its variables\n", s.frame, f.Title)
	case len(f.Vars) == 0:
		s.say("%d %s: the compiler kept no variables here\n", s.frame, f.Title)
	default:
		width := 0
		for _, v := range f.Vars {
			width = max(width, len(v.Name))
		}
		for _, v := range f.Vars {
			s.say("  %-*s = %s\n", min(width, 20), clean(v.Name), strings.ReplaceAll(clean(v.Value), "\n", " "))
		}
	}
}

// promptNow is the prompt: it shows that a failed input waits.
func (s *Shell) promptNow() string {
	if s.held != nil {
		return fmt.Sprintf("caper (input %d waits)> ", s.held.number)
	}
	return prompt
}
