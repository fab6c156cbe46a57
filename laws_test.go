package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"caper/runtime/graph"
	"caper/runtime/kind"
)

// declared are the names that the code of a folder declares: types, functions, fields, constants, with where.
func declared(t *testing.T, dir string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	eachFile(t, dir, func(path string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				out[n.Name.Name] = append(out[n.Name.Name], path)
			case *ast.FuncDecl:
				out[n.Name.Name] = append(out[n.Name.Name], path)
			case *ast.Field:
				for _, name := range n.Names {
					out[name.Name] = append(out[name.Name], path)
				}
			case *ast.ValueSpec:
				for _, name := range n.Names {
					out[name.Name] = append(out[name.Name], path)
				}
			}
			return true
		})
	})
	return out
}

// eachFile parses the files of a folder that are no tests.
func eachFile(t *testing.T, dir string, see func(path string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		see(path, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// uses reports where the code of a folder selects one of the names, as in x.Name.
func uses(t *testing.T, dir string, names ...string) (where []string) {
	t.Helper()
	eachFile(t, dir, func(path string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				for _, name := range names {
					if s.Sel.Name == name {
						where = append(where, path+": "+name)
					}
				}
			}
			return true
		})
	})
	return where
}

// TestLawS35_AClientMintsNothing: a guest speaks frames; what writes nodes is not in its room, and the owner runs its verb.
func TestLawS35_AClientMintsNothing(t *testing.T) {
	for _, p := range packages(t)["runtime/owner"] {
		if strings.HasPrefix(p, "caper/") {
			t.Errorf("runtime/owner imports %s", p)
		}
	}
	if where := uses(t, "runtime/owner", "Mint", "Settle", "Apply", "NewSession"); where != nil {
		t.Errorf("a client writes: %v", where)
	}
}

