package badger

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"caper/runtime/store"

	"golang.org/x/sys/unix"
)

// Loss says what a store has lost.
type Loss struct {
	Records   uint64   // event records that were committed and are gone; 0 when their number is not known
	PowerLoss bool     // the machine went down in fast mode: not damage, but its price
	Sessions  []uint64 // in which a FactLost was noted
	Reason    string
}

// DamageError is ErrDamaged with what is known of the loss.
type DamageError struct {
	Dir  string
	Loss Loss
}

func (e *DamageError) Error() string {
	s := fmt.Sprintf("the store in %s is damaged: %s", e.Dir, e.Loss.Reason)
	if e.Loss.Records > 0 {
		s += fmt.Sprintf("; %d committed event records are missing", e.Loss.Records)
	}
	return s + ". Nothing was changed that cannot be undone: what was found is kept in its folder \"salvage\". " +
		"Bring a backup back, or go on with what is left: caper jobs --accept-loss"
}

// Unwrap makes it ErrDamaged.
func (e *DamageError) Unwrap() error { return store.ErrDamaged }

func damaged(dir, format string, args ...any) error {
	return &DamageError{Dir: dir, Loss: Loss{Reason: fmt.Sprintf(format, args...)}}
}

func unreadable(dir string, err error) error {
	what := "look at the folder and its permissions"
	switch {
	case errors.Is(err, fs.ErrPermission):
		what = "this user may not read and write it"
	case errors.Is(err, unix.EROFS):
		what = "its file system is mounted read-only"
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("the store in %s: %w: make room and try again (%v)", dir, store.ErrDiskFull, err)
	}
	return fmt.Errorf("%w: %s: %s (%v)", store.ErrUnreadable, dir, what, err)
}

// openError sorts what Badger says when it does not open. Its errors keep their causes only sometimes.
func openError(dir string, err error) error {
	text := err.Error()
	for _, cause := range []error{fs.ErrPermission, unix.EROFS, unix.ENOSPC, unix.EDQUOT} {
		if errors.Is(err, cause) || strings.Contains(text, cause.Error()) {
			return unreadable(dir, cause)
		}
	}
	if strings.Contains(text, "Another process is using") {
		return fmt.Errorf("%s: %w", dir, store.ErrLocked)
	}
	return damaged(dir, "%s", text)
}
