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
	before  map[string]string // of each input of ours the one in whose machine it went on
	defined map[string]bool
	leaving bool
	failure string // what was said of the last input that failed
	head    string // the same without its frames
	frames  []Frame
	frame   int // the one that is looked at
	traced  map[string]bool
	held    *flight // an input that failed and waits for how to go on

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
	went   []Restart // how it went on where it failed
	at     int       // where it failed in the end, -1 where that is not known
}

// New begins a session.
func New(o Options) *Shell {
	return &Shell{Options: o, before: map[string]string{}, defined: map[string]bool{}, traced: map[string]bool{}, flying: map[int]context.CancelCauseFunc{}}
}

const prompt = "caper> "

// Run reads and evaluates until the input ends. It answers the exit code: of a person's session 0, else of the first
// input that failed.
func (s *Shell) Run() int {
	for !s.leaving {
		in, err := s.Front.Read(s.promptNow())
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
	s.abort(context.Background())
	s.mu.Lock()
	for _, cancel := range s.flying {
		cancel(s.Park)
	}
	s.mu.Unlock()
	s.all.Wait()
}

// flight is an input on its way.
type flight struct {
	number int
	text   string
	cancel context.CancelCauseFunc
	said   *tail
	made   chan string // the id of its bag
	freed  chan struct{}
	held   chan Failure // it waits for an answer
	answer chan Restart
	ended  chan int
	retry  string // the call that it could make again
	looked bool   // its frames are known
	at     int    // where it failed, -1 where that is not known
	went   []Restart
}

// eval evaluates an input: it goes on in the machine of the one before. One that waits ends.
func (s *Shell) eval(ctx context.Context, text string) int {
	s.abort(ctx)
	s.number++
	return s.evalAs(ctx, s.number, text)
}

func (s *Shell) evalAs(ctx context.Context, number int, text string) int {
	args := []string{"input", "--number", strconv.Itoa(number)}
	if s.session != "" {
		args = append(args, "--session", s.session)
	}
	if s.after != "" {
		args = append(args, "--after", s.after)
	}
	f := &flight{number: number, text: text, at: -1, said: &tail{}, made: make(chan string, 1), freed: make(chan struct{}), held: make(chan Failure),
		answer: make(chan Restart), ended: make(chan int, 1)}
	var work context.Context
	work, f.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	l := s.line(append(args, "--", text))
	l.Errors = f.said
	var once sync.Once
	l.Job = func(job string) { once.Do(func() { f.made <- job }) }
	l.Freed = sync.OnceFunc(func() { close(f.freed) })
	l.Held = func(ctx context.Context, failure Failure) Restart {
		select {
		case f.held <- failure:
		case <-f.freed: // nobody looks at it any more
			return Restart{}
		case <-ctx.Done():
			return Restart{}
		}
		select {
		case r := <-f.answer:
			return r
		case <-ctx.Done():
			return Restart{}
		}
	}
	s.mu.Lock()
	s.flying[number] = f.cancel
	s.mu.Unlock()
	s.all.Add(1)
	go func() {
		defer s.all.Done()
		defer f.cancel(nil)
		code := s.Host.Run(work, l)
		s.mu.Lock()
		delete(s.flying, number)
		s.mu.Unlock()
		f.ended <- code
	}()
	return s.follow(ctx, f)
}

// follow waits until an input ends, goes on in the background, or waits itself. An interrupt is for it meanwhile.
func (s *Shell) follow(ctx context.Context, f *flight) int {
	stop := context.AfterFunc(ctx, func() { f.cancel(context.Cause(ctx)) })
	code := 0
	for over := false; !over; {
		select {
		case <-f.freed:
			select {
			case code = <-f.ended:
			default:
			}
			over = true
		case code = <-f.ended:
			over = true
		case failure := <-f.held:
			f.looked, f.at = true, failure.At
			s.failure, s.head, s.frames, s.frame = failure.Text, failure.Head, failure.Frames[:min(len(failure.Frames), mostFrames)], 0
			if !s.Terminal || f.number == 0 {
				f.answer <- Restart{}
				continue
			}
			stop()
			s.say("%s", failure.Text)
			s.offer(failure)
			f.retry, s.held = failure.Retry, f
			return 1
		}
	}
	stop()
	code = s.landed(f, code)
	if f.number > 0 && len(s.traced) > 0 && ctx.Err() == nil {
		s.retrace(ctx, f.text)
	}
	return code
}

// landed notes an input that ended, or leaves the terminal alone.
func (s *Shell) landed(f *flight, code int) int {
	var id string
	select {
	case id = <-f.made:
		s.before[id] = s.after
		s.job, s.after = id, id
		s.session, _, _ = strings.Cut(id, ".")
	default:
	}
	if f.number == 0 { // our own
		return code
	}
	s.inputs = append(s.inputs, past{f.number, f.text, id, code, f.went, f.at})
	if code == 0 {
		for _, name := range definitions(f.text) {
			s.defined[name] = true
		}
		return 0
	}
	if s.code == 0 {
		s.code = code
	}
	if said := f.said.String(); said != "" { // else it was shown when it failed
		if s.failure = said; !f.looked {
			s.frames = nil
		}
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
