package license

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Facts are what a survey saw. They are plain data: a call can be decided again from the same facts.
type Facts struct {
	Command       string // of which Shell is the reading
	Cwd           string // canonical
	Workspace     string // canonical
	Home          string // as recorded
	HomeCanonical string
	Folds         bool      // the file system of the workspace has no regard for case
	Uses          []UseFact // one for each use of the call, in its order
	Shell         *Shell
	// Paths are the words of the shell command that could name a file, by absolute lexical path.
	Paths map[string]PathFact
	// Links are the paths that the wildcards of a word reach through links, by the absolute text of the word.
	Links map[string][]PathFact
	// Execs are the programs of its commands: by name, or by absolute path where the name holds a slash.
	Execs  map[string]Exec
	Guards []Guard
	// Limit says that the survey stopped early: what was not looked at asks.
	Limit string
}

// UseFact is a use and what its path was.
type UseFact struct {
	Use
	Fact PathFact
}

// Exec is a program found for a name.
type Exec struct {
	Path      string // where it was found
	Canonical string
	Entry     Entry
	Found     bool
	Self      bool // it is this Caper, under whatever name
}

const maxLooks = 2000

// Survey gathers what Decide needs to know of the file system. guard are further protected paths (the store, the config
// folder, sockets): they are followed to where they lead, so that another name of theirs is found too.
func Survey(ctx context.Context, c Call, w World, guard ...string) (Facts, error) {
	s := newSurveyor(c, w)
	return s.survey(ctx, s.ground(guard))
}

// Ground is the part of a survey that is the same for all calls with one workspace, home, list of rules and of guards:
// where these lead. It costs much more than a call's own paths, so it may be kept for a moment.
type Ground struct {
	workspace, home, homeCanonical string
	folds                          bool
	guards                         []Guard
	self                           PathFact
}

// SurveyGround looks at what a call has in common with others.
func SurveyGround(c Call, w World, guard ...string) Ground { return newSurveyor(c, w).ground(guard) }

// SurveyOn is Survey for a call whose ground was looked at before.
func SurveyOn(ctx context.Context, c Call, w World, g Ground) (Facts, error) {
	return newSurveyor(c, w).survey(ctx, g)
}

func newSurveyor(c Call, w World) *surveyor {
	f := &Facts{Command: c.Command, Home: c.Env["HOME"], Paths: map[string]PathFact{}, Links: map[string][]PathFact{}, Execs: map[string]Exec{}}
	if !path.IsAbs(f.Home) {
		f.Home = ""
	}
	return &surveyor{w: &memory{World: w, seen: map[string]look{}}, c: c, f: f, bare: map[string]bool{}}
}

func (s *surveyor) ground(guard []string) Ground {
	f := s.f
	f.Workspace = s.walk(s.c.Workspace).Canonical
	if f.Home != "" {
		f.HomeCanonical = s.walk(f.Home).Canonical
	}
	f.Folds = s.folds(f.Workspace)
	s.guards(guard)
	return Ground{f.Workspace, f.Home, f.HomeCanonical, f.Folds, f.Guards[:len(f.Guards):len(f.Guards)], s.self}
}

func (s *surveyor) survey(ctx context.Context, g Ground) (Facts, error) {
	f, c := s.f, s.c
	f.Workspace, f.Home, f.HomeCanonical, f.Folds, f.Guards, s.self = g.workspace, g.home, g.homeCanonical, g.folds, g.guards, g.self
	if f.Cwd = g.workspace; c.Cwd != c.Workspace {
		f.Cwd = s.walk(c.Cwd).Canonical
	}
	for _, u := range c.Uses {
		if err := ctx.Err(); err != nil {
			return Facts{}, err
		}
		f.Uses = append(f.Uses, UseFact{u, s.use(u)})
	}
	if c.Tool == BashTool || c.Command != "" {
		if err := s.shell(ctx); err != nil {
			return Facts{}, err
		}
	}
	return *f, nil
}

// memory remembers for the time of one survey what it saw, so that all facts are of one look.
type memory struct {
	World
	seen map[string]look
}

type look struct {
	e   Entry
	err error
}

func (m *memory) Lstat(p string) (Entry, error) {
	l, ok := m.seen[p]
	if !ok {
		l.e, l.err = m.World.Lstat(p)
		m.seen[p] = l
	}
	return l.e, l.err
}

