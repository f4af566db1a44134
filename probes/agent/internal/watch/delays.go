package watch

import (
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// depth is how many threads a look asks.
type depth int

const (
	// someThreads bounds what a look costs: a thread takes some 5 us.
	someThreads depth = 256
	// everyThread is for the first and the last moment.
	everyThread depth = 1 << 30
)

// runDelays adds up how long a process's threads were ready and had no processor. The kernel keeps that
// by thread alone, and forgets it when one ends.
type runDelays struct {
	tasks  *os.File
	latest map[int]uint64
	// left are the threads that this round has still to ask.
	left    []int
	total   uint64
	rounds  int
	scratch [64]byte
}

// openRunDelays is nil where the kernel does not keep them.
func openRunDelays(folder string) *runDelays {
	main := openFile(filepath.Join(folder, "schedstat"))
	defer main.close()
	var field [3]uint64
	// Whatever runs has been given a processor at least once.
	if numbers(main.read(), field[:]) < len(field) || field[2] == 0 {
		return nil
	}
	tasks, err := os.Open(filepath.Join(folder, "task"))
	if err != nil {
		return nil
	}
	return &runDelays{tasks: tasks, latest: map[int]uint64{}}
}

// look returns the nanoseconds since the first look. A thread that began later counts in full; one that
// is not asked this time will be in one of the next.
func (r *runDelays) look(most depth) uint64 {
	if len(r.left) == 0 || most == everyThread {
		r.list()
	}
	for asked := depth(0); asked < most && len(r.left) > 0; asked++ {
		thread := r.left[0]
		r.left = r.left[1:]
		now, ok := r.ask(thread)
		if !ok {
			continue
		}
		before, known := r.latest[thread]
		switch {
		case known && now >= before:
			r.total += now - before
		case r.rounds > 1:
			r.total += now
		}
		r.latest[thread] = now
	}
	return r.total
}

// list begins a round, and forgets the threads that have ended.
func (r *runDelays) list() {
	r.rounds++
	r.left = r.left[:0]
	if _, err := r.tasks.Seek(0, 0); err != nil {
		return
	}
	names, err := r.tasks.Readdirnames(-1)
	if err != nil {
		return
	}
	kept := make(map[int]uint64, len(names))
	for _, name := range names {
		thread, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		r.left = append(r.left, thread)
		if before, known := r.latest[thread]; known {
			kept[thread] = before
		}
	}
	r.latest = kept
}

func (r *runDelays) ask(thread int) (uint64, bool) {
	fd, err := unix.Openat(int(r.tasks.Fd()), strconv.Itoa(thread)+"/schedstat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, false
	}
	n, err := unix.Read(fd, r.scratch[:])
	_ = unix.Close(fd)
	var field [2]uint64
	if err != nil || numbers(r.scratch[:max(0, n)], field[:]) < len(field) {
		return 0, false
	}
	return field[1], true
}

func (r *runDelays) close() {
	if r != nil {
		_ = r.tasks.Close()
	}
}
