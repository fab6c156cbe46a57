package tool

// ReadOutcome is the tool read-outcome. Its body is the assembly's.
func ReadOutcome() *Tool {
	return &Tool{
		Name: "read-outcome", Version: "1", Effect: Inner, Doc: doc("read-outcome"), Continues: "handle",
		Summary: "Read on in the outcome of a call that was too large to be shown whole.",
		Params: []Param{
			{Name: "handle", Kind: String, Required: true, Doc: "the handle that the excerpt names"},
			{Name: "offset", Kind: Int, Doc: "the byte to begin at; 0 when not given"},
			{Name: "limit", Kind: Int, Doc: "at most so many bytes"},
		},
	}
}
