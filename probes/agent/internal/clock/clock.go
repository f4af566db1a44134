// Package clock reads time as cheaply as can be: the loops read it once an operation.
package clock

import (
	"math/bits"
	"os"
	"strings"
	"time"
	_ "unsafe" // for linkname
)

// calibration is how long the processor's counter is compared with the kernel's clock. Either is
// read to some 50 ns, so that the ratio is good to about five millionths.
const calibration = 20 * time.Millisecond

// From a reading of the counter to nanoseconds; scale is in 2^-32 ns a tick, and 0 for as long
// as the kernel's clock is read instead.
var (
	baseTicks uint64
	baseNS    int64
	scale     uint64
)

//go:linkname nanotime runtime.nanotime
//go:noescape
func nanotime() int64

// Now returns monotonic nanoseconds since some moment.
//
//go:nosplit
func Now() int64 {
	if scale == 0 {
		return nanotime()
	}
	high, low := bits.Mul64(ticks()-baseTicks, scale)
	return baseNS + int64(high<<32|low>>32)
}

// UseCounter makes Now read the processor's counter where the kernel itself keeps time by it: then
// it has found the counter steady and alike on all processors. That costs a third of asking the
// kernel. Call it before any thread measures.
func UseCounter() {
	source, err := os.ReadFile("/sys/devices/system/clocksource/clocksource0/current_clocksource")
	if err != nil || strings.TrimSpace(string(source)) != counterSource {
		return
	}
	beginNS, beginTicks := both()
	time.Sleep(calibration)
	endNS, endTicks := both()
	if endTicks <= beginTicks {
		return
	}
	baseNS, baseTicks = beginNS, beginTicks
	scale, _ = bits.Div64(uint64(endNS-beginNS)>>32, uint64(endNS-beginNS)<<32, endTicks-beginTicks)
}

// both reads both clocks at about one moment: of several tries the one that was interrupted least.
func both() (ns int64, counter uint64) {
	shortest := int64(1 << 62)
	for range 20 {
		before := nanotime()
		read := ticks()
		after := nanotime()
		if after-before < shortest {
			shortest = after - before
			ns, counter = before+(after-before)/2, read
		}
	}
	return ns, counter
}

// CostNS measures what one call of Now takes, in nanoseconds: the best of several rounds.
func CostNS() float64 {
	const rounds, calls = 5, 4000
	best := int64(1 << 62)
	for range rounds {
		begin := Now()
		for range calls {
			Now()
		}
		best = min(best, Now()-begin)
	}
	return float64(best) / calls
}
