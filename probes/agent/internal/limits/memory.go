package limits

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// BytesPerThread is what a thread takes beside its buffers: its stacks, here and in the kernel, and
// what Go's runtime keeps for it (78 KiB were measured, kernel stacks not included).
const BytesPerThread = 112 << 10

// arenaBytes of addresses are what Go's heap grows by. It begins at random in the first such piece, so
// that a program as small as this one may need a second.
const arenaBytes = 64 << 20

// Memory tells how much of so many further bytes this process may not have: 0 when there is room,
// or no limit.
func Memory(bytes int64) (lacking int64) {
	room := int64(math.MaxInt64)
	for _, free := range []func() (int64, bool){freeMemoryInCgroups, freeAddresses} {
		if left, limited := free(); limited {
			room = min(room, left)
		}
	}
	return max(0, bytes-room)
}

// Spare is how much memory this process may take before others miss it, as far as the kernel tells.
func Spare() int64 {
	room := int64(math.MaxInt64)
	for _, free := range []func() (int64, bool){freeMemoryInCgroups, freeAddresses, available} {
		if left, limited := free(); limited {
			room = min(room, left)
		}
	}
	return max(0, room)
}

// available is what the machine has left for whoever asks.
func available() (int64, bool) {
	content, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(content)) {
		if text, found := strings.CutPrefix(line, "MemAvailable:"); found {
			kib, err := strconv.ParseInt(strings.Fields(text)[0], 10, 64)
			return kib << 10, err == nil
		}
	}
	return 0, false
}

// freeAddresses is what ulimit -v leaves beside the next piece of Go's heap.
func freeAddresses() (int64, bool) {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &limit) != nil || limit.Cur > math.MaxInt64/2 {
		return 0, false
	}
	content, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	pages, err := strconv.ParseInt(strings.Fields(string(content))[0], 10, 64)
	return int64(limit.Cur) - pages*int64(os.Getpagesize()) - arenaBytes, err == nil
}

// freeMemoryInCgroups is the smallest room among this process's control groups and their parents.
func freeMemoryInCgroups() (int64, bool) {
	content, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	return smallest("/sys/fs/cgroup", string(content), "memory", groupMemory)
}

// groupMemory is what a group may still take. What it keeps of files can be given up for it.
func groupMemory(directory string) (int64, bool) {
	for _, names := range [][2]string{
		{"memory.max", "memory.current"},
		{"memory.limit_in_bytes", "memory.usage_in_bytes"},
	} {
		most, ok := number(filepath.Join(directory, names[0]))
		if !ok {
			continue
		}
		current, ok := number(filepath.Join(directory, names[1]))
		return most - current + filePages(directory), ok
	}
	return 0, false
}

func filePages(directory string) int64 {
	content, err := os.ReadFile(filepath.Join(directory, "memory.stat"))
	if err != nil {
		return 0
	}
	bytes := int64(0)
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "inactive_file" || name == "active_file" {
			count, _ := strconv.ParseInt(value, 10, 64)
			bytes += count
		}
	}
	return bytes
}
