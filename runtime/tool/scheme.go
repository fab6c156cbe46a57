package tool

// Scheme is the tool scheme. Its body is the assembly's: a program of the call's own.
func Scheme() *Tool {
	return &Tool{
		Name: "scheme", Version: "1", Effect: Inner, Means: true, InOrder: true, Doc: doc("scheme"),
		Summary: "Run one Scheme program that calls other tools as procedures, and answer its value and output.",
		Params: []Param{
			{Name: "program", Kind: String, Required: true, Doc: "the text of the program"},
			{Name: "args", Kind: Data, Keyword: true, Doc: "an object of data; the program finds each of its fields as a variable"},
			{Name: "fuel", Kind: Int, Keyword: true, Doc: "calls and loop turns that it may spend, if 500 million are too few or too many"},
			{Name: "fresh", Kind: Bool, Keyword: true, Doc: "true begins without what earlier programs defined"},
		},
	}
}

// FindTools is the tool find-tools, which looks through the set that it is in.
func FindTools() *Tool {
	return &Tool{
		Name: "find-tools", Version: "1", Effect: Inner, Means: true, Doc: doc("find-tools"),
		Summary: "Find tools by words that say what is to be done.",
		Params:  []Param{{Name: "text", Kind: String, Required: true, Doc: "what is to be done, in your own words"}},
	}
}

// ToolDoc is the tool tool-doc, which answers the documentation of a tool of its set.
func ToolDoc() *Tool {
	return &Tool{
		Name: "tool-doc", Version: "1", Effect: Inner, Means: true, Doc: doc("tool-doc"),
		Summary: "The documentation of one tool: arguments, result, errors.",
		Params:  []Param{{Name: "name", Kind: String, Required: true, Doc: "of the tool, such as edit-file"}},
	}
}
