package license

func (j *judgement) shellProtections() (rule, reason, subject string) { return "", "", "" }

func (j *judgement) autoReads() bool { return false }

func (j *judgement) shellTouches(r Rule) (answer, string) { return no, "" }
