package drive

import (
	"encoding/json"
	"fmt"
	"strings"

	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/license"
	"caper/runtime/tool"
	"caper/runtime/worker/driver"
)

// tools are those of ours that stand for what clients ask for: judged as ours are, and done by the client.
var tools = func() map[string]*tool.Tool {
	all := map[string]*tool.Tool{}
	for _, t := range []*tool.Tool{tool.Bash(), tool.ReadFile(), tool.WriteFile(), tool.EditFile(), tool.DeleteFile(), tool.ClientTool()} {
		all[t.Name] = tool.Elsewhere(t)
	}
	// The change is the client's to make: how it would come out is not ours to say.
	all["edit-file"].Preview, all["delete-file"].Preview = nil, nil
	return all
}()

// change is one of a patch.
type change struct {
	Path string
	Kind struct {
		Type string
		To   string `json:"move_path"`
	}
	Diff string
}

// maxChanges bounds how many files one question may be about.
const maxChanges = 200

// requests are the calls that a question stands for: at least one.
func requests(q driver.Question) ([]call.Request, error) {
	var in struct {
		Command    json.RawMessage
		Cwd        string
		FilePath   *string `json:"file_path"`
		Content    *string
		OldString  *string `json:"old_string"`
		NewString  *string `json:"new_string"`
		ReplaceAll bool    `json:"replace_all"`
		Changes    []change
	}
	known := json.Unmarshal(q.Input, &in) == nil
	one := func(name string, args ...graph.Datum) ([]call.Request, error) {
		return []call.Request{{Tool: name, Positional: args}}, nil
	}
	switch {
	case !known:
	case q.Tool == "Bash" || q.Tool == "shell":
		command, ok := commandOf(in.Command)
		if !ok {
			break
		}
		r := call.Request{Tool: "bash", Positional: []graph.Datum{command}}
		if in.Cwd != "" {
			r.Keywords = map[string]graph.Datum{"cwd": in.Cwd}
		}
		return []call.Request{r}, nil
	case q.Tool == "Read" && in.FilePath != nil:
		return one("read-file", *in.FilePath)
	case q.Tool == "Write" && in.FilePath != nil && in.Content != nil:
		return one("write-file", *in.FilePath, *in.Content)
	case q.Tool == "Edit" && in.FilePath != nil && in.OldString != nil && in.NewString != nil:
		r := call.Request{Tool: "edit-file", Positional: []graph.Datum{*in.FilePath, *in.OldString, *in.NewString}}
		if in.ReplaceAll {
			r.Keywords = map[string]graph.Datum{"all": true}
		}
		return []call.Request{r}, nil
	case q.Tool == "apply_patch" && len(in.Changes) > 0:
		if len(in.Changes) > maxChanges {
			return nil, fmt.Errorf("%w: the patch changes %d files, at most %d at once", errQuestion, len(in.Changes), maxChanges)
		}
		return patched(in.Changes), nil
	}
	if len(q.Input) > 1<<20 {
		return nil, fmt.Errorf("%w: it has %d bytes", errQuestion, len(q.Input))
	}
	return one("client-tool", q.Tool, string(q.Input))
}

// commandOf is a command given as text, or as words.
func commandOf(raw json.RawMessage) (string, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		if words, ok := license.Words(text); ok && wrapped(words) {
			return words[2], true
		}
		return text, true
	}
	var words []string
	if json.Unmarshal(raw, &words) != nil || len(words) == 0 {
		return "", false
	}
	if wrapped(words) {
		return words[2], true
	}
	for i, w := range words {
		words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(words, " "), true
}

// wrapped reports whether words are a command in the shell in which codex runs each: `/bin/bash -lc 'touch x'`. The command
// is what is judged, as if it had been given to bash.
func wrapped(words []string) bool { return len(words) == 3 && shells[words[0]] && words[1] == "-lc" }

var shells = map[string]bool{"bash": true, "/bin/bash": true, "/usr/bin/bash": true, "sh": true, "/bin/sh": true}

// patched are the calls that a patch stands for, a file each.
func patched(changes []change) (all []call.Request) {
	for _, c := range changes {
		switch c.Kind.Type {
		case "add":
			all = append(all, call.Request{Tool: "write-file", Positional: []graph.Datum{c.Path, c.Diff}})
		case "delete":
			all = append(all, call.Request{Tool: "delete-file", Positional: []graph.Datum{c.Path}})
		default:
			was, is := sides(c.Diff)
			all = append(all, call.Request{Tool: "edit-file", Positional: []graph.Datum{c.Path, was, is}})
			if c.Kind.To != "" {
				all = append(all, call.Request{Tool: "write-file", Positional: []graph.Datum{c.Kind.To, is}}, call.Request{Tool: "delete-file", Positional: []graph.Datum{c.Path}})
			}
		}
	}
	return all
}

// sides are what a diff takes away and what it puts there, with the lines around.
func sides(diff string) (was, is string) {
	var before, after strings.Builder
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "@@"):
		case strings.HasPrefix(line, "-"):
			before.WriteString(line[1:])
		case strings.HasPrefix(line, "+"):
			after.WriteString(line[1:])
		default:
			line = strings.TrimPrefix(line, " ")
			before.WriteString(line)
			after.WriteString(line)
		}
	}
	return before.String(), after.String()
}
