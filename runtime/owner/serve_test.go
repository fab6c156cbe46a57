package owner

import (
	"context"
	"net"
	"path/filepath"
	"testing"
)

// TestSilentGuest: who attaches and asks for nothing does not keep the owner from its end.
func TestSilentGuest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	s, err := Serve(path, "v", func(context.Context, *Guest) int { return 0 })
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := s.Close(); err != nil { // hangs, where it waits for the guest
		t.Fatal(err)
	}
}
