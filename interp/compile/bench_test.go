package compile

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestShow(t *testing.T) {
	fs, _ := filepath.Glob(os.Getenv("SHOW"))
	for _, f := range fs {
		b, _ := os.ReadFile(f)
		w := newWorld(t)
		fmt.Println(f)
		text := string(b)
		if filepath.Base(f) == "ctak.scm" || filepath.Base(f) == "gen.scm" {
			text = "(define (call/cc f) (f f))" + text
		}
		fmt.Println(w.listing(w.compile(t, text)))
	}
}
