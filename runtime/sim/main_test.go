package sim

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	_ "caper/runtime/command" // what the binary is made of: a change to it makes kept test results void
)

// caper is the binary under test, with the hooks that kill it at a named point.
var caper string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil { // the processes under test mostly wait
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "caper-sim")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	caper = filepath.Join(dir, "caper")
	build := exec.Command("go", "build", "-tags", "caperfaults", "-o", caper, "caper")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the binary under test: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// full reports whether the whole enumeration is wanted: CAPER_FULL=1, as .ci/run sets it. Else a slice runs that is
// chosen by what the points are, never by chance.
func full() bool { return os.Getenv("CAPER_FULL") != "" }
