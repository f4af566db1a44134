package main

import (
	"fmt"
	"os"
	"os/exec"
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

func TestOnlyRootTraces(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become somebody else")
	}
	directory, err := os.MkdirTemp("/var/tmp", "leadline-agent-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(directory) }()
	if err := os.Chmod(directory, 0o755); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	command := exec.Command(shipped(t, directory), "watch", "--seconds=600", "--trace", "--path", "data=/")
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	watching := startCommand(t, command)
	if err := watching.in.Close(); err != nil {
		t.Fatal(err)
	}
	got := watching.next()
	because := why(got, "trace")
	if because == "" || got["trace"] != nil || got["moments"] == nil {
		t.Errorf("the watch saw %v", got)
	}
	if mount, _ := tracefs.Find("/"); mount == "/sys/kernel/tracing" && because != "only root may use tracefs" {
		t.Errorf("it is missing because %s", because)
	}
	if status := watching.status(); status != 0 {
		t.Errorf("status %d", status)
	}
}

// why is what a watch says is the reason that something is missing.
func why(watch event, what string) string {
	all, _ := watch["missing"].([]any)
	for _, each := range all {
		if told, ok := each.(map[string]any); ok && told["what"] == what {
			return told["because"].(string)
		}
	}
	return ""
}

func TestInAContainerThreadsAreNotTold(t *testing.T) {
	mount, because := tracefs.Find("/")
	if mount == "" || os.Getuid() != 0 {
		t.Skip("nothing can be traced here: " + because)
	}
	directory := t.TempDir()
	content, err := os.ReadFile("/bin/sleep")
	if err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(directory, "mysqld"), content, 0o700); err != nil {
		t.Fatal(err)
	}
	server := exec.Command(filepath.Join(directory, "mysqld"), "600")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	pidFile := filepath.Join(directory, "pid")
	if err := os.WriteFile(pidFile, fmt.Append(nil, server.Process.Pid), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "watch", "--seconds=600", "--trace", "--path", "data="+onDisk(t), "--server-pid-file="+pidFile)
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	watching := startCommand(t, command)
	if err := watching.in.Close(); err != nil {
		t.Fatal(err)
	}
	got := watching.next()
	if !strings.Contains(why(got, "trace.calls"), "container") || got["pid"] != float64(server.Process.Pid) {
		t.Errorf("the watch saw %v", got)
	}
	if report, ok := got["trace"].(map[string]any); !ok || report["calls"] != nil {
		t.Errorf("the trace is %v", report)
	}
	if status := watching.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	wantNoTrace(t, filepath.Join(mount, fmt.Sprintf("instances/leadline-%d-*", command.Process.Pid)))
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
