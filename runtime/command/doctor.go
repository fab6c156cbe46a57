package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"caper/runtime/assembly"
	"caper/runtime/store"
	"caper/runtime/store/badger"
	"caper/runtime/view"

	"github.com/spf13/cobra"
)

// finding is what doctor says of one thing.
type finding struct {
	what, found, do string
	bad             bool
}

func (v *verb) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Look at the installation: what is there, what is missing and what to do",
		Long: `Look at the installation: what is there, what is missing and what to do. Nothing is changed, no model is asked, and of keys
only is said that there is one. Exit code 1 when something keeps Caper from working.`,
		Example: "  caper doctor\n  caper doctor --json",
		Args:    exact(0, "nothing"),
		RunE: func(*cobra.Command, []string) error {
			for _, f := range v.findings() {
				if f.bad {
					v.code = ExitRaised
				}
				if v.json {
					e := map[string]any{"type": "finding", "what": f.what, "ok": !f.bad, "found": f.found}
					if f.do != "" {
						e["do"] = f.do
					}
					if err := v.emit(e); err != nil {
						return err
					}
					continue
				}
				if _, err := fmt.Fprint(v.Stdout, view.Finding(v.Style, f.what, f.found, f.do, f.bad)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (v *verb) findings() []finding {
	out := []finding{{what: "version", found: "caper " + Version}}
	if image() == "prebuilt" {
		out = append(out, finding{what: "image", found: "the library comes with the program"})
	} else {
		out = append(out, finding{what: "image", found: "the library is built at each start, which takes 20 ms", do: "go generate . && go install ."})
	}
	home, err := assembly.FindHome(v.env)
	if err != nil {
		return append(out, finding{what: "home", found: err.Error(), bad: true, do: "set CAPER_HOME to the absolute path of a folder"})
	}
	out = append(out, folder("home", home.Data))
	if home.Config != home.Data {
		out = append(out, folder("settings", home.Config))
	}
	out = append(out, storeFinding(home), v.rulesFinding(home), v.terminalFinding(), modelsFinding(home))
	for _, name := range []string{"bash", "git"} {
		f := finding{what: name, do: "install it: programs run their commands with it", bad: name == "bash"}
		if name == "git" {
			f.do = "install it if your programs use it"
		}
		if path, err := exec.LookPath(name); err == nil {
			f = finding{what: name, found: path}
		} else {
			f.found = "there is none on the PATH"
		}
		out = append(out, f)
	}
	return out
}

// folder looks at a folder of ours.
func folder(what, path string) finding {
	f := finding{what: what, found: path}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.found += ", which is made when it is needed"
	case err != nil:
		f.found, f.bad, f.do = err.Error(), true, "make it readable, or set CAPER_HOME to another folder"
	case !info.IsDir():
		f.found, f.bad, f.do = path+" is no folder", true, "move it away, or set CAPER_HOME to another folder"
	case info.Mode().Perm()&0o022 != 0:
		f.found, f.do = fmt.Sprintf("%s, where others can write (%v)", path, info.Mode().Perm()), "chmod go-w "+path
	}
	return f
}

// storeFinding looks at the store without opening it for a command: another process may have it.
func storeFinding(home assembly.Home) finding {
	f := finding{what: "store", found: home.Store()}
	if _, err := os.Stat(home.Store()); errors.Is(err, fs.ErrNotExist) {
		f.found += " is not there yet: the first program makes it"
		return f
	}
	lock, err := badger.Acquire(home.Store(), false)
	if errors.Is(err, store.ErrLocked) {
		f.found += ", which another caper has and serves"
		return f
	}
	if err == nil {
		var s *assembly.System
		if s, err = assembly.Open(lock, assembly.Options{Home: home, Sync: true, Engine: newEngine}); err == nil {
			var all []uint64
			all, err = s.Store.Sessions()
			f.found += fmt.Sprintf(", %d sessions, %s", len(all), view.Size(weight(home.Store())))
			err = errors.Join(err, s.Close())
		}
	}
	if err != nil {
		f.found, f.bad, f.do = err.Error(), true, "caper --accept-loss sessions opens what is left of a damaged store; copy "+home.Store()+" first"
	}
	return f
}

// weight is how many bytes the files of a folder have.
func weight(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

func (v *verb) rulesFinding(home assembly.Home) finding {
	f := finding{what: "rules"}
	if err := assembly.CheckRules(home, v.Cwd, nil); err != nil {
		f.found, f.bad, f.do = err.Error(), true, "caper help policy"
		return f
	}
	there, absent := assembly.RuleFiles(home, v.Cwd, nil)
	if f.found = strings.Join(there, ", "); len(there) == 0 {
		f.found, f.do = "none: what is no read in the workspace is asked", "caper help policy says how to write "+absent[0]
	}
	return f
}

func (v *verb) terminalFinding() finding {
	f := finding{what: "terminal"}
	if !v.Screen {
		f.found = "none: output goes to a pipe or a file, without colours"
		return f
	}
	say := []string{fmt.Sprintf("%d columns", v.Style.Width)}
	for _, x := range []struct {
		is      bool
		yes, no string
	}{{v.Style.Color, "colours", "no colours"}, {!v.Style.ASCII, "UTF-8", "ASCII only"}, {v.Style.Live, "live progress", "no live progress"}} {
		if x.is {
			say = append(say, x.yes)
		} else {
			say = append(say, x.no)
		}
	}
	f.found = strings.Join(say, ", ")
	if v.Style.ASCII {
		f.do = "set LANG to a UTF-8 locale such as C.UTF-8"
	}
	return f
}

func modelsFinding(home assembly.Home) finding {
	f := finding{what: "models"}
	names, err := assembly.Connections(home)
	switch {
	case err != nil:
		f.found, f.bad, f.do = err.Error(), true, "correct "+home.ModelsFile()
	case len(names) == 0:
		f.found, f.do = "no connection: programs run, agents do not", "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or write "+home.ModelsFile()
	default:
		f.found = strings.Join(names, ", ")
	}
	return f
}
