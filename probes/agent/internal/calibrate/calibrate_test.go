package calibrate

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"leadline/agent/internal/events"
	"leadline/agent/internal/plan"
)

func TestTheProberMeasuresItself(t *testing.T) {
	if !inMemory("/dev/shm") {
		t.Skip("/dev/shm is no memory file system")
	}
	asked := &plan.Calibrate{Directory: "/dev/shm", BlockSizes: []int{4096, 16384}, Threads: []int{4, 1, 4}}
	found, sentence := Run(asked)
	// On a busy machine no stretch is undisturbed, and then none is shown.
	for range 20 {
		if complete(found, asked) {
			break
		}
		found, sentence = Run(asked)
	}
	if sentence != "" {
		t.Error(sentence)
	}
	if !complete(found, asked) {
		t.Skip("this machine is too busy to measure itself")
	}
	if found.Processors < 1 {
		t.Errorf("%d processors", found.Processors)
	}
	for _, threads := range []int{1, 4} {
		if delay := found.WakeupUS[threads]; delay <= 0 || delay > 1e6 {
			t.Errorf("%d threads wake after %v us", threads, delay)
		}
		for _, blockBytes := range asked.BlockSizes {
			if rate := found.CeilingPerS[blockBytes][threads]; rate <= 100 {
				t.Errorf("%d threads read %d bytes %v times a second", threads, blockBytes, rate)
			}
		}
	}
	left, err := filepath.Glob("/dev/shm/.leadline-*")
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// complete is whether each figure was found.
func complete(found events.Calibrated, asked *plan.Calibrate) bool {
	for _, threads := range asked.Threads {
		if found.WakeupUS[threads] == 0 {
			return false
		}
		for _, blockBytes := range asked.BlockSizes {
			if found.CeilingPerS[blockBytes][threads] == 0 {
				return false
			}
		}
	}
	return true
}

func TestADriveIsNoCeiling(t *testing.T) {
	directory := "/var/tmp"
	if inMemory(directory) {
		t.Skip("/var/tmp lies in memory")
	}
	for _, directory := range []string{directory, "/does/not/exist"} {
		found, sentence := Run(&plan.Calibrate{Directory: directory, BlockSizes: []int{4096}, Threads: []int{1}})
		if len(found.CeilingPerS) != 0 || sentence != "" {
			t.Errorf("%s: found %v and said %q", directory, found.CeilingPerS, sentence)
		}
		if found.WakeupUS[1] <= 0 {
			t.Errorf("%s: waking takes %v", directory, found.WakeupUS)
		}
	}
}

func TestTheSmallestGrantCounts(t *testing.T) {
	root := t.TempDir()
	for path, content := range map[string]string{
		"a.slice/cpu.max":                   "max 100000\n",
		"a.slice/b/cpu.max":                 "250000 100000\n",
		"cpu,cpuacct/x/cpu.cfs_quota_us":    "150000\n",
		"cpu,cpuacct/x/cpu.cfs_period_us":   "100000\n",
		"cpu,cpuacct/x/y/cpu.cfs_quota_us":  "-1\n",
		"cpu,cpuacct/x/y/cpu.cfs_period_us": "100000\n",
	} {
		full := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for membership, want := range map[string]float64{
		"0::/a.slice/b/c\n":       2.5,
		"0::/a.slice\n":           math.Inf(1),
		"4:cpu,cpuacct:/x/y\n":    1.5,
		"4:cpu,cpuacct:/\n":       math.Inf(1),
		"damaged\n":               math.Inf(1),
		"":                        math.Inf(1),
		"0::/a.slice/b\n9:pids:/": 2.5,
	} {
		if found := quota(root, membership); found != want {
			t.Errorf("%q grants %v", membership, found)
		}
	}
}
