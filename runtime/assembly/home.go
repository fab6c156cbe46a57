// Package assembly is the one place that builds the whole system out of its rooms. It decides nothing about calls and
// shows nothing. Package command imports it; tests of the whole do too.
package assembly

import (
	"errors"
	"path/filepath"
)

// Home is where Caper keeps its things: data (store, blobs, spool, projects) and configuration (policy.yaml, config.json).
// $CAPER_HOME is both; else the XDG folders hold one each.
type Home struct{ Data, Config string }

// FindHome answers the home that an environment names.
func FindHome(env map[string]string) (Home, error) {
	if h := env["CAPER_HOME"]; h != "" {
		if !filepath.IsAbs(h) {
			return Home{}, errors.New("CAPER_HOME must be an absolute path, found " + h)
		}
		return Home{Data: filepath.Clean(h), Config: filepath.Clean(h)}, nil
	}
	home := env["HOME"]
	folder := func(variable, below string) (string, error) {
		if d := env[variable]; filepath.IsAbs(d) {
			return filepath.Join(d, "caper"), nil
		}
		if !filepath.IsAbs(home) {
			return "", errors.New("neither CAPER_HOME nor HOME names a folder: set one of them")
		}
		return filepath.Join(home, below, "caper"), nil
	}
	data, err := folder("XDG_DATA_HOME", ".local/share")
	if err != nil {
		return Home{}, err
	}
	config, err := folder("XDG_CONFIG_HOME", ".config")
	return Home{Data: data, Config: config}, err
}

func (h Home) Store() string      { return filepath.Join(h.Data, "store") }
func (h Home) Blobs() string      { return filepath.Join(h.Data, "blobs") }
func (h Home) Spool() string      { return filepath.Join(h.Data, "spool") }
func (h Home) Snapshots() string  { return filepath.Join(h.Data, "snapshots") }
func (h Home) Projects() string   { return filepath.Join(h.Data, "projects") }
func (h Home) Socket() string     { return filepath.Join(h.Store(), "owner.sock") }
func (h Home) PolicyFile() string { return filepath.Join(h.Config, "policy.yaml") }
func (h Home) ConfigFile() string { return filepath.Join(h.Config, "config.json") }

// Protected are the paths that no call may touch.
func (h Home) Protected() []string {
	if h.Data == h.Config {
		return []string{h.Data}
	}
	return []string{h.Data, h.Config}
}
