package main

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"leadline/agent/internal/faults"
)

// sleeping is a process that does nothing.
func sleeping(t *testing.T) *exec.Cmd {
	t.Helper()
	command := exec.Command("sleep", "600")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return command
}

// wantState waits until the process is frozen, or is not.
func wantState(t *testing.T, pid int, frozen bool) {
	t.Helper()
	for begin := time.Now(); time.Since(begin) < 2*time.Minute; time.Sleep(time.Millisecond) {
		if state, _, err := lookAt(pid); err == nil && (state == 'T') == frozen {
			return
		}
	}
	t.Errorf("frozen is not %v", frozen)
}

func TestAProcessIsFrozenUntilItIsLetGo(t *testing.T) {
	pid := sleeping(t).Process.Pid
	freezer := &freezer{}
	if err := freezer.take(pid); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := freezer.freeze(); err != nil {
			t.Fatal(err)
		}
		wantState(t, pid, true)
		if err := freezer.thaw(); err != nil {
			t.Fatal(err)
		}
		wantState(t, pid, false)
	}
	_ = freezer.freeze()
	freezer.letGo()
	wantState(t, pid, false)
	// Who comes later freezes it no more.
	if err := freezer.freeze(); err != nil {
		t.Fatal(err)
	}
	wantState(t, pid, false)
}

func TestNoOtherProcessIsFrozen(t *testing.T) {
	pid := sleeping(t).Process.Pid
	freezer := &freezer{}
	if err := freezer.take(pid); err != nil {
		t.Fatal(err)
	}
	// As if another one had got its number since.
	freezer.born--
	var fault *faults.Fault
	if err := freezer.freeze(); !errors.As(err, &fault) || fault.Code != faults.MySQLLost {
		t.Errorf("%v", err)
	}
	wantState(t, pid, false)
	if err := freezer.take(1 << 30); !errors.As(err, &fault) || fault.Code != faults.MySQLLost {
		t.Errorf("%v", err)
	}
}

func TestAnEndedProcessIsLost(t *testing.T) {
	command := sleeping(t)
	freezer := &freezer{}
	if err := freezer.take(command.Process.Pid); err != nil {
		t.Fatal(err)
	}
	_ = command.Process.Signal(syscall.SIGKILL)
	for begin := time.Now(); time.Since(begin) < 2*time.Minute; time.Sleep(time.Millisecond) {
		if _, _, err := lookAt(command.Process.Pid); err != nil {
			break
		}
	}
	// It is a zombie as long as nobody asks for its end.
	if err := freezer.thaw(); err == nil {
		t.Error("a zombie goes on")
	}
	freezer.letGo()
}

func TestWithoutAProcessNothingIsFrozen(t *testing.T) {
	freezer := &freezer{}
	if err := errors.Join(freezer.take(0), freezer.thaw(), freezer.freeze()); err != nil {
		t.Error(err)
	}
}

func TestThisProcessWasBornOnce(t *testing.T) {
	_, first, err := lookAt(os.Getpid())
	_, second, again := lookAt(os.Getpid())
	if err != nil || again != nil || first != second || first == 0 {
		t.Errorf("%d, %d (%v, %v)", first, second, err, again)
	}
}
