package redo

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// stream is a log file that is appended to, and where its end is.
type stream struct {
	fd uintptr
	// sync is the system call that makes an append durable; 0 where the write itself does.
	sync    uintptr
	offset  uintptr
	growing bool
}

// append writes and makes durable: from the file's start again where its end is reached; a growing
// file is emptied then. Short tells that less was written.
//
//go:nosplit
func (s *stream) append(address, length uintptr) (short bool, errno syscall.Errno) {
	if s.offset+length > LogBytes {
		if errno := s.restart(); errno != 0 {
			return false, errno
		}
	}
	n, _, errno := syscall.RawSyscall6(unix.SYS_PWRITE64, s.fd, address, length, s.offset, 0, 0)
	for errno == unix.EINTR {
		n, _, errno = syscall.RawSyscall6(unix.SYS_PWRITE64, s.fd, address, length, s.offset, 0, 0)
	}
	if errno != 0 {
		return false, errno
	}
	s.offset += length
	if s.sync == 0 {
		return n != length, 0
	}
	_, _, errno = syscall.RawSyscall(s.sync, s.fd, 0, 0)
	for errno == unix.EINTR {
		_, _, errno = syscall.RawSyscall(s.sync, s.fd, 0, 0)
	}
	return n != length, errno
}

//go:nosplit
func (s *stream) restart() syscall.Errno {
	s.offset = 0
	if !s.growing {
		return 0
	}
	_, _, errno := syscall.RawSyscall(unix.SYS_FTRUNCATE, s.fd, 0, 0)
	return errno
}

func (s *stream) close() { _ = unix.Close(int(s.fd)) }
