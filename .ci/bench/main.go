// Command bench compares the engine with its peers, interleaved in one run, by processor time: the minimum of several
// runs for each, as ratios. With the argument calls it measures no-op calls through the whole pipeline, with late the
// 100,000th call against the 1,000th and the memory of an idle owner, with start the start of a process. It is a module of
// its own so that the peers are no dependency of the product.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// peer is one engine: the ending of its programs and the command that runs one.
type peer struct {
	name, ext string
	command   func(file, work string) *exec.Cmd
}

func self(who string) func(string, string) *exec.Cmd {
	return func(file, _ string) *exec.Cmd { return exec.Command(os.Args[0], "child", who, file) }
}

func guile(env ...string) func(string, string) *exec.Cmd {
	return func(file, work string) *exec.Cmd {
		c := exec.Command("guile", "--no-auto-compile", "guile.scm", file, work)
		c.Env = append(os.Environ(), env...)
		return c
	}
}

var peers = []peer{
	{"caper", ".scm", self("caper")},
	{"guile-nojit", ".scm", guile("GUILE_JIT_THRESHOLD=-1")},
	{"guile-jit", ".scm", guile()},
	{"lua", ".lua", func(file, _ string) *exec.Cmd { return exec.Command("lua5.4", "lua.lua", file) }},
	{"gopher-lua", ".lua", self("gopher-lua")},
	{"goja", ".js", self("goja")},
}

func main() {
	runs := flag.Int("runs", 5, "runs of each program under each engine")
	only := flag.String("only", "", "programs, separated by commas")
	with := flag.String("with", "", "peers, separated by commas; caper always runs")
	programs := flag.String("programs", "../../interp/bench/programs", "folder of the programs")
	if len(os.Args) == 4 && os.Args[1] == "child" {
		if err := child(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	for name, part := range map[string]func() error{"calls": calls, "late": late, "start": start} {
		if len(os.Args) == 2 && os.Args[1] == name {
			if err := part(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	flag.Parse()
	work, err := os.MkdirTemp("", "caper-bench-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer os.RemoveAll(work)
	files, _ := filepath.Glob(filepath.Join(*programs, "*.scm"))
	var names []string
	for _, f := range files {
		n := strings.TrimSuffix(filepath.Base(f), ".scm")
		if *only == "" || slices.Contains(strings.Split(*only, ","), n) {
			names = append(names, n)
		}
	}
	if *with != "" {
		peers = slices.DeleteFunc(peers, func(p peer) bool {
			return p.name != "caper" && !slices.Contains(strings.Split(*with, ","), p.name)
		})
	}
	table(names, *programs, work, *runs)
}

// table prints milliseconds of ours and each peer's time as a multiple of it.
func table(names []string, folder, work string, runs int) {
	fmt.Printf("%-12s", "")
	for _, p := range peers {
		fmt.Printf("%13s", p.name)
	}
	fmt.Println()
	logs := make([][]float64, len(peers))
	for _, n := range names {
		best := make([]float64, len(peers))
		broken := make([]bool, len(peers))
		for range runs {
			for i, p := range peers {
				if broken[i] {
					continue
				}
				t, err := measure(p, n, folder, work)
				if err != nil {
					broken[i] = true
					fmt.Fprintln(os.Stderr, n, p.name, err)
				}
				if t > 0 && (best[i] == 0 || t < best[i]) {
					best[i] = t
				}
			}
		}
		fmt.Printf("%-12s%10.1f ms", n, best[0])
		for i := range peers[1:] {
			if best[i+1] == 0 || best[0] == 0 {
				fmt.Printf("%13s", "")
				continue
			}
			r := best[i+1] / best[0]
			logs[i+1] = append(logs[i+1], math.Log(r))
			fmt.Printf("%13.2f", r)
		}
		fmt.Println()
	}
	fmt.Printf("%-25s", "geometric mean")
	for _, l := range logs[1:] {
		fmt.Printf("%13.2f", geomean(l))
	}
	fmt.Printf("\n%-25s", "worst")
	for _, l := range logs[1:] {
		w := math.Inf(1)
		for _, x := range l {
			w = min(w, x)
		}
		fmt.Printf("%13.2f", math.Exp(w))
	}
	fmt.Println()
}

func geomean(logs []float64) float64 {
	s := 0.0
	for _, l := range logs {
		s += l
	}
	return math.Exp(s / float64(len(logs)))
}

// measure answers milliseconds, 0 when the peer has no such program.
func measure(p peer, name, folder, work string) (float64, error) {
	file := filepath.Join(folder, name+p.ext)
	if _, err := os.Stat(file); err != nil {
		return 0, nil
	}
	dir := filepath.Join(work, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	c := p.command(file, dir)
	c.Stderr = nil
	out, err := c.Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			return 0, fmt.Errorf("%w: %s%s", err, out, e.Stderr)
		}
		return 0, err
	}
	lines := strings.Fields(strings.TrimSpace(string(out)))
	if len(lines) == 0 {
		return 0, fmt.Errorf("printed nothing")
	}
	return strconv.ParseFloat(lines[len(lines)-1], 64)
}
