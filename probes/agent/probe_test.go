package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

type object = map[string]any

func filesPlan(directory string, points ...object) object {
	return object{
		"protocol":     2,
		"ignore_floor": true,
		"file_sets": []object{
			{"id": "f1", "directory": directory, "files": 2, "bytes_per_file": 1 << 20},
		},
		"points": points,
	}
}

func point(id, probe string, threads int, seconds float64) object {
	return object{
		"id": id, "probe": probe, "file_set": "f1", "block_size_bytes": 4096,
		"threads": threads, "seconds": seconds, "warmup_seconds": 0.2, "seed": 7,
	}
}

func redoPoint(id, directory string, seconds float64) object {
	return object{
		"id": id, "probe": "redo_sync", "directory": directory, "sync": "fdatasync",
		"block_size_bytes": 512, "threads": 1, "seconds": seconds,
	}
}

func TestAWholePlanIsMeasured(t *testing.T) {
	directory := t.TempDir()
	events := longEnough(t, func(seconds float64) any {
		return filesPlan(directory, point("r", "random_read", 4, seconds),
			point("w", "random_write", 2, seconds), redoPoint("l", directory, seconds))
	})
	var kinds []string
	for _, got := range events {
		kind := got["event"].(string)
		if kind != "warning" && kind != "alive" && (len(kinds) == 0 || kinds[len(kinds)-1] != kind) {
			kinds = append(kinds, kind)
		}
	}
	want := []string{
		"hello", "preparing", "prepared", "point_started", "sample", "point",
		"point_started", "sample", "point", "point_started", "sample", "point", "done",
	}
	if !slices.Equal(kinds, want) {
		t.Errorf("the events were %v", kinds)
	}
	hello := events[0]
	if hello["protocol"] != 2.0 || hello["clock_ns"].(float64) <= 0 || hello["overhead_ns_per_op"].(float64) <= 0 {
		t.Errorf("hello was %v", hello)
	}
	for _, result := range of("point", events) {
		checkPoint(t, result)
		checkSamples(t, result, of("sample", events))
	}
	wantEmpty(t, directory)
}

// checkSamples wants one of the warm-up, if there was one, and some of what was measured.
func checkSamples(t *testing.T, result event, samples []event) {
	t.Helper()
	warmUps, sampled, counted := 0, 0, 0.0
	for _, sample := range samples {
		switch {
		case sample["id"] != result["id"]:
		case sample["at_s"].(float64) > 0:
			sampled++
			counted += sample["operations"].(float64)
		default:
			warmUps++
		}
	}
	if sampled == 0 || counted > result["operations"].(float64) || (warmUps > 0) != (result["id"] != "l") {
		t.Errorf("%v: %d and %d samples, with %v operations: %v", result["id"], warmUps, sampled, counted, result)
	}
}

func checkPoint(t *testing.T, result event) {
	t.Helper()
	histogram, err := hdrhistogram.Decode([]byte(result["histogram"].(string)))
	if err != nil {
		t.Fatal(err)
	}
	operations, seconds := result["operations"].(float64), result["seconds"].(float64)
	if operations == 0 || float64(histogram.TotalCount()) != operations {
		t.Errorf("%v operations, %d in the histogram", operations, histogram.TotalCount())
	}
	rate := result["rate_per_s"].(float64)
	if rate < operations/seconds-1 || rate > operations/seconds+1 {
		t.Errorf("%v operations in %v s are not %v a second", operations, seconds, rate)
	}
	if result["cpu_user_us_per_op"].(float64)+result["cpu_system_us_per_op"].(float64) <= 0 {
		t.Errorf("%v took no processor time", result["id"])
	}
	if _, ok := result["direct"].(bool); ok == (result["id"] == "l") {
		t.Errorf("%v has direct %v", result["id"], result["direct"])
	}
}

func TestAPointThatFailsLetsTheOthersRun(t *testing.T) {
	measuring := start(t, "probe")
	directory := t.TempDir()
	wanted := filesPlan(directory+"/none", point("r", "random_read", 1, 0.1),
		point("again", "random_read", 1, 0.1), redoPoint("l", directory, 0.1))
	measuring.say(wanted)
	events := measuring.until("done")
	failures := of("error", events)
	if len(failures) != 2 {
		t.Fatalf("the errors were %v", failures)
	}
	for _, failure := range failures {
		if failure["code"] != "directory_missing" || failure["fatal"] != false {
			t.Errorf("the error was %v", failure)
		}
	}
	if points := of("point", events); len(points) != 1 || points[0]["id"] != "l" {
		t.Errorf("the points were %v", points)
	}
}

