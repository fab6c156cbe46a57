package tool

// The tools of this file change the session that a program runs in. Their bodies are the assembly's.

// DefineAgent is the tool define-agent.
func DefineAgent() *Tool {
	return &Tool{
		Name: "define-agent", Version: "1", Effect: Inner, Private: true, Doc: doc("define-agent"),
		Summary: "Add a recipe to the catalogue of this session.",
		Params: []Param{
			{Name: "name", Kind: Data, Required: true, Doc: "a symbol or a string"},
			{Name: "description", Kind: String, Keyword: true, Doc: "what it is for, in one line"},
			{Name: "constitution", Kind: String, Keyword: true, Doc: "what it is told"},
			{Name: "model", Kind: Data, Keyword: true, Doc: "connection:model"},
			{Name: "tools", Kind: Data, Keyword: true, Doc: "names of the tools that it gets"},
			{Name: "keep-alive", Kind: Bool, Keyword: true, Doc: "it can be asked again"},
			{Name: "void-legal", Kind: Bool, Keyword: true, Doc: "it may end without an answer"},
		},
	}
}

// KvsSet is the tool kvs-set!.
func KvsSet() *Tool {
	return &Tool{
		Name: "kvs-set!", Version: "1", Effect: Inner, Private: true, Doc: doc("kvs-set!"),
		Summary: "Set a value of the session.",
		Params: []Param{
			{Name: "key", Kind: Data, Required: true, Doc: "a symbol or a string"},
			{Name: "value", Kind: Data, Required: true, Doc: "a string; #f removes the key"},
		},
	}
}

// Cancel is the tool cancel.
func Cancel() *Tool {
	return &Tool{
		Name: "cancel", Version: "1", Effect: Inner, Private: true, Doc: doc("cancel"),
		Summary: "End a program, a turn or an agent of this session that runs in the background.",
		Params:  []Param{{Name: "job", Kind: String, Required: true, Doc: "its job"}},
	}
}

// Detach is the tool detach.
func Detach() *Tool {
	return &Tool{
		Name: "detach", Version: "1", Effect: Inner, Private: true, Doc: doc("detach"),
		Summary: "Move a running call of a turn to the background.",
		Params:  []Param{{Name: "job", Kind: String, Required: true, Doc: "its job"}},
	}
}
