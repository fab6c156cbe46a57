package tool

// process is a child between Prepare and Perform.
type process struct{}

func (p *process) abandon() {}
