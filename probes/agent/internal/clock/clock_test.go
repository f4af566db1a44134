package clock

import (
	"testing"
	"time"
)

// keepsTime compares a wait with the kernel's clock.
func keepsTime(t *testing.T) {
	t.Helper()
	// Between two readings the kernel may give the processor to others.
	before, begin, after := nanotime(), Now(), nanotime()
	time.Sleep(200 * time.Millisecond)
	least := nanotime() - after
	took := Now() - begin
	most := nanotime() - before
	if float64(took) < 0.999*float64(least) || float64(took) > 1.001*float64(most) {
		t.Errorf("%d to %d ns took %d", least, most, took)
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
	begin := nanotime()
	if cost := CostNS(); cost <= 0 || cost > float64(nanotime()-begin) {
		t.Errorf("a reading costs %v ns", cost)
	}
}
