// Package modeltest serves models for tests: Anthropic's Messages and OpenAI's Responses and Chat Completions on the
// loopback, streaming and not, answered by a function. It also breaks: failures, cut streams, odd bytes, silence.
// Tests of every package may import it; nothing else does.
package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"caper/runtime/model"
)

// Call is one request that the server got.
type Call struct {
	N        int    // from 0
	Provider string // anthropic, openai, openai-chat
	Request  model.Request
	Stream   bool
	Header   http.Header
	Body     []byte
}

// Field answers a member of the request's JSON, by a path of names and places, nil when it is not there.
func (c Call) Field(path ...any) any {
	var v any
	_ = json.Unmarshal(c.Body, &v)
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p < 0 {
				p += len(l)
			}
			if p < 0 || p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

// Last answers the text of the last message: what was said, or the results of tools, one a line.
func (c Call) Last() string {
	if len(c.Request.Messages) == 0 {
		return ""
	}
	var said []string
	for _, b := range c.Request.Messages[len(c.Request.Messages)-1].Blocks {
		said = append(said, b.Text)
	}
	return strings.Join(said, "\n")
}

// Reply is what the server answers. The zero values of ID, Model, Stop and Usage are filled in. A block with Native is
// sent as that; a tool-use that Failed is sent with its Text as arguments.
type Reply struct {
	model.Answer
	Status  int    // an error, where it is not 0 or 200
	Kind    string // the error's type (Anthropic) or code (OpenAI)
	Message string
	Header  map[string]string

	Raw   string // the body, instead of what Answer would be
	Split int    // bytes a packet, 0: an event a packet
	Cut   int    // the connection breaks after so many bytes of the body
	End   int    // the body ends in order after so many bytes
	Hang  int    // after so many bytes nothing comes until the client goes
}

// Say replies with a text.
func Say(text string) Reply {
	return Reply{Answer: model.Answer{Blocks: []model.Block{{Kind: model.Text, Text: text}}}}
}

// Use replies with calls of tools: names and arguments as JSON, by turns. Their IDs are call_0, call_1 …
func Use(namesAndInputs ...string) Reply {
	var r Reply
	for i := 0; i+1 < len(namesAndInputs); i += 2 {
		r.Blocks = append(r.Blocks, model.Block{Kind: model.ToolUse, ID: fmt.Sprintf("call_%d", i/2), Name: namesAndInputs[i], Input: json.RawMessage(namesAndInputs[i+1])})
	}
	return r
}

// Fail replies with an error.
func Fail(status int, kind, message string) Reply {
	return Reply{Status: status, Kind: kind, Message: message}
}

// Steps answers with one reply after the other; the last one repeats.
func Steps(replies ...Reply) func(Call) Reply {
	return func(c Call) Reply { return replies[min(c.N, len(replies)-1)] }
}

// Server is a running server. URL is the base for Anthropic; OpenAI's is URL + "/v1".
type Server struct {
	URL string
	// Gone gets one value for each client that went while its reply hung.
	Gone chan struct{}

	http   *httptest.Server
	script func(Call) Reply
	mu     sync.Mutex
	calls  []Call
	once   sync.Once
	closed chan struct{}
}

// New starts a server. script is called by several goroutines when requests come at once.
func New(script func(Call) Reply) *Server {
	s := &Server{script: script, Gone: make(chan struct{}, 1000), closed: make(chan struct{})}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL
	return s
}

// Close ends the server and what hangs in it.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.http.CloseClientConnections()
		s.http.Close()
	})
}

