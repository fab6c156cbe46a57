package graph

import (
	"iter"
	"reflect"
	"strings"
	"testing"
)

// The kinds of these tests: a tool call, a turn and a contour are jobs; a completion is a container on the tape; its
// expectation and a judge are PEW; a note is a node and nothing else.
type (
	tool struct {
		Job
		name string
	}
	completion struct {
		Container
		name string
	}
	expectation struct {
		Expectation
		name string
	}
	note struct{ Leaf }
	// duck has the shape of a container and of a job, and is neither.
	duck struct{ Background, WalkBoundary, Completed bool }
)

func (duck) Work() []any { return []any{1} }

func name(n any) string {
	switch n := n.(type) {
	case *tool:
		return n.name
	case *completion:
		return n.name
	case *expectation:
		return n.name
	}
	return "?"
}

func job(name string, children ...Node) *tool {
	j := &tool{name: name}
	for _, c := range children {
		j.Spawn(c)
	}
	return j
}

func boundary(j *tool) *tool   { j.WalkBoundary = true; return j }
func background(j *tool) *tool { j.Background = true; return j }
func guarded(j *tool) *tool    { j.Orchestrate(true); return j }
func completed(j *tool) *tool  { j.Completed = true; return j }

func pew(name string) *expectation { return &expectation{name: name} }

func tape(name string, items ...Node) *completion {
	c := &completion{name: name}
	c.SetWork(Nodes(items))
	return c
}

