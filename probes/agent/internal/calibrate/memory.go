package calibrate

import (
	"slices"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/limits"
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

// fileBytes is the usual size, or half of what is free: containers mostly have 64 MiB in all. It
// leaves room for so many further bytes where the memory of this process is limited: what lies in
// such a file counts as its own, and the kernel ends who takes too much.
func fileBytes(directory string, further int64) (int64, error) {
	var system unix.Statfs_t
	if err := unix.Statfs(directory, &system); err != nil {
		return 0, faults.Storage(directory, err)
	}
	free := int64(system.Bavail) * int64(system.Bsize)
	bytes := int64(usualBytes)
	// One without blocks has no limit of its own.
	if system.Blocks > 0 {
		bytes = min(bytes, free/2)
	}
	if bytes < leastBytes {
		return 0, faults.New(faults.NoSpace, "%s has %d KiB free", directory, free>>10)
	}
	bytes -= limits.Memory(bytes + further)
	if bytes < leastBytes {
		return 0, faults.New(faults.Limits, "a memory limit on this host leaves no room for it")
	}
	return bytes, nil
}

// threadBytes is what the most threads take with the largest blocks.
func threadBytes(blockSizes, levels []int) int64 {
	if len(blockSizes) == 0 || len(levels) == 0 {
		return 0
	}
	return int64(slices.Max(levels)) * (limits.BytesPerThread + int64(slices.Max(blockSizes)))
}
