// Package ioprio lets the kernel serve this process's I/O after that of others.
package ioprio

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/inventory"
	"leadline/agent/internal/plan"
)

// From linux/ioprio.h.
const (
	whoThread       = 1
	classShift      = 13
	classBestEffort = 2
	classIdle       = 3
	lowest          = 7
)

// Set gives every thread of this process the plan's priority ("" leaves them as they are). Threads
// that start later inherit it from those that start them.
func Set(priority string) error {
	value := classIdle << classShift
	switch priority {
	case "":
		return nil
	case plan.PriorityLow:
		value = classBestEffort<<classShift | lowest
	}
	// While the list is read a thread may start another one, which the next round catches.
	seen := map[int]bool{}
	for known := -1; len(seen) > known; {
		known = len(seen)
		if err := setAll(value, seen); err != nil {
			return fmt.Errorf("the kernel refuses the I/O priority %s: %w", priority, err)
		}
	}
	return nil
}

// setAll adds the threads that there are to seen.
func setAll(value int, seen map[int]bool) error {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, task := range tasks {
		number, err := strconv.Atoi(task.Name())
		if err != nil {
			continue
		}
		_, _, errno := unix.Syscall(unix.SYS_IOPRIO_SET, whoThread, uintptr(number), uintptr(value))
		if errno != 0 && errno != unix.ESRCH {
			return errno
		}
		seen[number] = true
	}
	return nil
}

var chosenScheduler = regexp.MustCompile(`\[([^\]]+)\]`)

// heeding are the I/O schedulers that know priorities (mq-deadline since Linux 5.14); of an unknown
// one nothing is said.
var heeding = map[string]bool{"": true, "bfq": true, "mq-deadline": true, "cfq": true}

// Ignored names the disks below directories whose I/O scheduler does not look at priorities, each
// with that scheduler.
func Ignored(root string, directories []string) []string {
	var ignored []string
	seen := map[string]bool{}
	for _, directory := range directories {
		for _, disk := range inventory.DisksBelow(root, directory) {
			if seen[disk.Number] {
				continue
			}
			seen[disk.Number] = true
			if scheduler := schedulerOf(filepath.Join(root, "sys/dev/block", disk.Number)); !heeding[scheduler] {
				ignored = append(ignored, fmt.Sprintf("%s (%s)", disk.Name, scheduler))
			}
		}
	}
	return ignored
}

// schedulerOf is empty where a device leaves scheduling to those below it, or does not tell.
func schedulerOf(folder string) string {
	if below, err := filepath.Glob(filepath.Join(folder, "slaves/*")); err == nil && len(below) > 0 {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(folder, "queue/scheduler"))
	if err != nil {
		return ""
	}
	return chosen(string(text))
}

// chosen is the word in brackets of a list of choices.
func chosen(text string) string {
	if match := chosenScheduler.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return strings.TrimSpace(text)
}
