package watch

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

const (
	// mostOthers are named; what the rest took stands in one figure.
	mostOthers = 32
	// kernelThread is PF_KTHREAD of the kernel's linux/sched.h.
	kernelThread = 0x00200000
)

// otherState is what a process beside the server took of the processors while it was watched.
type otherState struct {
	PID  int     `json:"pid"`
	Name string  `json:"name"`
	CPU  float64 `json:"cpu_s"`
}

// othersReport is what all processes but the server's took: those of users that took the most, all
// others of them together, and the kernel's threads. What ended meanwhile is its parent's.
type othersReport struct {
	Processes []otherState `json:"processes"`
	Rest      float64      `json:"rest_s"`
	Kernel    float64      `json:"kernel_s"`
	Own       float64      `json:"own_s"`
}

// taken is what a process took since it began, its children that ended included; a number that
// another process has by then began at another time.
type taken struct {
	began  uint64
	time   time.Duration
	name   string
	kernel bool
	parent int
}

func (t taken) goesOnIn(later map[int]taken, pid int) bool {
	same, known := later[pid]
	return known && same.began == t.began
}

// takenByAll asks every process that this account may see.
func takenByAll(root string) map[int]taken {
	folders, err := os.ReadDir(filepath.Join(root, "proc"))
	if err != nil {
		return nil
	}
	found := map[int]taken{}
	for _, folder := range folders {
		pid, err := strconv.Atoi(folder.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, "proc", folder.Name(), "stat"))
		if err != nil {
			continue
		}
		if one, ok := readTaken(text); ok {
			found[pid] = one
		}
	}
	return found
}

// readTaken reads /proc/PID/stat: the parent is its field 4, the flags are field 9, the beginning 22.
func readTaken(text []byte) (taken, bool) {
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return taken{}, false
	}
	var field [19]uint64
	if numbers(text[end+1:], field[:]) < len(field) {
		return taken{}, false
	}
	// Its own user and system time, and that of the children that it waited for.
	took := time.Duration(field[10]+field[11]+field[12]+field[13]) * tick
	return taken{
		began:  field[18],
		time:   took,
		name:   string(text[open+1 : end]),
		kernel: field[5]&kernelThread != 0,
		parent: int(field[0]),
	}, true
}

// ownProcesses are the agent's and whoever started it, sudo's starter too: they end with the watch.
func ownProcesses(all map[int]taken) []int {
	own := []int{os.Getpid(), os.Getppid()}
	if starter := all[os.Getppid()]; starter.name == "sudo" {
		own = append(own, starter.parent)
	}
	return own
}

// knownBefore is what was seen at the first look of what each later process counts: its own, and that
// of children which ended in between.
func knownBefore(before, after map[int]taken) map[int]time.Duration {
	known := map[int]time.Duration{}
	for pid, one := range before {
		known[heir(pid, before, after)] += one.time
	}
	return known
}

// heir is the process itself where it goes on, else the nearest above it that does; 0 where none does.
func heir(pid int, before, after map[int]taken) int {
	// A number that another process got between two looks may lead in a circle.
	for range before {
		one, known := before[pid]
		if !known {
			break
		}
		if one.goesOnIn(after, pid) {
			return pid
		}
		pid = one.parent
	}
	return 0
}

// othersBetween is what all took from one look to a later one, but the server.
func othersBetween(before, after map[int]taken, server int, own []int) *othersReport {
	report := &othersReport{Processes: []otherState{}}
	known := knownBefore(before, after)
	for pid, one := range after {
		took := one.time - known[pid]
		seconds := rounded(took.Seconds())
		switch {
		case pid == server || seconds <= 0:
		case slices.Contains(own, pid):
			report.Own += seconds
		case one.kernel:
			report.Kernel += seconds
		default:
			report.Processes = append(report.Processes, otherState{pid, one.name, seconds})
		}
	}
	slices.SortFunc(report.Processes, func(a, b otherState) int {
		return cmp.Or(cmp.Compare(b.CPU, a.CPU), cmp.Compare(a.PID, b.PID))
	})
	for len(report.Processes) > mostOthers {
		last := len(report.Processes) - 1
		report.Rest += report.Processes[last].CPU
		report.Processes = report.Processes[:last]
	}
	report.Kernel, report.Rest, report.Own = rounded(report.Kernel), rounded(report.Rest), rounded(report.Own)
	return report
}
