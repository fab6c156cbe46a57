package kind

import "caper/runtime/graph"

// Receipt is what a tape says of an answer; the answer itself lies with its obligation.
type Receipt struct {
	Model   string // the one that answered
	Stop    string
	Calls   int  // how many it asks for
	Spoken  bool // it has text that is no thinking
	Thought bool
	Usage   [5]int64 // input, read from and written to the cache, output, of it reasoning
	Micros  int64    // what it cost in millionths of a dollar, -1 unknown
}

// Datum is the receipt as the outcome of a CompletionJob holds it.
func (r Receipt) Datum() graph.List {
	usage := graph.List{}
	for _, n := range r.Usage {
		usage = append(usage, n)
	}
	return graph.List{graph.Pair("model", r.Model), graph.Pair("stop", graph.Symbol(r.Stop)), graph.Pair("calls", int64(r.Calls)),
		graph.Pair("spoken", r.Spoken), graph.Pair("thought", r.Thought), graph.Pair("usage", usage), graph.Pair("micros", r.Micros)}
}

// ReceiptOf reads the receipt in the outcome of a CompletionJob; what ended without an answer has an empty one.
func ReceiptOf(o *Outcome) Receipt {
	if o == nil {
		return Receipt{Micros: -1}
	}
	d := o.Value.Datum
	r := Receipt{Model: graph.TextField(d, "model"), Micros: -1}
	if s, ok := graph.Field(d, "stop").(graph.Symbol); ok {
		r.Stop = string(s)
	}
	n, _ := graph.Field(d, "calls").(int64)
	r.Calls = int(n)
	r.Spoken, _ = graph.Field(d, "spoken").(bool)
	r.Thought, _ = graph.Field(d, "thought").(bool)
	usage, _ := graph.Field(d, "usage").(graph.List)
	for i := range r.Usage {
		if i < len(usage) {
			r.Usage[i], _ = usage[i].(int64)
		}
	}
	if m, ok := graph.Field(d, "micros").(int64); ok {
		r.Micros = m
	}
	return r
}

// Tokens are all that were sent and made.
func (r Receipt) Tokens() int64 { return r.Usage[0] + r.Usage[1] + r.Usage[2] + r.Usage[3] }
