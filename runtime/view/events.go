package view

import (
	"fmt"

	"caper/runtime/store"
)

// EventObject is an event as --json prints it.
func EventObject(e store.Event) map[string]any {
	o := map[string]any{"type": "event", "seq": e.Seq, "what": e.What.String(), "id": e.ID.String(), "at": e.At.UTC()}
	if e.Kind != 0 {
		o["kind"] = e.Kind.Name()
	}
	if e.What == store.EventMint {
		o["open"] = e.Open
	}
	if e.Detail != "" {
		o["detail"] = e.Detail
	}
	return o
}

// EventLine is an event on one line, without a newline.
func EventLine(s Style, e store.Event) string {
	detail := e.Detail
	if e.Kind != 0 {
		detail = e.Kind.Name()
	}
	c := plain
	switch e.Detail {
	case "failed", "denied":
		c = red
	case "settled":
		c = green
	}
	l := line{own(dim, fmt.Sprintf("%6d  %s  ", e.Seq, e.At.UTC().Format("15:04:05.000")))}
	l = l.with(line{own(plain, e.What.String())}.pad(s, 9)...)
	l = l.with(line{own(plain, e.ID.String())}.pad(s, 12)...).with(s.data(c, oneLine(detail)))
	return l.cut(s, s.columns()).text(s)
}
