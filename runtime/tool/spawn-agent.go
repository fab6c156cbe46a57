package tool

// agentParams are what the tools that call another agent have in common.
func agentParams() []Param {
	return []Param{
		{Name: "model", Kind: Data, Keyword: true, Doc: "connection:model; else the recipe's, else the session's"},
		{Name: "tools", Kind: Data, Keyword: true, Doc: "names of tools it gets, or #t for all that the recipe allows and you have"},
		{Name: "background", Kind: Bool, Keyword: true, Doc: "do not wait: answer its job at once"},
	}
}

// SpawnAgent is the tool spawn-agent. Its body is the assembly's: it leads another agent.
func SpawnAgent() *Tool {
	return &Tool{
		Name: "spawn-agent", Version: "1", Effect: Spend, Doc: doc("spawn-agent"),
		Summary:  "Let another agent, made from a recipe, do a piece of work and get its answer.",
		Keywords: "subagent subagents agents delegate review reviewer background",
		Params: append([]Param{
			{Name: "spec", Kind: Data, Required: true, Doc: "a name of the catalogue (see (agents)), a recipe as data, or the job of an agent that keeps alive"},
			{Name: "prompt", Kind: String, Required: true, Doc: "the work, with all that the agent must know: it sees nothing of this conversation"},
		}, agentParams()...),
	}
}

// AskAgent is the tool ask-agent: an agent for one question, of no recipe.
func AskAgent() *Tool {
	return &Tool{
		Name: "ask-agent", Version: "1", Effect: Spend, Doc: doc("ask-agent"),
		Summary:  "Let an agent without a recipe answer one question.",
		Keywords: "question",
		Params: append([]Param{
			{Name: "prompt", Kind: String, Required: true, Doc: "the question, with all that the agent must know"},
			{Name: "system", Kind: String, Keyword: true, Doc: "what it is told before"},
		}, agentParams()...),
	}
}

// Turn is the tool turn: a turn of the session's own agent, for programs. An agent is in a turn already.
func Turn() *Tool {
	return &Tool{
		Name: "turn", Version: "1", Effect: Spend, Doc: doc("turn"), Private: true,
		Summary: "Say something to the session's own agent and get its answer.",
		Params: []Param{
			{Name: "prompt", Kind: String, Required: true, Doc: "what is said"},
			{Name: "model", Kind: Data, Keyword: true, Doc: "connection:model; else the session's, else the agent's"},
		},
	}
}
