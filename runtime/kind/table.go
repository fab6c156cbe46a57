package kind

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"caper/runtime/graph"

	"github.com/fxamacker/cbor/v2"
)

// Kind is the number under which a kind of node is stored. Numbers are never given twice.
type Kind uint32

// The kinds of node.
const (
	KindSessionRoot           Kind = 1
	KindSessionSystemPrompt   Kind = 2
	KindAgent                 Kind = 3
	KindHeadMove              Kind = 4
	KindProgrammaticJob       Kind = 10
	KindSessionTurn           Kind = 11
	KindToolCallJob           Kind = 20
	KindSystemToolJob         Kind = 21
	KindFileMutateToolJob     Kind = 22
	KindAgentCallJob          Kind = 23
	KindCompletionJob         Kind = 30
	KindTurnPromptChunk       Kind = 31
	KindTurnCompactChunk      Kind = 32
	KindReACTChunk            Kind = 33
	KindCell                  Kind = 40
	KindCompletionExpectation Kind = 50
	KindJudgeExpectation      Kind = 51
)

// Node is a node of a session's graph, as the store keeps it. What it points to never changes once it is stored.
type Node interface{ Kind() Kind }

// Ref is a stored pointer to a node of the same store.
type Ref struct {
	_       struct{} `cbor:",toarray"`
	Session uint64
	Bag     uint64
	Ord     uint64
}

// ID is the address that r points to.
func (r Ref) ID() graph.ID { return graph.ID{Session: r.Session, Bag: r.Bag, Ord: r.Ord} }

// RefTo is the stored pointer to id.
func RefTo(id graph.ID) *Ref { return &Ref{Session: id.Session, Bag: id.Bag, Ord: id.Ord} }

// Row describes one kind to the codec.
type Row struct {
	Kind    Kind
	Name    string
	Version uint64
	New     func() Node
	Leaf    bool // complete when it is minted: it never gets an outcome
}

// OwnBag is the bag that holds a node's children, 0 for none.
func OwnBag(n Node) uint64 {
	switch n := n.(type) {
	case *SessionRoot:
		return graph.RootBag
	case interface{ OwnBag() uint64 }:
		return n.OwnBag()
	}
	return 0
}

// Table answers all kinds in the order of their numbers.
func Table() []Row { return table[:] }

var table = [...]Row{
	{KindSessionRoot, "SessionRoot", 1, func() Node { return new(SessionRoot) }, true},
	{KindSessionSystemPrompt, "SessionSystemPrompt", 1, func() Node { return new(SessionSystemPrompt) }, true},
	{KindAgent, "Agent", 1, func() Node { return new(Agent) }, true},
	{KindHeadMove, "HeadMove", 1, func() Node { return new(HeadMove) }, true},
	{KindProgrammaticJob, "ProgrammaticJob", 1, func() Node { return new(ProgrammaticJob) }, false},
	{KindSessionTurn, "SessionTurn", 1, func() Node { return new(SessionTurn) }, false},
	{KindToolCallJob, "ToolCallJob", 1, func() Node { return new(ToolCallJob) }, false},
	{KindSystemToolJob, "SystemToolJob", 1, func() Node { return new(SystemToolJob) }, false},
	{KindFileMutateToolJob, "FileMutateToolJob", 1, func() Node { return new(FileMutateToolJob) }, false},
	{KindAgentCallJob, "AgentCallJob", 1, func() Node { return new(AgentCallJob) }, false},
	{KindCompletionJob, "CompletionJob", 1, func() Node { return new(CompletionJob) }, false},
	{KindTurnPromptChunk, "TurnPromptChunk", 1, func() Node { return new(TurnPromptChunk) }, true},
	{KindTurnCompactChunk, "TurnCompactChunk", 1, func() Node { return new(TurnCompactChunk) }, true},
	{KindReACTChunk, "ReACTChunk", 1, func() Node { return new(ReACTChunk) }, true},
	{KindCell, "Cell", 1, func() Node { return new(Cell) }, true},
	{KindCompletionExpectation, "CompletionExpectation", 1, func() Node { return new(CompletionExpectation) }, false},
	{KindJudgeExpectation, "JudgeExpectation", 1, func() Node { return new(JudgeExpectation) }, false},
}

func row(k Kind) *Row {
	for i := range table {
		if table[i].Kind == k {
			return &table[i]
		}
	}
	return nil
}

// Name is the kind's name in Go and Scheme.
func (k Kind) Name() string {
	if r := row(k); r != nil {
		return r.Name
	}
	return fmt.Sprintf("unknown kind %d", uint32(k))
}

// Leaf reports whether nodes of this kind are complete when they are minted.
func (k Kind) Leaf() bool {
	r := row(k)
	return r != nil && r.Leaf
}

// Unknown is a node whose kind a newer version defines. It is kept as it came.
type Unknown struct {
	Number  Kind
	Version uint64
	Body    []byte
}

// Kind is the number that the newer version gave it.
func (u *Unknown) Kind() Kind { return u.Number }

