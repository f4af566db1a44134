package clock

import (
	"testing"
	"time"
)

// keepsTime compares a wait with the kernel's clock.
func keepsTime(t *testing.T) {
	t.Helper()
	beginNS, begin := nanotime(), Now()
	time.Sleep(200 * time.Millisecond)
	took, want := Now()-begin, nanotime()-beginNS
	if difference := float64(took-want) / float64(want); difference > 0.001 || difference < -0.001 {
		t.Errorf("%d ns took %d", want, took)
	}
}

func neverGoesBack(t *testing.T) {
	t.Helper()
	last := Now()
	for range 200_000 {
		now := Now()
		if now < last {
			t.Fatalf("%d came after %d", now, last)
		}
		last = now
	}
}

func TestTheKernelsClockIsReadAtFirst(t *testing.T) {
	if scale != 0 {
		t.Skip("another test has switched already")
	}
	if before := nanotime(); Now() < before {
		t.Error("the clock is behind the kernel's")
	}
	neverGoesBack(t)
}

func TestTheCounterKeepsTime(t *testing.T) {
	before := Now()
	UseCounter()
	if now := Now(); now < before || now > before+int64(time.Minute) {
		t.Errorf("switching went from %d to %d", before, now)
	}
	keepsTime(t)
	neverGoesBack(t)
	if cost := CostNS(); cost <= 0 || cost > 100_000 {
		t.Errorf("a reading costs %v ns", cost)
	}
}
