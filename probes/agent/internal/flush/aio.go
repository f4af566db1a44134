package flush

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/faults"
)

// commandWrite is IOCB_CMD_PWRITE of linux/aio_abi.h, as are the two structures.
const commandWrite = 1

type request struct {
	data       uint64
	key, flags uint32
	command    uint16
	priority   int16
	descriptor uint32
	buffer     uint64
	bytes      uint64
	offset     int64
	_          uint64
	_, _       uint32
}

type event struct {
	data, request   uint64
	result, result2 int64
}

// queue is a context of the kernel's native AIO, which InnoDB writes its pages by
// (innodb_use_native_aio), and the requests of one batch. Its memory never moves.
type queue struct {
	context   uintptr
	requests  []request
	addresses []uintptr
	events    []event
}

func newQueue(length int) (*queue, error) {
	made := &queue{}
	_, _, errno := syscall.RawSyscall(unix.SYS_IO_SETUP, uintptr(length), uintptr(unsafe.Pointer(&made.context)), 0)
	switch errno {
	case 0:
	case unix.EAGAIN:
		return nil, faults.New(faults.Limits, "the kernel's native AIO has no room for %d requests: fs.aio-max-nr is reached", length)
	default:
		return nil, faults.New(faults.Limits, "the kernel's native AIO can't be used here (%v), and page_flush writes by it", errno)
	}
	made.requests = make([]request, length)
	made.addresses = make([]uintptr, length)
	made.events = make([]event, length)
	for index := range made.requests {
		made.addresses[index] = uintptr(unsafe.Pointer(&made.requests[index]))
	}
	return made, nil
}

func (q *queue) close() { _, _, _ = syscall.RawSyscall(unix.SYS_IO_DESTROY, q.context, 0, 0) }

// put makes the request at index one to write memory of so many bytes.
//
//go:nosplit
func (q *queue) put(index int, descriptor, memory, bytes uintptr, offset uint64) {
	q.requests[index] = request{
		command: commandWrite, descriptor: uint32(descriptor),
		buffer: uint64(memory), bytes: uint64(bytes), offset: int64(offset),
	}
}

// run carries out the first count requests and waits for all of them. It returns how many were cut
// short, and the first error; after an error all that was under way has ended, too.
//
//go:nosplit
func (q *queue) run(count int) (short uint64, errno syscall.Errno) {
	submitted, ended := 0, 0
	for submitted < count && errno == 0 {
		n, _, failure := syscall.RawSyscall(unix.SYS_IO_SUBMIT, q.context, uintptr(count-submitted),
			uintptr(unsafe.Pointer(&q.addresses[submitted])))
		switch {
		case failure == 0:
			submitted += int(n)
		case failure == unix.EAGAIN && submitted > ended:
			// The kernel has no room for more at once.
			cut, failed := q.await(submitted - ended)
			ended, short, errno = submitted, short+cut, failed
		case failure != unix.EINTR:
			errno = failure
		}
	}
	cut, failed := q.await(submitted - ended)
	if errno == 0 {
		errno = failed
	}
	return short + cut, errno
}

// await waits for count requests to end.
//
//go:nosplit
func (q *queue) await(count int) (short uint64, errno syscall.Errno) {
	for ended := 0; ended < count; {
		n, _, failure := syscall.RawSyscall6(unix.SYS_IO_GETEVENTS, q.context, uintptr(count-ended),
			uintptr(count-ended), uintptr(unsafe.Pointer(&q.events[0])), 0, 0)
		if failure == unix.EINTR {
			continue
		}
		if failure != 0 {
			return short, failure
		}
		cut, failed := q.judge(int(n))
		short += cut
		if errno == 0 {
			errno = failed
		}
		ended += int(n)
	}
	return short, errno
}

// judge looks at what became of the first count events.
//
//go:nosplit
func (q *queue) judge(count int) (short uint64, errno syscall.Errno) {
	for index := range q.events[:count] {
		result := q.events[index].result
		switch {
		case result < 0 && errno == 0:
			errno = syscall.Errno(-result)
		case result >= 0 && uint64(result) != q.requests[0].bytes:
			short++
		}
	}
	return short, errno
}
