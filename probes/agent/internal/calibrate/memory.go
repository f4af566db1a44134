package calibrate

import (
	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
)

const (
	// usualBytes are more than processors cache, and filled in a moment.
	usualBytes = 64 << 20
	leastBytes = 1 << 20
)

// inMemory tells whether directory lies in a memory file system.
func inMemory(directory string) bool {
	var system unix.Statfs_t
	return unix.Statfs(directory, &system) == nil &&
		(system.Type == unix.TMPFS_MAGIC || system.Type == unix.RAMFS_MAGIC)
}

// fileBytes is the usual size, or half of what is free: containers mostly have 64 MiB in all.
func fileBytes(directory string) (int64, error) {
	var system unix.Statfs_t
	if err := unix.Statfs(directory, &system); err != nil {
		return 0, faults.Storage(directory, err)
	}
	free := int64(system.Bavail) * int64(system.Bsize)
	if system.Blocks == 0 {
		// This one has no limit of its own.
		return usualBytes, nil
	}
	if free/2 < leastBytes {
		return 0, faults.New(faults.NoSpace, "%s has %d KiB free", directory, free>>10)
	}
	return min(usualBytes, free/2), nil
}
