package trial

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// room is what the machine has left, in bytes; 0 where that is not known.
type room struct {
	Memory    float64 `json:"memory_bytes"`
	Available float64 `json:"available_bytes"`
	// Volume and Free are of the directory whose volume has the least left.
	Volume float64 `json:"volume_bytes"`
	Free   float64 `json:"free_bytes"`
	// swapped is what went to swap since the machine's start.
	swapped float64
}

// room looks at the machine once.
func (g *guard) room() room {
	memory := fields("/proc/meminfo")
	seen := room{
		Memory:    1024 * memory["MemTotal:"],
		Available: 1024 * memory["MemAvailable:"],
		swapped:   float64(os.Getpagesize()) * fields("/proc/vmstat")["pswpout"],
	}
	for _, each := range g.directories {
		var system unix.Statfs_t
		if unix.Statfs(each, &system) != nil {
			continue
		}
		free := float64(system.Bavail) * float64(system.Bsize)
		if seen.Volume == 0 || free < seen.Free {
			seen.Volume, seen.Free = float64(system.Blocks)*float64(system.Bsize), free
		}
	}
	return seen
}

// fields reads lines of a name and a number.
func fields(path string) map[string]float64 {
	found := map[string]float64{}
	content, err := os.ReadFile(path)
	if err != nil {
		return found
	}
	for line := range strings.Lines(string(content)) {
		if words := strings.Fields(line); len(words) >= 2 {
			found[words[0]], _ = strconv.ParseFloat(words[1], 64)
		}
	}
	return found
}
