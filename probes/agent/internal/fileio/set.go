package fileio

import (
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

// Set is a group of open files, fully written unless they were to be sparse.
type Set struct {
	Direct       bool
	directory    string
	descriptors  []int
	bytesPerFile int64
	content      string
	// rest is called after each piece that is filled or read back, with how long that took.
	rest func(took time.Duration)
	// tours tell how far first touches have come.
	tours map[tourKey]*atomic.Uint64
}

// Progress is told how much of a stage is done.
type Progress func(stage string, doneBytes, totalBytes int64)

// Create makes the files and fills them; where they are to settle it reads them once, so that every
// later read finds the same state in whatever caches lie below.
func Create(want plan.FileSet, ignoreFloor bool, progress Progress) (*Set, error) {
	return CreateResting(want, ignoreFloor, progress, func(time.Duration) {})
}

// CreateResting does the same, and calls rest after each piece with how long that took: what fills
// goes on when it returns.
func CreateResting(
	want plan.FileSet, ignoreFloor bool, progress Progress, rest func(took time.Duration),
) (*Set, error) {
	if err := Reserve(want.Directory, want.TotalBytes(), ignoreFloor); err != nil {
		return nil, err
	}
	set := &Set{
		Direct: true, directory: want.Directory, bytesPerFile: want.BytesPerFile,
		content: want.Content, rest: rest, tours: map[tourKey]*atomic.Uint64{},
	}
	if err := set.prepare(want, progress); err != nil {
		set.Close()
		return nil, err
	}
	return set, nil
}

func (s *Set) prepare(want plan.FileSet, progress Progress) error {
	for range want.Files {
		if err := s.add(); err != nil {
			return err
		}
	}
	if s.content != plan.Sparse {
		if err := s.fill(progress); err != nil {
			return faults.Storage(s.directory, err)
		}
	}
	if want.Settle != nil && !*want.Settle {
		return nil
	}
	if err := s.readAll(progress); err != nil {
		return faults.Storage(s.directory, err)
	}
	return nil
}

// add makes one more file and takes its room, in one piece where the file system can; where not,
// writing takes it. A sparse file has a length alone.
func (s *Set) add() error {
	fd, direct, err := openDirect(s.directory)
	if fd >= 0 {
		s.descriptors = append(s.descriptors, fd)
	}
	if err != nil {
		return explainOpen(s.directory, err)
	}
	s.Direct = s.Direct && direct
	if s.content == plan.Sparse {
		err = s.makeSparse(fd)
	} else if err = unix.Fallocate(fd, 0, 0, s.bytesPerFile); err != unix.ENOSPC {
		err = nil
	}
	if err != nil {
		return faults.Storage(s.directory, err)
	}
	return nil
}

// makeSparse drops what was written to try direct writes.
func (s *Set) makeSparse(fd int) error {
	if err := unix.Ftruncate(fd, 0); err != nil {
		return err
	}
	return unix.Ftruncate(fd, s.bytesPerFile)
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
