package tool

import (
	"embed"
	"fmt"
	"sort"
	"sync"

	"caper/interp/near"
)

//go:embed *.md
var docs embed.FS

// doc answers the text that lies beside a tool's source.
func doc(name string) string {
	text, err := docs.ReadFile(name + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}

// All lists the system tools.
func All() []*Tool {
	return []*Tool{
		ReadFile(),
		WriteFile(),
		AppendFile(),
		EditFile(),
		MoveFile(),
		DeleteFile(),
		MakeDir(),
		ListDir(),
		Glob(),
		Grep(),
		Bash(),
		ReadOutcome(),
		Complete(),
		SpawnAgent(),
		AskAgent(),
		DriveAgent(),
		ClientTool(),
		Turn(),
		DefineAgent(),
		KvsSet(),
		Cancel(),
		Detach(),
		Rewind(),
		Fork(),
		Scheme(),
		FindTools(),
		ToolDoc(),
	}
}

// Set is the tools that a program can reach, by name. It does not change.
type Set struct {
	byName map[string]*Tool
	names  []string

	once  sync.Once
	found *index
}

// NewSet makes a set; two tools of one name are a mistake of the one who builds the system.
func NewSet(tools ...*Tool) (*Set, error) {
	s := &Set{byName: make(map[string]*Tool, len(tools))}
	for _, t := range tools {
		if _, twice := s.byName[t.Name]; twice {
			return nil, fmt.Errorf("two tools are called %s", t.Name)
		}
		s.byName[t.Name] = t
		s.names = append(s.names, t.Name)
	}
	sort.Strings(s.names)
	return s, nil
}

// Get answers the tool called name.
func (s *Set) Get(name string) (*Tool, bool) {
	t, ok := s.byName[name]
	return t, ok
}

// Names answers all names, sorted.
func (s *Set) Names() []string {
	return append([]string(nil), s.names...)
}

// Unknown is the failure of a call to a tool that there is none of.
func (s *Set) Unknown(name string) *Error {
	e := fail(CodeUnknown, "there is no tool called %s", name).meant(near.Names(name, s.Names()))
	if e.Hints == nil {
		e.Hints = []string{"(tools) lists them"}
	}
	return e
}
