package license

// suggest answers what could be remembered with a yes, as rules that a person sees first.
func (j *judgement) suggest() []Suggestion {
	return []Suggestion{{Scope: Once}}
}
