package wire

import (
	"context"
	"encoding/json"
	"errors"
)

// Wire carries the objects and items of one session between processes.
type Wire interface {
	// List answers all objects, in the order of their aliases. One that cannot be read has no Value.
	List(ctx context.Context) ([]Object, error)
	// Get answers an object, or ErrNotFound.
	Get(ctx context.Context, alias string) (Object, error)
	// Put writes an object whose revision is still the given one; 0 makes it. Else ErrConflict.
	Put(ctx context.Context, alias string, revision uint64, value json.RawMessage) (uint64, error)
	// Delete takes an object away with its items.
	Delete(ctx context.Context, alias string) error
	// Post adds an item to an object: Seq and CreatedAt are given here.
	Post(ctx context.Context, alias string, item Item) (Item, error)
	// Items answers at most limit items after a number, in order. One that cannot be read comes with its Seq alone.
	Items(ctx context.Context, alias string, after uint64, limit int) ([]Item, error)
	// Watch answers a channel that gets a value some time after anything changed; many changes may give one value. It is
	// closed when ctx ends.
	Watch(ctx context.Context) (<-chan struct{}, error)
}

var (
	// ErrNotFound says that there is no such object.
	ErrNotFound = errors.New("there is no such object")
	// ErrConflict says that another writer came first.
	ErrConflict = errors.New("the object was changed meanwhile")
	// ErrNoSession says that the session itself is not there.
	ErrNoSession = errors.New("there is no such session")
)
