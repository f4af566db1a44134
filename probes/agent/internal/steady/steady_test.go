package steady

import (
	"math"
	"math/rand/v2"
	"testing"
)

const slotNS = 10_000_000

func near(t *testing.T, what string, got, want, off float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > off {
		t.Errorf("%s is %v instead of %v", what, got, want)
	}
}

func TestReadingsBetweenTheEndsOfSlotsAreSpread(t *testing.T) {
	series := NewSeries(1000, 50, 100)
	series.Add(1050, 60)
	series.Add(1150, 80) // 10 in each half
	series.Add(1150, 80)
	series.Add(1400, 130) // 20 a slot
	want := []float64{20, 20, 20, 20}
	if len(series.Slots()) != len(want) {
		t.Fatalf("the slots are %v", series.Slots())
	}
	for index, count := range series.Slots() {
		near(t, "a slot", count, want[index], 1e-9)
	}
}

func TestSlotsGrowWithTheSeries(t *testing.T) {
	series := NewSeries(0, 0, 10)
	for step := range int64(mostSlots + 400) {
		series.Add((step+1)*10, uint64(step+1)*3)
	}
	if series.Slot() != 20 || len(series.Slots()) != mostSlots/2+200 {
		t.Fatalf("%d slots of %d", len(series.Slots()), series.Slot())
	}
	for _, count := range series.Slots() {
		near(t, "a slot", count, 6, 1e-9)
	}
}

// noise is white; its mean is 1 where level is.
type noise struct{ random *rand.Rand }

func newNoise(seed uint64) noise { return noise{rand.New(rand.NewPCG(seed, 7))} }

func (n noise) white(length int, level, deviation float64) []float64 {
	slots := make([]float64, length)
	for index := range slots {
		slots[index] = level + deviation*n.random.NormFloat64()
	}
	return slots
}

// alike is noise of which each slot keeps the share keep of the one before.
func (n noise) alike(length int, keep, deviation float64) []float64 {
	slots, off := make([]float64, length), 0.0
	for index := range slots {
		off = keep*off + math.Sqrt(1-keep*keep)*deviation*n.random.NormFloat64()
		slots[index] = 1 + off
	}
	return slots
}

// flicker is noise that swings at all lengths alike: a sum of such as last ten times longer each.
func (n noise) flicker(length int, deviation float64) []float64 {
	slots := n.white(length, 1, 0)
	for lasting := 1.0; lasting < float64(length); lasting *= 4 {
		for index, count := range n.alike(length, math.Exp(-1/lasting), deviation) {
			slots[index] += count - 1
		}
	}
	return slots
}

func TestTheWarmUpIsCutWhereTheRateSettles(t *testing.T) {
	slots := newNoise(1).white(200, 1, 0.05)
	for index := range 35 {
		slots[index] = 0.4
	}
	if cut := WarmUp(slots); cut < 35 || cut > 60 {
		t.Errorf("%d slots were cut instead of 35", cut)
	}
	if cut := WarmUp(slots[35:]); cut > 80 {
		t.Errorf("%d slots of a settled series were cut", cut)
	}
	if cut := WarmUp(slots[:4]); cut != 0 {
		t.Errorf("%d slots of four were cut", cut)
	}
}

func TestNoMoreThanHalfIsWarmUp(t *testing.T) {
	slots := make([]float64, 100)
	for index := range slots {
		slots[index] = float64(index)
	}
	if cut := WarmUp(slots); cut != 50 {
		t.Errorf("%d of 100 slots were cut", cut)
	}
}

func TestStudentsQuantiles(t *testing.T) {
	for freedom, want := range map[int]float64{5: 2.5706, 9: 2.2622, 19: 2.0930, 60: 2.0003, 1000: 1.9623} {
		near(t, "the quantile", student975(freedom), want, 0.003)
	}
}

