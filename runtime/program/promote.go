package program

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"caper/interp/syntax"
	"caper/runtime/call"
	"caper/runtime/graph"
	"caper/runtime/kind"
	"caper/runtime/store"
	"caper/runtime/tool"
)

// This file defines promotion: a program that was written once becomes a file with its inputs as parameters, that runs, is
// a tool, and has a test of what it answered.

// Promoted is what becomes of a program.
type Promoted struct {
	Program, Test string
	Parameters    []string
}

// parameter is one input of a promoted program.
type parameter struct {
	name, typ string
	value     graph.Datum // the default: what it was
}

// Promote makes a file of the program of a job, under a name.
func Promote(calls *call.Service, id graph.ID, name string) (Promoted, error) {
	e, err := calls.Store.Entry(id)
	if err != nil {
		return Promoted{}, err
	}
	job, ok := e.Node.(*kind.ProgrammaticJob)
	if !ok {
		return Promoted{}, fmt.Errorf("%s is a %s, not a program", id, e.Node.Kind().Name())
	}
	source, err := sourceOf(calls, job)
	if err != nil {
		return Promoted{}, err
	}
	forms, err := syntax.ReadAll(syntax.NewSource(name, source))
	if err != nil {
		return Promoted{}, err
	}
	made, err := madeCalls(calls, id.Session, job.Bag)
	if err != nil {
		return Promoted{}, err
	}
	params, err := namedInputs(calls, job)
	if err != nil {
		return Promoted{}, err
	}
	taken := map[string]bool{name: true}
	for _, p := range params {
		taken[p.name] = true
	}
	names(forms, taken)
	body, more := literals(source, forms, readPaths(calls, made), taken)
	params = append(params, more...)
	imports, body := hoisted(name, body)
	needed, err := inherited(calls, job, forms)
	if err != nil {
		return Promoted{}, err
	}
	p := Promoted{Program: programText(name, id, source, imports, needed, body, params), Test: testText(name, id, e, calls, made, params)}
	for _, x := range params {
		p.Parameters = append(p.Parameters, x.name)
	}
	return p, nil
}

// madeCall is a call that the program made.
type madeCall struct {
	tool    string
	args    graph.List
	outcome *kind.Outcome
}

func madeCalls(calls *call.Service, session, bag uint64) (all []madeCall, err error) {
	for e, err := range calls.Store.Children(session, bag, 0) {
		if err != nil {
			return nil, err
		}
		n, ok := e.Node.(kind.ToolCall)
		if !ok || e.Outcome == nil {
			continue
		}
		d, err := calls.Fetch(n.Call().Args)
		if err != nil {
			return nil, err
		}
		args, _ := d.(graph.List)
		all = append(all, madeCall{n.Call().Tool, args, e.Outcome})
	}
	return all, nil
}

// namedInputs are what the program was given under names.
func namedInputs(calls *call.Service, job *kind.ProgrammaticJob) (all []parameter, err error) {
	d, err := calls.Fetch(job.Args)
	if err != nil {
		return nil, err
	}
	list, _ := d.(graph.List)
	for _, x := range list {
		if name, value, ok := argument(x); ok {
			all = append(all, parameter{string(name), typeOf(value), value})
		}
	}
	return all, nil
}

func typeOf(d graph.Datum) string {
	switch d.(type) {
	case string:
		return "string"
	case int64:
		return "integer"
	case float64:
		return "number"
	case bool:
		return "boolean"
	}
	return "data"
}

// readPaths are the paths and patterns that calls read, by their text, with the name of the parameter.
func readPaths(calls *call.Service, made []madeCall) map[string]string {
	paths := map[string]string{}
	for _, m := range made {
		t, ok := calls.Tools.Get(m.tool)
		if !ok {
			continue
		}
		positional, keywords, err := call.SplitArgs(m.args)
		if err != nil {
			continue
		}
		args, err := tool.Bind(t, positional, keywords)
		if err != nil {
			continue
		}
		for _, p := range t.Params {
			if text, ok := args[p.Name].(string); ok && (p.Access == tool.ReadAccess || p.Access == tool.ListAccess) {
				paths[text] = p.Name
			}
		}
	}
	return paths
}

// names collects all symbols of forms.
func names(forms []*syntax.Syntax, into map[string]bool) {
	for _, f := range forms {
		switch d := f.Datum.(type) {
		case *syntax.Symbol:
			into[d.Name] = true
		case *syntax.List:
			names(d.Items, into)
			if d.Tail != nil {
				names([]*syntax.Syntax{d.Tail}, into)
			}
		case *syntax.Vector:
			names(d.Items, into)
		}
	}
}

