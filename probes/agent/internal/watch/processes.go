package watch

import (
	"bytes"
	"fmt"
	"path/filepath"
	"time"
)

// tick is the unit of processor time in /proc, on every platform that Go runs Linux on.
const tick = 10 * time.Millisecond

// openProcesses opens what tells the processor time of each of pids; one that is gone is left out.
func openProcesses(root string, pids []int) []*file {
	var opened []*file
	for _, pid := range pids {
		if stat := openFile(filepath.Join(root, fmt.Sprintf("proc/%d/stat", pid))); stat != nil {
			opened = append(opened, stat)
		}
	}
	return opened
}

// processorTime adds up what the processes took so far; false when none of them is left.
func processorTime(processes []*file) (time.Duration, bool) {
	sum, found := time.Duration(0), false
	for _, process := range processes {
		if took, ok := readProcess(process.read()); ok {
			sum += took
			found = true
		}
	}
	return sum, found
}

// readProcess reads /proc/PID/stat: user and system time are its fields 14 and 15. The second one
// is a name in brackets, which may hold anything.
func readProcess(text []byte) (time.Duration, bool) {
	end := bytes.LastIndexByte(text, ')')
	if end < 0 || end+4 > len(text) {
		return 0, false
	}
	// The field after the bracket is a letter, and a sign is lost: both are no digits.
	var field [12]uint64
	if numbers(text[end+1:], field[:]) < len(field) {
		return 0, false
	}
	return time.Duration(field[10]+field[11]) * tick, true
}
