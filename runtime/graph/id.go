package graph

import (
	"errors"
	"strconv"
	"strings"
)

// ID is the address of a node: child number Ord of bag Bag of a session. A bag is the list of children of one sequence
// job; its number is given by the store and recorded on the job that owns it.
type ID struct{ Session, Bag, Ord uint64 }

// RootBag is the bag that holds what hangs directly on a session's root. The root itself is RootID.
const RootBag = 1

// RootID is the address of a session's SessionRoot. Bag 0 holds nothing else.
func RootID(session uint64) ID { return ID{Session: session} }

// IsZero reports the address of nothing: sessions count from 1.
func (id ID) IsZero() bool { return id == ID{} }

// String is "session.bag.ordinal", the spelling that people and programs see.
func (id ID) String() string {
	b := make([]byte, 0, 24)
	b = strconv.AppendUint(b, id.Session, 10)
	b = append(b, '.')
	b = strconv.AppendUint(b, id.Bag, 10)
	b = append(b, '.')
	b = strconv.AppendUint(b, id.Ord, 10)
	return string(b)
}

// Less orders addresses by session, bag and ordinal: the order in which they lie in a store.
func (id ID) Less(o ID) bool {
	if id.Session != o.Session {
		return id.Session < o.Session
	}
	if id.Bag != o.Bag {
		return id.Bag < o.Bag
	}
	return id.Ord < o.Ord
}

var errID = errors.New("a node's id is three numbers with dots between them, such as 3.1.12")

// ParseID reads what String writes, and nothing else: no signs, no leading zeros, no spaces.
func ParseID(s string) (ID, error) {
	parts := strings.Split(s, ".")
	if len(s) > 3*20+2 || len(parts) != 3 {
		return ID{}, errID
	}
	var n [3]uint64
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 10, 64)
		if err != nil || p[0] == '+' || (p[0] == '0' && len(p) > 1) {
			return ID{}, errID
		}
		n[i] = v
	}
	return ID{n[0], n[1], n[2]}, nil
}
