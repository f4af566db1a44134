package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

func TestSamplesTellOfTheHost(t *testing.T) {
	directory := onDisk(t)
	measuring := start(t, "probe")
	plan := filesPlan(directory, point("r", "random_read", 4, 0.6))
	plan["watch"] = object{"pids": []int{os.Getpid()}}
	measuring.say(plan)
	events := measuring.until("done")
	samples := of("sample", events)
	if len(samples) == 0 {
		t.Fatal("no samples")
	}
	for _, sample := range samples {
		host, ok := sample["host"].(map[string]any)
		if !ok || host["device"] == "" || host["reads_per_s"] == nil || host["own_cpu"] == nil || host["server_cpu"] == nil {
			t.Errorf("the sample was %v", sample)
		}
	}
	details := of("point", events)[0]["details"].(map[string]any)
	device, issued := details["device"].(map[string]any), details["issued"].(map[string]any)
	// Others may use the device too, and never less than what was asked comes there; neighbouring
	// requests may be merged, though.
	if device["reads"].(float64) <= 0 || device["read_bytes"].(float64) < issued["read_bytes"].(float64) {
		t.Errorf("%v were issued, and the device did %v", issued, device)
	}
	if issued["read_bytes"].(float64) != issued["reads"].(float64)*4096 {
		t.Errorf("%v were issued", issued)
	}
	busy, ok := details["cpu_busy"].(float64)
	if !ok || busy <= 0 || busy > 1 || details["clock_jump_s"] == nil {
		t.Errorf("the details were %v", details)
	}
}

// onDisk is a directory on a block device.
func onDisk(t *testing.T) string {
	t.Helper()
	directory, err := os.MkdirTemp("/var/tmp", "leadline-agent-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	var info unix.Stat_t
	if err := unix.Stat(directory, &info); err != nil {
		t.Fatal(err)
	}
	number := fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(info.Dev), unix.Minor(info.Dev))
	if _, err := os.Stat(number); err != nil {
		t.Skip("/var/tmp lies on no block device")
	}
	return directory
}

func TestTheProberIsCalibratedBeforeItsPoints(t *testing.T) {
	var system unix.Statfs_t
	if unix.Statfs("/dev/shm", &system) != nil || system.Type != unix.TMPFS_MAGIC {
		t.Skip("/dev/shm lies not in memory")
	}
	measuring := start(t, "probe")
	plan := filesPlan(t.TempDir(), point("r", "random_read", 1, 0.1))
	plan["calibrate"] = object{"directory": "/dev/shm", "block_sizes": []int{4096}, "threads": []int{1, 2}}
	measuring.say(plan)
	events := measuring.until("point_started")
	calibrated := of("calibrated", events)
	if len(calibrated) != 1 {
		t.Fatalf("calibrated %d times", len(calibrated))
	}
	ceiling := calibrated[0]["ceiling_per_s"].(map[string]any)["4096"].(map[string]any)
	wakeup := calibrated[0]["wakeup_us"].(map[string]any)
	for _, threads := range []string{"1", "2"} {
		if ceiling[threads] == nil || wakeup[threads] == nil {
			t.Skip("this machine is too busy to measure itself")
		}
		if ceiling[threads].(float64) <= 0 || wakeup[threads].(float64) <= 0 {
			t.Errorf("%s threads: %v a second, %v us", threads, ceiling[threads], wakeup[threads])
		}
	}
	if calibrated[0]["processors"].(float64) < 1 {
		t.Errorf("calibrated: %v", calibrated[0])
	}
}

func TestEveryThreadStandsBackWhereThePlanWants(t *testing.T) {
	measuring := start(t, "probe")
	plan := filesPlan(t.TempDir(), point("r", "random_read", 16, 600))
	plan["io_priority"] = "idle"
	measuring.say(plan)
	events := measuring.until("sample")
	for _, warning := range of("warning", events) {
		if warning["code"] == "io_priority" {
			t.Skip(warning["message"])
		}
	}
	const whoThread, idle = 1, 3 << 13
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", measuring.command.Process.Pid))
	if err != nil || len(tasks) < 17 {
		t.Fatalf("%d threads, %v", len(tasks), err)
	}
	for _, task := range tasks {
		number, _ := strconv.Atoi(filepath.Base(task))
		value, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, whoThread, uintptr(number), 0)
		if errno == 0 && value != idle {
			t.Errorf("thread %d has the priority %#x", number, value)
		}
	}
}
