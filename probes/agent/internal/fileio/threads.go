package fileio

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// mostOpened bounds the descriptors that threads open for themselves.
const mostOpened = 2048

// opened are the descriptors that threads use: each its own, or all the same ones.
type opened struct {
	perThread [][]uintptr
	own       []int
}

// openForThreads opens all files once more for each thread. The kernel counts the users of an
// open file with every call; at a million calls a second threads that share one hold each other
// up. Where there would be too many descriptors, threads share after all.
func (s *Set) openForThreads(threads int) *opened {
	shared := make([]uintptr, len(s.descriptors))
	for index, fd := range s.descriptors {
		shared[index] = uintptr(fd)
	}
	all := &opened{perThread: [][]uintptr{shared}}
	if threads < 2 || threads*len(s.descriptors) > mostOpened {
		return all
	}
	for range threads - 1 {
		descriptors := make([]uintptr, len(s.descriptors))
		for index, fd := range s.descriptors {
			again, err := reopen(fd)
			if err != nil {
				all.close()
				return &opened{perThread: [][]uintptr{shared}}
			}
			all.own = append(all.own, again)
			descriptors[index] = uintptr(again)
		}
		all.perThread = append(all.perThread, descriptors)
	}
	return all
}

// reopen leads to the same file, name or not, with a state of its own.
func reopen(fd int) (int, error) {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil {
		return -1, err
	}
	flags = flags&(unix.O_ACCMODE|unix.O_DIRECT) | unix.O_CLOEXEC
	return unix.Open(fmt.Sprintf("/proc/self/fd/%d", fd), flags, 0)
}

func (o *opened) of(thread int) []uintptr {
	if len(o.perThread) == 1 {
		return o.perThread[0]
	}
	return o.perThread[thread]
}

func (o *opened) close() {
	for _, fd := range o.own {
		_ = unix.Close(fd)
	}
	o.own = nil
}
