package license

import (
	"context"
	"testing"
)

// TestWildcardsAreFollowed: a link that a wildcard matches leads where its text does not say.
func TestWildcardsAreFollowed(t *testing.T) {
	d := newDisk(t)
	d.link("../.ssh", d.ws+"/keys")
	d.link("../../.ssh/id_rsa", d.ws+"/docs/key")
	d.link("a.md", d.ws+"/docs/same")
	d.link(d.root+"/store", d.ws+"/s")
	p := Policy{Posture: Manual, ReadAllow: []string{d.ws}, Protected: []string{d.root + "/store"}}
	rule, err := ParseRule("bash(git *)", "test")
	if err != nil {
		t.Fatal(err)
	}
	p.Layers = []Layer{{Allow: []Rule{rule}}}
	for command, want := range map[string]Verdict{
		"git add keys/*":    Deny,
		"git add k*/id_rsa": Deny,
		"git add */id_rsa":  Deny,
		"git add docs/k*":   Deny,
		"git add s/?":       Deny,
		"git add [s]":       Deny,
		"git add docs/s*":   Allow,
		"git add docs/*.md": Allow,
		"git add nothing/*": Allow,
		"git add <(git x)":  Allow, // the real /dev/fd leads through /proc
	} {
		c := d.call()
		c.Command = command
		f, err := Survey(context.Background(), c, d.world, p.Protected...)
		if err != nil {
			t.Fatal(err)
		}
		if got := Decide(c, f, p); got.Verdict != want {
			t.Errorf("%s: %s (%s), want %s", command, got.Verdict, got.Reason, want)
		}
	}
}
