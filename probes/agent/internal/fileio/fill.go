package fileio

import (
	"io"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/plan"
)

const (
	chunkBytes    = 1 << 20
	chunkThreads  = 2
	progressEvery = 200 * time.Millisecond
)

// chunk does something with a piece of a file: memory is as long as the piece.
type chunk func(fd int, memory []byte, offset int64) error

func (s *Set) totalBytes() int64 { return int64(len(s.descriptors)) * s.bytesPerFile }

// fill writes everywhere and makes it durable.
func (s *Set) fill(progress Progress) error {
	err := s.everywhere(events.Filling, progress, func() (chunk, error) {
		if s.content == plan.Zeros {
			return writeFully, nil
		}
		noise, err := newNoise()
		if err != nil {
			return nil, err
		}
		return func(fd int, memory []byte, offset int64) error {
			noise.fill(memory)
			return writeFully(fd, memory, offset)
		}, nil
	})
	if err != nil {
		return err
	}
	for _, fd := range s.descriptors {
		if err := unix.Fsync(fd); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) readAll(progress Progress) error {
	return s.everywhere(events.Reading, progress, func() (chunk, error) { return readFully, nil })
}

// everywhere lets a few threads do the same to every chunk of every file.
func (s *Set) everywhere(stage string, progress Progress, newChunk func() (chunk, error)) error {
	var next, done atomic.Int64
	var threads sync.WaitGroup
	failures := make(chan error, chunkThreads)
	for range chunkThreads {
		threads.Go(func() {
			do, err := newChunk()
			if err == nil {
				err = s.chunks(&next, &done, do)
			}
			if err != nil {
				failures <- err
			}
		})
	}
	finished := make(chan struct{})
	go func() {
		threads.Wait()
		close(finished)
	}()
	s.report(stage, progress, &done, finished)
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}

// chunks takes one chunk after the other, in step with the other threads, until none is left.
func (s *Set) chunks(next, done *atomic.Int64, do chunk) error {
	memory, err := NewBuffer(chunkBytes)
	if err != nil {
		return err
	}
	defer memory.Free()
	perFile := (s.bytesPerFile + chunkBytes - 1) / chunkBytes
	for {
		number := next.Add(1) - 1
		if number >= perFile*int64(len(s.descriptors)) {
			return nil
		}
		offset := number % perFile * chunkBytes
		length := min(chunkBytes, s.bytesPerFile-offset)
		begin := clock.Now()
		if err := do(s.descriptors[number/perFile], memory[:length], offset); err != nil {
			return err
		}
		done.Add(length)
		s.rest(time.Duration(clock.Now() - begin))
	}
}

// report tells the progress until all is finished, and then once more.
func (s *Set) report(stage string, progress Progress, done *atomic.Int64, finished <-chan struct{}) {
	ticker := time.NewTicker(progressEvery)
	defer ticker.Stop()
	for {
		progress(stage, done.Load(), s.totalBytes())
		select {
		case <-ticker.C:
		case <-finished:
			progress(stage, done.Load(), s.totalBytes())
			return
		}
	}
}

func writeFully(fd int, memory []byte, offset int64) error {
	for len(memory) > 0 {
		n, err := unix.Pwrite(fd, memory, offset)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		memory, offset = memory[n:], offset+int64(n)
	}
	return nil
}

func readFully(fd int, memory []byte, offset int64) error {
	for len(memory) > 0 {
		n, err := unix.Pread(fd, memory, offset)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrUnexpectedEOF
		}
		memory, offset = memory[n:], offset+int64(n)
	}
	return nil
}
