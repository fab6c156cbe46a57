// Command bench compares the engine with its peers, interleaved in one run, by processor time: the median of several
// runs for each, as ratios, by program and by family. With the argument calls it measures no-op calls through the whole
// pipeline, with late the 100,000th call against the 1,000th, with idle the memory of an idle owner, with start the start of a
// process, with compile the compilation of a long file. It is a module of its own so that the peers are no dependency of
// the product.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"caper/interp/bench"
)

// patience is how long one program may take: gopher-lua fills all memory on some of them.
const patience = time.Minute

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
	{"starlark", ".star", self("starlark")},
	{"tengo", ".tengo", self("tengo")},
	{"chez", ".scm", func(file, _ string) *exec.Cmd { return exec.Command("scheme", "-q", "--script", "chez.scm", file) }},
}

func main() {
	runs := flag.Int("runs", 5, "runs of each program under each engine")
	only := flag.String("only", "", "programs or families, separated by commas")
	with := flag.String("with", "", "peers, separated by commas; caper always runs")
	programs := flag.String("programs", "../../interp/bench/programs", "folder of the programs")
	if len(os.Args) == 4 && os.Args[1] == "child" {
		if err := child(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	for name, part := range map[string]func() error{"calls": calls, "late": late, "idle": func() error { return withCaper(idle) },
		"start": func() error { return withCaper(start) }, "compile": compilation} {
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
	var names []string
	for _, f := range bench.Families {
		for _, n := range f.Programs {
			if *only == "" || slices.Contains(strings.Split(*only, ","), n) || slices.Contains(strings.Split(*only, ","), f.Name) {
				names = append(names, n)
			}
		}
	}
	if *with != "" {
		peers = slices.DeleteFunc(peers, func(p peer) bool {
			return p.name != "caper" && !slices.Contains(strings.Split(*with, ","), p.name)
		})
	}
	table(names, *programs, work, *runs)
}

// table prints milliseconds of ours and each peer's time as a multiple of it; then the same by family, as geometric means.
func table(names []string, folder, work string, runs int) {
	row := func(what string, cells ...float64) {
		fmt.Printf("%-18s", what)
		for _, c := range cells {
			if math.IsNaN(c) || c <= 0 {
				fmt.Printf("%12s", "")
			} else {
				fmt.Printf("%12.2f", c)
			}
		}
		fmt.Println()
	}
	fmt.Printf("%-18s", "")
	for _, p := range peers {
		fmt.Printf("%12s", p.name)
	}
	fmt.Println()
	logs := make([]map[string]float64, len(peers)) // by program
	for i := range logs {
		logs[i] = map[string]float64{}
	}
	for _, n := range names {
		times := sample(n, folder, work, runs)
		cells := []float64{times[0]}
		for i := range peers[1:] {
			r := times[i+1] / times[0]
			if r > 0 && !math.IsInf(r, 0) {
				logs[i+1][n] = math.Log(r)
			}
			cells = append(cells, r)
		}
		row(n, cells...)
	}
	fmt.Println()
	means, worst := make([][]float64, len(peers)), make([]float64, len(peers))
	for _, f := range bench.Families {
		cells := []float64{math.NaN()}
		some := false
		for i := range peers[1:] {
			var of []float64
			for _, n := range f.Programs {
				if x, ok := logs[i+1][n]; ok {
					of = append(of, x)
				}
			}
			if len(of) == 0 {
				cells = append(cells, math.NaN())
				continue
			}
			some = true
			means[i+1] = append(means[i+1], math.Log(geomean(of)))
			cells = append(cells, geomean(of))
		}
		if some {
			row(f.Name, cells...)
		}
	}
	cells := []float64{math.NaN()}
	for i, m := range means[1:] {
		cells = append(cells, geomean(m))
		worst[i+1] = math.Inf(1)
		for _, x := range logs[i+1] {
			worst[i+1] = min(worst[i+1], math.Exp(x))
		}
	}
	worst[0] = math.NaN()
	row("mean of families", cells...)
	row("worst program", worst...)
}

// sample answers the median time of each peer, 0 for one that has no such program or fails.
func sample(name, folder, work string, runs int) []float64 {
	times := make([][]float64, len(peers))
	broken := make([]bool, len(peers))
	for range runs {
		for i, p := range peers {
			if broken[i] {
				continue
			}
			t, err := measure(p, name, folder, work)
			if err != nil {
				broken[i] = true
				text, _, _ := strings.Cut(err.Error(), "\n")
				fmt.Fprintln(os.Stderr, name, p.name, text)
			} else if t > 0 {
				times[i] = append(times[i], t)
			}
		}
	}
	of := make([]float64, len(peers))
	for i, t := range times {
		if len(t) > 0 && !broken[i] {
			of[i] = median(t)
		}
	}
	return of
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
	var out, complaint bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Start(); err != nil {
		return 0, err
	}
	late := time.AfterFunc(patience, func() { _ = c.Process.Kill() })
	defer late.Stop()
	if err := c.Wait(); err != nil {
		return 0, fmt.Errorf("%w: %s%s", err, &out, &complaint)
	}
	lines := strings.Fields(strings.TrimSpace(out.String()))
	if len(lines) == 0 {
		return 0, fmt.Errorf("printed nothing")
	}
	return strconv.ParseFloat(lines[len(lines)-1], 64)
}
