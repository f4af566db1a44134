package trace

import (
	"math"
	"testing"
	"time"
)

func TestLatenciesFallIntoHalfPowers(t *testing.T) {
	for ns, want := range map[uint64]int{
		0: 0, 1: 0, 2: 2, 3: 3, 4: 4, 5: 4, 6: 5, 1000: 19, 1023: 19, 1024: 20, 1448: 20, 1449: 21,
		1 << 36: 72, math.MaxUint64: latencyClasses - 1,
	} {
		if got := classOfLatency(ns); got != want {
			t.Errorf("%d ns is of class %d instead of %d", ns, got, want)
		}
	}
}

func TestALongerTraceHasLongerStretches(t *testing.T) {
	const seconds = 100
	kept := newSeries(1_000)
	kept.record(true, 0)
	to := kept.course()
	for at := range uint64(seconds) {
		// Three at the middle of each second, of 1, 2 and 4 us.
		ended := 1_000 + at*1e9 + 5e8
		for _, took := range []uint64{1_000, 2_000, 4_000} {
			kept.count(to, ended, took, 16)
		}
	}
	kept.record(false, seconds*time.Second)
	if kept.stretch != 2*time.Second || len(kept.recorded) != seconds/2+1 {
		t.Fatalf("%d stretches of %v", len(kept.recorded), kept.stretch)
	}
	row := kept.row([]*course{to, kept.course()})
	for at := range seconds / 2 {
		if row.Bytes[at] != 96 || row.Took[at] != 14 || kept.recorded[at] != 2*time.Second {
			t.Fatalf("stretch %d has %d bytes, %v us and %v", at, row.Bytes[at], row.Took[at], kept.recorded[at])
		}
	}
	if len(row.Cells) != 3*seconds/2 || row.Cells[0] != [3]uint64{0, 19, 2} {
		t.Errorf("%d cells, the first %v", len(row.Cells), row.Cells[0])
	}
}

func TestPausesAreNotRecordedTime(t *testing.T) {
	kept := newSeries(0)
	kept.record(true, 0)
	kept.record(false, 700*time.Millisecond)
	kept.record(true, 1600*time.Millisecond)
	kept.record(false, 2*time.Second)
	want := []time.Duration{500 * time.Millisecond, 200 * time.Millisecond, 0, 400 * time.Millisecond, 0}
	if len(kept.recorded) != len(want) {
		t.Fatalf("recorded %v", kept.recorded)
	}
	for at, span := range want {
		if kept.recorded[at] != span {
			t.Errorf("recorded %v of stretch %d instead of %v", kept.recorded[at], at, span)
		}
	}
}

func TestWhatEndsAfterTheLastRoundCountsAsTheEnd(t *testing.T) {
	kept := newSeries(0)
	kept.record(true, 0)
	to := kept.course()
	kept.record(false, 900*time.Millisecond)
	kept.count(to, 1_300_000_000, 5, 1)
	kept.count(to, 200_000_000, 5, 1)
	if row := kept.row([]*course{to}); len(row.Bytes) != 2 || row.Bytes[0] != 1 || row.Bytes[1] != 1 {
		t.Errorf("bytes are %v", row.Bytes)
	}
}

// wantSeries holds what was seen over time against the totals of the same report.
func wantSeries(t *testing.T, report *Report) {
	t.Helper()
	calls, bytes, took := map[string]uint64{}, uint64(0), 0.0
	for _, row := range report.Series.Rows {
		for _, cell := range row.Cells {
			calls[string(row.Role)+" "+row.Operation] += cell[2]
		}
		for at := range row.Bytes {
			bytes += row.Bytes[at]
			took += row.Took[at]
		}
	}
	all := uint64(0)
	for _, call := range report.Calls {
		all += call.Bytes
		calls[string(call.Role)+" "+call.Operation] -= call.Count
	}
	for name, difference := range calls {
		if difference != 0 {
			t.Errorf("%s: %d calls more over time than in all", name, int64(difference))
		}
	}
	recorded := 0.0
	for _, span := range report.Series.Recorded {
		recorded += span
	}
	if bytes != all || took <= 0 || math.Abs(recorded-report.Seconds*report.Sampled) > 0.01 {
		t.Errorf("%d bytes of %d in %v of %v s: %+v", bytes, all, recorded, report.Seconds, report.Series)
	}
}
