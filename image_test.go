package main

import (
	"flag"
	"os"
	"testing"

	"caper/interp"
	"caper/runtime/assembly"
)

var update = flag.Bool("update", false, "build the library image anew and write it to library.image")

const imageFile = "library.image"

// build makes the engine without the prebuilt image and writes its image down.
func build(t *testing.T) (*interp.Engine, string) {
	t.Helper()
	o := assembly.EngineOptions(assembly.Tools())
	o.Prebuilt.Code = code
	e, err := interp.NewEngine(o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.Freeze(o)
	if err != nil {
		t.Fatal(err)
	}
	return e, text
}

// TestImage: the image that the program carries is, to the last byte, the one that it would build.
func TestImage(t *testing.T) {
	_, fresh := build(t)
	if *update {
		if err := os.WriteFile(imageFile, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if fresh != image {
		t.Error("library.image is not of this code: go generate . makes it anew, and the program starts slowly until then")
	}
}
