package command

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"caper/runtime/assembly"
	"caper/runtime/view"
	"caper/runtime/worker"
	"caper/runtime/worker/wire"
	"caper/runtime/worker/wire/dir"
)

// threadQuestion is a question of an agent that a worker drives. It stands in its thread, and is answered there.
type threadQuestion struct {
	wire.Question
	id   string // SESSION/ALIAS/ITEM
	wire wire.Wire
}

// ofThread says whether an id is one of a question of a thread.
func ofThread(id string) bool { return strings.Contains(id, "/") }

// sessions are the folders of threads that the workers of this home are told of, and those of the home itself.
func (v *verb) sessions() ([]string, error) {
	home, err := assembly.FindHome(v.env)
	if err != nil {
		return nil, failf(ExitUsage, "", "%w", err)
	}
	folders, err := foldersIn(filepath.Join(home.Data, "wire"))
	if err != nil {
		return nil, err
	}
	trees, err := foldersIn(filepath.Join(home.Data, "worker"))
	if err != nil {
		return nil, err
	}
	for _, tree := range trees {
		c, err := worker.LoadConfig(filepath.Join(tree, "config.yaml"))
		if err != nil {
			continue // its worker does not start, which says why
		}
		for _, s := range c.Sections {
			folders = append(folders, filepath.Join(c.Wire, s.Session.SessionID))
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders), nil
}

// threadQuestions are the questions that stand open in threads. Those of one session are there also if another cannot be read.
func (v *verb) threadQuestions() (all []threadQuestion, err error) {
	folders, err := v.sessions()
	if err != nil {
		return nil, err
	}
	var unread []error
	for _, folder := range folders {
		w, err := dir.Open(folder)
		if errors.Is(err, wire.ErrNoSession) {
			continue // not yet
		}
		var open []wire.Question
		if err == nil {
			open, err = wire.Questions(v.ctx, w)
		}
		if err != nil {
			unread = append(unread, fmt.Errorf("the threads in %s: %w", folder, err))
		}
		for _, q := range open {
			all = append(all, threadQuestion{q, fmt.Sprintf("%s/%s/%d", filepath.Base(folder), q.Object.Alias, q.Item.Seq), w})
		}
	}
	return all, errors.Join(unread...)
}

// threadQuestion is the one that an id names.
func (v *verb) threadQuestion(id string) (q threadQuestion, err error) {
	all, unread := v.threadQuestions()
	found := 0
	for _, x := range all {
		if x.id == id {
			q = x
			found++
		}
	}
	switch {
	case found == 0 && unread != nil:
		return q, unread
	case found == 0:
		return q, failf(ExitUsage, "caper approvals lists what waits", "no agent of a thread asks %q", id)
	case found == 1:
		return q, nil
	}
	return q, failf(ExitUsage, "caper thread post ALIAS yes --wire FOLDER answers one of them", "%d sessions have a question %s", found, id)
}

// about is what a question is about: the tool, and what it is called with.
func (q threadQuestion) about() (tool, input string) {
	tool, input = q.Call.Name, unescaped(string(q.Call.Input))
	if tool == "" {
		tool, _, _ = strings.Cut(q.Item.TextOf(), "\n")
	}
	return tool, input
}

var escape = regexp.MustCompile(`\\(?:u003[cCeE]|u0026|.)`)

// unescaped is JSON without the escapes of <, > and &, which some clients write: what is approved is shown as it will be.
func unescaped(text string) string {
	return escape.ReplaceAllStringFunc(text, func(e string) string {
		switch strings.ToLower(e) {
		case `\u003c`:
			return "<"
		case `\u003e`:
			return ">"
		case `\u0026`:
			return "&"
		}
		return e
	})
}

// threadRows are the questions of threads as rows of the table of approvals.
func (v *verb) threadRows(t *view.Table) error {
	all, unread := v.threadQuestions()
	for _, q := range all {
		tool, input := q.about()
		t.Rows = append(t.Rows, []any{q.id, "approve", tool, input, q.Item.Metadata.Text, q.Item.CreatedAt, "thread " + q.Object.Alias, q.folder()})
	}
	return unread
}

func (q threadQuestion) folder() string {
	th, err := wire.Read(q.Object.Value)
	if err != nil || th.Workspace.WorkFolder == nil {
		return ""
	}
	return *th.Workspace.WorkFolder
}

func (v *verb) showThreadQuestion(id string) error {
	q, err := v.threadQuestion(id)
	if err != nil {
		return err
	}
	tool, input := q.about()
	if v.json {
		return v.emit(map[string]any{"type": "approval", "call": q.id, "what": "approve", "tool": tool, "args": map[string]string{"input": input}, "why": q.Item.Metadata.Text, "cwd": q.folder()})
	}
	_, err = fmt.Fprintf(v.Stdout, "? the agent of thread %s wants to use %s in %s\n  %s\n", q.Object.Alias, printable(tool), printable(q.folder()), printable(input))
	return err
}

// answerThread answers a question of a thread as its user would by a reply.
func (v *verb) answerThread(id string, yes bool) error {
	q, err := v.threadQuestion(id)
	if err != nil {
		return err
	}
	me := v.userID("")
	if me == q.Item.UserID {
		return failf(ExitUsage, "USER=you caper approve "+id+" is one of another name", "the worker posts as %s too, and does not hear what it says itself", me)
	}
	text, done := "no", "denied"
	if yes {
		text, done = "yes", "approved, this once"
	}
	if err := wire.NewUser(q.wire, me).Answer(v.ctx, q.Question, text); err != nil {
		return err
	}
	tool, input := q.about()
	return v.say("%s %s: %s %s\n", q.id, done, printable(tool), printable(input))
}

// userID is how a user signs in threads.
func (v *verb) userID(given string) string { return cmp.Or(given, v.env["USER"], "user") }
