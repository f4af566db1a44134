package watch

import (
	"bytes"
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

// flushers are how the names of MySQL's threads begin that write pages: those that choose them, and those
// that see their writes through. Other servers give their threads no such names.
var flushers = [][]byte{[]byte("ib_pg_flush"), []byte("ib_io_wr")}

// threadTimes are a thread's nanoseconds on a processor and ready for one.
type threadTimes struct {
	ran, waited uint64
	flushes     bool
}

// runDelays adds up how long a process's threads were ready and had no processor, and how long those that
// flush pages had one. The kernel keeps that by thread alone, and forgets it when one ends.
type runDelays struct {
	tasks  *os.File
	latest map[int]threadTimes
	// left are the threads that this round has still to ask.
	left           []int
	total, flushed uint64
	named          bool
	rounds         int
	scratch        [64]byte
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
	return &runDelays{tasks: tasks, latest: map[int]threadTimes{}}
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
		if now.flushes = before.flushes; !known {
			now.flushes = r.flushes(thread)
			r.named = r.named || now.flushes
		}
		r.total += r.since(known, before.waited, now.waited)
		if now.flushes {
			r.flushed += r.since(known, before.ran, now.ran)
		}
		r.latest[thread] = now
	}
	return r.total
}

// since is by how much a thread's time grew; another thread may have its number now.
func (r *runDelays) since(known bool, before, now uint64) uint64 {
	switch {
	case known && now >= before:
		return now - before
	case r.rounds > 1:
		return now
	}
	return 0
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
	kept := make(map[int]threadTimes, len(names))
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

func (r *runDelays) ask(thread int) (times threadTimes, ok bool) {
	var field [2]uint64
	if numbers(r.read(thread, "schedstat"), field[:]) < len(field) {
		return threadTimes{}, false
	}
	return threadTimes{ran: field[0], waited: field[1]}, true
}

// flushes tells a thread by its name.
func (r *runDelays) flushes(thread int) bool {
	name := r.read(thread, "comm")
	for _, begins := range flushers {
		if bytes.HasPrefix(name, begins) {
			return true
		}
	}
	return false
}

// read is what one of a thread's files says, until the next; nothing once it has ended.
func (r *runDelays) read(thread int, name string) []byte {
	fd, err := unix.Openat(int(r.tasks.Fd()), strconv.Itoa(thread)+"/"+name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	n, err := unix.Read(fd, r.scratch[:])
	_ = unix.Close(fd)
	if err != nil {
		return nil
	}
	return r.scratch[:max(0, n)]
}

func (r *runDelays) close() {
	if r != nil {
		_ = r.tasks.Close()
	}
}
