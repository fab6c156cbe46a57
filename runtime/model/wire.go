package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	maxAnswer   = 8 << 20   // bytes of an answer: text, thinking, arguments, natives
	maxLine     = 16 << 20  // bytes of one event, or of an answer that comes whole: escapes make it longer
	maxStream   = 256 << 20 // bytes of a stream: events are mostly wrapping
	maxFailure  = 64 << 10  // bytes read of an answer that is an error
	maxBlocks   = 10000
	defaultWait = 10 * time.Minute
)

var errSilent = errors.New("silent")

// wire is how requests of one connection leave: what every provider's SDK sends passes here.
type wire struct {
	client  *http.Client
	clock   Clock
	silence time.Duration // the longest time without a byte
	// key gives the header and the value that prove who asks, what else is sent, and all that must never show in an answer.
	key func(context.Context) (header, value string, headers map[string]string, secrets []string, err error)
}

// exchange is one request and its answer.
type exchange struct {
	*wire
	ctx      context.Context
	cancel   context.CancelCauseFunc
	stream   bool
	secrets  []string
	replaced int   // bytes that were not UTF-8
	err      error // why it was ended here, whatever the SDK makes of that

	// Of an answer that is an error:
	status int
	header http.Header
	said   []byte

	mu    sync.Mutex
	stop  func() bool
	ended bool
}

// begin makes an exchange; end must be called when its answer was read.
func (w *wire) begin(ctx context.Context, stream bool) (x *exchange, end func()) {
	x = &exchange{wire: w, stream: stream}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	x.heard()
	return x, func() {
		x.mu.Lock()
		x.ended = true
		x.stop()
		x.mu.Unlock()
		x.cancel(nil)
	}
}

// heard begins the wait for the next byte anew.
func (x *exchange) heard() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return
	}
	if x.stop != nil {
		x.stop()
	}
	x.stop = x.clock.AfterFunc(x.silence, func() { x.cancel(errSilent) })
}

// Do sends one request for the SDK.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	header, value, headers, secrets, err := x.key(x.ctx)
	if err != nil {
		x.err = err
		return nil, err
	}
	x.secrets = secrets
	for _, h := range []string{"Authorization", "X-Api-Key"} {
		req.Header.Del(h)
	}
	if header != "" {
		req.Header.Set(header, value)
	}
	for k, v := range headers {
		req.Header.Set(k, v)
	}
	res, err := x.client.Do(req)
	if err != nil {
		return nil, err
	}
	x.heard()
	b := &body{rc: res.Body, x: x, most: maxLine, line: maxLine}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case res.StatusCode >= 300:
		if res.StatusCode < 400 {
			x.err = &Error{Code: CodeBadRequest, Status: res.StatusCode, Message: "the provider sends elsewhere (a redirect), which is not followed, as the key would follow; correct base_url"}
		}
		x.status, x.header = res.StatusCode, res.Header
		x.said, _ = io.ReadAll(io.LimitReader(b, maxFailure)) // what came, if it broke off
		b.Close()
		res.Body = io.NopCloser(bytes.NewReader(x.said))
	case x.stream:
		b.most = maxStream
		res.Body = b
		if kind != "" && kind != "text/event-stream" {
			x.err = x.wrongKind(kind, b)
		}
	default:
		res.Body = b
		if !strings.HasSuffix(kind, "json") {
			x.err = x.wrongKind(kind, b)
		}
	}
	if x.err != nil {
		res.Body.Close()
		return nil, x.err
	}
	return res, nil
}

func (x *exchange) wrongKind(kind string, b *body) error {
	begin, _ := io.ReadAll(io.LimitReader(b, 200))
	return errorf(CodeMalformed, "the provider answered %q where an answer of a model should be: %s", kind, clip(string(begin)))
}

// failed makes the error of an exchange of what the SDK said.
func (x *exchange) failed(err error) *Error {
	if x.err != nil {
		return asError(x.ctx, x.err)
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	unread := strings.Contains(err.Error(), "parsing response json") // as the SDKs say of a body that is there
	if x.ctx.Err() == nil && (unread || errors.As(err, &syntax) || errors.As(err, &kind)) {
		return &Error{Code: CodeMalformed, Temporary: true, Message: "the provider's answer is not the JSON that it should be: " + clip(err.Error())}
	}
	e := asError(x.ctx, err)
	e.Message = x.scrub(e.Message)
	return e
}

// scrub takes secrets out of a text of ours.
func (x *exchange) scrub(s string) string {
	for _, k := range x.secrets {
		s = strings.ReplaceAll(s, k, "***")
	}
	return s
}

// notes says what was mended in the bytes of the answer.
func (x *exchange) notes() []string {
	if x.replaced == 0 {
		return nil
	}
	return []string{plural(x.replaced, "byte") + " of the answer were no UTF-8 and were replaced"}
}

// body is the answer's bytes on their way to the SDK: bounded, valid UTF-8, without what is secret.
type body struct {
	rc         io.ReadCloser
	x          *exchange
	raw        []byte // read, and not yet passed on: it may go on as a rune or a secret
	out        []byte // to be passed on
	most, line int    // bounds
	total, run int    // bytes passed on in all, and since the last end of a line
	buf        [16 << 10]byte
	err        error
}

func (b *body) Close() error { return b.rc.Close() }

func (b *body) Read(p []byte) (int, error) {
	for len(b.out) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		n, err := b.rc.Read(b.buf[:])
		if n > 0 {
			b.x.heard()
		}
		b.raw = append(b.raw, b.buf[:n]...)
		b.err = err
		b.pass(err != nil)
		if b.total > b.most || b.run > b.line {
			b.x.err = errorf(CodeTooBig, "the answer is larger than %d MiB", maxAnswer>>20)
			b.out, b.raw, b.err = nil, nil, b.x.err
		}
	}
	n := copy(p, b.out)
	b.out = b.out[n:]
	return n, nil
}

// pass moves what is sure from raw to out.
func (b *body) pass(last bool) {
	hold := hush(b.raw, b.x.secrets)
	if last {
		hold = 0
	}
	sure := b.raw[:len(b.raw)-hold]
	for i := 1; i < utf8.UTFMax && i <= len(sure) && !last; i++ {
		if c := sure[len(sure)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(sure[len(sure)-i:]) {
				sure = sure[:len(sure)-i]
			}
			break
		}
	}
	if utf8.Valid(sure) {
		b.out = append(b.out[:0], sure...)
	} else {
		b.out = b.out[:0]
		for rest := sure; len(rest) > 0; {
			r, n := utf8.DecodeRune(rest)
			if r == utf8.RuneError && n == 1 {
				b.x.replaced++
			}
			b.out = utf8.AppendRune(b.out, r)
			rest = rest[n:]
		}
	}
	b.raw = append(b.raw[:0], b.raw[len(sure):]...)
	b.total += len(b.out)
	if i := bytes.LastIndexByte(b.out, '\n'); i >= 0 {
		b.run = len(b.out) - i - 1
	} else {
		b.run += len(b.out)
	}
}

// hush puts stars over the secrets in a text that goes on, and answers how much of its end may be the beginning of one.
func hush(b []byte, secrets []string) (hold int) {
	for _, k := range secrets {
		for i := bytes.Index(b, []byte(k)); i >= 0; i = bytes.Index(b, []byte(k)) {
			copy(b[i:], strings.Repeat("*", len(k)))
		}
		for n := min(len(k)-1, len(b)); n > hold; n-- {
			if bytes.HasSuffix(b, []byte(k[:n])) {
				hold = n
			}
		}
	}
	return hold
}

// hostOf answers the host of an address.
func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Hostname()
}
