package pointselect

import (
	"errors"
	"io"
	"net"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// patienceSeconds is how long one answer may take before the server counts as lost.
const patienceSeconds = 30

// line is a connection which Go's network code serves while the driver logs in; from then on it
// is a plain blocking descriptor, used by one thread.
type line struct {
	net.Conn
	fd       int
	blocking bool
}

func newLine(connection net.Conn) (*line, error) {
	holder, ok := connection.(syscall.Conn)
	if !ok {
		return nil, errors.New("the connection has no descriptor")
	}
	raw, err := holder.SyscallConn()
	if err != nil {
		return nil, err
	}
	made := &line{Conn: connection}
	err = raw.Control(func(fd uintptr) { made.fd = int(fd) })
	return made, err
}

// block takes the connection out of the hands of Go's network code.
func (l *line) block() error {
	if err := unix.SetNonblock(l.fd, false); err != nil {
		return err
	}
	patience := unix.Timeval{Sec: patienceSeconds}
	for _, option := range []int{unix.SO_RCVTIMEO, unix.SO_SNDTIMEO} {
		if err := unix.SetsockoptTimeval(l.fd, unix.SOL_SOCKET, option, &patience); err != nil {
			return err
		}
	}
	if _, ok := l.Conn.(*net.TCPConn); ok {
		if err := unix.SetsockoptInt(l.fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1); err != nil {
			return err
		}
	}
	l.blocking = true
	return nil
}

// send and receive are kept out of the scheduler's sight: with nosplit they are no place where a
// thread may be interrupted. They return the number of bytes, or an error number.
//
//go:nosplit
func (l *line) send(data []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(l.fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data)), syscall.MSG_NOSIGNAL, 0, 0)
	return int(n), errno
}

//go:nosplit
func (l *line) receive(data []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, uintptr(l.fd),
		uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data)), 0, 0, 0)
	return int(n), errno
}

// Read and Write serve the TLS layer, and the driver when it says goodbye.
func (l *line) Read(data []byte) (int, error) {
	if !l.blocking {
		return l.Conn.Read(data)
	}
	for {
		n, errno := l.receive(data)
		switch {
		case errno == syscall.EINTR:
			continue
		case errno != 0:
			return 0, errno
		case n == 0 && len(data) > 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

func (l *line) Write(data []byte) (int, error) {
	if !l.blocking {
		return l.Conn.Write(data)
	}
	written := 0
	for written < len(data) {
		n, errno := l.send(data[written:])
		switch {
		case errno == syscall.EINTR:
			continue
		case errno != 0:
			return written, errno
		}
		written += n
	}
	return written, nil
}
