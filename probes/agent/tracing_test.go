package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"leadline/agent/internal/tracefs"
)

// tracing starts a watch with a trace that records, and returns a pattern for the names of its instances.
func tracing(t *testing.T) (*agent, string) {
	t.Helper()
	mount, because := tracefs.Find("/")
	if mount == "" {
		t.Skip("nothing can be traced here: " + because)
	}
	watching := start(t, "watch", "--seconds=600", "--trace", "--path", "data="+onDisk(t))
	pattern := filepath.Join(mount, fmt.Sprintf("instances/leadline-%d-*", watching.command.Process.Pid))
	for begin := time.Now(); time.Since(begin) < soon; time.Sleep(10 * time.Millisecond) {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if content, err := os.ReadFile(filepath.Join(name, "tracing_on")); err == nil && strings.HasPrefix(string(content), "1") {
				return watching, pattern
			}
		}
	}
	t.Fatal("no trace was begun")
	return nil, ""
}

func wantNoTrace(t *testing.T, pattern string) {
	t.Helper()
	var names []string
	for begin := time.Now(); time.Since(begin) < soon; time.Sleep(10 * time.Millisecond) {
		if names, _ = filepath.Glob(pattern); len(names) == 0 {
			return
		}
	}
	t.Errorf("left are %v", names)
}

func TestATraceGoesWithItsWatch(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP} {
		watching, pattern := tracing(t)
		if err := watching.command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = watching.command.Wait()
		wantNoTrace(t, pattern)
	}
}

func TestATraceEndsWithItsInput(t *testing.T) {
	watching, pattern := tracing(t)
	if err := watching.in.Close(); err != nil {
		t.Fatal(err)
	}
	got := watching.next()
	report, ok := got["trace"].(map[string]any)
	if !ok || report["sampled"] == nil || report["seconds"] == nil {
		t.Errorf("the watch saw %v", got)
	}
	if status := watching.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	wantNoTrace(t, pattern)
}

func TestAGuardRemovesNoTraceOfOthers(t *testing.T) {
	for _, path := range []string{"/sys/kernel/tracing/instances/mine", "instances/leadline-1-2-3", "/tmp/leadline-1-2-3"} {
		refused := start(t, "guard", "--remove-traces", path, "--")
		_ = refused.in.Close()
		if got := refused.next(); got != nil {
			t.Errorf("%s was taken: %v", path, got)
		}
		_ = refused.command.Wait()
		if status := refused.command.ProcessState.ExitCode(); status != 2 || refused.crash.Len() == 0 {
			t.Errorf("%s: status %d, %q", path, status, refused.crash.String())
		}
	}
}
