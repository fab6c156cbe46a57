package assembly

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"caper/runtime/call"
	"caper/runtime/license"
)

// config is config.json: the last choices that new sessions begin with (law S24).
type config struct {
	DefaultPolicy string `json:"defaultPolicy,omitempty"`
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
	c, err := readConfig(h)
	if err != nil {
		return err
	}
	c.DefaultPolicy = posture
	return writeJSON(h.ConfigFile(), c)
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
	return &call.Service{Tools: Tools(), World: license.OS{SelfPath: self}, Policy: p, Now: time.Now, Spool: h.Spool()}, nil
}
