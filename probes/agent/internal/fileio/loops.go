package fileio

import (
	"syscall"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/load"
)

const sectorBytes = 512

// Workers are the threads of one random_read or random_write point, and what they hold.
type Workers struct {
	Each []load.Worker
	// Frames are what they read into or write from.
	Frames *Frames

	movers []mover
	opened *opened
}

// Free gives everything back once the threads have ended.
func (w *Workers) Free() {
	w.Frames.Free()
	w.opened.close()
}

// mover is what reading and writing at random have in common.
type mover struct {
	descriptors []uintptr
	blocks      uint64
	length      uintptr
	random      random
	directory   string

	// frames are used in turn, next is the one after this.
	frames [][]byte
	next   int
}

// frame is where the next block goes to or comes from.
//
//go:nosplit
func (m *mover) frame() []byte {
	frame := m.frames[m.next]
	if m.next++; m.next == len(m.frames) {
		m.next = 0
	}
	return frame
}

func (s *Set) newWorkers(pool *Pool, threads, blockBytes int, seed uint64) (*Workers, error) {
	frames, err := pool.TakeForThreads(threads, blockBytes)
	if err != nil {
		return nil, err
	}
	workers := &Workers{Frames: frames, opened: s.openForThreads(threads)}
	for index := range threads {
		workers.movers = append(workers.movers, mover{
			descriptors: workers.opened.of(index),
			blocks:      s.Blocks(blockBytes),
			length:      uintptr(blockBytes),
			random:      seeded(seed, index),
			directory:   s.directory,
			frames:      frames.Of(index, threads),
		})
	}
	return workers, nil
}

// Readers are threads that read blocks at random into memory of pool.
func (s *Set) Readers(pool *Pool, threads, blockBytes int, seed uint64) (*Workers, error) {
	workers, err := s.newWorkers(pool, threads, blockBytes, seed)
	if err != nil {
		return nil, err
	}
	for _, mover := range workers.movers {
		workers.Each = append(workers.Each, &reader{mover: mover})
	}
	return workers, nil
}

// Writers are threads that write blocks at random from memory of pool.
func (s *Set) Writers(pool *Pool, threads, blockBytes int, seed uint64) (*Workers, error) {
	workers, err := s.newWorkers(pool, threads, blockBytes, seed)
	if err != nil {
		return nil, err
	}
	if err := s.Ink(workers.Frames.Each...); err != nil {
		workers.Free()
		return nil, err
	}
	for _, mover := range workers.movers {
		workers.Each = append(workers.Each, &writer{mover: mover})
	}
	return workers, nil
}

// reader is padded: its generator changes with every read, and no other thread's may share its
// cache line.
type reader struct {
	mover
	_ [64]byte
}

// Run reads until time is up. The end of one read is the start of the next: one clock reading
// each. The raw system call keeps Go's scheduler out.
func (r *reader) Run(lane *load.Lane) error {
	length := r.length
	files := uint64(len(r.descriptors))
	begin := lane.Begin()
	for {
		file, block := r.random.place(files, r.blocks)
		n, _, errno := syscall.RawSyscall6(syscall.SYS_PREAD64, r.descriptors[file], Address(r.frame()),
			length, uintptr(block)*length, 0, 0)
		now := clock.Now()
		if n != length {
			if errno == syscall.EINTR {
				continue
			}
			return r.explain("reading", errno)
		}
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
	}
}

type writer struct {
	mover
	_ [64]byte
}

// Run writes until time is up; see reader.Run. Every sector of every write is new, so that a
// drive which looks for duplicates finds none.
func (w *writer) Run(lane *load.Lane) error {
	length := w.length
	files := uint64(len(w.descriptors))
	begin := lane.Begin()
	for {
		file, block := w.random.place(files, w.blocks)
		frame := w.frame()
		w.stamp(frame, uint64(begin))
		n, _, errno := syscall.RawSyscall6(syscall.SYS_PWRITE64, w.descriptors[file], Address(frame),
			length, uintptr(block)*length, 0, 0)
		now := clock.Now()
		if n != length {
			if errno == syscall.EINTR {
				continue
			}
			if errno != 0 {
				return w.explain("writing", errno)
			}
			lane.ShortWrites++
		}
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
	}
}

// stamp changes every sector of a block.
//
//go:nosplit
func (m *mover) stamp(frame []byte, value uint64) { Stamp(frame, value^m.random.next()) }

func (m *mover) explain(doing string, errno syscall.Errno) error {
	switch errno {
	case 0:
		return faults.New(faults.IO, "%s in %s ended early: somebody cut the file", doing, m.directory)
	case unix.EINVAL:
		return faults.New(faults.IO, "%s blocks of %d bytes is refused in %s: its sectors are larger",
			doing, m.length, m.directory)
	default:
		return faults.Storage(m.directory, errno)
	}
}