func TestWhiteNoiseGivesTheTextbooksInterval(t *testing.T) {
	slots := newNoise(2).white(400, 100, 10)
	estimate := byBatches(slots)
	near(t, "half the interval", estimate.HalfWidth, 1.96*0.1/20, 0.001)
	if estimate.Batches != 400 || estimate.Autocorrelation > 0.2 {
		t.Errorf("the estimate is %+v", estimate)
	}
}

func TestAlikeNeighboursMakeLargerBatches(t *testing.T) {
	slots := newNoise(3).alike(1000, 0.8, 0.1)
	estimate := byBatches(slots)
	// The effective number of slots is (1-0.8)/(1+0.8) of all.
	near(t, "half the interval", estimate.HalfWidth, 1.96*0.1/math.Sqrt(1000.0/9), 0.006)
	if estimate.Batches > 200 {
		t.Errorf("%d batches", estimate.Batches)
	}
}

func TestTooShortASeriesIsUnknown(t *testing.T) {
	for _, slots := range [][]float64{nil, {1}, make([]float64, 9), make([]float64, 100)} {
		if got := Interval(slots, slotNS, &Memory{}); got != unknown {
			t.Errorf("%d slots give %+v", len(slots), got)
		}
	}
	bounds := unknown.Bounds(10)
	if bounds[0] > 5 || bounds[1] < 20 {
		t.Errorf("what is not known lies in %v", bounds)
	}
}

func TestASingleBurstLeavesAFiniteInterval(t *testing.T) {
	slots := make([]float64, mostSlots)
	slots[700] = 1
	got := Interval(slots, slotNS, &Memory{})
	if got.HalfWidth != widest {
		t.Errorf("half the interval is %v", got.HalfWidth)
	}
}

func TestTheIntervalOfASteadyRateIsNothing(t *testing.T) {
	slots := newNoise(1).white(100, 50, 0)
	if got := Interval(slots, slotNS, &Memory{}); got.HalfWidth != 0 {
		t.Errorf("half the interval is %v", got.HalfWidth)
	}
}

func TestAllanVarianceOfWhiteNoiseFallsWithTheLength(t *testing.T) {
	all := allan(newNoise(4).white(20_000, 10, 1), slotNS)
	for index, got := range all {
		slots := float64(int(5) << index)
		near(t, "the variance times its length", got.squares/got.weight*slots, 0.01, 0.0035)
	}
}

func TestOnlySwingsRemainInTheFloor(t *testing.T) {
	memory := &Memory{}
	white := memory.swing(newNoise(5).white(300, 1, 0.1), slotNS)
	if white > 0.012 {
		t.Errorf("white noise swings by %v", white)
	}
	swinging := memory.swing(newNoise(5).flicker(6000, 0.05), slotNS)
	if swinging < 0.03 || swinging > 0.08 {
		t.Errorf("flicker noise swings by %v", swinging)
	}
}

// coverage measures points one after the other in a long series, as the agent does, and returns the
// share of intervals that hold the mean of all, and the mean length in slots.
func coverage(slots []float64, within float64, least, most int) (held, length float64) {
	mean := 0.0
	for _, count := range slots {
		mean += count / float64(len(slots))
	}
	memory, points, taken := &Memory{}, 0.0, 0
	for begin := 0; begin+most <= len(slots); begin += taken + 20 {
		taken = stopsAt(slots[begin:begin+most], within, least, memory)
		kept := slots[begin : begin+taken]
		kept = kept[WarmUp(kept):]
		estimate := Interval(kept, slotNS, memory)
		memory.Learn("again", kept, slotNS)
		rate := 0.0
		for _, count := range kept {
			rate += count / float64(len(kept))
		}
		if bounds := estimate.Bounds(rate); bounds[0] <= mean && mean <= bounds[1] {
			held++
		}
		points++
		length += float64(taken)
	}
	return held / points, length / points
}

