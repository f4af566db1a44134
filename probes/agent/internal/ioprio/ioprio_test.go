package ioprio

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/plan"
)

func priorities(t *testing.T) map[int]int {
	t.Helper()
	found := map[int]int{}
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		number, _ := strconv.Atoi(task.Name())
		value, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, whoThread, uintptr(number), 0)
		if errno != 0 {
			t.Skip("I/O priorities can't be read here:", errno)
		}
		found[number] = int(value)
	}
	return found
}

// threads starts some that last until the returned function is called.
func threads(count int) func() {
	var ready, ended sync.WaitGroup
	stop := make(chan struct{})
	for range count {
		ready.Add(1)
		ended.Go(func() {
			runtime.LockOSThread()
			ready.Done()
			<-stop
		})
	}
	ready.Wait()
	return func() {
		close(stop)
		ended.Wait()
	}
}

func TestEveryThreadGetsThePriority(t *testing.T) {
	stop := threads(10)
	defer stop()
	for priority, want := range map[string]int{plan.PriorityLow: 2<<13 | 7, plan.PriorityIdle: 3 << 13} {
		if err := Set(priority); err != nil {
			t.Skip(err)
		}
		stopMore := threads(10)
		for thread, found := range priorities(t) {
			if found != want {
				t.Errorf("%s: thread %d has %#x instead of %#x", priority, thread, found, want)
			}
		}
		stopMore()
	}
}

func TestWithoutAPriorityNothingChanges(t *testing.T) {
	before := priorities(t)
	if err := Set(""); err != nil {
		t.Fatal(err)
	}
	for thread, found := range priorities(t) {
		if was, ok := before[thread]; ok && was != found {
			t.Errorf("thread %d had %#x and has %#x", thread, was, found)
		}
	}
}

func TestADeafSchedulerIsNamed(t *testing.T) {
	for content, want := range map[string]string{
		"[none] mq-deadline\n": "none", "none [bfq]\n": "bfq", "none\n": "none",
	} {
		root := t.TempDir()
		folder := filepath.Join(root, "queue")
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "scheduler"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if found := schedulerOf(root); found != want {
			t.Errorf("%q chooses %q", content, found)
		}
		if err := os.MkdirAll(filepath.Join(root, "slaves/sda"), 0o755); err != nil {
			t.Fatal(err)
		}
		if found := schedulerOf(root); found != "" {
			t.Errorf("a volume schedules by %q", found)
		}
	}
	if found := Ignored("/", []string{"/dev/shm", "/does/not/exist"}); len(found) != 0 {
		t.Errorf("memory has schedulers: %v", found)
	}
}
