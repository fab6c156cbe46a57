package tool

// DriveAgent is the tool drive-agent. Its body is the assembly's: it runs another's client, whose questions are calls below it.
func DriveAgent() *Tool {
	return &Tool{
		Name: "drive-agent", Version: "1", Effect: External, Doc: doc("drive-agent"), Private: true,
		Summary: "Let Claude Code or Codex do a piece of work in a folder and get its answer.",
		Params: []Param{
			{Name: "client", Kind: Data, Required: true, Doc: "claude_code or codex"},
			{Name: "prompt", Kind: String, Required: true, Doc: "the work, with all that it must know"},
			{Name: "work-folder", Kind: String, Keyword: true, Access: WriteAccess, Default: ".", Doc: "where it works; the current folder if not given"},
			{Name: "model", Kind: Data, Keyword: true, Doc: "as the client names it; else that of agents.yaml, else the client's own"},
			{Name: "effort", Kind: Data, Keyword: true, Doc: "as the client names it"},
			{Name: "session", Kind: String, Keyword: true, Doc: "the client's own session to go on with, from an earlier answer (#:whole #t)"},
			{Name: "timeout", Kind: Number, Keyword: true, Doc: "seconds until it is ended; what it waits for a person does not count"},
			{Name: "whole", Kind: Bool, Keyword: true, Doc: "answer an association list: text, session, model, tokens, cost"},
		},
	}
}

// ClientTool is the tool client-tool: what a client that is driven wants to use and we have no like of. Only such a client
// calls it.
func ClientTool() *Tool {
	return &Tool{
		Name: "client-tool", Version: "1", Effect: External, Doc: doc("client-tool"), Private: true,
		Summary: "A tool of a client that is driven, for which there is none here.",
		Params: []Param{
			{Name: "name", Kind: String, Required: true, Doc: "as the client calls it"},
			{Name: "input", Kind: String, Required: true, Doc: "what it is given, as JSON"},
		},
	}
}

// Elsewhere is a tool that another performs: judged and shown as the tool itself is, and done by whoever asked.
func Elsewhere(t *Tool) *Tool {
	other := *t
	other.Prepare, other.Perform, other.Recover = nil, nil, nil
	return &other
}
