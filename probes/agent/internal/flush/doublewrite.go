package flush

import (
	"syscall"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/fileio"
	"leadline/agent/internal/plan"
)

const (
	// legacyBytes is InnoDB's doublewrite area before 8.0.20: 128 pages of 16 KiB in the system
	// tablespace, in two pieces that are written one after the other (buf0dblwr.cc of 5.7).
	legacyBytes = 2 << 20
	legacyPiece = legacyBytes / 2
)

// area is where a batch is written before its pages are written in place.
type area struct {
	descriptor uintptr
	// bytes is how much fits, piece how much is written at once.
	bytes, piece int
	// lock is nil where a cleaner has the area to itself.
	lock *lock
}

// newAreas makes the files of all cleaners' areas, and an area for each; nothing without doublewrite.
func newAreas(wish Wish, directory string) (*fileio.Set, []*area, error) {
	batchBytes := wish.BatchPages * wish.PageBytes
	files, bytes, piece := wish.Cleaners, batchBytes, batchBytes
	switch wish.Doublewrite {
	case plan.DoublewriteOff:
		return nil, make([]*area, wish.Cleaners), nil
	case plan.DoublewriteLegacy:
		files, bytes, piece = 1, legacyBytes, legacyPiece
	}
	written := false
	set, err := fileio.Create(plan.FileSet{
		Directory: directory, Files: files, BytesPerFile: int64(bytes), Content: plan.Noise, Settle: &written,
	}, wish.IgnoreFloor, func(string, int64, int64) {})
	if err != nil {
		return nil, nil, err
	}
	areas := make([]*area, wish.Cleaners)
	shared := &lock{}
	for index := range areas {
		areas[index] = &area{set.Descriptors()[index%files], bytes, piece, nil}
		if wish.Doublewrite == plan.DoublewriteLegacy {
			areas[index].lock = shared
		}
	}
	return set, areas, nil
}

// write writes so many bytes in order and makes them durable; short counts pieces that were cut.
//
//go:nosplit
func (a *area) write(address, bytes uintptr) (short uint64, errno syscall.Errno) {
	for offset := uintptr(0); offset < bytes; offset += uintptr(a.piece) {
		length := min(bytes-offset, uintptr(a.piece))
		n, _, errno := syscall.RawSyscall6(unix.SYS_PWRITE64, a.descriptor, address+offset, length, offset, 0, 0)
		for errno == unix.EINTR {
			n, _, errno = syscall.RawSyscall6(unix.SYS_PWRITE64, a.descriptor, address+offset, length, offset, 0, 0)
		}
		if errno != 0 {
			return short, errno
		}
		if n != length {
			short++
		}
	}
	return short, sync(a.descriptor)
}

//go:nosplit
func sync(descriptor uintptr) syscall.Errno {
	_, _, errno := syscall.RawSyscall(unix.SYS_FSYNC, descriptor, 0, 0)
	for errno == unix.EINTR {
		_, _, errno = syscall.RawSyscall(unix.SYS_FSYNC, descriptor, 0, 0)
	}
	return errno
}

//go:nosplit
func (a *area) take() {
	if a.lock != nil {
		a.lock.take()
	}
}

//go:nosplit
func (a *area) give() {
	if a.lock != nil {
		a.lock.give()
	}
}
