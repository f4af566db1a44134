package load

import (
	"math"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// From linux/futex.h: wait and wake within one process.
const (
	futexWaitPrivate = 0 | 128
	futexWakePrivate = 1 | 128
)

// gate holds threads back until all are there. They wait in the kernel and keep their processor:
// waiting in Go's way would move each to another thread and back, and take twice as many.
type gate struct{ state atomic.Uint32 }

//go:nosplit
func (g *gate) address() uintptr { return uintptr(unsafe.Pointer(&g.state)) }

//go:nosplit
func (g *gate) wait() {
	for g.state.Load() == 0 {
		_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, g.address(), futexWaitPrivate, 0, 0, 0, 0)
	}
}

func (g *gate) open() {
	g.state.Store(1)
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, g.address(), futexWakePrivate, math.MaxInt32, 0, 0, 0)
}
