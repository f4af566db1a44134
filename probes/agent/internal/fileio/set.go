package fileio

import (
	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

// Set is a group of open files, fully written.
type Set struct {
	Direct       bool
	directory    string
	descriptors  []int
	bytesPerFile int64
}

// Progress is told how much of a stage is done.
type Progress func(stage string, doneBytes, totalBytes int64)

// Create makes the files, fills them with noise and reads them once, so that every later read
// finds the same state in whatever caches lie below.
func Create(want plan.FileSet, ignoreFloor bool, progress Progress) (*Set, error) {
	if err := Reserve(want.Directory, want.TotalBytes(), ignoreFloor); err != nil {
		return nil, err
	}
	set := &Set{Direct: true, directory: want.Directory, bytesPerFile: want.BytesPerFile}
	if err := set.prepare(want.Files, progress); err != nil {
		set.Close()
		return nil, err
	}
	return set, nil
}

func (s *Set) prepare(files int, progress Progress) error {
	for range files {
		fd, direct, err := openDirect(s.directory)
		if fd >= 0 {
			s.descriptors = append(s.descriptors, fd)
		}
		if err != nil {
			return explainOpen(s.directory, err)
		}
		s.Direct = s.Direct && direct
		// Room is taken in one piece where the file system can; where not, writing takes it.
		if err := unix.Fallocate(fd, 0, 0, s.bytesPerFile); err == unix.ENOSPC {
			return faults.Storage(s.directory, err)
		}
	}
	if err := s.fill(progress); err != nil {
		return faults.Storage(s.directory, err)
	}
	if err := s.readAll(progress); err != nil {
		return faults.Storage(s.directory, err)
	}
	return nil
}

func explainOpen(directory string, err error) error {
	if err == unix.EMFILE || err == unix.ENFILE {
		return faults.New(faults.Limits, "too many open files: the limit on this host is reached")
	}
	return faults.Storage(directory, err)
}

// Close gives the files and their space back.
func (s *Set) Close() {
	for _, fd := range s.descriptors {
		_ = unix.Close(fd)
	}
	s.descriptors = nil
}

// OpenNothing is a set of one endless file of zeros, which no drive is behind.
func OpenNothing() (*Set, error) {
	fd, err := unix.Open("/dev/zero", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return &Set{directory: "/dev", descriptors: []int{fd}, bytesPerFile: 1 << 30}, nil
}
