package assembly_test

import (
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"caper/interp"
	"caper/runtime/assembly"
)

var update = flag.Bool("update", false, "build the library image anew and write it")

const (
	root      = "../.."
	imageFile = root + "/stdlib/library.image"
)

// code is all the code that takes part in making an image.
func code(t *testing.T) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	for _, dir := range []string{"interp", "builtins"} {
		err := fs.WalkDir(os.DirFS(root), dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(filepath.Join(root, path))
			files[path] = &fstest.MapFile{Data: text}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestImage: the image that the program carries is, to the last byte, the one that it would build.
func TestImage(t *testing.T) {
	o := assembly.EngineOptions(assembly.Tools())
	o.Prebuilt.Code = code(t)
	e, err := interp.NewEngine(o)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := e.Freeze(o)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(imageFile, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	carried, err := os.ReadFile(imageFile)
	if err != nil {
		t.Fatal(err)
	}
	if o.Prebuilt.Image = string(carried); fresh != o.Prebuilt.Image || o.Check() != nil {
		t.Error("stdlib/library.image is not of this code: go generate . makes it anew, and the program starts slowly until then")
	}
}

// TestProgramUsesImage: main.go carries the image and all the code that it is known by.
func TestProgramUsesImage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program: run without -short")
	}
	caper := filepath.Join(t.TempDir(), "caper")
	if out, err := exec.Command("go", "build", "-o", caper, root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(caper, "--json", "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), `"image":"prebuilt"`) {
		t.Errorf("%s, want a prebuilt image; go generate . makes it anew", out)
	}
}
