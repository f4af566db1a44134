package inventory

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// mostEntries bounds how many files of a directory are looked at.
const mostEntries = 256

// fileFacts are what the files in a directory show of its file system.
type fileFacts struct {
	// AtomicWriteUnitMaxBytes is the largest write of which the kernel says that it reaches a file
	// here whole or not at all; nil where it does not tell (before Linux 6.13, or without a file).
	AtomicWriteUnitMaxBytes *uint32 `json:"atomic_write_unit_max_bytes,omitempty"`
	// AllocationBytes divides the room that every file here takes: the file system gives it out in
	// pieces of this size or of a part of it. 0 when no file takes any.
	AllocationBytes int64 `json:"allocation_bytes"`
}

// lookAtFiles asks for the files in directory, and opens none.
func lookAtFiles(directory string) fileFacts {
	var found fileFacts
	folder, err := os.Open(directory)
	if err != nil {
		return found
	}
	defer func() { _ = folder.Close() }()
	names, err := folder.Readdirnames(mostEntries)
	if err != nil {
		return found
	}
	for _, name := range names {
		const follow, mask = unix.AT_SYMLINK_NOFOLLOW, unix.STATX_TYPE | unix.STATX_BLOCKS | unix.STATX_WRITE_ATOMIC
		var seen unix.Statx_t
		err := unix.Statx(unix.AT_FDCWD, filepath.Join(directory, name), follow, mask, &seen)
		if err != nil || seen.Mode&unix.S_IFMT != unix.S_IFREG {
			continue
		}
		found.AllocationBytes = greatestDivisor(found.AllocationBytes, int64(seen.Blocks)*512)
		if seen.Mask&unix.STATX_WRITE_ATOMIC != 0 && found.AtomicWriteUnitMaxBytes == nil {
			largest := seen.Atomic_write_unit_max
			found.AtomicWriteUnitMaxBytes = &largest
		}
	}
	return found
}

// attributes are a directory's flags as lsattr shows them; nil where its file system has none, or
// this account may not read it.
func attributes(directory string) *uint32 {
	folder, err := os.Open(directory)
	if err != nil {
		return nil
	}
	defer func() { _ = folder.Close() }()
	flags, err := unix.IoctlGetUint32(int(folder.Fd()), unix.FS_IOC_GETFLAGS)
	if err != nil {
		return nil
	}
	return &flags
}

// greatestDivisor is that which both have in common; of 0 and another one the other.
func greatestDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
