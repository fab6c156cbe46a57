package tool

import (
	"context"
	"io/fs"
	"sort"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"caper/runtime/graph"
)

// maxPattern bounds a glob pattern and a regular expression.
const maxPattern = 16 << 10

// maxChoices bounds what the braces of one pattern multiply to.
const maxChoices = 2000

// Glob is the tool glob.
func Glob() *Tool {
	return &Tool{
		Name: "glob", Version: "1", Effect: Read, Doc: doc("glob"),
		Summary:  "Find files by a pattern of their names.",
		Keywords: "every each all directory recursive collect search modules sources documents tree groups anywhere which", Often: 5,
		Params: []Param{
			{Name: "pattern", Kind: String, Required: true, Access: ListAccess, Pattern: true, Doc: "as in **/*.go"},
			{Name: "all", Kind: Bool, Keyword: true, Doc: "hidden and ignored files too"},
		},
		Prepare: noFacts,
		Perform: globPerform,
		Recover: runAgain,
	}
}

func globPerform(ctx context.Context, env *Env, args Args, _ Facts) (Result, error) {
	given := args.text("pattern")
	dir, pattern := splitPattern(given)
	if err := checkPattern("glob", given); err != nil {
		return Result{}, err
	}
	t, err := env.target("pattern")
	if err != nil {
		return Result{}, err
	}
	empty := Result{Value: graph.List{}}
	if !t.Exists || !t.Type.IsDir() || pattern == "" {
		return empty, nil // nothing matches below what does not exist
	}
	fd, _, err := env.open("cannot search", t, openDirectory)
	if err != nil {
		return Result{}, err
	}
	closeFd(fd)
	prefix := shownPrefix(dir)
	found := make([][]string, walkers())
	w := &walk{env: env, root: t.Path, all: args.flag("all"), hidden: namedHidden(pattern), depth: patternDepth(pattern)}
	w.file = func(worker int, d *walkDir, name string, mode fs.FileMode) {
		path := d.rel + name
		if len(found[worker]) > maxEntries { // too many already
			return
		}
		if ok, _ := doublestar.Match(pattern, path); !ok || !d.isFile(name, mode) {
			return
		}
		found[worker] = append(found[worker], prefix+path)
	}
	if err := w.run(ctx); err != nil {
		return Result{}, cancelled("glob", err)
	}
	var all []string
	for _, part := range found {
		all = append(all, part...)
	}
	if len(all) > maxEntries {
		return Result{}, fail(CodeTooLarge, "glob: more than 100,000 files match, which is no answer: narrow the pattern")
	}
	sort.Strings(all)
	r := Result{Receipt: Receipt{Matches: int64(len(all)), Unreadable: w.unreadable.Load(), Protected: w.protected.Load()}}
	list := make(graph.List, len(all))
	for i, path := range all {
		list[i] = showName(path)
	}
	r.Value = list
	return r, nil
}

// checkPattern refuses a pattern that is not well formed, or whose braces stand for so many patterns that matching takes for ever.
func checkPattern(tool, pattern string) error {
	if len(pattern) > maxPattern || !doublestar.ValidatePattern(pattern) {
		return fail(CodeArguments, "%s: the pattern %s is not well formed", tool, showPath(shorten(pattern, 80)))
	}
	choices, commas, depth := 1, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '{':
			depth++
		case ',':
			if depth > 0 {
				commas++
			}
		case '}':
			if depth--; depth == 0 {
				choices *= commas + 1
				commas = 0
			}
		}
		if choices > maxChoices || depth > maxChoices {
			return fail(CodeArguments, "%s: the braces of the pattern %s stand for more than %d patterns", tool, showPath(shorten(pattern, 80)), maxChoices)
		}
	}
	return nil
}

// patternDepth is how deep below its root a pattern can match; negative means any.
func patternDepth(pattern string) int {
	if strings.Contains(pattern, "**") || strings.Contains(pattern, "{") {
		return -1
	}
	return strings.Count(pattern, "/")
}

// namedHidden lets in the hidden names for which a component of the pattern begins with a dot, as a shell does.
func namedHidden(pattern string) func(string) bool {
	var named []string
	for part := range strings.SplitSeq(pattern, "/") {
		if strings.HasPrefix(part, ".") {
			named = append(named, part)
		}
	}
	if named == nil {
		return nil
	}
	return func(name string) bool {
		for _, part := range named {
			if ok, _ := doublestar.Match(part, name); ok {
				return true
			}
		}
		return false
	}
}

func cancelled(tool string, err error) error {
	return &Error{Code: CodeCancelled, Message: tool + ": cancelled", Err: err}
}
