package assembly

import (
	"errors"
	"path/filepath"

	"caper/runtime/call"
	"caper/runtime/drive"
	"caper/runtime/program"
	"caper/runtime/tool"
)

// hosts are the bodies of the tools that work on the graph themselves: each tool of effect spend or inner has one.
func (s *System) hosts() map[string]call.Host {
	return map[string]call.Host{
		"fork!":        {Run: s.Agents.Fork},
		"rewind!":      {Run: s.Agents.Rewind},
		"read-outcome": {Run: s.Agents.ReadOutcome},
		"scheme":       {Run: s.scheme},
		"find-tools":   {Run: s.aboutTools("text", (*tool.Set).Found)},
		"tool-doc":     {Run: s.aboutTools("name", (*tool.Set).Documentation)},
		"complete":     {Run: s.complete},
		"spawn-agent":  {Run: s.spawnAgent, Agent: true},
		"ask-agent":    {Run: s.askAgent, Agent: true},
		"drive-agent":  {Run: (&drive.Runner{Agents: s.Agents, Config: filepath.Join(s.Home.Config, "agents.yaml")}).Run, Agent: true},
		"client-tool":  {Run: drive.Used},
		"turn":         {Run: s.turn},
		"define-agent": {Run: s.defineAgent},
		"kvs-set!":     {Run: s.kvsSet},
		"cancel":       {Run: s.cancelJob},
		"detach":       {Run: s.detachJob},
	}
}

// Programs runs the programs that agents write, in this process.
func (s *System) Programs() (*program.Runner, error) {
	s.programsMu.Lock()
	defer s.programsMu.Unlock()
	if s.programs != nil {
		return s.programs, nil
	}
	if s.engine == nil {
		return nil, errors.New("no programs can be run here")
	}
	engine, err := s.engine()
	if err != nil {
		return nil, err
	}
	s.programs = &program.Runner{Engine: engine, Open: func() (*call.Service, error) { return s.Calls, nil }}
	return s.programs, nil
}
