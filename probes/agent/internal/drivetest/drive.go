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
	directory := t.TempDir()
	if err := unix.Mount("tmpfs", directory, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("a small file system can't be mounted: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(directory, unix.MNT_DETACH) })
	return directory
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
	path := fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), image)
	try(t, "mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", path)
	device := try(t, "losetup", "--find", "--show", path)
	t.Cleanup(func() { _ = exec.Command("losetup", "--detach", device).Run() })
	directory = t.TempDir()
	if err := unix.Mount(device, directory, "ext4", 0, ""); err != nil {
		t.Skipf("the loop device can't be mounted: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(directory, unix.MNT_DETACH) })
	return directory, func() {
		if _, err := unix.FcntlInt(uintptr(image), unix.F_ADD_SEALS, unix.F_SEAL_WRITE); err != nil {
			t.Error(err)
		}
	}
}

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
