package kind

import (
	"errors"
	"fmt"

	"caper/runtime/graph"
)

// Natures of a recipe. It has none until it is minted or brought to the foreground.
const (
	NatureSession = "session"
	NatureProject = "project"
	NatureGlobal  = "global"
)

// AgentSpec is the recipe of a kind of agent. It says nothing of a place, of tools that are frozen, or of costs (law S03).
type AgentSpec struct {
	Name         string   `cbor:"1,keyasint"`
	Description  string   `cbor:"2,keyasint,omitempty"`
	Constitution Value    `cbor:"3,keyasint,omitzero"` // text
	Nature       string   `cbor:"4,keyasint,omitempty"`
	KeepAlive    bool     `cbor:"5,keyasint,omitempty"` // it can be asked again after its first answer
	VoidLegal    bool     `cbor:"6,keyasint,omitempty"` // it may end without an answer
	Model        string   `cbor:"7,keyasint,omitempty"` // connection:model, where the session says nothing else
	Tools        []string `cbor:"8,keyasint,omitempty"` // the most that it may be given; none: all
}

// AskAgentSpec is what an agent for one question has: no recipe of the catalogue, and no nature. A recipe may be stamped
// on it (law S06).
type AskAgentSpec struct {
	Stamp *AgentSpec `cbor:"1,keyasint,omitempty"`
}

// Spec is the snapshot that an agent was minted with: a recipe, or that of one question.
type Spec struct {
	AgentSpec    *AgentSpec    `cbor:"1,keyasint,omitempty"`
	AskAgentSpec *AskAgentSpec `cbor:"2,keyasint,omitempty"`
}

// Recipe is the recipe in a snapshot, an empty one where there is none.
func (s Spec) Recipe() AgentSpec {
	switch {
	case s.AgentSpec != nil:
		return *s.AgentSpec
	case s.AskAgentSpec != nil && s.AskAgentSpec.Stamp != nil:
		return *s.AskAgentSpec.Stamp
	}
	return AgentSpec{}
}

// Agent is one conversational worker: a snapshot of its recipe, and its head. Head is the bag of its head moves, of which
// the newest is the head: the one pointer that there is. Nothing else belongs here (law S04).
type Agent struct {
	Spec     Spec   `cbor:"1,keyasint"`
	Head     uint64 `cbor:"2,keyasint"`
	Parent   *Ref   `cbor:"3,keyasint,omitempty"`
	Nickname string `cbor:"4,keyasint,omitempty"`
}

// Kind is the row of the codec table.
func (*Agent) Kind() Kind { return KindAgent }

// OwnBag is the bag of the head moves.
func (a *Agent) OwnBag() uint64 { return a.Head }

// Verbs that write a head (law S38).
const (
	VerbTurn    = "turn"
	VerbCompact = "compact"
	VerbEval    = "eval"
	VerbFork    = "fork"
	VerbRewind  = "rewind"
)

// HeadMove is one writing of an agent's head. Two that come at once get the same place: the second is refused.
type HeadMove struct {
	Head Ref    `cbor:"1,keyasint"`
	Verb string `cbor:"2,keyasint"`
}

// Kind is the row of the codec table.
func (*HeadMove) Kind() Kind { return KindHeadMove }

// SessionSystemPrompt is the genesis of a conversation: the constitution as it was at mint, and the environment laid over
// it. It is never rewritten.
type SessionSystemPrompt struct {
	Agent        Ref               `cbor:"1,keyasint"`
	Constitution Value             `cbor:"2,keyasint,omitzero"` // text
	Env          map[string]string `cbor:"3,keyasint,omitempty"`
}

// Kind is the row of the codec table.
func (*SessionSystemPrompt) Kind() Kind { return KindSessionSystemPrompt }

// SessionTurn is one turn of a conversation. Its tail is the unit that it continues, which is not its parent.
type SessionTurn struct {
	Agent Ref    `cbor:"1,keyasint"`
	Tail  Ref    `cbor:"2,keyasint"`
	Bag   uint64 `cbor:"3,keyasint"`
	// Depth counts the turns from the genesis, and Jump points some way back, so that any predecessor is found in a
	// number of steps that grows with the logarithm of the distance.
	Depth uint64 `cbor:"4,keyasint"`
	Jump  Ref    `cbor:"5,keyasint"`
	// CurrentPolicy is the overlay of this turn; "" inherits that of PolicyFrom, the nearest unit before that has one.
	CurrentPolicy string `cbor:"6,keyasint,omitempty"`
	PolicyFrom    *Ref   `cbor:"7,keyasint,omitempty"`
	// ToolsDefinition is what the round may use, frozen; nil inherits that of ToolsFrom (law S39).
	ToolsDefinition []string      `cbor:"8,keyasint,omitempty"`
	ToolsFrom       *Ref          `cbor:"9,keyasint,omitempty"`
	Answerability   Answerability `cbor:"11,keyasint,omitempty"`
	Unattended      string        `cbor:"12,keyasint,omitempty"` // auto or yolo, of an admission that nobody watches (law S25)
	Rules           []string      `cbor:"13,keyasint,omitempty"` // rule files that the command line named
	ReadAllow       []string      `cbor:"14,keyasint,omitempty"`
	Budget          Spending      `cbor:"15,keyasint,omitzero"`
	Model           string        `cbor:"16,keyasint,omitempty"` // asked for by the one who made the turn
	StartedAt       int64         `cbor:"17,keyasint,omitempty"` // Unix microseconds
	Parent          Place         `cbor:"19,keyasint,omitzero"`  // the call of the program that made it
	ProgramsFrom    *Ref          `cbor:"20,keyasint,omitempty"` // the nearest unit before it that may have run programs
	Bounds          Bounds        `cbor:"21,keyasint,omitzero"`  // what was around the one that made it
}

