package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/dop251/goja"
	lua "github.com/yuin/gopher-lua"

	"caper/interp"
	"caper/interp/bench"
	"caper/interp/syntax"
)

// cpu is the processor time of this process so far.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// child runs one program in this process and prints the milliseconds that it took.
func child(who, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	run := map[string]func(string, string) (func() error, error){"caper": ours, "gopher-lua": gopherLua, "goja": gojaJS}[who]
	if run == nil {
		return fmt.Errorf("no peer %s", who)
	}
	body, err := run(filepath.Base(file), string(text))
	if err != nil {
		return err
	}
	runtime.GC() // what building the engine left is not the program's
	start := cpu()
	if err := body(); err != nil {
		return err
	}
	fmt.Println(float64(cpu()-start) / float64(time.Millisecond))
	return nil
}

// ours reads, compiles and runs: all of it counts.
func ours(name, text string) (func() error, error) {
	e, err := interp.NewEngine(interp.Options{
		Order: []string{"(caper standard)", "(caper prelude)"}, Implicit: []string{"(caper prelude)"},
	})
	if err != nil {
		return nil, err
	}
	m, err := e.NewMachine(interp.Config{Memory: 2 << 30, Strict: true})
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := m.Load(syntax.NewSource(name, text+bench.Check)); err != nil {
			return err
		}
		if s := m.Run(1 << 50); s.Kind != interp.Done || m.Write(s.Value) != "ok" {
			return fmt.Errorf("%s: %v %s", name, s.Kind, m.Write(s.Value))
		}
		return nil
	}, nil
}

func gopherLua(name, text string) (func() error, error) {
	l := lua.NewState(lua.Options{CallStackSize: 1 << 16, RegistrySize: 1 << 16, RegistryMaxSize: 1 << 24})
	if err := l.DoString(text); err != nil {
		return nil, err
	}
	return func() error {
		return l.DoString(`for i = 1, rounds do local r = once() if r ~= answer then error("wrong: " .. tostring(r)) end end`)
	}, nil
}

func gojaJS(name, text string) (func() error, error) {
	vm := goja.New()
	if _, err := vm.RunScript(name, text); err != nil {
		return nil, err
	}
	return func() error {
		_, err := vm.RunString(`for (var $i = 0; $i < rounds; $i++) { var $r = once(); if ($r !== answer) throw new Error("wrong: " + $r) }`)
		return err
	}, nil
}
