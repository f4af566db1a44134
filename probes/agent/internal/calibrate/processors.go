package calibrate

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// processors is how many this process may use: those that it may run on, or fewer where a control
// group grants less time. A part of one counts as one.
func processors(root string) int {
	usable := runtime.NumCPU()
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) == nil {
		usable = set.Count()
	}
	membership, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	granted := quota(filepath.Join(root, "sys/fs/cgroup"), string(membership))
	return max(1, min(usable, int(math.Ceil(min(granted, float64(usable))))))
}

// quota is the smallest share of processors among the control groups of membership and those above
// them; infinite when there is none.
func quota(root, membership string) float64 {
	smallest := math.Inf(1)
	for line := range strings.Lines(membership) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		for group := fields[2]; ; group = filepath.Dir(group) {
			smallest = min(smallest, groupQuota(filepath.Join(root, fields[1], group)))
			if group == "/" || group == "." {
				break
			}
		}
	}
	return smallest
}

// groupQuota knows both versions of control groups: cpu.max, and two files of microseconds.
func groupQuota(directory string) float64 {
	text, err := os.ReadFile(filepath.Join(directory, "cpu.max"))
	if err != nil {
		granted, _ := os.ReadFile(filepath.Join(directory, "cpu.cfs_quota_us"))
		period, _ := os.ReadFile(filepath.Join(directory, "cpu.cfs_period_us"))
		text = append(append(granted, ' '), period...)
	}
	words := strings.Fields(string(text))
	if len(words) != 2 {
		return math.Inf(1)
	}
	granted, errGranted := strconv.ParseFloat(words[0], 64)
	period, errPeriod := strconv.ParseFloat(words[1], 64)
	if errGranted != nil || errPeriod != nil || granted <= 0 || period <= 0 {
		return math.Inf(1)
	}
	return granted / period
}
