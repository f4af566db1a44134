// Package drivetest makes drives for tests that small or faulty ones can't be had for otherwise.
package drivetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Full mounts a memory file system of so many bytes and returns its directory.
func Full(t *testing.T, bytes int64) string {
	t.Helper()
	return mounted(t, "tmpfs", "tmpfs", 0, fmt.Sprintf("size=%d", bytes))
}

// ReadOnly mounts a file system that can't be written to and returns its directory.
func ReadOnly(t *testing.T) string {
	t.Helper()
	return mounted(t, "tmpfs", "tmpfs", unix.MS_RDONLY, "size=1m")
}

// Failing mounts a real file system on a loop device and returns its directory, and what makes
// the device refuse every further write: each then ends with EIO, as if the drive were gone.
func Failing(t *testing.T, bytes int64) (directory string, fail func()) {
	t.Helper()
	image, err := unix.MemfdCreate("drive", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = unix.Close(image) })
	if err := unix.Ftruncate(image, bytes); err != nil {
		t.Fatal(err)
	}
	path := descriptor(image)
	try(t, "mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", path)
	device := try(t, "losetup", "--find", "--show", path)
	// Once it is mounted, this lets the device go with its last user.
	defer try(t, "losetup", "--detach", device)
	return mounted(t, device, "ext4", 0, ""), func() {
		if _, err := unix.FcntlInt(uintptr(image), unix.F_ADD_SEALS, unix.F_SEAL_WRITE); err != nil {
			t.Error(err)
		}
	}
}

// mounted mounts a file system that only this process can lead to, so that nothing is left of it
// however the test ends.
func mounted(t *testing.T, source, kind string, flags uintptr, options string) string {
	t.Helper()
	place := t.TempDir()
	if err := unix.Mount(source, place, kind, flags, options); err != nil {
		t.Skipf("%s can't be mounted: %v", source, err)
	}
	directory, err := unix.Open(place, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if unmountErr := unix.Unmount(place, unix.MNT_DETACH); unmountErr != nil {
		t.Fatal(unmountErr)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(directory) })
	return descriptor(directory)
}

// descriptor is a path to what fd is open for, in other processes too.
func descriptor(fd int) string { return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd) }

func try(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		for _, folder := range []string{"/sbin", "/usr/sbin"} {
			if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
				path = filepath.Join(folder, name)
			}
		}
	}
	said, err := exec.Command(path, arguments...).CombinedOutput()
	if err != nil {
		t.Skipf("%s: %v: %s", name, err, said)
	}
	return strings.TrimSpace(string(said))
}