func stopsAt(slots []float64, within float64, least int, memory *Memory) int {
	stopping := NewStopping(within, 1)
	series := NewSeries(0, 0, slotNS)
	total := 0.0
	for index, count := range slots {
		total += count * 1e6
		series.Add(int64(index+1)*slotNS, uint64(total))
		if index+1 >= least && (index+1)%SlotsPerBatch == 0 {
			stopping.Look(0, series, memory)
			if stopping.Enough() {
				return index + 1
			}
		}
	}
	return len(slots)
}

func TestIntervalsHoldTheLongRun(t *testing.T) {
	for name, series := range map[string][]float64{
		"white":           newNoise(11).white(30_000, 1, 0.05),
		"much white":      newNoise(12).white(30_000, 1, 0.2),
		"alike":           newNoise(13).alike(30_000, 0.9, 0.1),
		"flicker":         newNoise(14).flicker(30_000, 0.03),
		"strong flicker":  newNoise(15).flicker(30_000, 0.07),
		"flicker, little": newNoise(16).flicker(30_000, 0.005),
	} {
		held, length := coverage(series, 0.05, 40, 300)
		t.Logf("%s: %.3f hold the mean, after %.0f slots", name, held, length)
		if held < 0.88 {
			t.Errorf("%s: only %.2f hold the mean", name, held)
		}
	}
}

func TestWhatDoesNotSwingEndsSoon(t *testing.T) {
	if _, length := coverage(newNoise(21).white(30_000, 1, 0.05), 0.05, 40, 300); length > 60 {
		t.Errorf("points take %v slots", length)
	}
	if _, length := coverage(newNoise(22).flicker(30_000, 0.07), 0.05, 40, 300); length < 250 {
		t.Errorf("on a drive that swings points end after %v slots", length)
	}
}

func TestRepeatedPointsTellOfSlowerSwings(t *testing.T) {
	random := newNoise(24)
	memory := &Memory{}
	learn := func(setting string, level float64) float64 {
		slots := random.white(200, level, 0.01*level)
		half := Interval(slots, slotNS, memory).HalfWidth
		memory.Learn(setting, slots, slotNS)
		return half
	}
	for number := range 10 {
		if half := learn("other"+string(rune('a'+number)), float64(number+1)); half > 0.02 {
			t.Fatalf("other settings' rates make half an interval of %v", half)
		}
	}
	// Each point is calm, and every other one is half as fast.
	for number := range 12 {
		learn("same", 1-0.5*float64(number%2))
	}
	if half := learn("same", 1); half < 0.6 {
		t.Errorf("half the interval is %v although repeated points differ by a half", half)
	}
}

func TestNothingIsSureBeforeThePlaceWasSeenForAWhile(t *testing.T) {
	slots := newNoise(23).white(600, 1, 0.01)
	memory := &Memory{}
	if taken := stopsAt(slots, 0.05, 40, memory); taken < 300 {
		t.Errorf("the first point ends after %d slots", taken)
	}
	memory.Learn("once", slots, slotNS)
	if taken := stopsAt(slots, 0.05, 40, memory); taken > 60 {
		t.Errorf("the next one ends after %d slots", taken)
	}
}

func TestAllPartsHaveToBeSure(t *testing.T) {
	memory := &Memory{}
	memory.Learn("once", newNoise(31).white(600, 1, 0.01), slotNS)
	stopping := NewStopping(0.05, 2)
	steady, wild := NewSeries(0, 0, slotNS), NewSeries(0, 0, slotNS)
	for index := range int64(100) {
		steady.Add((index+1)*slotNS, uint64(index+1)*1000)
		wild.Add((index+1)*slotNS, uint64(index*index*index))
	}
	for range 4 {
		stopping.Look(0, steady, memory)
		stopping.Look(1, wild, memory)
	}
	if stopping.Enough() {
		t.Error("one part is sure, and that was enough")
	}
	for range 2 {
		stopping.Look(1, steady, memory)
	}
	if !stopping.Enough() {
		t.Error("both parts are sure, and that is not enough")
	}
}
