package tool

func splitPattern(pattern string) (string, string) { return ".", pattern }
