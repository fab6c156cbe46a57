package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/d5/tengo/v2"
	"github.com/dop251/goja"
	lua "github.com/yuin/gopher-lua"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"caper/interp"
	"caper/interp/bench"
	source "caper/interp/syntax"
)

// cpu is the processor time of this process so far.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// child runs one program in this process and prints the milliseconds that it took once it was loaded.
func child(who, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	run := map[string]func(string, string) (func() error, error){"caper": ours, "gopher-lua": gopherLua, "goja": gojaJS,
		"starlark": starlarkGo, "tengo": tengoGo}[who]
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
	run := func(text, want string) error {
		if err := m.Load(source.NewSource(name, text)); err != nil {
			return err
		}
		if s := m.Run(1 << 50); s.Kind != interp.Done || want != "" && m.Write(s.Value) != want {
			return fmt.Errorf("%s: %v %s", name, s.Kind, m.Write(s.Value))
		}
		return nil
	}
	return func() error { return run(bench.Check, "ok") }, run(text, "")
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

func starlarkGo(name, text string) (func() error, error) {
	thread := &starlark.Thread{Name: name}
	options := &syntax.FileOptions{While: true, TopLevelControl: true, GlobalReassign: true, Recursion: true}
	globals, err := starlark.ExecFileOptions(options, thread, name, text, nil)
	if err != nil {
		return nil, err
	}
	rounds, err := starlark.AsInt32(globals["rounds"])
	if err != nil {
		return nil, err
	}
	return func() error {
		for range rounds {
			r, err := starlark.Call(thread, globals["once"], nil, nil)
			if err != nil {
				return err
			}
			if same, err := starlark.Equal(r, globals["answer"]); err != nil || !same {
				return fmt.Errorf("wrong: %v", r)
			}
		}
		return nil
	}, nil
}

func tengoGo(name, text string) (func() error, error) {
	c, err := tengo.NewScript([]byte(text + `
verdict := "ok"
for i := 0; i < rounds; i++ { r := once(); if r != answer { verdict = r; break } }
`)).Compile()
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := c.Run(); err != nil {
			return err
		}
		if v := c.Get("verdict"); v.String() != "ok" {
			return fmt.Errorf("wrong: %v", v)
		}
		return nil
	}, nil
}
