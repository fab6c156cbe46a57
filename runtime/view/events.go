package view

import (
	"fmt"

	"caper/runtime/call"
	"caper/runtime/store"
)

// EventJob is the program or call that an event is about, for events that make, end or stop one; nil for others.
func EventJob(st store.Store, calls *call.Service, e store.Event) *Job {
	switch e.What {
	case store.EventMint, store.EventSettle, store.EventWait:
		if entry, err := st.Entry(e.ID); err == nil { // what is forgotten has no name any more
			return reader{store: st, calls: calls}.job(entry)
		}
	}
	return nil
}

// EventObject is an event as --json prints it; j is what it is about, nil when that is not known.
func EventObject(e store.Event, j *Job) map[string]any {
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
	if j == nil {
		return o
	}
	o["label"] = Style{}.label(j, 300).text(Style{}) // the program's file; a call's tool and what it is about
	if e.What == store.EventSettle {
		for key, text := range map[string]string{"rule": j.Rule, "code": j.Code, "message": j.Message} {
			if text != "" {
				o[key] = text
			}
		}
	}
	return o
}

// EventLine is an event on one line, without a newline; j is what it is about, nil when that is not known.
func EventLine(s Style, e store.Event, j *Job) string {
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
	if j != nil {
		l = append(l, own(plain, "  ")).with(s.label(j, 50)...)
		if e.What == store.EventSettle && e.Detail == "denied" && j.Rule != "" {
			l = append(l, own(plain, "  ")).with(s.data(red, oneLine(j.Rule)))
		}
	}
	return l.cut(s, s.prose()).text(s)
}