type surveyor struct {
	w     *memory
	c     Call
	f     *Facts
	looks int
	self  PathFact
	bare  map[string]bool // what inBareRepository answered for a folder
}

// walk looks a path up once; an empty one stays empty.
func (s *surveyor) walk(p string) PathFact {
	if p == "" {
		return PathFact{State: BadName}
	}
	s.looks++
	return walkPath(s.w, p, true)
}

func (s *surveyor) use(u Use) PathFact {
	if u.Path == "" || strings.IndexByte(u.Path, 0) >= 0 {
		return PathFact{Lexical: absolute(u.Path, s.c.Cwd, s.f.Home), State: BadName}
	}
	raw := rawAbsolute(u.Path, s.c.Cwd, s.f.Home)
	fact := walkPath(s.w, raw, u.Access != Delete)
	if (u.Access == Write || u.Access == Delete) && fact.State == Exists && fact.Entry.Kind == File {
		if d, err := s.w.Digest(fact.Canonical); err == nil {
			fact.Digest = d
		}
	}
	return fact
}

// folds asks the file system whether it takes another case for the same name.
func (s *surveyor) folds(dir string) bool {
	for p := dir; p != "" && p != "/" && p != "."; p = path.Dir(p) {
		swapped := strings.Map(func(r rune) rune {
			if unicode.IsLower(r) {
				return unicode.ToUpper(r)
			}
			return unicode.ToLower(r)
		}, path.Base(p))
		if swapped == path.Base(p) {
			continue
		}
		a, err := s.w.Lstat(p)
		if err != nil {
			return false
		}
		b, err := s.w.Lstat(path.Join(path.Dir(p), swapped))
		return err == nil && a.Inode != 0 && a.Inode == b.Inode && a.Dev == b.Dev
	}
	return false
}

// guards follows the protected places to where they lead.
func (s *surveyor) guards(extra []string) {
	add := func(p, why string, writesOnly, always bool) {
		fact := s.walk(p)
		if fact.State != Exists && !always {
			return
		}
		s.f.Guards = append(s.f.Guards, Guard{Path: path.Clean(p), Canonical: fact.Canonical, Why: why, WritesOnly: writesOnly,
			Dev: fact.Entry.Dev, Inode: fact.Entry.Inode})
	}
	if self := s.w.Self(); self != "" {
		s.self = s.walk(self)
		add(self, "it is Caper itself", true, true)
	}
	for _, p := range extra {
		if path.IsAbs(p) {
			add(p, "it belongs to Caper itself ("+p+")", false, true)
		}
	}
	if s.f.Home != "" {
		for _, c := range credentials {
			first, _, _ := strings.Cut(c, "/")
			if _, err := s.w.Lstat(s.f.HomeCanonical + "/" + first); err != nil {
				continue // most homes hold few of them
			}
			add(s.f.Home+"/"+c, "it holds credentials", false, false)
		}
	}
	if s.c.Workspace != "" {
		add(s.c.Workspace+"/.git", "it lies in the internals of git, where a file can run programs later", true, false)
		add(s.c.Workspace+"/.caper", "it holds the rules of this workspace", true, true)
	}
	for _, p := range s.c.Rules {
		add(p, "it holds rules that judge this program", true, true)
	}
}

// shell reads the command and looks up every program and path in it.
func (s *surveyor) shell(ctx context.Context) error {
	f := s.f
	f.Shell = Analyse(s.c.Command, ShellEnv{Cwd: s.c.Cwd, Home: f.Home, Vars: s.c.Env, Program: s.program})
	for i, c := range f.Shell.Commands {
		if err := ctx.Err(); err != nil {
			return err
		}
		dirs := c.searchDirs(f.Shell)
		base := path.Base(c.Name())
		if base == "git" && slices.ContainsFunc(f.Shell.dirs(c.Dirs), s.inBareRepository) {
			f.Shell.Commands[i].Soft = addReason(c.Soft, "a folder there looks like a repository of its own, whose configuration can name programs to run")
		}
		if _, searches := patterns[base]; searches {
			s.paths(here, dirs)
		}
		if name := c.Name(); name != "" {
			s.exec(name, f.Shell.dirs(c.Dirs))
			if i := strings.LastIndexByte(name, '/'); i >= 0 {
				s.exec(name[i+1:], nil)
			}
		}
		for _, w := range c.Words[1:] {
			s.paths(w, dirs)
		}
	}
	for _, file := range f.Shell.Files {
		s.paths(file.Word, f.Shell.dirs(file.Dirs))
	}
	for _, w := range f.Shell.Mentions {
		s.paths(w, f.Shell.Dirs)
	}
	return nil
}

