package wire

import (
	"context"
	"slices"
)

// Question is one of an agent that stands open in its thread.
type Question struct {
	Object Object
	Item   Item    // the pending_prompt
	Call   ToolUse // what it is about, as far as the thread says
}

// Questions are those that stand open in the threads of a wire that are active.
func Questions(ctx context.Context, w Wire) (all []Question, err error) {
	objects, err := w.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range objects {
		if s, err := StateOf(o.Value); err != nil || s != Active {
			continue
		}
		var open []Question
		calls := map[string]ToolUse{}
		for after := uint64(0); ; {
			items, err := w.Items(ctx, o.Alias, after, 200)
			if err != nil {
				return nil, err
			}
			if len(items) == 0 {
				break
			}
			for _, i := range items {
				switch m := i.Metadata; m.Type {
				case ToolCall:
					if m.Tool != nil {
						calls[m.Tool.InvocationID] = *m.Tool
					}
				case ToolResult:
					delete(calls, m.InvocationID)
				case Prompt:
					open = append(open, Question{o, i, calls[m.InvocationID]})
				case PromptResolved:
					open = slices.DeleteFunc(open, func(q Question) bool { return q.Item.Metadata.Question == m.Question })
				}
			}
			after = items[len(items)-1].Seq
		}
		all = append(all, open...)
	}
	return all, nil
}

// Answer answers a question, and that one only; what a user posts answers any.
func (u *User) Answer(ctx context.Context, q Question, text string) error {
	_, err := u.wire.Post(ctx, q.Object.Alias, Item{UserID: u.id, Content: Say(text), Metadata: ItemMetadata{Question: q.Item.Metadata.Question}})
	return err
}
