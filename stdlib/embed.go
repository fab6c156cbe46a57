// Package stdlib holds the standard library: Scheme text, and what is said of its names. A library (a b c) is the file a/b/c.sld;
// the libraries whose names start with % lie at the top. Package interp reads it; it imports nothing of ours.
package stdlib

import (
	"embed"
	"io/fs"
	"path"
	"sort"
	"strings"
	"unsafe"
)

//go:embed *.scm scheme srfi caper
var files embed.FS

// Doc says of names what their definitions do not: a line for each way to use one, and what it does.
//
//go:embed doc.txt
var Doc string

// special are the libraries that are not where their names say.
var special = map[string]string{"%support": "control.scm"}

// Source answers the text of a library and its path below the standard library.
func Source(name []string) (text, file string, ok bool) {
	joined := strings.Join(name, "/")
	file, ok = special[joined]
	if !ok {
		file = joined + ".sld"
	}
	text, ok = File(file)
	return text, file, ok
}

// File answers the text of a file by its path, such as scheme/base.sld.
func File(name string) (text string, ok bool) {
	if !fs.ValidPath(name) {
		return "", false
	}
	b, err := files.ReadFile(name)
	return unsafe.String(unsafe.SliceData(b), len(b)), err == nil // b is nobody else's
}

// FS is the library's files.
func FS() fs.FS { return files }

// Definitions are the files that define what every program sees, and what (scheme …) exports, each before those that
// define some of it anew.
func Definitions() []string {
	all := []string{"control.scm"}
	for _, dir := range []string{"scheme", "caper"} {
		entries, _ := files.ReadDir(dir)
		for _, e := range entries {
			if name := e.Name(); !strings.HasSuffix(name, "-test.scm") {
				all = append(all, dir+"/"+name)
			}
		}
	}
	return all
}

// Libraries lists the public libraries by name, such as (scheme base), in order.
func Libraries() []string {
	var names []string
	dirs, _ := files.ReadDir(".")
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		entries, _ := files.ReadDir(d.Name())
		for _, e := range entries {
			if base, ok := strings.CutSuffix(e.Name(), ".sld"); ok && path.Ext(base) == "" {
				names = append(names, "("+d.Name()+" "+base+")")
			}
		}
	}
	sort.Strings(names)
	return names
}
