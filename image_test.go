package main

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"caper/interp"
	"caper/runtime/assembly"
)

var update = flag.Bool("update", false, "build the library image anew and write it to library.image")

const imageFile = "library.image"

// TestCode: what the program carries to know its image by is all the code that takes part in making one.
func TestCode(t *testing.T) {
	for _, dir := range []string{"interp", "builtins"} {
		err := fs.WalkDir(os.DirFS("."), dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			f, err := code.Open(path)
			if err != nil {
				t.Errorf("main.go does not embed %s", path)
				return nil
			}
			return f.Close()
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestImage: the image that the program carries is, to the last byte, the one that it would build.
func TestImage(t *testing.T) {
	o := assembly.EngineOptions(assembly.Tools())
	o.Prebuilt.Code = code
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
	if o.Prebuilt.Image = image; fresh != image || o.Check() != nil {
		t.Error("library.image is not of this code: go generate . makes it anew, and the program starts slowly until then")
	}
}
