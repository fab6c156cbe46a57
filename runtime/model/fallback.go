package model

import (
	"context"
	"fmt"
)

// Link is one of a chain of connections.
type Link struct {
	Name string // connection:model, for notes
	Connection
}

// Fallback asks one connection after the other until one answers. A request that is wrong or refused is so for all,
// and a call that was cancelled is over.
func Fallback(chain ...Link) Connection {
	return Func(func(ctx context.Context, r Request, hear func(Delta)) (*Answer, error) {
		again := forgetful(hear)
		var paid Usage
		var notes []string
		last := errorf(CodeBadRequest, "the chain has no connection")
		for _, link := range chain {
			answer, err := link.Complete(ctx, r, again.hear())
			if err == nil {
				answer.Usage = answer.Usage.Add(paid)
				if len(notes) > 0 {
					answer.Notes = append(append(notes, "answered by "+link.Name), answer.Notes...)
				}
				return answer, nil
			}
			e := *asError(ctx, err)
			paid = paid.Add(e.Usage)
			e.Usage = paid
			last = &e
			if ctx.Err() != nil || e.Code == CodeCancelled || e.Code == CodeBadRequest || e.Code == CodeRefused {
				break
			}
			notes = append(notes, fmt.Sprintf("%s did not answer: %s", link.Name, e.Code))
			again.reset()
		}
		return nil, last
	})
}
