// Package fileio makes files that nobody else sees, and reads and writes them at random.
package fileio

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
)

// SpareBytes is what must be left free in a file system, whatever the plan says.
const SpareBytes = 256 << 20

// Reserve checks that directory is there and has room for bytes.
func Reserve(directory string, bytes int64, ignoreFloor bool) error {
	info, err := os.Stat(directory)
	if err != nil {
		return faults.Storage(directory, err)
	}
	if !info.IsDir() {
		return faults.New(faults.DirectoryMissing, "%s is no directory", directory)
	}
	var system unix.Statfs_t
	if err := unix.Statfs(directory, &system); err != nil {
		return faults.Storage(directory, err)
	}
	free := int64(system.Bavail) * int64(system.Bsize)
	if !ignoreFloor && free-bytes < SpareBytes {
		return faults.New(faults.NoSpace, "%s has %d MiB free; %d MiB are needed, and %d MiB must be left",
			directory, free>>20, bytes>>20, SpareBytes>>20)
	}
	return nil
}

// OpenNameless makes a new file in directory that has no name, so that nothing is left of it
// once this process ends, however it ends.
func OpenNameless(directory string, flags int) (int, error) {
	flags |= unix.O_RDWR | unix.O_CLOEXEC
	fd, err := unix.Open(directory, flags|unix.O_TMPFILE, 0o600)
	switch err {
	case nil:
		return fd, nil
	case unix.EOPNOTSUPP, unix.EISDIR, unix.ENOENT, unix.EINVAL:
		// This file system or kernel can't make nameless files; EINVAL may mean O_DIRECT instead.
		return openUnlinked(directory, flags)
	default:
		return -1, err
	}
}

// openUnlinked takes the name away right after opening.
func openUnlinked(directory string, flags int) (int, error) {
	path := filepath.Join(directory, ".leadline-"+rand.Text()[:8])
	fd, err := unix.Open(path, flags|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		// A refused O_DIRECT leaves the new file behind on some systems.
		if errors.Is(err, unix.EINVAL) {
			_ = unix.Unlink(path)
		}
		return -1, err
	}
	if err := unix.Unlink(path); err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// openDirect opens a nameless file past the page cache where that is possible.
func openDirect(directory string) (fd int, direct bool, err error) {
	fd, err = OpenNameless(directory, unix.O_DIRECT)
	if err == nil {
		direct, err = takesDirect(fd)
		return fd, direct, err
	}
	if err != unix.EINVAL {
		return -1, false, err
	}
	fd, err = OpenNameless(directory, 0)
	return fd, false, err
}

// takesDirect tries one direct write; where it is refused the file is turned into a buffered one.
// Memory file systems take the flag, yet there is nothing but the page cache.
func takesDirect(fd int) (bool, error) {
	trial, err := NewBuffer(os.Getpagesize())
	if err != nil {
		return false, err
	}
	defer trial.Free()
	if _, err := unix.Pwrite(fd, trial, 0); err == unix.EINVAL {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_SETFL, 0)
		return false, err
	} else if err != nil {
		return false, err
	}
	inMemory, err := InMemory(fd)
	return !inMemory, err
}

// InMemory tells whether the file fd has no drive behind it at all.
func InMemory(fd int) (bool, error) {
	var system unix.Statfs_t
	if err := unix.Fstatfs(fd, &system); err != nil {
		return false, err
	}
	return system.Type == unix.TMPFS_MAGIC || system.Type == unix.RAMFS_MAGIC, nil
}
