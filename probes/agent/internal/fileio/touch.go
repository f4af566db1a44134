package fileio

import (
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

// tourKey tells orders apart: a set has one for each seed and size of block.
type tourKey struct {
	seed       uint64
	blockBytes int
}

// tour is a way through all blocks of a set, in a fixed order, from where next is up to end. All
// threads take from one tour, so that they end together.
type tour struct {
	order order
	next  *atomic.Uint64
	end   uint64
}

// tour begins where an earlier first touch stopped. The second touch begins at the start and ends
// where the first one stopped, so that it meets no block for the first time; without a first
// touch it goes through all blocks.
func (s *Set) tour(touch string, blockBytes int, seed uint64) (*tour, error) {
	blocks := s.Blocks(blockBytes) * uint64(len(s.descriptors))
	key := tourKey{seed, blockBytes}
	first, ok := s.tours[key]
	made := &tour{order: newOrder(seed, blocks), next: &atomic.Uint64{}, end: blocks}
	switch {
	case touch == plan.TouchAgain && ok:
		made.end = min(first.Load(), blocks)
	case touch == plan.TouchFirst && !ok:
		s.tours[key] = made.next
	case touch == plan.TouchFirst:
		made.next = first
	}
	if made.next.Load() >= made.end {
		return nil, faults.New(faults.BadPlan, "every block of %d bytes in %s was visited before", blockBytes, s.directory)
	}
	return made, nil
}

// Visitors are threads that read, or write, each block at most once.
func (s *Set) Visitors(touch string, writing bool, pool *Pool, threads, blockBytes int, seed uint64) (*Workers, error) {
	way, err := s.tour(touch, blockBytes, seed)
	if err != nil {
		return nil, err
	}
	workers, err := s.newWorkers(pool, threads, blockBytes, seed)
	if err != nil {
		return nil, err
	}
	var call uintptr = unix.SYS_PREAD64
	if writing {
		call = unix.SYS_PWRITE64
		if err := s.Ink(workers.Frames.Each...); err != nil {
			workers.Free()
			return nil, err
		}
	}
	for _, mover := range workers.movers {
		workers.Each = append(workers.Each, &visitor{mover: mover, tour: way, call: call})
	}
	return workers, nil
}

type visitor struct {
	mover
	tour *tour
	call uintptr
	_    [64]byte
}

// Run visits blocks until all were visited or time is up; see reader.Run.
func (v *visitor) Run(lane *load.Lane) error {
	length := v.length
	begin := lane.Begin()
	for position := v.tour.next.Add(1) - 1; position < v.tour.end; position = v.tour.next.Add(1) - 1 {
		n, errno := v.visit(v.tour.order.at(position))
		for errno == unix.EINTR {
			n, errno = v.visit(v.tour.order.at(position))
		}
		now := clock.Now()
		if n != length {
			if errno != 0 || v.call == unix.SYS_PREAD64 {
				return v.explain("visiting blocks", errno)
			}
			lane.ShortWrites++
		}
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
	}
	return nil
}

//go:nosplit
func (v *visitor) visit(number uint64) (n uintptr, errno syscall.Errno) {
	frame := v.frame()
	if v.call == unix.SYS_PWRITE64 {
		v.stamp(frame, number)
	}
	n, _, errno = syscall.RawSyscall6(v.call, v.descriptors[number/v.blocks], Address(frame),
		v.length, uintptr(number%v.blocks)*v.length, 0, 0)
	return n, errno
}
