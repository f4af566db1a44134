package futex

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Sleep lets the thread sleep in the kernel for ns nanoseconds, less when a signal comes.
//
//go:nosplit
func Sleep(ns int64) {
	pause := unix.Timespec{Sec: ns / 1e9, Nsec: ns % 1e9}
	_, _, _ = unix.RawSyscall(unix.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&pause)), 0, 0)
}
