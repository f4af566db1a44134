package fileio

import (
	"bytes"
	"compress/flate"
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

func silent(string, int64, int64) {}

func create(t *testing.T, directory string, files int, bytesPerFile int64) *Set {
	t.Helper()
	set, err := Create(plan.FileSet{Directory: directory, Files: files, BytesPerFile: bytesPerFile}, true, silent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.Close)
	return set
}

func content(t *testing.T, fd int, length int64) []byte {
	t.Helper()
	memory, err := NewBuffer(int(length))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(memory.Free)
	if err := readFully(fd, memory, 0); err != nil {
		t.Fatal(err)
	}
	return memory
}

func wantFault(t *testing.T, err error, code string) {
	t.Helper()
	var fault *faults.Fault
	if !errors.As(err, &fault) || fault.Code != code {
		t.Errorf("%v instead of the fault %s", err, code)
	}
}

func TestFilesAreFullOfNoiseAndHaveNoName(t *testing.T) {
	const bytesPerFile = 3<<20 + 128<<10
	directory := t.TempDir()
	set := create(t, directory, 2, bytesPerFile)
	if names, err := os.ReadDir(directory); err != nil || len(names) != 0 {
		t.Errorf("the directory shows %v (%v)", names, err)
	}
	for _, fd := range set.descriptors {
		var info unix.Stat_t
		if err := unix.Fstat(fd, &info); err != nil {
			t.Fatal(err)
		}
		if info.Size != bytesPerFile || info.Blocks*512 < bytesPerFile {
			t.Errorf("%d bytes, %d of them on disk", info.Size, info.Blocks*512)
		}
		if info.Nlink != 0 {
			t.Errorf("the file has %d names", info.Nlink)
		}
		var packed bytes.Buffer
		writer, err := flate.NewWriter(&packed, flate.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := writer.Write(content(t, fd, bytesPerFile)); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		if packed.Len() < bytesPerFile {
			t.Errorf("%d bytes can be packed into %d", bytesPerFile, packed.Len())
		}
	}
	if bytes.Equal(content(t, set.descriptors[0], 4096), content(t, set.descriptors[1], 4096)) {
		t.Error("two files hold the same")
	}
}

func TestProgressGoesThroughBothStages(t *testing.T) {
	const total = 4 << 20
	last := map[string]int64{}
	set, err := Create(plan.FileSet{Directory: t.TempDir(), Files: 2, BytesPerFile: total / 2}, true,
		func(stage string, done, of int64) {
			if of != total || done < last[stage] {
				t.Errorf("%s: %d of %d after %d", stage, done, of, last[stage])
			}
			last[stage] = done
		})
	if err != nil {
		t.Fatal(err)
	}
	set.Close()
	if last[events.Filling] != total || last[events.Reading] != total {
		t.Errorf("the last progress was %v", last)
	}
}

func TestMemoryFileSystemsAreNotDirect(t *testing.T) {
	var system unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &system); err != nil || system.Type != unix.TMPFS_MAGIC {
		t.Skip("/dev/shm is no memory file system here")
	}
	if create(t, "/dev/shm", 1, 1<<20).Direct {
		t.Error("files in memory count as direct")
	}
}

func TestAFileSystemThatRefusesDirectIsUsedBuffered(t *testing.T) {
	directory := t.TempDir()
	set := create(t, directory, 1, 1<<20)
	flags, err := unix.FcntlInt(uintptr(set.descriptors[0]), unix.F_GETFL, 0)
	if err != nil {
		t.Fatal(err)
	}
	if set.Direct != (flags&unix.O_DIRECT != 0) {
		t.Errorf("direct is %v, but the flags are %o", set.Direct, flags)
	}
}

func TestAnUnlinkedFileIsAsGoodAsANamelessOne(t *testing.T) {
	directory := t.TempDir()
	fd, err := openUnlinked(directory, unix.O_RDWR|unix.O_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	if names, err := os.ReadDir(directory); err != nil || len(names) != 0 {
		t.Errorf("the directory shows %v (%v)", names, err)
	}
	if err := writeFully(fd, []byte("abc"), 0); err != nil {
		t.Error(err)
	}
}

func TestDirectoriesThatCannotBeUsedAreNamed(t *testing.T) {
	asked := plan.FileSet{Directory: t.TempDir() + "/none", Files: 1, BytesPerFile: 1 << 20}
	_, err := Create(asked, true, silent)
	wantFault(t, err, faults.DirectoryMissing)

	asked.Directory = "/proc/version"
	_, err = Create(asked, true, silent)
	wantFault(t, err, faults.DirectoryMissing)

	asked.Directory = "/sys/kernel"
	_, err = Create(asked, true, silent)
	wantFault(t, err, faults.DirectoryReadOnly)
}

func TestTheLastOfADiskIsNeverTaken(t *testing.T) {
	directory := t.TempDir()
	var system unix.Statfs_t
	if err := unix.Statfs(directory, &system); err != nil {
		t.Fatal(err)
	}
	free := int64(system.Bavail) * int64(system.Bsize)
	asked := plan.FileSet{Directory: directory, Files: 1, BytesPerFile: free - SpareBytes/2}
	_, err := Create(asked, false, silent)
	wantFault(t, err, faults.NoSpace)
}

func TestAFullDiskIsTold(t *testing.T) {
	directory := t.TempDir()
	if err := unix.Mount("tmpfs", directory, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("a small file system can't be mounted: %v", err)
	}
	defer func() { _ = unix.Unmount(directory, unix.MNT_DETACH) }()
	asked := plan.FileSet{Directory: directory, Files: 1, BytesPerFile: 8 << 20}
	_, err := Create(asked, true, silent)
	wantFault(t, err, faults.NoSpace)
	var system unix.Statfs_t
	if err := unix.Statfs(directory, &system); err != nil {
		t.Fatal(err)
	}
	if system.Bfree != system.Blocks {
		t.Error("what was taken before the failure was not given back")
	}
}
