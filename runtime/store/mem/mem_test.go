package mem

import (
	"testing"

	"caper/runtime/store"
	"caper/runtime/store/storetest"
)

type place struct{ disk *Disk }

func (p place) Open(t *testing.T, o store.Options) store.Store {
	t.Helper()
	s, err := p.disk.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestContract(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Place { return place{New()} })
}
