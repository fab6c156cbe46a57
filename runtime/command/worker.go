package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"caper/runtime/assembly"
	"caper/runtime/owner"
	"caper/runtime/worker"
	"caper/runtime/worker/driver"

	"github.com/spf13/cobra"
)

// workers is the worker's own side of the command line.
type workers struct {
	*verb
	profile, user string
}

func (v *verb) workerCommand() *cobra.Command {
	w := &workers{verb: v}
	c := &cobra.Command{Use: "worker", Short: "Drive agents for the threads that are handed over",
		Long:    workerText,
		Example: "  caper worker start --user bot\n  caper worker stop"}
	c.PersistentFlags().StringVar(&w.profile, "profile", "default", "which state tree")
	start := &cobra.Command{Use: "start", Short: "Work until interrupted", Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error { return w.start() }}
	start.Flags().StringVar(&w.user, "user", "", "the user id that signs what the worker posts; kept in identity.yaml")
	instance := &cobra.Command{Use: "instance", Short: "Look at workers that run"}
	instance.AddCommand(
		&cobra.Command{Use: "ls", Short: "List the workers of all profiles", Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error { return w.list() }},
		&cobra.Command{Use: "show", Short: "Show the worker of the profile", Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error {
			tree, err := w.tree(w.profile)
			if err != nil {
				return err
			}
			return w.show(w.profile, tree)
		}})
	c.AddCommand(start, instance,
		&cobra.Command{Use: "whoami", Short: "Print the worker's identity", Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error { return w.whoami() }},
		&cobra.Command{Use: "stop", Short: "Stop the worker of the profile; what its agents were about is taken up by the next one", Args: exact(0, "nothing"), RunE: func(*cobra.Command, []string) error { return w.stop() }})
	return c
}

func (w *workers) trees() (string, error) {
	home, err := assembly.FindHome(w.env)
	if err != nil {
		return "", failf(ExitUsage, "", "%w", err)
	}
	return filepath.Join(home.Data, "worker"), nil
}

func (w *workers) tree(profile string) (worker.Tree, error) {
	root, err := w.trees()
	if err == nil && (profile == "" || profile == "." || profile == ".." || strings.ContainsAny(profile, "/\x00")) {
		err = failf(ExitUsage, "", "--profile is a name; found %q", profile)
	}
	return worker.Tree(filepath.Join(root, profile)), err
}

// coded gives what a worker refuses an exit code.
func coded(err error) error {
	var e *worker.Error
	if errors.As(err, &e) {
		return &Error{Code: ExitUsage, Err: err}
	}
	return err
}

func (w *workers) start() error {
	tree, err := w.tree(w.profile)
	if err != nil {
		return err
	}
	k := &worker.Worker{Tree: tree, User: w.user, Version: Version, Environ: w.Environ, Nobody: w.unattended,
		Drivers: map[string]driver.Driver{"claude_code": driver.Claude{}, "codex": driver.Codex{}, "caper": ourselves{w.verb}},
		Notice:  func(format string, a ...any) { fmt.Fprintf(w.Stderr, "caper: "+format+"\n", a...) }}
	if w.Terminal != nil && !w.unattended {
		k.License = &desk{v: w.verb}
	}
	if err := w.say("worker %s, Ctrl-C stops it\n", w.profile); err != nil {
		return err
	}
	return coded(k.Run(w.ctx))
}

// desk asks at a terminal what agents may do, one question at a time.
type desk struct {
	v  *verb
	mu sync.Mutex
}

// Ask implements worker.License. Asking also in the thread, it is answered wherever someone comes first.
func (d *desk) Ask(ctx context.Context, r worker.Request, asking func()) (driver.Answer, string, error) {
	asking()
	d.mu.Lock()
	defer d.mu.Unlock()
	var term owner.Terminal = d.v.Terminal
	term.Flush()
	fmt.Fprintf(d.v.Stderr, "? %s of thread %s wants to use %s in %s\n  %s\n", printable(r.AgentType), r.Alias, printable(r.Tool), printable(r.WorkFolder), printable(string(r.Input)))
	for {
		fmt.Fprint(d.v.Stderr, "  y allows it, n denies it: ")
		text, err := term.ReadLine(ctx)
		if err != nil {
			if ctx.Err() == nil { // nobody is here any more: the thread is still asked
				<-ctx.Done()
			}
			fmt.Fprintln(d.v.Stderr)
			return driver.Answer{}, "terminal", err
		}
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "y", "yes":
			return driver.Answer{Allow: true}, "terminal", nil
		case "n", "no":
			return driver.Answer{Message: "A person said no."}, "terminal", nil
		}
	}
}

func (w *workers) whoami() error {
	tree, err := w.tree(w.profile)
	if err != nil {
		return err
	}
	id, err := tree.Identity("")
	if err != nil {
		return coded(err)
	}
	if w.json {
		return w.emit(map[string]any{"type": "identity", "profile": w.profile, "user_id": id.User, "worker_id": id.Worker})
	}
	_, err = fmt.Fprintf(w.Stdout, "%s (worker %s)\n", id.User, id.Worker)
	return err
}

func (w *workers) show(profile string, tree worker.Tree) error {
	r, alive := tree.Instance()
	status := "stopped"
	if alive {
		status = "running"
	}
	if w.json {
		return w.emit(map[string]any{"type": "instance", "profile": profile, "status": status, "instance_id": r.ID, "pid": r.PID, "version": r.Version, "started_at": r.StartedAt})
	}
	if r.ID == "" {
		_, err := fmt.Fprintf(w.Stdout, "%-12s %s\n", profile, status)
		return err
	}
	_, err := fmt.Fprintf(w.Stdout, "%-12s %-8s process %d since %s (%s)\n", profile, status, r.PID, r.StartedAt.Format(time.RFC3339), r.ID)
	return err
}

func (w *workers) list() error {
	root, err := w.trees()
	if err != nil {
		return err
	}
	profiles, err := foldersIn(root)
	for _, p := range profiles {
		if err := w.show(filepath.Base(p), worker.Tree(p)); err != nil {
			return err
		}
	}
	return err
}

// foldersIn are the paths of the folders in a folder, and of links to folders; none where it is not there.
func foldersIn(root string) (all []string, err error) {
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			all = append(all, path)
		}
	}
	return all, nil
}

func (w *workers) stop() error {
	tree, err := w.tree(w.profile)
	if err != nil {
		return err
	}
	if _, alive := tree.Instance(); !alive {
		return failf(ExitUsage, "caper worker instance ls lists them", "no worker of the profile %s runs", w.profile)
	}
	if err := tree.Stop(); err != nil {
		return err
	}
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		if _, alive := tree.Instance(); !alive {
			return w.say("the worker of the profile %s stopped\n", w.profile)
		}
		select {
		case <-look.C:
		case <-w.ctx.Done():
			return w.ctx.Err()
		}
	}
}
