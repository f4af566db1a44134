package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// limited makes a control group with a limit and returns its folder; root alone can, where such
// groups are.
func limited(t *testing.T, controller, file, limit string) string {
	t.Helper()
	for _, parent := range []string{filepath.Join("/sys/fs/cgroup", controller), "/sys/fs/cgroup"} {
		folder := filepath.Join(parent, fmt.Sprintf("leadline-test-%d", os.Getpid()))
		if os.Mkdir(folder, 0o755) != nil {
			continue
		}
		t.Cleanup(func() { _ = os.Remove(folder) })
		// A group without this controller has no such file.
		if os.WriteFile(filepath.Join(folder, file), []byte(limit), 0o600) == nil {
			return folder
		}
	}
	t.Skipf("no control group for %s can be made here", controller)
	return ""
}

// startIn starts the shipped program inside a control group.
func startIn(t *testing.T, group string) *agent {
	t.Helper()
	enter := fmt.Sprintf(`echo $$ > %s/cgroup.procs && exec "$0" probe`, group)
	return startCommand(t, exec.Command("sh", "-c", enter, shipped(t, t.TempDir())))
}

func TestFewerThreadsInAGroupWithALimit(t *testing.T) {
	measuring := startIn(t, limited(t, "pids", "pids.max", "60"))
	measuring.say(filesPlan(t.TempDir(), point("r", "random_read", 256, 0.1)))
	events := measuring.until("done")
	if warnings := of("warning", events); len(warnings) == 0 || warnings[0]["code"] != "fewer_threads" {
		t.Errorf("the warnings were %v", warnings)
	}
	points := of("point", events)
	if len(points) != 1 || points[0]["threads"].(float64) < 10 || points[0]["threads"].(float64) > 60 {
		t.Errorf("the points were %v", points)
	}
	measuring.status()
}

func TestAGroupsMemoryIsMinded(t *testing.T) {
	measuring := startIn(t, limited(t, "memory", "memory.limit_in_bytes", "100M"))
	large := point("0", "random_read", 1024, 0.1)
	large["block_size_bytes"] = 65536
	measuring.say(filesPlan(t.TempDir(), large, point("1", "random_read", 1, 0.1)))
	wantOnlyTheSmallPoint(t, measuring.until("done"))
	measuring.status()
}

func TestTooFewAddressesAreTold(t *testing.T) {
	// Not every sh knows this limit. Go's runtime takes 1.24 GiB of addresses for itself, or a piece of its
	// heap more: where in the first one it begins is random. 1024 buffers take 64 MiB, and their threads more.
	command := exec.Command("bash", "-c", `ulimit -v 1430000 && exec "$0" probe`, shipped(t, t.TempDir()))
	measuring := startCommand(t, command)
	large := point("0", "random_read", 1024, 0.1)
	large["block_size_bytes"] = 65536
	measuring.say(filesPlan(t.TempDir(), large, point("1", "random_read", 1, 0.1)))
	wantOnlyTheSmallPoint(t, measuring.until("done"))
}

func wantOnlyTheSmallPoint(t *testing.T, events []event) {
	t.Helper()
	failures, points := of("error", events), of("point", events)
	if len(failures) != 1 || failures[0]["code"] != "limits" || failures[0]["fatal"] != false {
		t.Errorf("the errors were %v", failures)
	}
	if len(points) != 1 || points[0]["id"] != "1" {
		t.Errorf("the points were %v", points)
	}
}
