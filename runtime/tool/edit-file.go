package tool

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"caper/interp/near"
)

// EditFile is the tool edit-file. Its facts are those of a replacement.
func EditFile() *Tool {
	return &Tool{
		Name: "edit-file", Version: "1", Effect: Write, Doc: doc("edit-file"),
		Summary:  "Change a part of a text file: replace one string, which must occur exactly once, by another.",
		Keywords: "modify change fix update patch substitute insert bump",
		Params: []Param{
			{Name: "path", Kind: String, Required: true, Access: WriteAccess, Doc: "the file"},
			{Name: "old", Kind: String, Required: true, Doc: "the text to replace, exactly"},
			{Name: "new", Kind: String, Required: true, Doc: "the text to put there"},
			{Name: "all", Kind: Bool, Keyword: true, Doc: "replace every occurrence"},
		},
		Prepare: editPrepare,
		Perform: editPerform,
		Recover: editRecover,
		Preview: editPreview,
	}
}

const cannotEdit = "cannot edit"

// editNow answers the file as it is and as it is to be.
func editNow(env *Env, args Args) (t Target, now content, after []byte, n int, err error) {
	if t, err = env.target("path"); err != nil {
		return t, now, nil, 0, err
	}
	if now, err = env.lookAt(cannotEdit, t); err != nil {
		return t, now, nil, 0, err
	}
	if !now.exists {
		return t, now, nil, 0, env.notFound(cannotEdit, t.Path)
	}
	if now.data == nil && now.meta.size > 0 {
		return t, now, nil, 0, fail(CodeTooLarge, "%s %s: %v", cannotEdit, showPath(t.Path), errLarge)
	}
	after, n, err = edited(t.Path, now.data, args)
	return t, now, after, n, err
}

// edited makes the new content from the old.
func edited(path string, data []byte, args Args) ([]byte, int, error) {
	old, new := []byte(args.text("old")), []byte(args.text("new"))
	switch {
	case len(old) == 0:
		return nil, 0, fail(CodeArguments, "%s %s: the text to replace is empty; write-file and append-file add text", cannotEdit, showPath(path))
	case bytes.Equal(old, new):
		return nil, 0, fail(CodeArguments, "%s %s: the new text is the same as the old", cannotEdit, showPath(path))
	}
	n := bytes.Count(data, old)
	switch {
	case n == 0:
		return nil, 0, fail(CodeNoMatch, "%s %s: the text to replace does not occur%s", cannotEdit, showPath(path), whyNot(data, old))
	case n > 1 && !args.flag("all"):
		return nil, n, fail(CodeManyMatches, "%s %s: the text to replace occurs %d times (lines %s); give more of its surroundings, or #:all #t",
			cannotEdit, showPath(path), n, matchLines(data, old))
	}
	return bytes.ReplaceAll(data, old, new), n, nil
}

// matchLines lists the lines in which the first matches begin.
func matchLines(data, old []byte) string {
	var list []string
	line, at := 1, 0
	for len(list) < 10 {
		i := bytes.Index(data[at:], old)
		if i < 0 {
			return strings.Join(list, ", ")
		}
		line += bytes.Count(data[at:at+i], []byte("\n"))
		list = append(list, fmt.Sprint(line))
		line += bytes.Count(old, []byte("\n"))
		at += i + len(old)
	}
	return strings.Join(list, ", ") + ", …"
}

// whyNot looks for what was probably meant: the same text with other white space, or the lines most like its first.
func whyNot(data, old []byte) string {
	if squeezed := squeeze(old); len(squeezed) > 0 && len(data) <= 1<<20 && bytes.Contains(squeeze(data), squeezed) {
		return "; it does with other white space (spaces, tabs or line ends)"
	}
	first := ""
	for _, l := range strings.Split(string(old), "\n") {
		if first = strings.TrimSpace(l); first != "" {
			break
		}
	}
	if first == "" {
		return ""
	}
	type candidate struct {
		line, distance int
		text           string
	}
	var best []candidate
	limit := max(2, len(first)/3)
	for i, l := range strings.SplitN(string(data), "\n", 5000) {
		l = strings.TrimSpace(l)
		d := 0
		if !strings.Contains(l, first) {
			if d = near.Distance(first, l, limit); d > limit {
				continue
			}
		}
		at := len(best)
		for at > 0 && best[at-1].distance > d {
			at--
		}
		if at < 3 {
			best = append(best[:at], append([]candidate{{i + 1, d, l}}, best[at:]...)...)
			best = best[:min(3, len(best))]
		}
	}
	if len(best) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("; near lines:")
	for _, n := range best {
		fmt.Fprintf(&b, "\n  %d: %s", n.line, strings.ToValidUTF8(shorten(n.text, 120), "\uFFFD"))
	}
	return b.String()
}

// squeeze makes every run of white space one space.
func squeeze(text []byte) []byte {
	return bytes.Join(bytes.Fields(text), []byte(" "))
}

func editPrepare(_ context.Context, env *Env, args Args) (Facts, error) {
	t, now, after, n, err := editNow(env, args)
	if err != nil {
		return nil, err
	}
	f, err := prepareReplace(env, cannotEdit, t, now, after)
	if err != nil {
		return nil, err
	}
	return f.with("matches", int64(n)), nil
}

func editPerform(_ context.Context, env *Env, args Args, f Facts) (Result, error) {
	t, err := env.target("path")
	if err != nil {
		return Result{}, err
	}
	var after []byte
	if f.text("torn") != "" {
		before, err := env.Blobs.Get(f.text("preimage"))
		if err != nil {
			return Result{}, &Error{Code: CodeIO, Message: cannotEdit + " " + showPath(t.Path) + ": what was there cannot be read: " + err.Error(), Err: err}
		}
		after, _, err = edited(t.Path, before, args)
		if err != nil {
			return Result{}, err
		}
	} else {
		now, err := env.lookAt(cannotEdit, t)
		if err != nil {
			return Result{}, err
		}
		if now.hash != f.text("before") {
			return Result{}, fail(CodeStale, "%s %s: it has changed since it was measured; nothing was done", cannotEdit, showPath(t.Path))
		}
		if after, _, err = edited(t.Path, now.data, args); err != nil {
			return Result{}, err
		}
	}
	return replace(env, cannotEdit, t, f, after)
}

func editRecover(_ context.Context, env *Env, args Args, f Facts) (Recovery, error) {
	return recoverReplace(env, f, func(before []byte) ([]byte, error) {
		after, _, err := edited(f.text("path"), before, args)
		return after, err
	})
}

func editPreview(_ context.Context, env *Env, args Args) (Preview, error) {
	t, now, after, _, err := editNow(env, args)
	if err != nil {
		return Preview{}, err
	}
	return diffPreview(env, t.Path, now, after), nil
}