// Kind is the row of the codec table.
func (*SessionTurn) Kind() Kind { return KindSessionTurn }

// OwnBag is the bag that holds what the turn spawns.
func (t *SessionTurn) OwnBag() uint64 { return t.Bag }

// Bounds are what no call of a turn goes beyond, in whatever process: those of the call that made it.
type Bounds struct {
	Posture    string `cbor:"1,keyasint,omitempty"` // the loosest that there may be
	Plan       bool   `cbor:"2,keyasint,omitempty"` // reads only
	Rules      Value  `cbor:"3,keyasint,omitzero"`  // of with-policy forms: (deny|ask rule origin) …
	Procedures uint64 `cbor:"4,keyasint,omitempty"` // policy procedures of such forms, which end with their program
}

// Spending bounds what completions may cost, and how many agents calls may make. Zero is no bound.
type Spending struct {
	Tokens uint64 `cbor:"1,keyasint,omitempty"`
	Micros uint64 `cbor:"2,keyasint,omitempty"` // millionths of a dollar
	Agents uint64 `cbor:"3,keyasint,omitempty"`
}

// CompletionJob is a cell of the tape: one round of a model. Its obligation is the CompletionExpectation in its bag, and
// the answer is stored there, once.
type CompletionJob struct {
	Tail  *Ref   `cbor:"1,keyasint,omitempty"` // the cell or turn that it continues; none: an isolated intern
	Bag   uint64 `cbor:"2,keyasint"`
	Model string `cbor:"3,keyasint,omitempty"` // connection:model that is asked
	Why   string `cbor:"4,keyasint,omitempty"` // of an intern: what it is asked for
	About *Ref   `cbor:"6,keyasint,omitempty"` // of an intern: the cell or the job that it judges
	Place Place  `cbor:"5,keyasint,omitzero"`  // the call of the program that made it
}

// Kind is the row of the codec table.
func (*CompletionJob) Kind() Kind { return KindCompletionJob }

// OwnBag is the bag of the obligation.
func (j *CompletionJob) OwnBag() uint64 { return j.Bag }

// CompletionExpectation is the obligation of one answer of a model. Its outcome holds the answer.
type CompletionExpectation struct {
	Model  string `cbor:"1,keyasint"`           // connection:model
	Digest []byte `cbor:"2,keyasint,omitempty"` // of the request
}

// Kind is the row of the codec table.
func (*CompletionExpectation) Kind() Kind { return KindCompletionExpectation }

// JudgeExpectation is the obligation of a judgement: whether to go on, or whether a call may happen.
type JudgeExpectation struct {
	Model string `cbor:"1,keyasint"`
	Why   string `cbor:"2,keyasint"` // "continue" or "policy"
}

// Kind is the row of the codec table.
func (*JudgeExpectation) Kind() Kind { return KindJudgeExpectation }

// Sources of a prompt.
const (
	SourceUser            = "user"
	SourceSteer           = "steer"            // said while the turn ran
	SourceNote            = "note"             // from a job in the background
	SourceNudge           = "nudge"            // the text-only judge said: go on
	SourceThoughtContinue = "thought-continue" // it had thought and not spoken
)

// TurnPromptChunk is something said to the agent.
type TurnPromptChunk struct {
	Source string `cbor:"1,keyasint"`
	Text   Value  `cbor:"2,keyasint,omitzero"`
	From   *Ref   `cbor:"3,keyasint,omitempty"` // the job that a note speaks of
}

// Kind is the row of the codec table.
func (*TurnPromptChunk) Kind() Kind { return KindTurnPromptChunk }

