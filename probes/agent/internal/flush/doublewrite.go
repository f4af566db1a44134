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
	// synced tells whether copies are made durable before their pages are written. Since 8.0.20 they
	// are not where they are written past the page cache (buf0dblwr.cc, is_fsync_required).
	synced bool
	// lock is nil where a cleaner has the area to itself.
	lock *lock
}

// AreaBytes is how much is written to make the doublewrite areas.
func (w Wish) AreaBytes() int64 {
	files, bytes, _ := w.areas()
	return int64(files) * int64(bytes)
}

// areas tells how many files the areas are in, how large each is, and how much is written at once.
func (w Wish) areas() (files, bytes, piece int) {
	switch w.Doublewrite {
	case plan.DoublewriteOn:
		batchBytes := w.BatchPages * w.PageBytes
		return w.Cleaners, batchBytes, batchBytes
	case plan.DoublewriteLegacy:
		return 1, legacyBytes, legacyPiece
	default:
		return 0, 0, 0
	}
}

// newAreas makes an area for each cleaner, and the files that they are in; nothing without doublewrite.
func newAreas(wish Wish, directory string) (*fileio.Set, []*area, error) {
	files, bytes, piece := wish.areas()
	areas := make([]*area, wish.Cleaners)
	if files == 0 {
		return nil, areas, nil
	}
	settle := false
	set, err := fileio.Create(plan.FileSet{
		Directory: directory, Files: files, BytesPerFile: int64(bytes), Content: plan.Noise, Settle: &settle,
	}, wish.IgnoreFloor, func(string, int64, int64) {})
	if err != nil {
		return nil, nil, err
	}
	shared := &lock{}
	for index := range areas {
		legacy := wish.Doublewrite == plan.DoublewriteLegacy
		areas[index] = &area{
			descriptor: set.Descriptors()[index%files], bytes: bytes, piece: piece, synced: legacy || !set.Direct,
		}
		if legacy {
			areas[index].lock = shared
		}
	}
	return set, areas, nil
}

// write writes so many bytes in order, and makes them durable where that is asked for; short counts
// pieces that were cut.
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
	if !a.synced {
		return short, 0
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
