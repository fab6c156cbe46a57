package command_test

import (
	"errors"
	"os/exec"
	"strconv"
)

func exitOf(err error) string {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return strconv.Itoa(e.ExitCode())
	}
	return err.Error()
}