func TestAWrongPlanIsRefused(t *testing.T) {
	measuring := start(t, "probe")
	measuring.say(object{"protocol": 99})
	failure := measuring.until("error")[0]
	if failure["code"] != "bad_plan" || failure["fatal"] != true {
		t.Errorf("the error was %v", failure)
	}
	if status := measuring.status(); status != 1 {
		t.Errorf("status %d", status)
	}
}

func TestTheAgentEndsWithItsInput(t *testing.T) {
	directory := t.TempDir()
	measuring := start(t, "probe")
	measuring.say(filesPlan(directory, point("r", "random_read", 4, 600)))
	measuring.until("sample")
	if err := measuring.in.Close(); err != nil {
		t.Fatal(err)
	}
	if status := measuring.status(); status != 3 {
		t.Errorf("status %d", status)
	}
	wantEmpty(t, directory)
}

func TestTheAgentEndsWithoutAPlan(t *testing.T) {
	measuring := start(t, "probe")
	if err := measuring.in.Close(); err != nil {
		t.Fatal(err)
	}
	if status := measuring.status(); status != 3 {
		t.Errorf("status %d", status)
	}
}

func TestSignalsEndTheAgent(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		measuring := start(t, "probe")
		measuring.say(filesPlan(t.TempDir(), point("r", "random_read", 2, 600)))
		measuring.until("point_started")
		if err := measuring.command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if status := measuring.status(); status != 3 {
			t.Errorf("%v: status %d", signal, status)
		}
	}
}

func TestTheAgentEndsWithItsReader(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "probe")
	command.Env = append(os.Environ(), actAsAgent+"=1")
	command.Stdout = writer
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_ = writer.Close()
	measuring := &agent{t: t, in: in}
	measuring.say(filesPlan(t.TempDir(), point("r", "random_read", 1, 600)))
	_ = reader.Close()
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("a plan that nobody heard was carried out")
		}
	case <-time.After(soon):
		_ = command.Process.Kill()
		t.Error("the agent goes on although nobody listens")
	}
}

func TestAThousandThreads(t *testing.T) {
	measuring := startCommand(t, exec.Command(shipped(t, t.TempDir()), "probe"))
	measuring.say(filesPlan(t.TempDir(), point("r", "random_read", 1024, 0.3), point("w", "random_write", 1024, 0.3)))
	events := measuring.until("done")
	points := of("point", events)
	if len(points) != 2 || points[0]["threads"] != 1024.0 || points[1]["threads"] != 1024.0 {
		t.Errorf("the points were %v, the warnings %v", points, of("warning", events))
	}
	measuring.status()
	usage, ok := measuring.command.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("the memory is not told")
	}
	if mostKiB := usage.Maxrss; mostKiB > 128<<10 {
		t.Errorf("%d MiB of memory were taken", mostKiB>>10)
	}
}

func TestThreadsThatEndTogetherTakeNoOthers(t *testing.T) {
	measuring := startCommand(t, exec.Command(shipped(t, t.TempDir()), "probe"))
	const threads, spare = 256, 32
	wanted := filesPlan(t.TempDir(), point("0", "random_read", threads, 0.3), point("1", "random_read", threads, 0.3))
	wanted["more"] = true
	measuring.say(wanted)
	measuring.until("waiting")
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", measuring.command.Process.Pid))
	if err != nil || len(tasks) < threads || len(tasks) > threads+spare {
		t.Errorf("%d threads have become %d (%v)", threads, len(tasks), err)
	}
}

func TestFewerThreadsUnderALimit(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become the user whose threads are limited")
	}
	// The other user must reach the program and the directory.
	directory, err := os.MkdirTemp("", "leadline-limit")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(directory) }()
	if err := os.Chmod(directory, 0o777); err != nil {
		t.Fatal(err)
	}
	// Not every sh knows this limit.
	command := exec.Command("bash", "-c", `ulimit -u 60 && exec "$0" probe`, shipped(t, directory))
	// All processes of a user share the limit: this one has a number that no other test on this machine takes.
	user := uint32(30_000 + os.Getpid()%30_000)
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	measuring := startCommand(t, command)
	measuring.say(filesPlan(directory, point("r", "random_read", 256, 0.1), point("w", "random_write", 256, 0.1)))
	events := measuring.until("done")
	warnings := of("warning", events)
	if len(warnings) < 2 || warnings[0]["code"] != "fewer_threads" {
		t.Errorf("the warnings were %v", warnings)
	}
	points := of("point", events)
	if len(points) != 2 {
		t.Fatalf("the points were %v", points)
	}
	for _, result := range points {
		if threads := result["threads"].(float64); threads < 10 || threads > 60 {
			t.Errorf("%v threads under a limit of 60", threads)
		}
	}
}