// ErrMalformed means that stored bytes are no node, outcome or fact.
var ErrMalformed = errors.New("stored bytes are no node")

// Encode writes a node: an array of its kind's number, its version and a map with integer keys.
func Encode(n Node) ([]byte, error) {
	if u, ok := n.(*Unknown); ok {
		return append(header(nil, u.Number, u.Version), u.Body...), nil
	}
	r := row(n.Kind())
	if r == nil {
		return nil, fmt.Errorf("encode node: %s (%T) has no row in the codec table", n.Kind().Name(), n)
	}
	body, err := codec.enc.Marshal(n)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", r.Name, err)
	}
	return append(header(make([]byte, 0, len(body)+6), r.Kind, r.Version), body...), nil
}

func header(b []byte, k Kind, version uint64) []byte {
	return appendUint(appendUint(append(b, 0x83), uint64(k)), version)
}

func appendUint(b []byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(b, byte(n))
	case n <= math.MaxUint8:
		return append(b, 24, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(b, 25), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, 26), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, 27), n)
}

type envelope struct {
	_       struct{} `cbor:",toarray"`
	Kind    uint32
	Version uint64
	Body    cbor.RawMessage
}

// Decode reads a node. A kind that this version does not know comes back as *Unknown; a field that it does not know is
// left out, and is still there in the stored bytes (see Rewrite).
func Decode(b []byte) (Node, error) {
	k, version, body, err := open(b)
	if err != nil {
		return nil, err
	}
	r := row(k)
	if r == nil {
		return &Unknown{Number: k, Version: version, Body: bytes.Clone(body)}, nil
	}
	n := r.New()
	if err := readMap(body, n); err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrMalformed, r.Name, err)
	}
	return n, nil
}

func open(b []byte) (k Kind, version uint64, body []byte, err error) {
	if len(b) == 0 || b[0] != 0x83 { // the library takes null for a struct of zeros
		return 0, 0, nil, ErrMalformed
	}
	var e envelope
	if err := codec.dec.Unmarshal(b, &e); err != nil {
		return 0, 0, nil, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	return Kind(e.Kind), e.Version, e.Body, nil
}

// readMap reads a map, and nothing that the library would also take for one.
func readMap(b []byte, to any) error {
	if len(b) == 0 || b[0]>>5 != 5 {
		return errors.New("no map")
	}
	return codec.dec.Unmarshal(b, to)
}

// KindOf reads only the kind of an encoded node.
func KindOf(b []byte) (Kind, error) {
	k, _, _, err := open(b)
	return k, err
}

// Rewrite encodes n over the bytes that the store holds of it: fields that n's type does not know stay as they are, and
// so does a newer version's number. Writing back what was read changes no byte.
func Rewrite(old []byte, n Node) ([]byte, error) {
	k, version, body, err := open(old)
	if err != nil {
		return nil, err
	}
	if _, ok := n.(*Unknown); ok || k != n.Kind() {
		return Encode(n)
	}
	r := row(k)
	if r == nil {
		return nil, fmt.Errorf("rewrite node: %s has no row in the codec table", k.Name())
	}
	var was, is, known map[uint64]cbor.RawMessage
	if err := readMap(body, &was); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	// What the old bytes say in fields that this version knows is what they say after one reading.
	reread := r.New()
	if err := codec.dec.Unmarshal(body, reread); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrMalformed, err)
	}
	for _, x := range []struct {
		n Node
		m *map[uint64]cbor.RawMessage
	}{{reread, &known}, {n, &is}} {
		b, err := codec.enc.Marshal(x.n)
		if err != nil {
			return nil, err
		}
		if err := codec.dec.Unmarshal(b, x.m); err != nil {
			return nil, err
		}
	}
	for key, v := range is {
		if !bytes.Equal(known[key], v) {
			was[key] = v
		}
	}
	for key := range known {
		if _, ok := is[key]; !ok {
			delete(was, key)
		}
	}
	merged, err := codec.enc.Marshal(was)
	if err != nil {
		return nil, err
	}
	return append(header(nil, k, max(version, r.Version)), merged...), nil
}

// EncodeOutcome writes an outcome without its Seq.
func EncodeOutcome(o *Outcome) ([]byte, error) { return codec.enc.Marshal(o) }

// DecodeOutcome reads what EncodeOutcome wrote.
func DecodeOutcome(b []byte) (*Outcome, error) {
	o := new(Outcome)
	if err := readMap(b, o); err != nil {
		return nil, fmt.Errorf("%w: outcome: %v", ErrMalformed, err)
	}
	return o, nil
}

// EncodeFact writes a fact without its Seq.
func EncodeFact(f *Fact) ([]byte, error) { return codec.enc.Marshal(f) }

// DecodeFact reads what EncodeFact wrote.
func DecodeFact(b []byte) (*Fact, error) {
	f := new(Fact)
	if err := readMap(b, f); err != nil {
		return nil, fmt.Errorf("%w: fact: %v", ErrMalformed, err)
	}
	return f, nil
}
