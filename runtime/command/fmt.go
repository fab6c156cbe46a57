package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"caper/interp/syntax"
	"caper/runtime/format"

	"github.com/spf13/cobra"
)

func (v *verb) fmtCommand() *cobra.Command {
	var check, write bool
	c := &cobra.Command{
		Use:   "fmt FILE…",
		Short: "Lay Scheme source out in the standard way",
		Long: `Lay Scheme source out in the standard way: indentation by the shape of forms, one space between what stands in a line, at
most one blank line. Comments, literals and where lines break stay as written, and what is read stays the same. The result
goes to standard output. FILE may be -, for standard input.`,
		Example: "  caper fmt a.scm\n  caper fmt -w a.scm\n  caper fmt --check a.scm",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return failf(ExitUsage, "caper fmt FILE…", "fmt needs a file")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if check && write {
				return failf(ExitUsage, "", "--check and -w cannot both hold: files are looked at or written")
			}
			for _, file := range args {
				if err := v.formatFile(file, check, write); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&check, "check", false, "print nothing but the names of files that are laid out otherwise (exit 1)")
	c.Flags().BoolVarP(&write, "write", "w", false, "write the result to the file instead")
	return c
}

func (v *verb) formatFile(file string, check, write bool) error {
	text, err := v.sourceText(file)
	if err != nil {
		return err
	}
	out, err := format.Source(file, text)
	if err != nil {
		if bad := (*syntax.Error)(nil); errors.As(err, &bad) {
			return &Error{Code: ExitRaised, Err: err}
		}
		return failf(ExitRaised, "", "%s: %w", file, err)
	}
	changed := out != text
	if check && changed {
		v.code = ExitRaised
	}
	if write && changed && file != "-" {
		if err := replaceFile(v.path(file), out); err != nil {
			return failf(ExitUsage, "", "cannot write %s: %w", file, err)
		}
	}
	switch {
	case v.json:
		e := map[string]any{"type": "formatted", "file": file, "changed": changed}
		if !check && !write {
			e["text"] = out
		}
		return v.emit(e)
	case check || write && file != "-":
		if changed && !v.quiet {
			_, err = fmt.Fprintln(v.Stdout, file)
		}
		return err
	}
	_, err = io.WriteString(v.Stdout, out)
	return err
}

// sourceText is the text of a file, or of standard input.
func (v *verb) sourceText(file string) (string, error) {
	if file != "-" {
		return v.readSource(file)
	}
	if v.Stdin == nil {
		return "", failf(ExitUsage, "", "there is no standard input to read")
	}
	text, err := io.ReadAll(io.LimitReader(v.Stdin, maxSource+1))
	if err == nil && len(text) > maxSource {
		err = fmt.Errorf("it has more than %d bytes", maxSource)
	}
	if err != nil {
		return "", failf(ExitUsage, "", "cannot read standard input: %w", err)
	}
	return string(text), nil
}

// replaceFile writes a file as a whole or not at all; it keeps its mode, and a link stays one.
func replaceFile(path, text string) (err error) {
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is no regular file")}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".caper-fmt-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = io.WriteString(f, text)
	if err = errors.Join(err, f.Chmod(info.Mode().Perm()), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
