package load

import (
	"slices"
	"testing"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/steady"
)

const ms = time.Millisecond

// finding has no row for every second question, and fails at every tenth.
func finding(number int) Outcome {
	switch {
	case number%2 == 0:
		return Missing
	case number%10 == 1:
		return Failed
	}
	return Done
}

// quickAndSlow are two parts: one asks 1000 times a second for rows, one does 100 operations a second.
func quickAndSlow(memories ...*steady.Memory) []simulatedPart {
	parts := []simulatedPart{
		{threads: []*simulatedThread{{every: ms, outcome: finding}}, rows: true},
		{threads: []*simulatedThread{{every: 10 * ms}}},
	}
	for index, memory := range memories {
		parts[index].memory = memory
	}
	return parts
}

func TestTheWarmUpAndTheRestAreSampled(t *testing.T) {
	trial := &simulated{length: Length{Warmup: 300 * ms, Most: 500 * ms}, parts: quickAndSlow()}
	results := trial.run()
	for part, samples := range trial.samples {
		var ends, lengths []time.Duration
		for _, sample := range samples {
			ends, lengths = append(ends, sample.At/ms), append(lengths, sample.Took/ms)
		}
		if !slices.Equal(ends, []time.Duration{-200, 0, 200, 400, 500}) || !slices.Equal(lengths, []time.Duration{100, 200, 200, 200, 100}) {
			t.Errorf("part %d: the samples ended at %v ms, and were of %v ms", part, ends, lengths)
		}
		if counted := sampled(samples); counted != results[part].Counts.Operations {
			t.Errorf("part %d: the samples hold %d operations, the result %d", part, counted, results[part].Counts.Operations)
		}
	}
	// What ends together with the run comes too late.
	if quick, slow := results[0].Counts.Operations, results[1].Counts.Operations; quick != 499 || slow != 49 {
		t.Errorf("%d and %d operations were counted", quick, slow)
	}
	for _, result := range results {
		if result.Measured != 500*ms || result.Warmup != 300*ms || result.EndedBy != events.EndedByTime {
			t.Errorf("%v were measured after %v, ended by %s", result.Measured, result.Warmup, result.EndedBy)
		}
	}
}

func TestARunEndsWhenAllPartsAreSure(t *testing.T) {
	memory := &steady.Memory{}
	length := Length{Warmup: 20 * ms, Least: 400 * ms, Most: time.Minute, Within: 0.05}
	// The place has to be seen for a while before anything is sure.
	for _, most := range []time.Duration{4 * time.Second, 600 * ms} {
		trial := &simulated{length: length, parts: []simulatedPart{
			{threads: []*simulatedThread{{every: ms}}, memory: memory},
			{threads: []*simulatedThread{{every: ms}}, memory: memory},
		}}
		for _, last := range trial.run() {
			if last.EndedBy != events.EndedByInterval || last.Warmup < length.Warmup || last.Estimate.HalfWidth > length.Within {
				t.Errorf("it ended by %s after %v and %v with %+v", last.EndedBy, last.Warmup, last.Measured, last.Estimate)
			}
			if took := last.Warmup + last.Measured; took < length.Least || took > most {
				t.Errorf("it took %v", took)
			}
		}
	}
}

func TestARunThatIsNeverSureEndsByTime(t *testing.T) {
	irregular := &simulated{length: Length{Least: 100 * ms, Most: 3 * time.Second, Within: 0.01}, parts: []simulatedPart{
		{threads: []*simulatedThread{{every: ms}}}, {threads: []*simulatedThread{{every: 900 * ms}}},
	}}
	for _, result := range irregular.run() {
		if result.EndedBy != events.EndedByTime || result.Warmup+result.Measured != 3*time.Second {
			t.Errorf("it ended by %s after %v and %v", result.EndedBy, result.Warmup, result.Measured)
		}
	}
}

// TestWhereverTheWatchIsHeldUpItTellsTheTruth keeps it waiting once, before every reading of the time
// at the begin and around the end.
func TestWhereverTheWatchIsHeldUpItTellsTheTruth(t *testing.T) {
	seen := []*steady.Memory{{}, {}}
	(&simulated{length: Length{Most: 4 * time.Second}, parts: quickAndSlow(seen...)}).run()
	for _, length := range []Length{
		{Warmup: 60 * ms, Most: 230 * ms},
		{Most: 110 * ms},
		{Warmup: 30 * ms, Least: 150 * ms, Most: time.Minute, Within: 0.9},
	} {
		undisturbed := &simulated{length: length, parts: quickAndSlow(seen...)}
		undisturbed.run()
		for held := 1; held <= undisturbed.readings; held++ {
			if held > 20 && held < undisturbed.readings-20 {
				continue
			}
			trial := &simulated{length: length, held: held, parts: quickAndSlow(seen...)}
			wantTruth(t, trial, trial.run())
			if t.Failed() {
				t.Fatalf("%+v, held up before reading %d of %d", length, held, undisturbed.readings)
			}
		}
	}
}

// wantTruth wants of quickAndSlow what was measured to be what they did, give or take an operation
// at either end.
func wantTruth(t *testing.T, trial *simulated, results []*Result) {
	t.Helper()
	const slack = 2
	for part, result := range results {
		perS, samples := []float64{1000, 100}[part], trial.samples[part]
		if counted := float64(result.Counts.Operations); !near(counted, perS*result.Measured.Seconds(), slack) {
			t.Errorf("part %d: %v operations in %v", part, counted, result.Measured)
		}
		for _, sample := range samples {
			if !near(float64(sample.Operations), perS*sample.Took.Seconds(), slack) {
				t.Errorf("part %d: a sample is %+v", part, sample)
			}
		}
		// A last interval that is very short has no sample.
		missed := float64(result.Counts.Operations) - float64(sampled(samples))
		if trial.length.Within == 0 && (result.Measured < trial.length.Most || !near(missed, 0, perS*Interval.Seconds()/4)) {
			t.Errorf("part %d: %v, %d operations, samples %+v", part, result.Measured, result.Counts.Operations, samples)
		}
		// Without a warm-up all counts but the one that came too late.
		if all := trial.parts[part].threads[0].number; trial.length.Warmup == 0 && result.Counts.Operations+1 < uint64(all) {
			t.Errorf("part %d: %d of %d operations were counted", part, result.Counts.Operations, all)
		}
		if result.Warmup+result.Measured < trial.length.Least {
			t.Errorf("part %d: %v of warm-up and %v", part, result.Warmup, result.Measured)
		}
		if rate := result.RatePerS(); result.CI95PerS[0] > rate || result.CI95PerS[1] < rate {
			t.Errorf("part %d: the interval of %v is %v", part, rate, result.CI95PerS)
		}
	}
	quick := results[0]
	all, missing, failed := float64(quick.Counts.Operations), float64(quick.MissingRows), float64(quick.Errors)
	if !near(missing, all/2, slack) || !near(failed, all/10, slack) {
		t.Errorf("of %v operations %v missed their row and %v failed", all, missing, failed)
	}
	if len(trial.samples[0]) != len(trial.samples[1]) || quick.Measured != results[1].Measured {
		t.Errorf("the parts differ: %+v, %+v", results[0], results[1])
	}
}

func near(got, want, off float64) bool { return got >= want-off && got <= want+off }