// literals replaces the literal paths of a source by parameters. What is quoted stays.
func literals(source string, forms []*syntax.Syntax, paths map[string]string, taken map[string]bool) (string, []parameter) {
	type place struct {
		start, end int
		name       string
	}
	var places []place
	var params []parameter
	known := map[string]string{}
	var visit func(f *syntax.Syntax)
	visit = func(f *syntax.Syntax) {
		switch d := f.Datum.(type) {
		case syntax.String:
			base, ok := paths[string(d)]
			if !ok {
				return
			}
			name, seen := known[string(d)]
			if !seen {
				name = base
				for n := 2; taken[name]; n++ {
					name = fmt.Sprintf("%s-%d", base, n)
				}
				taken[name], known[string(d)] = true, name
				params = append(params, parameter{name, "string", string(d)})
			}
			places = append(places, place{int(f.Span.Start), int(f.Span.End), name})
		case *syntax.List:
			if slices.Contains([]string{"quote", "quasiquote", "define-syntax", "let-syntax", "import"}, headOf(f)) {
				return
			}
			for _, x := range d.Items {
				visit(x)
			}
		}
	}
	for _, f := range forms {
		visit(f)
	}
	sort.Slice(places, func(i, j int) bool { return places[i].start > places[j].start })
	for _, p := range places {
		source = source[:p.start] + p.name + source[p.end:]
	}
	return source, params
}

// hoisted takes the imports out of a body.
func hoisted(name, body string) (imports, rest string) {
	forms, err := syntax.ReadAll(syntax.NewSource(name, body))
	if err != nil {
		return "", body
	}
	for _, f := range slices.Backward(forms) {
		if headOf(f) == "import" {
			imports = body[f.Span.Start:f.Span.End] + "\n" + imports
			body = body[:f.Span.Start] + body[f.Span.End:]
		}
	}
	return imports, body
}

// WithoutMain is a text without what makes it a program: (tool-main …). Its lines stay where they are.
func WithoutMain(path, text string) string {
	forms, err := syntax.ReadAll(syntax.NewSource(path, text))
	if err != nil {
		return text
	}
	for _, f := range slices.Backward(forms) {
		if headOf(f) == "tool-main" {
			lines := strings.Count(text[f.Span.Start:f.Span.End], "\n")
			text = text[:f.Span.Start] + strings.Repeat("\n", lines) + text[f.Span.End:]
		}
	}
	return text
}

// headOf is the symbol that a form begins with.
func headOf(f *syntax.Syntax) string {
	if l, ok := f.Datum.(*syntax.List); ok && len(l.Items) > 0 {
		if s, ok := l.Items[0].Datum.(*syntax.Symbol); ok {
			return s.Name
		}
	}
	return ""
}

// definedBy are the names that a form defines at the top level.
func definedBy(f *syntax.Syntax) (out []string) {
	l, ok := f.Datum.(*syntax.List)
	if !ok || len(l.Items) < 2 || !strings.HasPrefix(headOf(f), "define") {
		return nil
	}
	if headOf(f) == "define-record-type" {
		all := map[string]bool{}
		names(l.Items[1:], all)
		for n := range all {
			out = append(out, n)
		}
		return out
	}
	at := l.Items[1]
	for {
		switch d := at.Datum.(type) {
		case *syntax.Symbol:
			return []string{d.Name}
		case *syntax.List:
			if len(d.Items) > 0 {
				at = d.Items[0]
				continue
			}
		}
		return nil
	}
}

// inherited are the definitions of earlier programs that a program needs, in their order. Of several of a name the newest
// is meant.
func inherited(calls *call.Service, job *kind.ProgrammaticJob, forms []*syntax.Syntax) (string, error) {
	type definition struct {
		form *syntax.Syntax
		text string
		kept bool
	}
	var all []*definition // the newest first
	newestOf := map[string]*definition{}
	for at, newest := job.After, newerThanAll; at != nil; {
		e, err := calls.Store.Entry(at.ID())
		if err != nil {
			return "", err
		}
		link, ok := e.Node.(*kind.ProgrammaticJob)
		if !ok || !earlier(within(e.ID, link), newest) {
			break
		}
		newest = within(e.ID, link)
		source, err := sourceOf(calls, link)
		if err != nil {
			return "", err
		}
		before, err := syntax.ReadAll(syntax.NewSource("program", source))
		if err != nil {
			before = nil // it had a mistake: nothing was defined
		}
		for _, f := range slices.Backward(before) {
			d := &definition{form: f, text: source[f.Span.Start:f.Span.End]}
			for _, n := range definedBy(f) {
				if newestOf[n] == nil {
					newestOf[n] = d
				}
			}
			all = append(all, d)
		}
		at = link.After
	}
	own := map[string]bool{}
	for _, f := range forms {
		for _, n := range definedBy(f) {
			own[n] = true
		}
	}
	for look := forms; len(look) > 0; {
		wanted := map[string]bool{}
		names(look, wanted)
		look = nil
		for n := range wanted {
			if d := newestOf[n]; d != nil && !own[n] && !d.kept {
				d.kept = true
				look = append(look, d.form)
			}
		}
	}
	var kept []string
	for _, d := range slices.Backward(all) {
		if d.kept {
			kept = append(kept, d.text)
		}
	}
	return strings.Join(kept, "\n"), nil
}

