package store

import (
	"encoding/binary"

	"caper/runtime/graph"
)

// Keys are a letter and big-endian numbers, so that their order is the order of the graph:
//
//	n s b k          a node          never rewritten
//	n s b k 'o'      its outcome     settle seq (8 bytes), then CBOR
//	n s b k 'r' q    a fact          q is its event
//	e s q            an event record for the changes q, q+1, …
//	o s b k          started, not settled
//	q s b k          waits for a person
//	b s b            the node that owns a bag
//	S s              a session
//	F s              a session that is forgotten: how many records went with it
//	L                how many records were lost and written off
const (
	keyNode    = 'n'
	keyEvent   = 'e'
	keyOpen    = 'o'
	keyWait    = 'q'
	keyBag     = 'b'
	keySession = 'S'
	keyForgot  = 'F'
	keyLost    = 'L'

	suffixOutcome = 'o'
	suffixFact    = 'r'
)

func key(letter byte, numbers ...uint64) []byte {
	b := make([]byte, 1, 1+8*len(numbers)+9)
	b[0] = letter
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	return b
}

func idKey(letter byte, id graph.ID) []byte { return key(letter, id.Session, id.Bag, id.Ord) }

func outcomeKey(id graph.ID) []byte { return append(idKey(keyNode, id), suffixOutcome) }

func factKey(id graph.ID, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(append(idKey(keyNode, id), suffixFact), seq)
}

// number reads the i-th number of a key.
func number(k []byte, i int) (uint64, bool) {
	at := 1 + 8*i
	if len(k) < at+8 {
		return 0, false
	}
	return binary.BigEndian.Uint64(k[at:]), true
}

func keyID(k []byte) (graph.ID, bool) {
	if len(k) < 25 {
		return graph.ID{}, false
	}
	return graph.ID{
		Session: binary.BigEndian.Uint64(k[1:]),
		Bag:     binary.BigEndian.Uint64(k[9:]),
		Ord:     binary.BigEndian.Uint64(k[17:]),
	}, true
}
