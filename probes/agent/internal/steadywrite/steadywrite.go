// Package steadywrite writes on and on in order, until a drive's caches and credits are used up.
package steadywrite

import (
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/fileio"
	"leadline/agent/internal/load"
)

// Writers are the threads of one steady_write point, and what they hold.
type Writers struct {
	Each   []load.Worker
	Frames *fileio.Frames
}

// limit is how many bytes all threads may write; 0 is no limit.
type limit struct {
	bytes   int64
	written atomic.Int64
}

// take asks for so many bytes; false when there are too few left.
//
//go:nosplit
func (l *limit) take(bytes int64) bool {
	return l.bytes == 0 || l.written.Add(bytes) <= l.bytes
}

// Open prepares threads that write blocks from memory of pool to their shares of set; all together
// write at most byteLimit bytes, 0 is no limit.
func Open(set *fileio.Set, pool *fileio.Pool, threads, blockBytes int, byteLimit int64, seed uint64) (*Writers, error) {
	frames, err := pool.Take(threads, blockBytes)
	if err != nil {
		return nil, err
	}
	if err := set.Ink(frames.Each...); err != nil {
		frames.Free()
		return nil, err
	}
	opened := &Writers{Frames: frames}
	shared := &limit{bytes: byteLimit}
	descriptors, perFile := set.Descriptors(), set.Blocks(blockBytes)
	all := perFile * uint64(len(descriptors))
	for index := range threads {
		opened.Each = append(opened.Each, &writer{
			descriptors: descriptors,
			perFile:     perFile,
			first:       all * uint64(index) / uint64(threads),
			end:         all * uint64(index+1) / uint64(threads),
			block:       frames.Each[index],
			address:     fileio.Address(frames.Each[index]),
			numbers:     set.Places(blockBytes, seed, index),
			limit:       shared,
			directory:   set.Directory(),
		})
	}
	return opened, nil
}

// Close gives the memory back once the threads have ended.
func (w *Writers) Close() { w.Frames.Free() }

// writer has the blocks from first up to end to itself, over all files of the set.
type writer struct {
	descriptors []uintptr
	perFile     uint64
	first, end  uint64
	block       []byte
	address     uintptr
	numbers     fileio.Places
	limit       *limit
	directory   string
	_           [64]byte
}

// Run writes its share round and round, until time is up or the bytes are used up. Every sector of
// every write is new.
func (w *writer) Run(lane *load.Lane) error {
	length := uintptr(len(w.block))
	at := w.first
	begin := lane.Begin()
	for w.limit.take(int64(length)) {
		fileio.Stamp(w.block, w.numbers.Number())
		n, errno := w.write(at)
		for errno == unix.EINTR {
			n, errno = w.write(at)
		}
		now := clock.Now()
		if errno == unix.EINVAL {
			return faults.New(faults.IO, "writing blocks of %d bytes is refused in %s", len(w.block), w.directory)
		}
		if errno != 0 {
			return faults.Storage(w.directory, errno)
		}
		if n != length {
			lane.ShortWrites++
		}
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
		if at++; at == w.end {
			at = w.first
		}
	}
	return nil
}

//go:nosplit
func (w *writer) write(block uint64) (n uintptr, errno syscall.Errno) {
	length := uintptr(len(w.block))
	n, _, errno = syscall.RawSyscall6(unix.SYS_PWRITE64, w.descriptors[block/w.perFile], w.address,
		length, uintptr(block%w.perFile)*length, 0, 0)
	return n, errno
}
