package tool

func diffPreview(env *Env, path string, now content, after []byte) Preview {
	return Preview{Path: path, New: !now.exists, Before: now.hash}
}