func list[T any](s iter.Seq[T]) string {
	var out []string
	for n := range s {
		out = append(out, name(n))
	}
	return strings.Join(out, " ")
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func TestLawS10_JoinReleased(t *testing.T) {
	for _, c := range []struct {
		completed, orchestrated, background, released bool
	}{
		{false, false, false, false},
		{false, false, true, false},
		{false, true, false, false},
		{false, true, true, true},
		{true, false, false, true},
		{true, false, true, true},
		{true, true, false, true},
		{true, true, true, true},
	} {
		j := job("j")
		j.Completed, j.Background = c.completed, c.background
		if c.orchestrated {
			j.Orchestrate(false) // an answer is an answer
		}
		if j.JoinReleased() != c.released {
			t.Errorf("%+v: released is %v", c, j.JoinReleased())
		}
	}
}

func TestLawS10_ADetachedJobStaysInItsPlace(t *testing.T) {
	child := guarded(job("child"))
	parent := job("parent", job("before"), child, job("after"))
	children := list(parent.Children())
	child.Background = true
	expect(t, "children", list(parent.Children()), children)
	expect(t, "jobs", list(parent.Jobs()), "before child after")
	expect(t, "foreground", list(parent.ForegroundJobs()), "before after")
	expect(t, "background", list(parent.BackgroundJobs()), "child")
}

func TestLawS11_Collectors(t *testing.T) {
	inner := job("inner", job("deep"))
	contour := boundary(job("contour", job("hidden"), background(job("hidden too"))))
	root := job("root", job("a", inner, pew("pew")), tape("tape", job("on the tape")), contour, background(job("b", job("under b"))))
	expect(t, "jobs", list(root.Jobs()), "a inner deep contour b")
	expect(t, "foreground", list(root.ForegroundJobs()), "a inner deep contour")
	expect(t, "background", list(root.BackgroundJobs()), "b")
	expect(t, "jobs of the contour itself", list(contour.Jobs()), "hidden hidden too")
	expect(t, "no jobs", list(job("leaf").Jobs()), "")
	contour.WalkBoundary = false
	expect(t, "jobs without the boundary", list(root.Jobs()), "a inner deep contour hidden hidden too b")
	for n := range root.Jobs() {
		expect(t, "the first of a walk that stops", name(n), "a")
		break
	}
}

func TestLawS11_WalkWork(t *testing.T) {
	root := job("root",
		tape("completion", pew("expectation")),
		boundary(job("contour", job("inner", pew("judge")))),
		background(job("detached", pew("its judge"))),
		job("last"))
	expect(t, "work", list(WalkWork(root)), "completion expectation contour inner judge detached its judge last")
	self := pew("self")
	expect(t, "work of a PEW", list(WalkWork(self)), "self")
	expect(t, "work of a container", list(WalkWork(tape("t", self, job("j", pew("p"))))), "self j p")
	for n := range WalkWork(root) {
		expect(t, "the first of a walk that stops", name(n), "completion")
		break
	}
}

func TestLawS11_BoundaryDefaultsToFalse(t *testing.T) {
	if new(Job).WalkBoundary {
		t.Error("a new job is a boundary")
	}
}

func TestLawS11_ContainersAreABrand(t *testing.T) {
	for _, c := range []struct {
		what                string
		value               any
		container, job, pew bool
	}{
		{"what has the shape of one", duck{}, false, false, false},
		{"the same by pointer", &duck{}, false, false, false},
		{"a job", job("j"), true, true, false},
		{"a completion", tape("t"), true, false, false},
		{"an expectation", pew("p"), true, false, true},
		{"a note", &note{}, false, false, false},
	} {
		_, container := c.value.(WorkContainer)
		_, isJob := c.value.(AnyJob)
		_, isPEW := c.value.(PEW)
		if container != c.container || isJob != c.job || isPEW != c.pew {
			t.Errorf("%s: container %v, job %v, PEW %v", c.what, container, isJob, isPEW)
		}
	}
}

// The three rules of §6: relative, not global. Each also two levels deep, where the parent is not the root.

func levels(middle func(*tool) *tool) map[string]*tool {
	inner := guarded(job("inner"))
	child := guarded(boundary(job("child", inner)))
	parent := middle(job("parent", child))
	return map[string]*tool{"inner": inner, "child": child, "parent": parent, "root": job("root", parent)}
}

func TestLawS12_AChildContourDetachesItsJob(t *testing.T) {
	for _, middle := range []func(*tool) *tool{boundary, func(j *tool) *tool { return j }} {
		l := levels(middle)
		before := list(l["root"].ForegroundJobs())
		l["inner"].Background = true
		expect(t, "parent's foreground", list(l["parent"].ForegroundJobs()), "child")
		expect(t, "parent's background", list(l["parent"].BackgroundJobs()), "")
		expect(t, "child's foreground", list(l["child"].ForegroundJobs()), "")
		expect(t, "child's background", list(l["child"].BackgroundJobs()), "inner")
		expect(t, "root's foreground, two levels up", list(l["root"].ForegroundJobs()), before)
		expect(t, "root's background, two levels up", list(l["root"].BackgroundJobs()), "")
	}
}

func TestLawS12_AParentDetachesTheChild(t *testing.T) {
	for _, contour := range []bool{true, false} {
		l := levels(func(j *tool) *tool { return j })
		l["child"].WalkBoundary = contour
		l["child"].Spawn(job("second", job("its own")))
		own := list(l["child"].ForegroundJobs())
		l["child"].Background = true
		expect(t, "parent's foreground", list(l["parent"].ForegroundJobs()), "")
		expect(t, "parent's background", list(l["parent"].BackgroundJobs()), "child")
		expect(t, "child's foreground", list(l["child"].ForegroundJobs()), own)
		expect(t, "root's foreground, two levels up", list(l["root"].ForegroundJobs()), "parent")
		expect(t, "root's background, two levels up", list(l["root"].BackgroundJobs()), "child")
	}
}

func TestLawS12_JoinStaysOpenForAnAttachedContour(t *testing.T) {
	l := levels(boundary)
	for _, name := range []string{"root", "parent", "child"} {
		if !l[name].JoinOpen() {
			t.Errorf("%s proceeds while inner is open", name)
		}
	}
	completed(l["child"])
	if !l["parent"].JoinOpen() || !l["root"].JoinOpen() {
		t.Error("an open inner job of an attached contour does not hold its ancestors")
	}
	l["child"].Background = true
	if l["parent"].JoinOpen() {
		t.Error("the parent waits for what is under a detached child")
	}
	completed(l["parent"])
	if l["root"].JoinOpen() {
		t.Error("the root waits for what is detached two levels down")
	}
	if !l["child"].JoinOpen() {
		t.Error("the child itself no longer waits for its inner job")
	}
	completed(l["inner"])
	if l["child"].JoinOpen() {
		t.Error("the child waits for what is completed")
	}
}

func TestLawS19_PEWAndJobAreApart(t *testing.T) {
	jobType, pewType := reflect.TypeFor[AnyJob](), reflect.TypeFor[PEW]()
	if reflect.TypeFor[*Job]().Implements(pewType) || reflect.TypeFor[*Expectation]().Implements(jobType) {
		t.Error("one class is both")
	}
	p := reflect.TypeFor[Expectation]()
	for i := range p.NumField() {
		if k := p.Field(i).Type.Kind(); k == reflect.Slice || k == reflect.Interface || k == reflect.Pointer {
			t.Errorf("a PEW can hold something: %s", p.Field(i).Name)
		}
	}
	if _, ok := any(new(Expectation)).(interface{ Spawn(Node) }); ok {
		t.Error("a PEW can have children")
	}
	judged := job("approvable", pew("judge"))
	expect(t, "children of an approvable job", list(judged.Children()), "judge")
	expect(t, "jobs under it", list(judged.Jobs()), "")
}

func TestLawS37_TheClassJob(t *testing.T) {
	want := map[string]string{
		"children": "graph.Children", "owned": "graph.Nodes", "Background": "bool", "WalkBoundary": "bool",
		"OrchestrationResult": "*bool", "Cancelled": "bool", "Completed": "bool",
	}
	j := reflect.TypeFor[Job]()
	for i := range j.NumField() {
		f := j.Field(i)
		if want[f.Name] != f.Type.String() {
			t.Errorf("field %s is a %s", f.Name, f.Type)
		}
		delete(want, f.Name)
	}
	for f := range want {
		t.Errorf("field %s is missing", f)
	}
	k := new(Job)
	if k.Orchestrated() {
		t.Error("a new job is orchestrated")
	}
	k.Orchestrate(false)
	if !k.Orchestrated() || *k.OrchestrationResult {
		t.Error("the guard's answer was not kept")
	}
}

// bag is a list of children that lies elsewhere, as in a store.
type bag struct{ reads *int }

func (b bag) Each(yield func(Node) bool) {
	for _, n := range []string{"one", "two"} {
		*b.reads++
		if !yield(job(n)) {
			return
		}
	}
}

func TestChildrenFromElsewhere(t *testing.T) {
	reads := 0
	root := job("root")
	root.SetChildren(bag{&reads})
	expect(t, "jobs", list(root.Jobs()), "one two")
	expect(t, "work", list(WalkWork(root)), "one two")
	if reads != 4 {
		t.Errorf("%d reads", reads)
	}
}

func TestWalksAreNotRecursive(t *testing.T) {
	const deep = 1_000_000
	leaf := job("leaf")
	at := leaf
	for range deep {
		at = job("j", at)
	}
	n := 0
	for range at.ForegroundJobs() {
		n++
	}
	for range WalkWork(at) {
		n++
	}
	if n != 2*deep {
		t.Errorf("%d nodes", n)
	}
}
