package load

import (
	"errors"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func collections() int64 {
	var stats debug.GCStats
	debug.ReadGCStats(&stats)
	return stats.NumGC
}

func TestNothingIsCollectedWhileThreadsMeasure(t *testing.T) {
	processors(t, 8)
	runtime.GC()
	before, during := collections(), int64(0)
	// Without a run the first few MiB would be collected.
	hooks := enough(200, 1)
	sampled := hooks.OnSample
	hooks.OnSample = func(part int, sample Sample) {
		during = collections()
		sampled(part, sample)
	}
	const each = 256 << 10
	_, err := RunParts([]Part{{Workers: []Worker{&sleeper{garbage: each}, &sleeper{garbage: each}}}}, Length{Most: longest}, hooks)
	if err != nil {
		t.Fatal(err)
	}
	if during != before {
		t.Errorf("%d collections in the run", during-before)
	}
	if percent := debug.SetGCPercent(100); percent != 100 {
		t.Errorf("afterwards collections are due at %d %%", percent)
	}
}

func TestRunMeasuresForTheTimeItIsGiven(t *testing.T) {
	processors(t, 4)
	worker := &sleeper{}
	result, err := Run([]Worker{worker}, 50*time.Millisecond, 100*time.Millisecond, func(Sample) {})
	if err != nil {
		t.Fatal(err)
	}
	if result.Warmup < 50*time.Millisecond || result.Measured < 100*time.Millisecond {
		t.Errorf("%v were measured after %v", result.Measured, result.Warmup)
	}
	// The last operation came too late.
	if result.Counts.Operations >= worker.done {
		t.Errorf("%d of %d operations were counted", result.Counts.Operations, worker.done)
	}
}

func TestAFailureEndsAllThreads(t *testing.T) {
	processors(t, 4)
	workers := []Worker{&sleeper{}, &sleeper{failAt: 20}}
	_, err := Run(workers, 50*time.Millisecond, longest, func(Sample) {})
	if !errors.Is(err, errBroken) {
		t.Errorf("the failure became %v", err)
	}
}

func TestAFailureInTheWarmUpIsNoResult(t *testing.T) {
	processors(t, 4)
	_, err := Run([]Worker{&sleeper{failAt: 1}}, longest, longest, func(Sample) {})
	if !errors.Is(err, errBroken) {
		t.Errorf("the failure became %v", err)
	}
}
