// Package futex lets threads wait for one another in the kernel. They keep their processor: waiting
// in Go's way would move each to another thread and back.
package futex

import (
	"math"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// From linux/futex.h: wait and wake within one process.
const (
	waitPrivate = 0 | 128
	wakePrivate = 1 | 128
)

// All wakes everybody.
const All = math.MaxInt32

// Wait returns once somebody wakes those who wait for word, at once where it is no longer seen, and
// now and then for no reason: the caller looks again.
//
//go:nosplit
func Wait(word *atomic.Uint32, seen uint32) {
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), waitPrivate, uintptr(seen), 0, 0, 0)
}

// Wake wakes up to count of those who wait for word.
//
//go:nosplit
func Wake(word *atomic.Uint32, count int) {
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), wakePrivate, uintptr(count), 0, 0, 0)
}
