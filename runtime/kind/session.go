package kind

// Postures of a session or turn (law S22). Anything else is read as manual.
const (
	Manual = "manual"
	Auto   = "auto"
	Yolo   = "yolo"
)

// Modes of a session (law S27).
const (
	Act  = "act"
	Plan = "plan"
)

// SessionRoot is the session's document: the workspace and what the operator laid over it. It holds no messages (law
// S33): history is the head and each turn's tail.
type SessionRoot struct {
	SessionID      string            `cbor:"1,keyasint"` // ULID
	Path           string            `cbor:"2,keyasint"` // canonical path of the workspace
	Kvs            map[string]string `cbor:"3,keyasint,omitempty"`
	Mode           string            `cbor:"4,keyasint,omitempty"` // act or plan
	StandingPolicy string            `cbor:"5,keyasint,omitempty"` // manual, auto or yolo
	Actions        []string          `cbor:"6,keyasint,omitempty"`
	Queues         []string          `cbor:"7,keyasint,omitempty"`
	AllowList      []string          `cbor:"8,keyasint,omitempty"`  // rules
	BlockList      []string          `cbor:"9,keyasint,omitempty"`  // rules
	ReadAllowlist  []string          `cbor:"10,keyasint,omitempty"` // paths
	Agent          *Ref              `cbor:"11,keyasint,omitempty"`
	PolicyProgram  string            `cbor:"12,keyasint,omitempty"` // path of the file of rules (law S26), which is no posture
}

// Kind is the row of the codec table.
func (*SessionRoot) Kind() Kind { return KindSessionRoot }
