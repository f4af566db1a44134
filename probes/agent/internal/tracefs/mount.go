// Package tracefs records what the kernel tells of its events, in instances of its own: buffers and
// settings that nobody else sees. The kernel's Documentation/trace/ftrace.rst and ring-buffer-design.rst
// describe what is read here.
package tracefs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// usual is where tracefs is found as a rule; the kernel mounts the second one by itself.
var usual = []string{"sys/kernel/tracing", "sys/kernel/debug/tracing"}

const notMounted = "tracefs is not mounted (as root: `mount -t tracefs nodev /sys/kernel/tracing`)"

// Find returns where tracefs is mounted below root; it mounts nothing. Without one it returns words that
// follow "because".
func Find(root string) (path, because string) {
	because = notMounted
	for _, place := range places(root) {
		info, err := os.Stat(filepath.Join(place, "instances"))
		if err == nil && info.IsDir() {
			return place, ""
		}
		if errors.Is(err, fs.ErrPermission) {
			because = why(err)
		} else if _, err := os.Stat(filepath.Join(place, "events")); err == nil {
			because = "the kernel keeps no instances of traces (it does from Linux 3.10 on)"
		}
	}
	return "", because
}

func places(root string) []string {
	var all []string
	for _, place := range usual {
		all = append(all, filepath.Join(root, place))
	}
	mounts, err := os.ReadFile(filepath.Join(root, "proc/self/mountinfo"))
	if err != nil {
		return all
	}
	for line := range strings.Lines(string(mounts)) {
		before, after, _ := strings.Cut(line, " - ")
		if left := strings.Fields(before); len(left) > 4 && strings.HasPrefix(after, "tracefs ") {
			all = append(all, filepath.Join(root, left[4]))
		}
	}
	return all
}

// why puts an error of tracefs into words that follow "because".
func why(err error) string {
	refused := errors.Is(err, fs.ErrPermission)
	switch {
	case refused && os.Geteuid() != 0:
		return "only root may use tracefs"
	case refused:
		return "the kernel refuses tracefs even to root here, as in a container or where it is locked down"
	case errors.Is(err, syscall.EROFS):
		return "tracefs is mounted read-only here, as in a container"
	case errors.Is(err, syscall.ENOMEM):
		return "the kernel has no memory for the buffers of a trace"
	}
	return err.Error()
}
