package tool

import (
	"strings"

	"golang.org/x/sys/unix"
)

// walkNoLinks opens an absolute path one component at a time and refuses links: what openat2 does in one call.
func walkNoLinks(path string, flags int, mode uint32) (int, error) {
	at, err := unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	names := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	if len(names) == 0 {
		return at, nil
	}
	for i, name := range names {
		f := unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
		if i == len(names)-1 {
			f = flags | unix.O_NOFOLLOW | unix.O_CLOEXEC
		}
		var next int
		err := retry(func() (err error) {
			next, err = unix.Openat(at, name, f, mode)
			return err
		})
		if err == unix.ENOTDIR || err == unix.EMLINK {
			// O_DIRECTORY together with O_NOFOLLOW says ENOTDIR of a link.
			var s unix.Stat_t
			if unix.Fstatat(at, name, &s, unix.AT_SYMLINK_NOFOLLOW) == nil && uint32(s.Mode)&unix.S_IFMT == unix.S_IFLNK {
				err = unix.ELOOP
			}
		}
		unix.Close(at)
		if err != nil {
			return -1, err
		}
		at = next
	}
	return at, nil
}
