package watch

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// busyProcess takes processor time until the test ends.
func busyProcess(t *testing.T) int {
	t.Helper()
	command := exec.Command("sh", "-c", "while :; do :; done")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return command.Process.Pid
}

func TestWhatOthersTakeIsToldByProcess(t *testing.T) {
	pid := busyProcess(t)
	before := takenByAll("/")
	after := before
	// However slow the machine is: until it has taken some ticks more.
	for after[pid].time < before[pid].time+5*tick {
		time.Sleep(tick)
		after = takenByAll("/")
	}
	found := othersBetween(before, after, 0, ownProcesses(after))
	at := slices.IndexFunc(found.Processes, func(one otherState) bool { return one.PID == pid })
	if at < 0 || found.Processes[at].CPU < 0.05 || found.Processes[at].Name == "" {
		t.Fatalf("process %d is not in %+v", pid, found)
	}
	for _, hidden := range [][2]int{{pid, 0}, {0, pid}} {
		found := othersBetween(before, after, hidden[0], hidden[1:])
		if slices.ContainsFunc(found.Processes, func(one otherState) bool { return one.PID == pid }) {
			t.Errorf("the server's or the agent's own process %d is in %+v", pid, found)
		}
	}
}

func TestOfManyProcessesTheBusiestAreNamed(t *testing.T) {
	before, after := map[int]taken{}, map[int]taken{}
	for pid := 1; pid <= mostOthers+2; pid++ {
		after[pid] = taken{began: 7, time: time.Duration(pid) * tick, name: fmt.Sprint("p", pid)}
	}
	after[100] = taken{began: 7, time: 30 * tick, name: "kworker", kernel: true}
	// A number that went to another process.
	before[mostOthers+2] = taken{began: 6, time: time.Hour}
	found := othersBetween(before, after, 0, nil)
	if len(found.Processes) != mostOthers || found.Processes[0].PID != mostOthers+2 {
		t.Errorf("the busiest are %+v", found.Processes)
	}
	if found.Kernel != 0.3 || found.Rest != 0.03 {
		t.Errorf("the kernel took %v, the rest %v", found.Kernel, found.Rest)
	}
}

func TestWhatEndedMeanwhileIsItsParents(t *testing.T) {
	before := map[int]taken{
		1: {began: 1, time: 10 * tick, name: "init"},
		2: {began: 2, time: 20 * tick, name: "make", parent: 1},
		3: {began: 3, time: 30 * tick, name: "cc", parent: 2},
		4: {began: 4, time: 40 * tick, name: "as", parent: 3},
		5: {began: 5, time: 50 * tick, name: "nobody waits for it", parent: 9},
		6: {began: 6, time: 60 * tick, name: "in a circle", parent: 7},
		7: {began: 7, time: 70 * tick, name: "in a circle, too", parent: 6},
	}
	// The compiler ended with its assembler; make has all of it, and another one's that began after.
	after := map[int]taken{
		1: {began: 1, time: 10 * tick, name: "init"},
		2: {began: 2, time: (20 + 30 + 40 + 25) * tick, name: "make", parent: 1},
	}
	found := othersBetween(before, after, 0, nil)
	if len(found.Processes) != 1 || found.Processes[0] != (otherState{2, "make", 0.25}) {
		t.Errorf("%+v", found.Processes)
	}
}

func TestAChildThatEndedIsSeen(t *testing.T) {
	before := takenByAll("/")
	child := exec.Command("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done")
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	took := child.ProcessState.UserTime() + child.ProcessState.SystemTime()
	found := othersBetween(before, takenByAll("/"), 0, []int{os.Getpid()})
	if found.Own < (took - 2*tick).Seconds() {
		t.Errorf("a child took %v, and its parent has %v s", took, found.Own)
	}
}

func TestAProcesssNameMayHoldAnything(t *testing.T) {
	line := "7 (a) b (c) S 2 0 0 0 -1 2097152 0 0 0 0 3 4 5 6 20 0 1 0 99 0 0"
	found, ok := readTaken([]byte(line))
	if !ok || found.name != "a) b (c" || !found.kernel || found.time != 18*tick || found.began != 99 {
		t.Errorf("%+v", found)
	}
	for _, broken := range []string{"", "7 (a", ") (", "7 (a) S 1 2"} {
		if _, ok := readTaken([]byte(broken)); ok {
			t.Errorf("%q was read", broken)
		}
	}
}
