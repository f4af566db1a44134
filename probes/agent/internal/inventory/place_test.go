package inventory

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

func TestBtrfsDevicesAreAllThatItSpreadsOver(t *testing.T) {
	root := t.TempDir()
	members := filepath.Join(root, "sys/fs/btrfs/0b5c/devices")
	for name, number := range map[string]string{"sdb": "8:16\n", "sdc": "8:32\n"} {
		device := filepath.Join(members, name)
		if err := os.MkdirAll(device, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(device, "dev"), []byte(number), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	source := filepath.Join(root, "sdc")
	if err := os.WriteFile(source, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if found := btrfsDevices(root, source); !slices.Equal(found, []string{"8:16", "8:32"}) {
		t.Fatalf("found %v", found)
	}
	if found := btrfsDevices(root, filepath.Join(root, "gone")); len(found) != 0 {
		t.Fatalf("found %v for a source that is none", found)
	}
}

func TestFilesShowInWhichPiecesRoomIsGivenOut(t *testing.T) {
	directory, err := os.MkdirTemp("/var/tmp", "leadline-files-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(directory) }()
	for name, bytes := range map[string]int{"one": 1, "three": 9000, "none": 0} {
		if err := os.WriteFile(filepath.Join(directory, name), make([]byte, bytes), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/bin/sh", filepath.Join(directory, "link")); err != nil {
		t.Fatal(err)
	}
	unix.Sync()
	found := lookAtFiles(directory)
	if found.AllocationBytes%512 != 0 || found.AllocationBytes > 64<<10 {
		t.Errorf("pieces of %d bytes", found.AllocationBytes)
	}
	if found.AtomicWriteUnitMaxBytes != nil && *found.AtomicWriteUnitMaxBytes%512 != 0 {
		t.Errorf("whole writes of %d bytes", *found.AtomicWriteUnitMaxBytes)
	}
	if found := lookAtFiles(filepath.Join(directory, "one")); found != (fileFacts{}) {
		t.Errorf("a file holds %+v", found)
	}
}

func TestTheGreatestDivisor(t *testing.T) {
	for _, one := range [][3]int64{{0, 4096, 4096}, {4096, 0, 4096}, {16384, 40960, 8192}, {65536, 16384, 16384}, {0, 0, 0}} {
		if found := greatestDivisor(one[0], one[1]); found != one[2] {
			t.Errorf("of %d and %d it is %d", one[0], one[1], found)
		}
	}
}

func TestAttributesAreThoseOfTheDirectory(t *testing.T) {
	const noAccessTime = 0x80 // FS_NOATIME_FL: one that the owner may set
	directory, err := os.MkdirTemp(".", ".attributes-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(directory) }()
	plain := attributes(directory)
	if plain == nil {
		t.Skip("this file system has no attributes")
	}
	folder, err := os.Open(directory)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	wanted := int(*plain | noAccessTime)
	if err := unix.IoctlSetPointerInt(int(folder.Fd()), unix.FS_IOC_SETFLAGS, wanted); err != nil {
		t.Skip("this account may set none: ", err)
	}
	if marked := OwnView("/").look(directory).Attributes; marked == nil || *marked != uint32(wanted) {
		t.Errorf("the marked directory has %v instead of %#x", marked, wanted)
	}
	if gone := attributes(filepath.Join(directory, "gone")); gone != nil {
		t.Errorf("what is not there has %#x", *gone)
	}
}
