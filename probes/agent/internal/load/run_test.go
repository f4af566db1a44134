package load

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"leadline/agent/internal/clock"
)

// sleeper is a worker whose every operation takes about a millisecond.
type sleeper struct {
	done atomic.Int64
	// failAfter makes it fail at that operation; 0 never.
	failAfter int64
}

var errBroken = errors.New("broken")

func (s *sleeper) Run(lane *Lane) error {
	begin := lane.Begin()
	for {
		time.Sleep(time.Millisecond)
		now := clock.Now()
		if s.done.Add(1) == s.failAfter {
			return errBroken
		}
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
	}
}

func processors(t *testing.T, wanted int) {
	before := runtime.GOMAXPROCS(wanted)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// greedy is a sleeper that leaves garbage behind.
type greedy struct{ left []byte }

func (g *greedy) Run(lane *Lane) error {
	begin := lane.Begin()
	for {
		time.Sleep(time.Millisecond)
		g.left = make([]byte, 256<<10)
		now := clock.Now()
		if !lane.Count(begin, now) {
			return nil
		}
		begin = now
	}
}

func collections() int64 {
	var stats debug.GCStats
	debug.ReadGCStats(&stats)
	return stats.NumGC
}

func TestNothingIsCollectedWhileThreadsMeasure(t *testing.T) {
	processors(t, 8)
	runtime.GC()
	before, during := collections(), int64(0)
	_, err := Run([]Worker{&greedy{}, &greedy{}}, 0, 200*time.Millisecond, func(Sample) { during = collections() })
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

func TestRunSamplesTheWarmUpAndTheRest(t *testing.T) {
	processors(t, 8)
	workers := []Worker{&sleeper{}, &sleeper{}, &sleeper{}}
	var samples []Sample
	result, err := Run(workers, 300*time.Millisecond, 500*time.Millisecond, func(sample Sample) {
		samples = append(samples, sample)
	})
	if err != nil {
		t.Fatal(err)
	}
	// Warm-up: -0.2 and 0; then 0.2, 0.4 and the rest at 0.5. On a busy machine each may come late.
	ends := []float64{-0.2, 0, 0.2, 0.4, 0.5}
	if len(samples) != len(ends) {
		t.Fatalf("%d samples: %+v", len(samples), samples)
	}
	var counted uint64
	for index, sample := range samples {
		if sample.At.Seconds() < ends[index]-0.05 {
			t.Errorf("sample %d ends at %v, before %v", index, sample.At, ends[index])
		}
		if sample.Operations > 0 && (sample.P95US < 900 || sample.P99US < sample.P95US) {
			t.Errorf("sample %d saw %+v", index, sample)
		}
		if sample.At > 0 {
			counted += sample.Operations
		}
	}
	if counted != result.Counts.Operations {
		t.Errorf("the samples hold %d operations, the result %d", counted, result.Counts.Operations)
	}
}

func TestRunCountsOnlyWhatEndsInTime(t *testing.T) {
	processors(t, 4)
	worker := &sleeper{}
	result, err := Run([]Worker{worker}, 100*time.Millisecond, 200*time.Millisecond, func(Sample) {})
	if err != nil {
		t.Fatal(err)
	}
	all := uint64(worker.done.Load())
	if got := result.Counts.Operations; got == 0 || got >= all {
		t.Errorf("%d of %d operations were counted", got, all)
	}
	if result.Measured != 200*time.Millisecond {
		t.Errorf("%v were measured", result.Measured)
	}
}

func TestRunWithoutWarmUpCountsFromTheStart(t *testing.T) {
	processors(t, 4)
	worker := &sleeper{}
	result, err := Run([]Worker{worker}, 0, 100*time.Millisecond, func(Sample) {})
	if err != nil {
		t.Fatal(err)
	}
	// The last operation ended too late; on a busy machine the span may begin after a few of them.
	if all := uint64(worker.done.Load()); 2*result.Counts.Operations+2 < all {
		t.Errorf("%d of %d operations were counted", result.Counts.Operations, all)
	}
}

func TestAFailureEndsAllThreads(t *testing.T) {
	processors(t, 4)
	workers := []Worker{&sleeper{}, &sleeper{failAfter: 20}}
	_, err := Run(workers, 50*time.Millisecond, time.Hour, func(Sample) {})
	if !errors.Is(err, errBroken) {
		t.Errorf("the failure became %v", err)
	}
}

func TestAFailureInTheWarmUpIsNoResult(t *testing.T) {
	processors(t, 4)
	_, err := Run([]Worker{&sleeper{failAfter: 1}}, time.Minute, time.Minute, func(Sample) {})
	if !errors.Is(err, errBroken) {
		t.Errorf("the failure became %v", err)
	}
}
