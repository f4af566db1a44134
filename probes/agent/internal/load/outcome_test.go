package load

import (
	"testing"
	"time"
)

func TestOutcomesAreCountedOfAllThreads(t *testing.T) {
	processors(t, 8)
	finders := []*finder{{}, {}, {}}
	var workers []Worker
	for _, one := range finders {
		workers = append(workers, one)
	}
	results, err := RunParts([]Part{{Workers: workers, Rows: true}}, Length{Most: longest}, enough(1000, 1))
	if err != nil {
		t.Fatal(err)
	}
	var wanted [outcomes]uint64
	for _, one := range finders {
		// The last question came too late.
		for number := 1; number < one.asked; number++ {
			wanted[finding(number)]++
		}
	}
	result := results[0]
	if got := [outcomes]uint64{result.Counts.Operations - result.MissingRows - result.Errors, result.MissingRows, result.Errors}; got != wanted {
		t.Errorf("%v instead of %v were done, missing and failed", got, wanted)
	}
}

func TestAPartThatAsksForNoRowsHasOneOutcome(t *testing.T) {
	for rows, want := range map[bool]int{false: 1, true: int(outcomes)} {
		part := newPart(Part{Workers: []Worker{&finder{}}, Rows: rows}, nil, nil)
		if len(part.all) != want {
			t.Errorf("%d histograms instead of %d", len(part.all), want)
		}
	}
}

func TestATransactionThatFailedIsNoOperation(t *testing.T) {
	failing := &simulatedThread{every: time.Millisecond, outcome: func(number int) Outcome {
		if number%3 == 0 {
			return Failed
		}
		return Done
	}}
	simulation := &simulated{
		length: Length{Warmup: time.Second, Most: time.Second},
		parts:  []simulatedPart{{threads: []*simulatedThread{failing}, rows: true, transactions: true}},
	}
	result := simulation.run()[0]
	if all := result.Counts.Operations + result.Errors; result.Errors < 300 || result.Errors > 350 || all < 990 || all > 1010 {
		t.Errorf("%d transactions, %d that failed", result.Counts.Operations, result.Errors)
	}
}

func TestWhatElseIsCountedIsReadAtBothEnds(t *testing.T) {
	working := &simulatedThread{every: time.Millisecond}
	var at []int64
	simulation := &simulated{
		length: Length{Warmup: time.Second, Most: 2 * time.Second},
		parts:  []simulatedPart{{threads: []*simulatedThread{working}}},
	}
	simulation.around = func() error {
		// Each reading takes its time, in which the threads work on.
		simulation.nap(simulation.at + 100*time.Millisecond.Nanoseconds())
		at = append(at, simulation.at)
		return nil
	}
	result := simulation.run()[0]
	if len(at) != 2 {
		t.Fatalf("read %d times", len(at))
	}
	if between := time.Duration(at[1] - at[0]); between != result.Measured || between < 2*time.Second {
		t.Errorf("%v between the readings, %v measured", between, result.Measured)
	}
	if want := uint64(result.Measured / time.Millisecond); result.Counts.Operations+1 < want || result.Counts.Operations > want+1 {
		t.Errorf("%d operations in %v", result.Counts.Operations, result.Measured)
	}
}

func TestAReadingThatFailsEndsTheRun(t *testing.T) {
	processors(t, 4)
	for failing := range 2 {
		reads := 0
		_, err := RunParts([]Part{{Workers: []Worker{&sleeper{}}}}, Length{Most: time.Millisecond}, Hooks{Around: func() error {
			if reads++; reads > failing {
				return errBroken
			}
			return nil
		}})
		if err != errBroken {
			t.Errorf("reading %d: %v", failing, err)
		}
	}
}
