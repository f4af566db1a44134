package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestVersion(t *testing.T) {
	asked := start(t, "version")
	got := asked.next()
	if got["version"] != version || got["protocol"] != 2.0 || got["os"] != "linux" || got["arch"] == "" {
		t.Errorf("the version is %v", got)
	}
	if status := asked.status(); status != 0 {
		t.Errorf("status %d", status)
	}
}

func TestInventoryIsOneObject(t *testing.T) {
	asked := start(t, "inventory", "--path", "data=/")
	got := asked.next()
	if got["paths"].(map[string]any)["data"] == nil || len(got["files"].(map[string]any)) == 0 {
		t.Errorf("the inventory is %v", got)
	}
	if status := asked.status(); status != 0 {
		t.Errorf("status %d", status)
	}
}

// ownDirectory makes one that a guard may remove, with something in it.
func ownDirectory(t *testing.T) string {
	t.Helper()
	directory := filepath.Join(t.TempDir(), ".leadline-test")
	if err := os.MkdirAll(filepath.Join(directory, "data"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(directory, "data", "file"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	return directory
}

func wantGone(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("%s is still there (%v)", path, err)
	}
}

// wantDead waits until no process has this id; a zombie counts as dead.
func wantDead(t *testing.T, pid int) {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < soon; time.Sleep(10 * time.Millisecond) {
		content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || strings.Contains(string(content), ") Z ") {
			return
		}
	}
	t.Errorf("process %d is still there", pid)
}

// wantFile waits until it is there.
func wantFile(t *testing.T, path string) {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < soon; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	t.Fatalf("%s does not appear", path)
}

func TestAGuardTidiesWhenItsInputCloses(t *testing.T) {
	directory := ownDirectory(t)
	guarding := start(t, "guard", "--chdir", directory, "--remove", directory, "--", "sleep", "600")
	pid := int(guarding.until("started")[0]["pid"].(float64))
	if where, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err != nil || where != directory {
		t.Errorf("the command runs in %s (%v)", where, err)
	}
	if err := guarding.in.Close(); err != nil {
		t.Fatal(err)
	}
	if ended := guarding.until("ended")[0]; ended["status"] != float64(128+syscall.SIGTERM) {
		t.Errorf("the end was %v", ended)
	}
	if status := guarding.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	wantDead(t, pid)
	wantGone(t, directory)
}

func TestAGuardTidiesAfterItsCommand(t *testing.T) {
	directory := ownDirectory(t)
	guarding := start(t, "guard", "--remove", directory, "--", "sh", "-c", "exit 7")
	if ended := guarding.until("ended")[1]; ended["status"] != 7.0 {
		t.Errorf("the end was %v", ended)
	}
	guarding.status()
	wantGone(t, directory)
}

func TestAGuardTidiesOnSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		directory := ownDirectory(t)
		guarding := start(t, "guard", "--remove", directory, "--")
		guarding.until("started")
		if err := guarding.command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if status := guarding.status(); status != 0 {
			t.Errorf("%v: status %d", signal, status)
		}
		wantGone(t, directory)
	}
}

func TestAGuardEndsACommandThatWillNot(t *testing.T) {
	directory := ownDirectory(t)
	script := `trap "" TERM; sleep 600 & echo ready > ` + directory + `/ready; wait; sleep 600`
	guarding := start(t, "guard", "--remove", directory, "--", "sh", "-c", script)
	pid := int(guarding.until("started")[0]["pid"].(float64))
	wantFile(t, filepath.Join(directory, "ready"))
	if err := guarding.in.Close(); err != nil {
		t.Fatal(err)
	}
	if ended := guarding.until("ended")[0]; ended["status"] != float64(128+syscall.SIGKILL) {
		t.Errorf("the end was %v", ended)
	}
	wantDead(t, pid)
	wantGone(t, directory)
}

func TestAGuardEndsAFrozenCommandInItsOwnWay(t *testing.T) {
	directory := ownDirectory(t)
	script := `trap "exit 9" TERM; echo ready > ` + directory + `/ready; while :; do sleep 0.01; done`
	guarding := start(t, "guard", "--remove", directory, "--", "sh", "-c", script)
	pid := int(guarding.until("started")[0]["pid"].(float64))
	wantFile(t, filepath.Join(directory, "ready"))
	if err := syscall.Kill(-pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := guarding.in.Close(); err != nil {
		t.Fatal(err)
	}
	if ended := guarding.until("ended")[0]; ended["status"] != 9.0 {
		t.Errorf("the end was %v", ended)
	}
	wantDead(t, pid)
	wantGone(t, directory)
}

func TestACommandDiesWithItsGuard(t *testing.T) {
	guarding := start(t, "guard", "--", "sleep", "600")
	pid := int(guarding.until("started")[0]["pid"].(float64))
	if err := guarding.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	wantDead(t, pid)
}

func TestAGuardRemovesNothingOfOthers(t *testing.T) {
	directory := t.TempDir()
	for _, arguments := range [][]string{
		{"guard", "--remove", directory, "--"},
		{"guard", "--remove", "relative/.leadline-x", "--"},
		{"guard", "--remove", directory + "/.leadline-x/..", "--"},
		{"guard", "--remove", directory},
		{"guard", "--what", "x", "--"},
	} {
		refused := start(t, arguments...)
		if got := refused.next(); got != nil {
			t.Errorf("%v was begun: %v", arguments, got)
		}
		_ = refused.command.Wait()
		if status := refused.command.ProcessState.ExitCode(); status != 2 || refused.crash.Len() == 0 {
			t.Errorf("%v: status %d, %q", arguments, status, refused.crash.String())
		}
	}
	if _, err := os.Stat(directory); err != nil {
		t.Error(err)
	}
}

func TestACommandThatCannotStartIsTold(t *testing.T) {
	directory := ownDirectory(t)
	guarding := start(t, "guard", "--remove", directory, "--", "/does/not/exist")
	failure := guarding.until("error")[0]
	if failure["fatal"] != true {
		t.Errorf("the error was %v", failure)
	}
	if status := guarding.status(); status != 1 {
		t.Errorf("status %d", status)
	}
	wantGone(t, directory)
}

func TestAWatchIsOneObject(t *testing.T) {
	asked := start(t, "watch", "--seconds=600", "--path", "data=/", "--server-pid-file=")
	if err := asked.in.Close(); err != nil {
		t.Fatal(err)
	}
	got := asked.next()
	moments, ok := got["moments"].([]any)
	if !ok || len(moments) < 2 || got["missing"] == nil || got["devices"] == nil || got["version"] != version {
		t.Errorf("the watch saw %v", got)
	}
	if status := asked.status(); status != 0 {
		t.Errorf("status %d", status)
	}
}
