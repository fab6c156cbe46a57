package tool

// Complete is the tool complete. Its body is the assembly's: it asks a model.
func Complete() *Tool {
	return &Tool{
		Name: "complete", Version: "1", Effect: Spend, Doc: doc("complete"),
		Summary:  "Ask a language model once, without tools, and get its text or data.",
		Keywords: "model models llm classify classification summarise summary translate describe idea answer yes no judge extract generate schema question vote combine one-line",
		Params: []Param{
			{Name: "prompt", Kind: String, Required: true, Doc: "what it is asked"},
			{Name: "model", Kind: Data, Keyword: true, Doc: "connection:model; else the session's, else the agent's"},
			{Name: "system", Kind: String, Keyword: true, Doc: "what it is told before"},
			{Name: "schema", Kind: Data, Keyword: true, Doc: "a JSON schema, as data or as text: the answer is data that fits it"},
			{Name: "max-tokens", Kind: Int, Keyword: true, Doc: "how long its answer may be"},
		},
	}
}
