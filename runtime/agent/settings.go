package agent

// Settings are what a person chose for all turns. They are read when a turn begins or goes on.
type Settings struct {
	// Judge is the connection:model of the text-only judge, "" where there is none or it is off: it never falls back to the
	// actor's.
	Judge string
	// Window is how many tokens may be sent before what was said is folded; 0: it never is.
	Window int64
	// Summary is the connection:model that writes summaries; "": the one that the turn asks.
	Summary string
}

func (r *Runner) settings() (Settings, error) {
	if r.Settings == nil {
		return Settings{}, nil
	}
	return r.Settings()
}
