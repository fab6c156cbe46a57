package badger

import (
	"testing"

	"caper/runtime/store"
	"caper/runtime/store/storetest"
)

// place is a store's folder for the contract.
type place struct {
	dir string
	how Durability
}

func (p place) Open(t *testing.T, o store.Options) store.Store {
	t.Helper()
	return open(t, p.dir, Options{Durability: p.how, Now: o.Now, Hook: o.Hook, RideFor: o.RideFor})
}

func open(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	if o.Balloon == 0 {
		o.Balloon = -1
	}
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestContractFast(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place { return place{t.TempDir(), Fast} })
}

func TestContractSync(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place { return place{t.TempDir(), Sync} })
}
