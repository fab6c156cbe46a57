package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Options are how a session begins.
type Options struct {
	Host  Host
	Front Front
	// Errors is where it is said what is wrong with a command.
	Errors io.Writer
	// Flags stand on every command line: those that the session was begun with.
	Flags []string
	// Terminal says that a person sits there: what is said for people is said.
	Terminal bool
	// History remembers what was typed; nil: nothing does.
	History *History
	// Park is what ends an evaluation that goes on in the background when the session ends.
	Park error
}

// Shell is one session of reading, evaluating and asking.
type Shell struct {
	Options
	number  int      // of the newest input
	session string   // "" until the first input
	after   string   // the input in whose machine the next one goes on
	job     string   // that was made last
	chosen  []string // flags of the session's own choosing
	model   string
	code    int
	inputs  []past
	defined map[string]bool
	leaving bool
	failure string // what was said of the last input that failed

	mu     sync.Mutex
	flying map[int]context.CancelCauseFunc // inputs that go on
	all    sync.WaitGroup
}

// past is an input that was evaluated.
type past struct {
	number int
	text   string
	id     string
	code   int
}

// New begins a session.
func New(o Options) *Shell {
	return &Shell{Options: o, defined: map[string]bool{}, flying: map[int]context.CancelCauseFunc{}}
}

const prompt = "caper> "

// Run reads and evaluates until the input ends. It answers the exit code: of a person's session 0, else of the first
// input that failed.
func (s *Shell) Run() int {
	for !s.leaving {
		in, err := s.Front.Read(prompt)
		if err != nil {
			if s.Terminal && errors.Is(err, io.EOF) {
				s.say("\n")
			}
			break
		}
		s.one(in)
	}
	s.leave()
	if s.Terminal {
		return 0
	}
	return s.code
}

func (s *Shell) one(in Input) {
	defer in.Done()
	if strings.TrimSpace(in.Text) == "" {
		return
	}
	if s.History != nil {
		s.History.Add(in.Text)
	}
	if Command(in.Text) {
		s.command(in.Ctx, strings.TrimSpace(in.Text)[1:])
		return
	}
	s.eval(in.Ctx, in.Text)
}

// leave parks what goes on in the background.
func (s *Shell) leave() {
	s.mu.Lock()
	for _, cancel := range s.flying {
		cancel(s.Park)
	}
	s.mu.Unlock()
	s.all.Wait()
}

// eval evaluates an input: it goes on in the machine of the one before.
func (s *Shell) eval(ctx context.Context, text string) int {
	s.number++
	number := s.number
	args := []string{"input", "--number", strconv.Itoa(number)}
	if s.session != "" {
		args = append(args, "--session", s.session)
	}
	if s.after != "" {
		args = append(args, "--after", s.after)
	}
	var id string // of the input's bag
	var once sync.Once
	made := make(chan string, 1)
	freed := make(chan struct{})
	ended := make(chan int, 1)
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	l := s.line(append(args, "--", text))
	said := &tail{}
	l.Errors = said
	l.Job = func(job string) { once.Do(func() { made <- job }) }
	l.Freed = sync.OnceFunc(func() { close(freed) })
	s.mu.Lock()
	s.flying[number] = cancel
	s.mu.Unlock()
	s.all.Add(1)
	go func() {
		defer s.all.Done()
		defer cancel(nil)
		code := s.Host.Run(work, l)
		s.mu.Lock()
		delete(s.flying, number)
		s.mu.Unlock()
		ended <- code
	}()
	code := 0
	select {
	case <-freed:
		stop() // an interrupt is for what comes now
		select {
		case code = <-ended:
		default:
		}
	case code = <-ended:
		stop()
	}
	select {
	case id = <-made:
		s.job, s.after = id, id
		s.session, _, _ = strings.Cut(id, ".")
	default:
	}
	s.inputs = append(s.inputs, past{number, text, id, code})
	if code == 0 {
		for _, name := range definitions(text) {
			s.defined[name] = true
		}
	} else {
		if s.code == 0 {
			s.code = code
		}
		s.failure = said.String()
	}
	return code
}

// maxSaid bounds what is kept of what an input said of its errors.
const maxSaid = 64 << 10

// tail keeps the last part of what is written. A question in the background and the view of the foreground write at once.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - maxSaid; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ToValidUTF8(string(t.text), "")
}

// line is a command line with the flags of the session.
func (s *Shell) line(args []string) Line {
	return Line{Args: slices.Concat(s.Flags, s.chosen, args), Job: func(string) {}, Freed: func() {}}
}

// verb runs a command of the command line and answers its exit code.
func (s *Shell) verb(ctx context.Context, args ...string) int {
	l := s.line(args)
	l.Job = func(id string) { s.job = id }
	code := s.Host.Run(ctx, l)
	if code != 0 && s.code == 0 {
		s.code = code
	}
	return code
}

func (s *Shell) say(format string, a ...any) { fmt.Fprintf(s.Front, format, a...) }

// fail reports what is wrong with a command.
func (s *Shell) fail(format string, a ...any) {
	fmt.Fprintf(s.Errors, "caper: "+format+"\n", a...)
	if s.code == 0 {
		s.code = 2
	}
}

// definitions are the names that a text defines at its top, as far as its look tells.
func definitions(text string) (names []string) {
	for rest := text; ; {
		i := strings.Index(rest, "(define")
		if i < 0 {
			return names
		}
		f := strings.FieldsFunc(rest[i:min(len(rest), i+400)], func(r rune) bool { return strings.ContainsRune(" \t\n()[]", r) })
		if len(f) > 1 {
			names = append(names, f[1])
		}
		rest = rest[i+len("(define"):]
	}
}