// Calls answers what came so far.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.calls...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	c := Call{Header: r.Header, Body: body}
	var write func(*sender, Call, Reply)
	var read func([]byte) (model.Request, bool)
	switch {
	case strings.HasSuffix(r.URL.Path, "/v1/messages"):
		c.Provider, read, write = "anthropic", readMessages, writeMessages
	case strings.HasSuffix(r.URL.Path, "/responses"):
		c.Provider, read, write = "openai", readResponses, writeResponses
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		c.Provider, read, write = "openai-chat", readChat, writeChat
	default:
		http.NotFound(w, r)
		return
	}
	c.Request, c.Stream = read(body)
	s.mu.Lock()
	c.N = len(s.calls)
	s.calls = append(s.calls, c)
	s.mu.Unlock()
	reply := s.script(c)
	fill(c, &reply)

	out := &sender{server: s, w: w, r: r, reply: reply}
	h := w.Header()
	h.Set("Request-Id", fmt.Sprintf("req_%d", c.N))
	h.Set("X-Request-Id", fmt.Sprintf("req_%d", c.N))
	failed := reply.Status != 0 && reply.Status != 200
	if c.Stream && !failed {
		h.Set("Content-Type", "text/event-stream")
	} else {
		h.Set("Content-Type", "application/json")
	}
	for k, v := range reply.Header {
		h.Set(k, v)
	}
	if failed {
		w.WriteHeader(reply.Status)
	}
	defer out.flush()
	switch {
	case reply.Raw != "":
		out.text(reply.Raw)
	case failed && c.Provider == "anthropic":
		out.json(object{"type": "error", "error": object{"type": reply.Kind, "message": reply.Message}, "request_id": fmt.Sprintf("req_%d", c.N)})
	case failed:
		out.json(object{"error": object{"type": reply.Kind, "code": reply.Kind, "message": reply.Message, "param": nil}})
	default:
		write(out, c, reply)
	}
}

// fill gives a reply what it left open.
func fill(c Call, r *Reply) {
	if r.ID == "" {
		r.ID = fmt.Sprintf("msg_%d", c.N)
	}
	if r.Model == "" {
		r.Model = c.Request.Model
	}
	if r.Stop == "" {
		r.Stop = model.StopEnd
		for _, b := range r.Blocks {
			if b.Kind == model.ToolUse {
				r.Stop = model.StopTools
			}
		}
	}
	if r.Usage == (model.Usage{}) { // about four bytes a token
		r.Usage.Input, r.Usage.Output = int64(len(c.Body)/4), 1
		for _, b := range r.Blocks {
			r.Usage.Output += int64((len(b.Text) + len(b.Input)) / 4)
		}
	}
}

type object = map[string]any

// sender writes a body, with the faults that the reply asks for.
type sender struct {
	server *Server
	w      http.ResponseWriter
	r      *http.Request
	reply  Reply
	sent   int
	over   bool
}

func (o *sender) json(v any) {
	b, _ := json.Marshal(v)
	o.text(string(b))
}

// event sends an event of a stream.
func (o *sender) event(name string, v any) {
	b, _ := json.Marshal(v)
	o.line(name, string(b))
}

func (o *sender) line(name, data string) {
	if name != "" {
		name = "event: " + name + "\n"
	}
	o.text(name + "data: " + data + "\n\n")
}

func (o *sender) text(s string) {
	for len(s) > 0 && !o.over {
		n := len(s)
		for _, at := range []int{o.reply.Cut, o.reply.End, o.reply.Hang} {
			if at > 0 {
				n = min(n, max(at-o.sent, 0))
			}
		}
		if o.reply.Split > 0 {
			n = min(n, o.reply.Split)
		}
		o.sent += n
		_, err := io.WriteString(o.w, s[:n])
		o.flush()
		s = s[n:]
		switch {
		case err != nil:
			o.over = true
		case o.reply.Cut > 0 && o.sent >= o.reply.Cut:
			panic(http.ErrAbortHandler)
		case o.reply.End > 0 && o.sent >= o.reply.End:
			o.over = true
		case o.reply.Hang > 0 && o.sent >= o.reply.Hang:
			o.over = true
			select {
			case <-o.r.Context().Done():
				o.server.Gone <- struct{}{}
			case <-o.server.closed:
			}
		}
	}
}

func (o *sender) flush() {
	if f, ok := o.w.(http.Flusher); ok {
		f.Flush()
	}
}

// halves cuts a text into pieces as they would stream.
func halves(s string) []string {
	r := []rune(s)
	if len(r) < 2 {
		return []string{s}
	}
	return []string{string(r[:len(r)/2]), string(r[len(r)/2:])}
}

// input is what a tool-use is sent with.
func input(b model.Block) string {
	if b.Failed {
		return b.Text
	}
	if len(b.Input) == 0 {
		return "{}"
	}
	return string(b.Input)
}
