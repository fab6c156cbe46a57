package assembly

import (
	"strings"
	"testing"
)

// TestTemplates: where templates begin and end, what stays as it is, and where mistakes are said to be.
func TestTemplates(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"plain", "plain"},
		{"a #{(+ 1 2)} b", "a <(+ 1 2)> b"},
		{"#{(f)}#{(g) }", "<(f)><(g)>"},
		{"#{(f \"}\" #\\} '{})}", "error: a template: p:1:15"},
		{"#{(f \"}\" #\\})}!", "<(f \"}\" #\\})>!"},
		{"x\ny #{(f\n  (g))} z", "x\ny <(f\n  (g))> z"},
		{`an escaped \#{(f)} stays`, "an escaped #{(f)} stays"},
		{"of other languages: #{name} ${x} #{", "of other languages: #{name} ${x} #{"},
		{"one\n two #{(f}", "error: a template: p:2:"},
		{"one #{(f", "error: a template: p:1:9"},
		{"one\ntwo #{(f) (g)}", "error: p:2:7: the template (f) is not closed by }"},
		{strings.Repeat("#{(f)}", mostTemplates+1), "error: p has more than 64 templates"},
	} {
		all, rest, err := templates("p", row.text)
		got := ""
		for _, x := range all {
			got += x.before + "<" + x.source + ">"
		}
		got += rest
		if err != nil {
			got = "error: " + err.Error()
		}
		if !strings.HasPrefix(got, row.want) || err == nil && got != row.want {
			t.Errorf("%q is\n%s\nwanted\n%s", row.text, got, row.want)
		}
	}
}

func FuzzTemplates(f *testing.F) {
	f.Add("a #{(+ 1 2)} b \\#{ #{(\"")
	f.Fuzz(func(t *testing.T, text string) {
		all, rest, err := templates("p", text)
		if err == nil && len(all) == 0 && rest != strings.ReplaceAll(text, `\#{`, "#{") {
			t.Errorf("%q became %q", text, rest)
		}
	})
}
