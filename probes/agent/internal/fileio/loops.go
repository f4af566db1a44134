package fileio

import (
	"encoding/binary"
	"syscall"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/load"
)

const sectorBytes = 512

// Workers are the threads of one random_read or random_write point, and their memory.
type Workers struct {
	Each   []load.Worker
	memory Buffer
}

// Free gives the memory back once the threads have ended.
func (w *Workers) Free() { w.memory.Free() }

// mover is what reading and writing at random have in common.
type mover struct {
	descriptors []uintptr
	blocks      uint64
	block       []byte
	address     uintptr
	random      random
	directory   string
}

func (s *Set) movers(threads, blockBytes int, seed uint64) ([]mover, Buffer, error) {
	memory, err := NewBuffer(threads * blockBytes)
	if err != nil {
		return nil, nil, err
	}
	descriptors := make([]uintptr, len(s.descriptors))
	for index, fd := range s.descriptors {
		descriptors[index] = uintptr(fd)
	}
	movers := make([]mover, threads)
	for index := range movers {
		begin := index * blockBytes
		movers[index] = mover{
			descriptors: descriptors,
			blocks:      uint64(s.bytesPerFile) / uint64(blockBytes),
			block:       memory[begin : begin+blockBytes],
			address:     memory.Address(begin),
			random:      seeded(seed, index),
			directory:   s.directory,
		}
	}
	return movers, memory, nil
}

// Readers are threads that read blocks at random.
func (s *Set) Readers(threads, blockBytes int, seed uint64) (*Workers, error) {
	movers, memory, err := s.movers(threads, blockBytes, seed)
	if err != nil {
		return nil, err
	}
	workers := &Workers{memory: memory}
	for index := range movers {
		workers.Each = append(workers.Each, &reader{movers[index]})
	}
	return workers, nil
}

// Writers are threads that write blocks at random.
func (s *Set) Writers(threads, blockBytes int, seed uint64) (*Workers, error) {
	movers, memory, err := s.movers(threads, blockBytes, seed)
	if err != nil {
		return nil, err
	}
	noise, err := newNoise()
	if err != nil {
		memory.Free()
		return nil, err
	}
	noise.fill(memory)
	workers := &Workers{memory: memory}
	for index := range movers {
		workers.Each = append(workers.Each, &writer{movers[index]})
	}
	return workers, nil
}

type reader struct{ mover }

// Run reads until time is up. The end of one read is the start of the next: one clock reading
// each. The raw system call keeps Go's scheduler out.
func (r *reader) Run(lane *load.Lane) error {
	length := uintptr(len(r.block))
	files := uint64(len(r.descriptors))
	begin := clock.Now()
	for {
		file, block := r.random.place(files, r.blocks)
		n, _, errno := syscall.RawSyscall6(syscall.SYS_PREAD64, r.descriptors[file], r.address,
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

type writer struct{ mover }

// Run writes until time is up; see reader.Run. Every sector of every write is new, so that a
// drive which looks for duplicates finds none.
func (w *writer) Run(lane *load.Lane) error {
	length := uintptr(len(w.block))
	files := uint64(len(w.descriptors))
	begin := clock.Now()
	for {
		file, block := w.random.place(files, w.blocks)
		w.stamp(uint64(begin))
		n, _, errno := syscall.RawSyscall6(syscall.SYS_PWRITE64, w.descriptors[file], w.address,
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

// stamp changes every sector of the block.
func (m *mover) stamp(value uint64) {
	value ^= m.random.next()
	for sector := 0; sector+sectorBytes <= len(m.block); sector += sectorBytes {
		binary.LittleEndian.PutUint64(m.block[sector:], value+uint64(sector))
	}
}

func (m *mover) explain(doing string, errno syscall.Errno) error {
	switch errno {
	case 0:
		return faults.New(faults.IO, "%s in %s ended early: somebody cut the file", doing, m.directory)
	case unix.EINVAL:
		return faults.New(faults.IO, "%s blocks of %d bytes is refused in %s: its sectors are larger",
			doing, len(m.block), m.directory)
	default:
		return faults.Storage(m.directory, errno)
	}
}