// TestLawS36_RejectedDesignsStayOut has a subtest for each row of the document's table of rejected designs, and for each
// of its plain bans.
func TestLawS36_RejectedDesignsStayOut(t *testing.T) {
	names := declared(t, "runtime")
	banned := func(list ...string) func(*testing.T) {
		return func(t *testing.T) {
			for _, n := range list {
				if where := names[n]; where != nil {
					t.Errorf("%s is declared in %v", n, where)
				}
			}
		}
	}
	structFields := func(t *testing.T, dir, name string) (fields []string) {
		eachFile(t, dir, func(_ string, f *ast.File) {
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.TypeSpec); ok && s.Name.Name == name {
					if st, ok := s.Type.(*ast.StructType); ok {
						for _, field := range st.Fields.List {
							for _, id := range field.Names {
								fields = append(fields, id.Name)
							}
						}
					}
				}
				return true
			})
		})
		if fields == nil {
			t.Fatalf("there is no %s in %s", name, dir)
		}
		return fields
	}
	lacks := func(dir, name string, bad ...string) func(*testing.T) {
		return func(t *testing.T) {
			for _, f := range structFields(t, dir, name) {
				for _, b := range bad {
					if f == b {
						t.Errorf("%s has a field %s", name, f)
					}
				}
			}
		}
	}
	for _, row := range []struct {
		name  string
		check func(*testing.T)
	}{
		{"session as bag", lacks("runtime/kind", "SessionRoot", "Messages", "History", "Model", "Cwd", "Tools", "CurrentPolicy")},
		{"the standing policy as the one source", lacks("runtime/call", "Service", "Posture", "CurrentPolicy")},
		{"last-choice permission as a key of the bag", func(t *testing.T) {
			eachFile(t, "runtime", func(path string, f *ast.File) {
				ast.Inspect(f, func(n ast.Node) bool {
					if i, ok := n.(*ast.IndexExpr); ok {
						s, isKvs := i.X.(*ast.SelectorExpr)
						key, isText := i.Index.(*ast.BasicLit)
						if isKvs && s.Sel.Name == "Kvs" && isText && strings.Contains(strings.ToLower(key.Value), "policy") {
							t.Errorf("%s reads a policy from the bag of keys and values", path)
						}
					}
					return true
				})
			})
		}},
		{"WorkDemand", banned("WorkDemand")},
		{"subclasses of Job in package graph", func(t *testing.T) {
			eachFile(t, "runtime/graph", func(path string, f *ast.File) {
				ast.Inspect(f, func(n ast.Node) bool {
					s, ok := n.(*ast.TypeSpec)
					if !ok {
						return true
					}
					if st, ok := s.Type.(*ast.StructType); ok {
						for _, field := range st.Fields.List {
							if id, ok := field.Type.(*ast.Ident); ok && id.Name == "Job" && len(field.Names) == 0 {
								t.Errorf("%s: %s embeds Job", path, s.Name.Name)
							}
						}
					}
					return true
				})
			})
		}},
		{"a license on an expectation", func(t *testing.T) {
			banned("ApprovableExpectation")(t)
			for _, pew := range []string{"CompletionExpectation", "JudgeExpectation"} {
				lacks("runtime/kind", pew, "Decision", "Approval", "Posture", "Votes")(t)
			}
		}},
		{"a fat agent", lacks("runtime/kind", "Agent", "Model", "Tools", "Cwd", "Messages", "Policy")},
		{"a tape or messages on the root", lacks("runtime/kind", "SessionRoot", "Messages", "Tape", "Turns", "Journal")},
		{"a tool in the background as an agent", func(t *testing.T) {
			if where := uses(t, "runtime/call", "AgentSpec", "SessionSystemPrompt"); where != nil {
				t.Errorf("a call makes agents: %v", where)
			}
		}},
		{"the work of a job is its collectors", func(t *testing.T) {
			for _, dir := range []string{"runtime/store", "runtime/orchestrator"} {
				if where := uses(t, dir, "Jobs", "ForegroundJobs", "BackgroundJobs"); where != nil {
					t.Errorf("work is read from collectors: %v", where)
				}
			}
		}},
		{"await in programs", func(t *testing.T) {
			for _, dir := range []string{"stdlib/caper", "runtime/program/bind"} {
				err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
					if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "-test.scm") {
						return err
					}
					text := read(t, path)
					if at := regexp.MustCompile(`(\(define \(?|%host ')(job-)?(await|wait|join|touch|result)[ )].*`).FindString(text); at != "" {
						t.Errorf("%s: a program can wait for a job: %s", path, at)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}},
		{"paint and compaction by collectors", func(t *testing.T) {
			if where := uses(t, "runtime/agent", "Jobs", "ForegroundJobs", "BackgroundJobs"); where != nil {
				t.Errorf("%v", where)
			}
		}},
		{"two heads kept in step", func(t *testing.T) {
			for f := range reflect.TypeFor[kind.SessionRoot]().Fields() {
				if pointer := strings.TrimLeft(f.Type.String(), "[]*"); pointer == "kind.Ref" && f.Name != "Agent" {
					t.Errorf("SessionRoot.%s points into the graph beside Agent: the head is the agent's", f.Name)
				}
			}
		}},
		{"collectors that go through a boundary", func(t *testing.T) {
			root, contour, inside := new(graph.Job), &graph.Job{WalkBoundary: true}, new(graph.Job)
			detached := &graph.Job{Background: true}
			contour.Spawn(inside)
			contour.Spawn(detached)
			root.Spawn(contour)
			for name, all := range map[string]iter.Seq[graph.AnyJob]{"jobs": root.Jobs(), "foreground jobs": root.ForegroundJobs(), "background jobs": root.BackgroundJobs()} {
				for j := range all {
					if job := graph.JobOf(j); job == inside || job == detached {
						t.Errorf("the %s of a job have what lies inside a contour (background: %v)", name, job.Background)
					}
				}
			}
		}},
		{"a client that mints", func(t *testing.T) {
			if where := uses(t, "runtime/owner", "Mint"); where != nil {
				t.Errorf("%v", where)
			}
		}},
		{"an actor called agent", func(t *testing.T) {
			here := declared(t, "runtime/orchestrator")
			if here["Actor"] == nil || here["Agent"] != nil {
				t.Error("what fulfils obligations is not called Actor in runtime/orchestrator")
			}
			lacks("runtime/kind", "Agent", "Fulfil", "Handle")(t)
		}},
		{"no JobHub", banned("JobHub")},
		{"no JobNode", banned("JobNode")},
		{"no TurnJob", banned("TurnJob")},
		{"no InterpretationExpectation", banned("InterpretationExpectation")},
		{"no delivery field", banned("Delivery")},
	} {
		t.Run(row.name, row.check)
	}
}

// TestLawS38_OnlySomeVerbsWriteTheHead: a head move is minted where a turn begins, where a head is moved by a person or a
// program, where a conversation is folded by command, and nowhere else.
func TestLawS38_OnlySomeVerbsWriteTheHead(t *testing.T) {
	allowed := map[string]bool{"VerbTurn": true, "VerbCompact": true, "VerbEval": true, "VerbFork": true, "VerbRewind": true}
	eachFile(t, "runtime", func(path string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			s, ok := c.Type.(*ast.SelectorExpr)
			if !ok || s.Sel.Name != "HeadMove" {
				return true
			}
			if !strings.HasPrefix(path, "runtime/agent/") {
				t.Errorf("%s writes a head", path)
			}
			for _, e := range c.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok || kv.Key.(*ast.Ident).Name != "Verb" {
					continue
				}
				switch v := kv.Value.(type) {
				case *ast.SelectorExpr:
					if !allowed[v.Sel.Name] {
						t.Errorf("%s writes a head as %s", path, v.Sel.Name)
					}
				case *ast.Ident: // a parameter of the one function that writes it
				default:
					t.Errorf("%s writes a head as something else", path)
				}
			}
			return true
		})
	})
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestEveryLawHasATest: the laws of sessions, agents and jobs are numbered S01 to S44, and each has a test of its name in
// the package that owns it.
func TestEveryLawHasATest(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, m := range regexp.MustCompile(`(?m)^func TestLaw(S\d\d)_\w+\(t \*testing\.T\)`).FindAllStringSubmatch(read(t, path), -1) {
			found[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 44; i++ {
		if law := fmt.Sprintf("S%02d", i); !found[law] {
			t.Errorf("law %s has no test", law)
		}
	}
}
