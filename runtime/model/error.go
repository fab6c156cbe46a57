package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The codes of an Error.
const (
	CodeAuth       = "auth"
	CodeRateLimit  = "rate-limit"
	CodeOverloaded = "overloaded" // the provider cannot answer now, or failed
	CodeBadRequest = "bad-request"
	CodeTooLong    = "too-long" // the request does not fit the model
	CodeRefused    = "refused"  // the provider will not have the request
	CodeNetwork    = "network"
	CodeCut        = "cut" // the stream ended in the middle
	CodeMalformed  = "malformed"
	CodeTooBig     = "too-big" // the answer is larger than is kept
	CodeCancelled  = "cancelled"
	CodeTimeout    = "timeout"
	CodeBudget     = "budget" // money or quota is spent
	CodeMiss       = "miss"   // a cassette does not hold the request
)

// Error is why there is no answer. Usage is what was paid nevertheless.
type Error struct {
	Code       string        `json:"code"`
	Status     int           `json:"status,omitempty"`    // of HTTP, 0 without an answer
	Temporary  bool          `json:"temporary,omitempty"` // the same request may be answered later
	RetryAfter time.Duration `json:"retry_after,omitempty"`
	Message    string        `json:"message"`
	Usage      Usage         `json:"usage"`
}

func (e *Error) Error() string { return "model: " + e.Code + ": " + e.Message }

// Is lets errors.Is find the context's errors.
func (e *Error) Is(target error) bool {
	return e.Code == CodeCancelled && target == context.Canceled || e.Code == CodeTimeout && target == context.DeadlineExceeded
}

func errorf(code string, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// asError makes an *Error of whatever a connection gave: those of others are taken as failures of the network.
func asError(ctx context.Context, err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	switch {
	case errors.Is(context.Cause(ctx), errSilent):
		return &Error{Code: CodeTimeout, Temporary: true, Message: "the provider was silent for too long"}
	case errors.Is(ctx.Err(), context.DeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return &Error{Code: CodeTimeout, Message: "the time that the call was given is over"}
	case ctx.Err() != nil, errors.Is(err, context.Canceled):
		return &Error{Code: CodeCancelled, Message: "the call was cancelled"}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Error{Code: CodeCut, Temporary: true, Message: "the connection ended before the answer did"}
	}
	return &Error{Code: CodeNetwork, Temporary: true, Message: clip(err.Error())}
}

// failure is what a provider says of a request that it did not answer.
type failure struct {
	status        int
	kind, code    string // as the provider names it
	message       string
	header        http.Header
	now           time.Time
	inStream      bool
	requestNumber string
}

func (f failure) error() *Error {
	e := &Error{Status: f.status, Message: f.describe()}
	e.Code, e.Temporary = f.judge()
	if e.Temporary {
		e.RetryAfter = retryAfter(f.header, f.now)
	}
	return e
}

func (f failure) describe() string {
	msg := strings.TrimSpace(f.message)
	if msg == "" {
		msg = "no reason was given"
	}
	what := f.code
	if what == "" {
		what = f.kind
	}
	var b strings.Builder
	if f.status != 0 && !f.inStream {
		fmt.Fprintf(&b, "%d ", f.status)
	}
	if what != "" {
		b.WriteString(what + ": ")
	}
	b.WriteString(msg)
	if f.requestNumber != "" {
		b.WriteString(" (request " + f.requestNumber + ")")
	}
	return clip(b.String())
}

// judge answers the code of a failure, and whether it may pass. The names that providers give go before the status.
func (f failure) judge() (code string, temporary bool) {
	lower := strings.ToLower(f.message)
	for _, name := range []string{f.code, f.kind} {
		switch name {
		case "insufficient_quota", "billing_error", "billing_hard_limit_reached":
			return CodeBudget, false
		case "context_length_exceeded", "request_too_large", "string_above_max_length":
			return CodeTooLong, false
		case "content_policy_violation", "content_filter", "invalid_prompt":
			return CodeRefused, false
		case "authentication_error", "permission_error", "invalid_api_key":
			return CodeAuth, false
		case "rate_limit_error", "rate_limit_exceeded":
			return CodeRateLimit, true
		case "overloaded_error", "api_error", "server_error", "timeout_error", "vector_store_timeout":
			return CodeOverloaded, true
		}
	}
	for _, long := range []string{"prompt is too long", "maximum context length", "context window", "exceed context limit"} {
		if strings.Contains(lower, long) && (f.status == 400 || f.status == 413 || f.inStream) {
			return CodeTooLong, false
		}
	}
	if f.status == 400 && strings.Contains(lower, "credit balance is too low") {
		return CodeBudget, false
	}
	switch s := f.status; {
	case s == 401 || s == 403:
		return CodeAuth, false
	case s == 402:
		return CodeBudget, false
	case s == 408:
		return CodeTimeout, true
	case s == 409:
		return CodeOverloaded, true
	case s == 413:
		return CodeTooLong, false
	case s == 429:
		return CodeRateLimit, true
	case s >= 500:
		return CodeOverloaded, true
	case f.inStream && s < 300:
		return CodeOverloaded, true
	}
	return CodeBadRequest, false
}

// longestWait bounds what a provider can ask us to wait.
const longestWait = time.Hour

// retryAfter reads Retry-After, in seconds or as a date, and retry-after-ms.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if h == nil {
		return 0
	}
	if ms, err := strconv.ParseFloat(h.Get("retry-after-ms"), 64); err == nil {
		return boundWait(ms * float64(time.Millisecond))
	}
	v := strings.TrimSpace(h.Get("retry-after"))
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		return boundWait(s * float64(time.Second))
	}
	if at, err := http.ParseTime(v); err == nil {
		return boundWait(float64(at.Sub(now)))
	}
	return 0
}

func boundWait(d float64) time.Duration {
	if !(d > 0) { // also what is not a number
		return 0
	}
	return time.Duration(min(d, float64(longestWait)))
}

const longestMessage = 2000

// clip bounds a text that comes from outside and keeps it on one line.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
	if len(s) > longestMessage {
		s = strings.ToValidUTF8(s[:longestMessage], "") + "…"
	}
	return s
}
