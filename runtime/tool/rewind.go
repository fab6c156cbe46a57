package tool

// Rewind is the tool rewind!, whose body works on the graph.
func Rewind() *Tool {
	return &Tool{
		Name: "rewind!", Version: "1", Effect: Inner, Doc: doc("rewind!"), Private: true,
		Summary: "Move the session's head to a turn that it has been at: back, or forward to another branch.",
		Params: []Param{
			{Name: "node", Kind: String, Required: true, Doc: "the id of a turn, or of the genesis"},
			{Name: "files", Kind: Bool, Keyword: true, Doc: "also put back the files that tools changed since"},
		},
	}
}

// Fork is the tool fork!, whose body works on the graph.
func Fork() *Tool {
	return &Tool{
		Name: "fork!", Version: "1", Effect: Inner, Doc: doc("fork!"), Private: true,
		Summary: "Make a new session that goes on from a turn of this one.",
		Params:  []Param{{Name: "node", Kind: String, Required: true, Doc: "the id of a turn, or of the genesis"}},
	}
}
