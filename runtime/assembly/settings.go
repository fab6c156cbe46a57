package assembly

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"caper/runtime/agent"
	"caper/runtime/call"
	"caper/runtime/license"
)

// config is config.json: the last choices that new sessions begin with (law S24).
type config struct {
	DefaultPolicy    string `json:"defaultPolicy,omitempty"`
	Model            string `json:"model,omitempty"` // connection:model, where nothing else names one
	PolicyJudge      judge  `json:"policyJudge,omitzero"`
	TextOnlyContinue struct {
		Enabled         *bool  `json:"enabled,omitempty"`
		JudgeConnection string `json:"judgeConnection,omitempty"`
		JudgeModel      string `json:"judgeModel,omitempty"`
	} `json:"textOnlyContinue,omitzero"`
	Compaction struct {
		Enabled *bool  `json:"enabled,omitempty"`
		Window  int64  `json:"window,omitempty"` // tokens that may be sent before what was said is folded
		Model   string `json:"model,omitempty"`  // connection:model that writes summaries
	} `json:"compaction,omitzero"`
}

// defaultWindow is how many tokens a completion may send before what was said is folded, where the settings say nothing:
// what models of 200,000 take with room for an answer.
const defaultWindow = 150_000

// policyJudge is the model that decides what no rule speaks about, "" where none is configured or the settings cannot be
// read: then a person does.
func (h Home) policyJudge() string {
	c, err := readConfig(h)
	if err != nil {
		return ""
	}
	return c.PolicyJudge.name()
}

// judgeTime is how long that may take, 0 for the usual.
func (h Home) judgeTime() time.Duration {
	c, err := readConfig(h)
	if err != nil || c.PolicyJudge.Seconds <= 0 || c.PolicyJudge.Seconds > 3600 {
		return 0
	}
	return time.Duration(c.PolicyJudge.Seconds * float64(time.Second))
}

// turnSettings are what config.json says of turns. Text-only rounds are judged unless it is turned off, by the judge that
// is named: no other model takes its place (law S29).
func (h Home) turnSettings() (agent.Settings, error) {
	c, err := readConfig(h)
	if err != nil {
		return agent.Settings{}, err
	}
	on := func(b *bool) bool { return b == nil || *b }
	s := agent.Settings{}
	if t := c.TextOnlyContinue; on(t.Enabled) {
		s.Judge = judge{Connection: t.JudgeConnection, Model: t.JudgeModel}.name()
	}
	if on(c.Compaction.Enabled) {
		s.Window, s.Summary = defaultWindow, c.Compaction.Model
		if c.Compaction.Window > 0 {
			s.Window = c.Compaction.Window
		}
	}
	return s, nil
}

// judge is who decides, under the posture auto, what no rule speaks about.
type judge struct {
	Connection string  `json:"connection"`
	Model      string  `json:"model,omitempty"`
	Seconds    float64 `json:"seconds,omitempty"` // how long it may take
}

func (j judge) name() string {
	if j.Connection == "" {
		return ""
	}
	if j.Model == "" {
		return j.Connection
	}
	return j.Connection + ":" + j.Model
}

func readConfig(h Home) (config, error) {
	var c config
	text, err := readBounded(h.ConfigFile(), 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return c, fmt.Errorf("the settings cannot be read: %s: %w", h.ConfigFile(), err)
	}
	return c, nil
}

// MintPosture is the posture that a new session begins with: the command line's, else the project's, else the last
// choice, else manual.
func MintPosture(h Home, workspace, flag string) (license.Posture, error) {
	if flag != "" {
		return license.NamedPosture(flag)
	}
	project, err := newPolicies(h, nil).readProject(workspace)
	if err != nil {
		return license.Manual, err
	}
	if project.DefaultPolicy != "" {
		return license.ParsePosture(project.DefaultPolicy), nil
	}
	c, err := readConfig(h)
	return license.ParsePosture(c.DefaultPolicy), err
}

// SetPosture keeps a choice for the workspace and as the last choice.
func SetPosture(h Home, workspace, posture string) error {
	p := newPolicies(h, nil)
	f, err := p.readProject(workspace)
	if err != nil {
		return err
	}
	f.Workspace, f.DefaultPolicy = workspace, posture
	if err := p.writeProject(f); err != nil {
		return err
	}
	var all map[string]json.RawMessage // what else is set stays as it is
	text, err := readBounded(h.ConfigFile(), 1<<20)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the settings cannot be read: %s: %w", h.ConfigFile(), err)
	}
	if all == nil { // there is no file, or it says null
		all = map[string]json.RawMessage{}
	}
	if all["defaultPolicy"], err = json.Marshal(posture); err != nil {
		return err
	}
	return writeJSON(h.ConfigFile(), all)
}

// CheckRules reads every rule file that holds in a workspace; the error names file and line.
func CheckRules(h Home, workspace string, extra []string) error {
	p := newPolicies(h, nil)
	if _, err := p.layers(workspace, extra); err != nil {
		return err
	}
	_, err := p.readProject(workspace)
	return err
}

// Explainer is a call service that can only explain: it has no store.
func Explainer(h Home) (*call.Service, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := newPolicies(h, nil)
	return &call.Service{Tools: Tools(), World: license.OS{SelfPath: self}, Policy: p, Now: time.Now, Spool: h.Spool(),
		Judge: &agent.PolicyJudge{Model: h.policyJudge}}, nil
}