func programText(name string, id graph.ID, source, imports, needed, body string, params []parameter) string {
	var b strings.Builder
	var shown []string
	for _, p := range params {
		shown = append(shown, "["+p.name+"]")
	}
	fmt.Fprintf(&b, ";; %s: from the program of job %s.\n;; As a program: caper run %s.scm -- %s\n", name, id, name, strings.Join(shown, " "))
	b.WriteString(";; As a tool of agents: put the file into .caper/tools of a project, or into tools of Caper's configuration folder.\n")
	if b.WriteString(imports); imports != "" { // a file with imports has nothing else, also for what is added here
		b.WriteString("(import (only (caper tools) define-tool tool-main) (only (scheme base) lambda quote))\n")
	}
	if needed != "" {
		b.WriteString("\n" + needed + "\n")
	}
	doc := "From the program of job " + id.String() + "."
	if first := strings.TrimSpace(strings.TrimLeft(strings.SplitN(strings.TrimSpace(source), "\n", 2)[0], ";")); strings.HasPrefix(strings.TrimSpace(source), ";") && first != "" {
		doc = first
	}
	list, vars := graph.List{}, []string{}
	for _, p := range params {
		list = append(list, graph.List{graph.Symbol(p.name), graph.Symbol(p.typ), "an input", p.value})
		vars = append(vars, graph.Write(graph.Symbol(p.name)))
	}
	fmt.Fprintf(&b, "\n(define-tool %s %s\n  '%s\n  (lambda (%s)\n%s\n))\n\n(tool-main %s)\n", graph.Write(graph.Symbol(name)), graph.Write(doc), graph.Write(list), strings.Join(vars, " "),
		strings.TrimSpace(body), graph.Write(graph.Symbol(name)))
	return b.String()
}

// maxRecorded bounds what a test holds of the answers that a program got.
const maxRecorded = 128 << 10

// testText is a test of what the program answered, with the answers that its calls got: it needs no files.
func testText(name string, id graph.ID, e store.Entry, calls *call.Service, made []madeCall, params []parameter) string {
	var b strings.Builder
	fmt.Fprintf(&b, ";; What %s answered as job %s, with what its calls answered then. caper test runs it.\n", name, id)
	tools, recorded := map[string]bool{}, graph.List{}
	for _, m := range made {
		tools[m.tool] = true
		entry := graph.List{append(graph.List{graph.Symbol(m.tool)}, m.args...), graph.Symbol("value"), nil}
		d, err := calls.Fetch(m.outcome.Value)
		switch {
		case m.outcome.Error != nil:
			entry[1], entry[2] = graph.Symbol("error"), m.outcome.Error.Message
		case err != nil || d == nil:
			entry[1], entry[2] = graph.Symbol("none"), false
		default:
			if _, void := d.(graph.Void); void {
				entry[1], d = graph.Symbol("none"), false
			}
			entry[2] = d
		}
		recorded = append(recorded, entry)
	}
	value, err := graph.Datum(nil), error(nil)
	if e.Outcome != nil && e.Outcome.State == kind.Settled {
		value, err = calls.Fetch(e.Outcome.Value)
	}
	table := graph.Write(recorded)
	if len(table) > maxRecorded || err != nil || value == nil || !readsBack(table) {
		fmt.Fprintf(&b, "(test-begin %s)\n(test-skip 1)\n(test-assert \"what it answered is too large, or it came to no value\" #f)\n(test-end)\n", graph.Write(name))
		return b.String()
	}
	fmt.Fprintf(&b, "\n(define answers '%s)\n", table)
	b.WriteString(`(define (answer call)
  (let loop ((before '()) (rest answers))
    (cond ((null? rest) (error "the program made a call that it did not make then:" call))
          ((equal? (caar rest) call)
           (set! answers (append (reverse before) (cdr rest)))
           (case (cadar rest) ((value) (list-ref (car rest) 2)) ((error) (error (list-ref (car rest) 2)))))
          (else (loop (cons (car rest) before) (cdr rest))))))
`)
	for _, t := range slices.Sorted(maps.Keys(tools)) {
		fmt.Fprintf(&b, "(define (%s . args) (answer (cons '%s args)))\n", t, t)
	}
	var calling strings.Builder
	fmt.Fprintf(&calling, "(%s", graph.Write(graph.Symbol(name)))
	for _, p := range params {
		fmt.Fprintf(&calling, " '%s", graph.Write(p.value))
	}
	calling.WriteString(")")
	fmt.Fprintf(&b, "(include %s)\n\n(test-begin %s)\n", graph.Write(name+".scm"), graph.Write(name))
	if answer, title := graph.Write(value), graph.Write("as job "+id.String()); readsBack(answer) {
		fmt.Fprintf(&b, "(test-equal %s\n  '%s\n  %s)\n", title, answer, calling.String())
	} else { // such as the list of what a for-each answered: that it runs is all that can be said
		fmt.Fprintf(&b, "(test-assert %s\n  (begin %s #t))\n", title, calling.String())
	}
	b.WriteString("(test-end)\n")
	return b.String()
}

// readsBack reports whether a text is a datum that can be read.
func readsBack(text string) bool {
	_, err := syntax.ReadAll(syntax.NewSource("datum", text))
	return err == nil
}
