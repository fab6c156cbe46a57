package vm

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The run loop keeps frame, instruction pointer and fuel in registers only as long as it calls nothing but the slow
// paths: one helper that the compiler stops inlining costs up to a third of the speed.
func TestLoopCallsOnlySlowPaths(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the package: run without -short")
	}
	out, err := exec.Command("go", "build", "-gcflags=-S", ".").CombinedOutput()
	if err != nil {
		t.Skipf("reads what the compiler makes: put the go command on PATH: %v", err)
	}
	_, body, ok := strings.Cut(string(out), "vm.(*Machine).run STEXT")
	if !ok {
		t.Fatal("the listing has no run loop: the name of its function has changed")
	}
	body, _, _ = strings.Cut(body, " STEXT")
	for _, c := range regexp.MustCompile(`CALL\t(\S+)\(SB\)`).FindAllStringSubmatch(body, -1) {
		if !strings.Contains(c[1], "vm.(*Machine).") && !strings.HasPrefix(c[1], "runtime.morestack") {
			t.Errorf("the run loop calls %s", c[1])
		}
	}
}
