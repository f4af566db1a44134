package watch

import (
	"bytes"
	"fmt"
	"path/filepath"
	"time"
)

// tick is the unit of processor time in /proc, on every platform that Go runs Linux on.
const tick = 10 * time.Millisecond

// openProcesses opens a file of /proc of each of pids; one that is gone, or that this account may not
// read, is left out.
func openProcesses(root string, pids []int, name string) []*file {
	var opened []*file
	for _, pid := range pids {
		if found := openFile(filepath.Join(root, fmt.Sprintf("proc/%d/%s", pid, name))); found != nil {
			opened = append(opened, found)
		}
	}
	return opened
}

// transfer is what processes had storage do since they began, in bytes. Reads that the page cache
// answers are not in it; buffered writes count when the page becomes dirty.
type transfer struct{ read, written uint64 }

func (t transfer) minus(earlier transfer) transfer {
	return transfer{since(t.read, earlier.read), since(t.written, earlier.written)}
}

// transferred adds up what the processes did; false when one of wanted can't be decided: the others
// alone would leave its work to strangers.
func transferred(files []*file, wanted int) (transfer, bool) {
	var sum transfer
	for _, file := range files {
		one, ok := readTransfer(file.read())
		if !ok {
			return transfer{}, false
		}
		sum.read += one.read
		sum.written += one.written
	}
	return sum, wanted > 0 && len(files) == wanted
}

// readTransfer reads /proc/PID/io.
func readTransfer(text []byte) (transfer, bool) {
	read, hasRead := counter(text, "\nread_bytes:")
	written, hasWritten := counter(text, "\nwrite_bytes:")
	return transfer{read, written}, hasRead && hasWritten
}

// counter is the number behind a name.
func counter(text []byte, name string) (uint64, bool) {
	_, rest, found := bytes.Cut(text, []byte(name))
	if !found {
		return 0, false
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	var field [1]uint64
	ok := numbers(line, field[:]) == 1
	return field[0], ok
}

// processorTime adds up what the processes took so far; false when none of them is left.
func processorTime(processes []*file) (time.Duration, bool) {
	sum, found := time.Duration(0), false
	for _, one := range processes {
		if seen, ok := readProcess(one.read()); ok {
			sum += seen.user + seen.system
			found = true
		}
	}
	return sum, found
}

// process is what /proc/PID/stat tells of one.
type process struct {
	user, system time.Duration
	threads      uint64
}

// readProcess reads /proc/PID/stat: user and system time are its fields 14 and 15, and the threads
// field 20. The second one is a name in brackets, which may hold anything.
func readProcess(text []byte) (process, bool) {
	end := bytes.LastIndexByte(text, ')')
	if end < 0 || end+4 > len(text) {
		return process{}, false
	}
	// The field after the bracket is a letter, and a sign is lost: both are no digits.
	var field [17]uint64
	if numbers(text[end+1:], field[:]) < len(field) {
		return process{}, false
	}
	return process{time.Duration(field[10]) * tick, time.Duration(field[11]) * tick, field[16]}, true
}
