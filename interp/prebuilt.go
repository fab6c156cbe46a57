package interp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"strings"

	"caper/interp/frozen"
	"caper/interp/syntax"
	"caper/stdlib"
)

// Prebuilt is a library image that was written down when the program was built, so that a process need not build it. It
// is used only where the code that made it is the code that runs, and the libraries are those that are asked for.
type Prebuilt struct {
	Image string // what Freeze wrote; "": there is none
	Code  fs.FS  // the Go code of the engine, as text
}

const prebuiltMagic = "caper image 1\n"

// ErrStale says that an image was made by other code or of other libraries, or is damaged.
var ErrStale = errors.New("the prebuilt library image is not of this program")

// Freeze writes down the image of an engine that has been built. Equal engines write equal text.
func (e *Engine) Freeze(o Options) (string, error) {
	key, err := o.key()
	if err != nil {
		return "", err
	}
	var w frozen.Writer
	if err := e.image.Freeze(&w); err != nil {
		return "", err
	}
	body := w.String()
	return head(key, body) + body, nil
}

// head is what an image begins with.
func head(key, body string) string {
	return fmt.Sprintf("%s%s %08x\n", prebuiltMagic, key, frozen.Sum(0, body))
}

// Check says whether the prebuilt image may be used with the options; the error is ErrStale.
func (o Options) Check() error {
	_, err := o.body()
	return err
}

// body is the image without its head.
func (o Options) body() (string, error) {
	if o.Prebuilt.Image == "" {
		return "", ErrStale
	}
	key, err := o.key()
	if err != nil {
		return "", err
	}
	begin := len(head(key, ""))
	if len(o.Prebuilt.Image) <= begin {
		return "", ErrStale
	}
	body := o.Prebuilt.Image[begin:]
	if o.Prebuilt.Image[:begin] != head(key, body) {
		return "", ErrStale
	}
	return body, nil
}

// key is a checksum of everything that an image is made of.
func (o Options) key() (string, error) {
	code, err := sumFiles(o.Prebuilt.Code, func(path string) bool {
		return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go")
	})
	if err != nil {
		return "", err
	}
	text, err := sumFiles(stdlib.FS(), func(path string) bool { return !strings.HasSuffix(path, "-test.scm") })
	if err != nil {
		return "", err
	}
	names := make([]string, 0, len(o.Libraries))
	for n := range o.Libraries {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		text = frozen.Sum(text, n+"\n"+o.Libraries[n])
	}
	for _, n := range o.Order {
		text = frozen.Sum(text, n+"\n")
	}
	return fmt.Sprintf("%08x%08x", code, text), nil
}

// sumFiles is a checksum of the names and texts of the files that are wanted. The SRFIs are not: they are compiled where
// they are imported, and none is in the image.
func sumFiles(files fs.FS, wanted func(path string) bool) (sum uint32, err error) {
	buffer := make([]byte, 32<<10)
	err = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && path == "srfi" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !wanted(path) {
			return err
		}
		f, err := files.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		for sum = frozen.Sum(sum, path); ; {
			n, err := f.Read(buffer)
			sum = frozen.SumBytes(sum, buffer[:n])
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	return sum, err
}

// text is the source text of a library of the image, for messages.
func (e *Engine) text(name string) *syntax.Source {
	if path, ok := strings.CutPrefix(name, stdlibPrefix); ok {
		text, _ := stdlib.File(path)
		return own(name, text)
	}
	return own(name, e.sources[name])
}
