package calibrate

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"leadline/agent/internal/fileio"
	"leadline/agent/internal/latency"
	"leadline/agent/internal/load"
	"leadline/agent/internal/plan"
)

func TestTheProberMeasuresItself(t *testing.T) {
	if !inMemory("/dev/shm") {
		t.Skip("/dev/shm is no memory file system")
	}
	// Others measure in /dev/shm at the same time.
	directory, err := os.MkdirTemp("/dev/shm", "leadline-calibrate-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	asked := &plan.Calibrate{Directory: directory, BlockSizes: []int{4096, 16384}, Threads: []int{4, 1, 4}}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	longer := &trial{processors: 2, length: slice, until: time.Now().Add(time.Hour), pool: fileio.NewPool(plan.HugePages)}
	// On a busy machine it takes a while until something is done in each stretch.
	for ; ; longer.length *= 2 {
		wakeups, ceilings := map[int]float64{}, map[int]map[int]float64{}
		for _, threads := range []int{1, 4} {
			if delay, ok := longer.wakeup(threads); ok {
				wakeups[threads] = delay
			}
		}
		if err := longer.ceilings(asked, []int{1, 4}, ceilings); err != nil {
			t.Fatal(err)
		}
		wantPositive(t, wakeups, ceilings)
		if len(wakeups) == 2 && len(ceilings[4096]) == 2 && len(ceilings[16384]) == 2 {
			break
		}
	}
	left, err := os.ReadDir(directory)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// wantPositive wants each figure that was found to be one: what was not measured is left out.
func wantPositive(t *testing.T, wakeups map[int]float64, ceilings map[int]map[int]float64) {
	t.Helper()
	for threads, delay := range wakeups {
		if delay <= 0 {
			t.Errorf("%d threads wake after %v us", threads, delay)
		}
	}
	for blockBytes, found := range ceilings {
		for threads, rate := range found {
			if rate <= 0 {
				t.Errorf("%d threads read %d bytes %v times a second", threads, blockBytes, rate)
			}
		}
	}
}

func TestACalibrationAnswersForItsLevels(t *testing.T) {
	if !inMemory("/dev/shm") {
		t.Skip("/dev/shm is no memory file system")
	}
	found, sentence := Run(&plan.Calibrate{Directory: "/dev/shm", BlockSizes: []int{4096}, Threads: []int{4, 1, 4}})
	if sentence != "" {
		t.Error(sentence)
	}
	wantPositive(t, found.WakeupUS, found.CeilingPerS)
	for _, figures := range []map[int]float64{found.WakeupUS, found.CeilingPerS[4096]} {
		for threads := range figures {
			if threads != 1 && threads != 4 {
				t.Errorf("%d threads were tried", threads)
			}
		}
	}
	if found.Processors < 1 || len(found.CeilingPerS) != 1 {
		t.Errorf("%d processors, ceilings %v", found.Processors, found.CeilingPerS)
	}
}

func TestACeilingIsThatOfUndisturbedThreads(t *testing.T) {
	result := &load.Result{
		Measured: time.Second, Counts: &latency.Sum{Operations: 1000},
		CPU: load.CPU{User: 150 * time.Millisecond, System: 50 * time.Millisecond},
	}
	two := &trial{processors: 2}
	for threads, want := range map[int]float64{1: 5000, 2: 10_000, 64: 10_000} {
		if rate := two.undisturbed(result, threads); rate != want {
			t.Errorf("%d threads: %v a second", threads, rate)
		}
	}
	result.CPU = load.CPU{}
	if rate := two.undisturbed(result, 1); rate != 0 {
		t.Errorf("%v a second in no time", rate)
	}
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