// inBareRepository says that git, looking upwards from a folder, could take a folder itself for a repository: a clone
// brings such folders with it, as it cannot bring a .git.
func (s *surveyor) inBareRepository(dir string) bool {
	if bare, known := s.bare[dir]; known {
		return bare
	}
	holds := func(p, name string) bool {
		_, err := s.w.Lstat(path.Join(p, name))
		return err == nil
	}
	bare := false
	for p := s.walk(dir).Canonical; path.IsAbs(p); p = path.Dir(p) {
		if holds(p, ".git") {
			break
		}
		if bare = holds(p, "HEAD") && (holds(p, "objects") || holds(p, "commondir")); bare || p == "/" {
			break
		}
	}
	s.bare[dir] = bare
	return bare
}

func (s *surveyor) paths(w Word, dirs []string) {
	if !w.Known {
		return // where it may lead is judged by its text
	}
	if w.Glob {
		s.wildcards(w, dirs)
		return
	}
	for _, candidate := range pathCandidates(w.Text) {
		for _, d := range dirs {
			key := absolute(candidate, d, s.f.Home)
			if _, seen := s.f.Paths[key]; seen {
				continue
			}
			if s.looks++; s.looks > maxLooks {
				s.f.Limit = "it names more paths than are looked at"
				return
			}
			s.f.Paths[key] = walkPath(s.w, rawAbsolute(candidate, d, s.f.Home), true)
		}
	}
}

// exec finds what a name runs, as the shell would find it on the recorded PATH.
func (s *surveyor) exec(name string, dirs []string) {
	if strings.Contains(name, "/") {
		for _, d := range dirs {
			raw := rawAbsolute(name, d, "")
			key := path.Clean(raw)
			if _, seen := s.f.Execs[key]; !seen {
				s.f.Execs[key] = s.found(raw)
			}
		}
		return
	}
	if _, seen := s.f.Execs[name]; seen {
		return
	}
	if s.looks++; s.looks > maxLooks {
		s.f.Limit = "it names more programs than are looked at"
		return
	}
	s.f.Execs[name] = Exec{}
	for _, dir := range strings.Split(s.c.Env["PATH"], ":") {
		if !path.IsAbs(dir) {
			return // it depends on the folder of the moment: not known
		}
		if e := s.found(dir + "/" + name); e.Found {
			s.f.Execs[name] = e
			return
		}
	}
}

func (s *surveyor) found(raw string) Exec {
	fact := walkPath(s.w, raw, true)
	e := Exec{Path: fact.Lexical, Canonical: fact.Canonical, Entry: fact.Entry}
	e.Found = fact.State == Exists && fact.Entry.Kind == File && fact.Entry.Executable
	if e.Found && s.self.State == Exists {
		e.Self = s.isSelf(fact)
	}
	return e
}

// program answers the base name of the file that a name leads to.
func (s *surveyor) program(name, dir string) string {
	s.exec(name, []string{dir})
	key := name
	if strings.Contains(name, "/") {
		key = absolute(name, dir, "")
	}
	if e := s.f.Execs[key]; e.Found {
		return path.Base(e.Canonical)
	}
	return ""
}

// isSelf knows Caper by its path, by its inode, and by its bytes where the size is the same.
func (s *surveyor) isSelf(p PathFact) bool {
	me := s.self
	if p.Canonical == me.Canonical || me.Entry.Inode != 0 && p.Entry.Inode == me.Entry.Inode && p.Entry.Dev == me.Entry.Dev {
		return true
	}
	if p.Entry.Size != me.Entry.Size || me.Entry.Size == 0 {
		return false
	}
	a, errA := s.w.Digest(p.Canonical)
	b, errB := s.w.Digest(me.Canonical)
	return errA == nil && errB == nil && a == b
}
