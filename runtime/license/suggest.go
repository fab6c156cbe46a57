package license

import (
	"path"
	"strings"
)

// suggest answers what could be remembered with a yes, as rules that a person sees first. A suggestion is never wider
// than it reads: each was tried against this call. An empty rule means this very call.
func (j *judgement) suggest() []Suggestion {
	out := []Suggestion{{Scope: Once}}
	for _, scope := range []Scope{Session, Project} {
		texts := j.suggestRules(scope)
		if len(texts) == 0 {
			out = append(out, Suggestion{Scope: scope})
			continue
		}
		for _, t := range texts {
			out = append(out, Suggestion{scope, t})
		}
	}
	return out
}

// suggestRules answers rules that together cover the call, none when only this very call can be remembered.
func (j *judgement) suggestRules(scope Scope) []string {
	if j.mustAsk() {
		return nil
	}
	var texts []string
	add := func(t string) {
		if t != "" {
			texts = addReason(texts, t)
		}
	}
	switch {
	case j.c.Tool == BashTool:
		for _, c := range j.f.Shell.Commands {
			if !c.Supposed && !((c.Transparent || c.Query) && j.plainProgram(c)) {
				add(commandRule(c, scope))
			}
		}
		for _, file := range j.f.Shell.Files {
			if !isSink(file) && file.Access == Write {
				add(j.pathRule("write-file", file.Word.Text, Session))
			} else if !isSink(file) {
				add(j.pathRule("read-file", file.Word.Text, Session))
			}
		}
	case isFileTool(j.c.Tool):
		for _, u := range j.f.Uses {
			add(j.pathRule(j.c.Tool, u.Fact.Lexical, breadth(j.c.Tool, scope)))
		}
	default:
		add(j.otherRule())
	}
	var rules []Rule
	for _, t := range texts {
		r, err := ParseRule(t, string(scope))
		if err != nil {
			return nil
		}
		rules = append(rules, r)
	}
	if !j.covers(rules) {
		return nil
	}
	return texts
}

// breadth is how far a yes to a file tool reaches: edits come in groups, so that one answer serves the folder for the
// session too; what is deleted or moved is named file by file.
func breadth(tool string, scope Scope) Scope {
	switch tool {
	case "delete-file", "move-file":
		return scope
	}
	return Project
}

// commandRule is the exact command for a session; for a project, where the first words say what kind of thing it does,
// those and any rest.
func commandRule(c Simple, scope Scope) string {
	if scope == Project && len(c.Words) > 2 {
		name, sub := c.Name(), c.Words[1]
		if hasSubcommands(name) && sub.Known && !sub.Glob && plainName(sub.Text) && !strings.HasPrefix(sub.Text, "-") {
			return "bash(" + name + " " + sub.Text + " *)"
		}
	}
	var words []string
	for _, w := range c.Words {
		if w.Glob {
			words = append(words, w.Text)
			continue
		}
		words = append(words, quotePattern(w.Text))
	}
	return "bash(" + strings.Join(words, " ") + ")"
}

func hasSubcommands(name string) bool {
	switch name {
	case "git", "go", "cargo", "npm", "pnpm", "yarn", "pip", "uv", "poetry", "docker", "kubectl", "make", "gh", "brew", "apt", "dotnet", "mix", "bundle", "terraform":
		return true
	}
	return false
}

// quotePattern writes a word so that a rule's pattern reads it back as it is.
func quotePattern(s string) string {
	if s == "" {
		return "''"
	}
	for _, r := range s {
		if !plainName(string(r)) && !strings.ContainsRune("/:@%+=,", r) {
			return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
	}
	return s
}

// pathRule names a file; for a project the folder that it is in, but never the whole workspace.
func (j *judgement) pathRule(tool, p string, scope Scope) string {
	abs := absolute(p, j.c.Cwd, j.f.Home)
	ws := path.Clean(j.c.Workspace)
	if !within(abs, ws) || abs == ws {
		return tool + "(/" + escapeGlob(abs) + ")"
	}
	rel := strings.TrimPrefix(abs, strings.TrimSuffix(ws, "/")+"/")
	if dir := path.Dir(rel); scope == Project && dir != "." {
		return tool + "(" + escapeGlob(dir) + "/**)"
	}
	return tool + "(" + escapeGlob(rel) + ")"
}

// otherRule names the tool, and where it has one telling argument, that argument.
func (j *judgement) otherRule() string {
	name := j.toolName()
	for _, arg := range []string{"url", "spec", "server"} {
		text, ok := argText(j.c.Args[arg])
		if !ok || text == "" || strings.ContainsAny(text, "*,()") {
			continue
		}
		if arg == "url" {
			scheme, rest, isURL := strings.Cut(text, "://")
			host, _, _ := strings.Cut(rest, "/")
			if !isURL || host == "" || strings.ContainsAny(host, "@?#") {
				continue
			}
			return name + "(url=" + scheme + "://" + host + "/*)"
		}
		return name + "(" + arg + "=" + text + ")"
	}
	return name
}
