// Package limits tells how many threads and how much memory this process may still have: Go ends a
// program that can't get them, so it has to be known before.
package limits

import (
	"math"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// spareThreads is what Go's runtime wants beside the threads of a point: some for itself, one for
// each spare processor (8) and each call that waits. On a host so busy that calls are slow, 20 were
// once too few.
const spareThreads = 32

// Threads returns how many threads a point may have: at most wanted, at least 1.
func Threads(wanted int) int {
	room := wanted
	// Threads of earlier points are still there and serve again.
	own := threadsIn("/proc/self/task")
	for _, free := range []func() (int, bool){freeInCgroups, freeForUser} {
		if left, limited := free(); limited {
			room = min(room, own+left-spareThreads)
		}
	}
	return max(1, room)
}

func threadsIn(directory string) int {
	tasks, err := os.ReadDir(directory)
	if err != nil {
		return 0
	}
	return len(tasks)
}

// freeInCgroups is the smallest room among this process's control groups and their parents.
func freeInCgroups() (int, bool) {
	content, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	room, limited := smallest("/sys/fs/cgroup", string(content), "pids", groupThreads)
	return int(room), limited
}

func groupThreads(directory string) (int64, bool) {
	most, ok := number(filepath.Join(directory, "pids.max"))
	if !ok {
		return 0, false
	}
	current, ok := number(filepath.Join(directory, "pids.current"))
	return most - current, ok
}

// freeForUser is what ulimit -u leaves; the kernel does not hold root to it.
func freeForUser() (int, bool) {
	var limit unix.Rlimit
	if os.Getuid() == 0 || unix.Getrlimit(unix.RLIMIT_NPROC, &limit) != nil {
		return 0, false
	}
	if limit.Cur > math.MaxInt32 {
		return 0, false
	}
	return int(limit.Cur) - threadsOf(os.Getuid()), true
}

// threadsOf counts the threads of all processes of a user.
func threadsOf(uid int) int {
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0
	}
	count := 0
	for _, process := range processes {
		var info syscall.Stat_t
		if syscall.Stat(process, &info) != nil || int(info.Uid) != uid {
			continue
		}
		count += threadsIn(filepath.Join(process, "task"))
	}
	return count
}
