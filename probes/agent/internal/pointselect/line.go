package pointselect

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
)

// patienceSeconds is how long one answer may take before the server counts as lost.
const patienceSeconds = 30

// line is a connection which Go's network code serves while the driver logs in; from then on it
// is a plain blocking descriptor, used by one thread.
type line struct {
	net.Conn
	fd       int
	blocking bool
	tcp      bool
	// deadline is when Read gives up, by the clock of package clock; 0 leaves that to the socket.
	deadline int64
}

// takeOver moves the connection out of the hands of Go's network code: as long as that knows of
// it, every answer wakes the runtime's poller too, which doubles the cost of a query.
func (l *line) takeOver() error {
	holder, ok := l.Conn.(syscall.Conn)
	if !ok {
		return errors.New("the connection has no descriptor")
	}
	raw, err := holder.SyscallConn()
	if err != nil {
		return err
	}
	own := -1
	if err := raw.Control(func(fd uintptr) {
		own, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0)
	}); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	_, l.tcp = l.Conn.(*net.TCPConn)
	// The connection lives on in its second descriptor.
	_ = l.Conn.Close()
	l.fd, l.blocking = own, true
	return l.setOptions()
}

func (l *line) setOptions() error {
	if err := unix.SetNonblock(l.fd, false); err != nil {
		return err
	}
	patience := unix.Timeval{Sec: patienceSeconds}
	for _, option := range []int{unix.SO_RCVTIMEO, unix.SO_SNDTIMEO} {
		if err := unix.SetsockoptTimeval(l.fd, unix.SOL_SOCKET, option, &patience); err != nil {
			return err
		}
	}
	if !l.tcp {
		return nil
	}
	return unix.SetsockoptInt(l.fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
}

// Close closes whichever descriptor is in use.
func (l *line) Close() error {
	if !l.blocking {
		return l.Conn.Close()
	}
	if l.fd < 0 {
		return nil
	}
	err := unix.Close(l.fd)
	l.fd = -1
	return err
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
		if err := l.await(); err != nil {
			return 0, err
		}
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

// await waits for something to read until the deadline, if there is one. Unlike the socket's own
// patience it does not start anew after a signal.
func (l *line) await() error {
	for l.deadline != 0 {
		left := l.deadline - clock.Now()
		if left <= 0 {
			return os.ErrDeadlineExceeded
		}
		limit := unix.NsecToTimespec(left)
		ready, err := unix.Ppoll([]unix.PollFd{{Fd: int32(l.fd), Events: unix.POLLIN}}, &limit, nil)
		if err != nil && err != unix.EINTR {
			return err
		}
		if ready > 0 {
			break
		}
	}
	return nil
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
