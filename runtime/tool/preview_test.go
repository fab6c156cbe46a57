package tool

import (
	"context"
	"strings"
	"testing"
)

func TestPreview(t *testing.T) {
	for _, c := range []struct {
		tool           *Tool
		args           Args
		added, removed int
		isNew          bool
		diff, note     string
	}{
		{WriteFile(), Args{"path": "new", "data": "a\nb\n"}, 2, 0, true, "@@ -0,0 +1,2 @@\n+a\n+b\n", ""},
		{WriteFile(), Args{"path": "f", "data": "one\n2\nthree\n"}, 1, 1, false, "-two\n+2\n", ""},
		{WriteFile(), Args{"path": "f", "data": "one\ntwo\nthree\n"}, 0, 0, false, "", ""},
		{WriteFile(), Args{"path": "f", "data": []byte{0}}, 0, 0, false, "", "not text: 14 bytes now, 1 bytes then"},
		{AppendFile(), Args{"path": "f", "data": "four\n"}, 1, 0, false, " three\n+four\n", ""},
		{EditFile(), Args{"path": "f", "old": "two", "new": "2"}, 1, 1, false, "-two\n+2\n", ""},
		{DeleteFile(), Args{"path": "f"}, 0, 3, false, "@@ -1,3 +0,0 @@\n-one\n", ""},
		{Bash(), Args{"command": "ls", "timeout": int64(2)}, 0, 0, false, "", "ended after 2s"},
	} {
		w := newWorld(t)
		w.write("f", "one\ntwo\nthree\n")
		var err error
		if w.env.Resolved, err = Resolve(w.env, c.tool, c.args); err != nil {
			t.Fatal(err)
		}
		p, err := c.tool.Preview(context.Background(), w.env, c.args)
		if err != nil {
			t.Fatal(err)
		}
		if p.Added != c.added || p.Removed != c.removed || p.New != c.isNew || !strings.Contains(p.Diff, c.diff) || c.diff == "" && p.Diff != "" || p.Note != c.note {
			t.Errorf("%s %v: %+v", c.tool.Name, c.args, p)
		}
		if c.tool.Effect == Write {
			if f := w.prepare(c.tool, c.args); f.text("before") != "" && f.text("before") != p.Before {
				t.Errorf("%s: the preview is of another file than the facts", c.tool.Name)
			}
		}
	}
}
