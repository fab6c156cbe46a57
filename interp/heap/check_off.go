//go:build !caperdebug

package heap

// checked makes every access check what it reaches: see the build with the tag caperdebug.
const checked = false

//lint:ignore U1000 only the build with caperdebug fills it
type lock struct{}

func (a *Arena) checkOffset(uint64)     {}
func (a *Arena) checkRange(_, _ uint64) {}
func (a *Arena) checkValue(Word)        {}
func (a *Arena) checkPair(Word)         {}
func (a *Arena) checkKind(Word, Kind)   {}
func (a *Arena) checkChange(Word)       {}
func (a *Arena) closeOld(int)           {}
func (a *Arena) openOld()               {}
func (a *Arena) soon()                  {}
func (g *gc) check(Word)                {}
