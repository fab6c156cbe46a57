package assembly

import (
	"testing"

	"caper/runtime/store"
	"caper/runtime/store/mem"
)

// TestEveryHostedToolHasABody: what the tools without a body of their own do is handed in here, and nothing else is.
func TestEveryHostedToolHasABody(t *testing.T) {
	st, err := mem.Open(store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s, err := New(st, Options{Home: Home{Data: t.TempDir(), Config: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	tools := Tools()
	for _, name := range tools.Names() {
		tool, _ := tools.Get(name)
		if body, ok := s.Calls.Hosts[name]; ok != tool.Hosted() || ok && body.Run == nil {
			t.Errorf("%s has effect %s; a body was handed in: %v", name, tool.Effect, ok)
		}
	}
	for name := range s.Calls.Hosts {
		if _, ok := tools.Get(name); !ok {
			t.Errorf("a body was handed in for %s, which is no tool", name)
		}
	}
}