// TurnCompactChunk folds what came before it on the tape into a summary. It is undone by moving the head before it.
type TurnCompactChunk struct {
	Tail    Ref     `cbor:"1,keyasint"`
	Summary Value   `cbor:"2,keyasint,omitzero"`
	Pins    []Value `cbor:"3,keyasint,omitempty"` // kept word for word: what the turn was asked, items to do, what waits for a person
	From    Ref     `cbor:"4,keyasint"`           // the oldest unit that was folded
	Cells   uint64  `cbor:"5,keyasint"`           // how many cells were folded
	Bytes   uint64  `cbor:"6,keyasint"`           // their size
}

// Kind is the row of the codec table.
func (*TurnCompactChunk) Kind() Kind { return KindTurnCompactChunk }

// ReACTChunk is one round of tool calls: those of a completion. They are the turn's children First to First+Count-1.
type ReACTChunk struct {
	Completion Ref    `cbor:"1,keyasint"`
	First      uint64 `cbor:"2,keyasint"`
	Count      uint64 `cbor:"3,keyasint"`
}

// Kind is the row of the codec table.
func (*ReACTChunk) Kind() Kind { return KindReACTChunk }

// AgentCallJob is a call that another agent answers. Its bag holds that agent with its own genesis and turns.
type AgentCallJob struct{ ToolCallJob }

// Kind is the row of the codec table.
func (*AgentCallJob) Kind() Kind { return KindAgentCallJob }

// Refers reports whether a pointer is to a node.
func (r Ref) Refers(id graph.ID) bool { return r.ID() == id }

// Datum is the recipe as programs see it.
func (s AgentSpec) Datum() graph.Datum {
	text, _ := s.Constitution.Datum.(string)
	d := graph.List{graph.Pair("name", s.Name), graph.Pair("description", s.Description), graph.Pair("constitution", text)}
	if s.Nature != "" {
		d = append(d, graph.Pair("nature", graph.Symbol(s.Nature)))
	}
	if s.KeepAlive {
		d = append(d, graph.Pair("keep-alive", true))
	}
	if s.VoidLegal {
		d = append(d, graph.Pair("void-legal", true))
	}
	if s.Model != "" {
		d = append(d, graph.Pair("model", s.Model))
	}
	if s.Tools != nil {
		tools := graph.List{}
		for _, t := range s.Tools {
			tools = append(tools, graph.Symbol(t))
		}
		d = append(d, graph.Pair("tools", tools))
	}
	return d
}

// SpecOf reads what Datum writes; names may be symbols or strings.
func SpecOf(d graph.Datum) (AgentSpec, error) {
	var s AgentSpec
	list, ok := d.(graph.List)
	if !ok {
		return s, errors.New("an agent's recipe is an association list such as ((name . \"reviewer\") (constitution . \"…\"))")
	}
	for _, x := range list {
		key, value, ok := field(x)
		if !ok {
			return s, fmt.Errorf("an agent's recipe: (key . value) is wanted; found %s", graph.Write(x))
		}
		bad := func(what string) (AgentSpec, error) {
			return s, fmt.Errorf("an agent's recipe: %s is %s; found %s", key, what, graph.Write(value))
		}
		text, isText := value.(string)
		if sym, ok := value.(graph.Symbol); ok {
			text, isText = string(sym), true
		}
		switch key {
		case "name", "description", "constitution", "model", "nature":
			if !isText {
				return bad("a string")
			}
		}
		switch key {
		case "name":
			s.Name = text
		case "description":
			s.Description = text
		case "constitution":
			s.Constitution = Of(text)
		case "model":
			s.Model = text
		case "nature":
			if text != NatureSession && text != NatureProject && text != NatureGlobal {
				return bad("session, project or global")
			}
			s.Nature = text
		case "keep-alive", "void-legal":
			b, ok := value.(bool)
			if !ok {
				return bad("#t or #f")
			}
			if key == "keep-alive" {
				s.KeepAlive = b
			} else {
				s.VoidLegal = b
			}
		case "tools":
			names, ok := value.(graph.List)
			if !ok {
				return bad("a list of names")
			}
			s.Tools = []string{}
			for _, n := range names {
				switch n := n.(type) {
				case graph.Symbol:
					s.Tools = append(s.Tools, string(n))
				case string:
					s.Tools = append(s.Tools, n)
				default:
					return bad("a list of names")
				}
			}
		default:
			return s, fmt.Errorf("an agent's recipe has name, description, constitution, nature, model, tools, keep-alive and void-legal; found %s", key)
		}
	}
	return s, nil
}

// field reads one (key . value), where a value that is a list is written (key item …).
func field(x graph.Datum) (key string, value graph.Datum, ok bool) {
	var first graph.Datum
	switch x := x.(type) {
	case *graph.Dotted:
		first, value, ok = x.Items[0], x.Tail, len(x.Items) == 1
	case graph.List:
		if len(x) > 0 {
			first, value, ok = x[0], x[1:], true
		}
	}
	switch k := first.(type) {
	case graph.Symbol:
		return string(k), value, ok
	case string:
		return k, value, ok
	}
	return "", nil, false
}
