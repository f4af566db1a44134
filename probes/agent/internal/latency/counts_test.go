package latency

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
)

func TestIndexFollowsHdrHistogram(t *testing.T) {
	reference := hdrhistogram.New(1, HighestNS, significantDigits)
	for _, value := range []int64{0, 1, 127, 128, 255, 256, 257, 511, 512, 1000, 99_999, 1 << 30, HighestNS} {
		position := index(uint64(value))
		if position >= size {
			t.Fatalf("%d has no bucket", value)
		}
		if !reference.ValuesAreEquivalent(value, valueAt(position)) {
			t.Errorf("%d is in bucket %d, which ends at %d", value, position, valueAt(position))
		}
		if value > 0 && !reference.ValuesAreEquivalent(valueAt(position), valueAt(index(uint64(valueAt(position))))) {
			t.Errorf("the end of bucket %d lies in another", position)
		}
	}
}

func TestEveryBucketEndsWhereTheNextBegins(t *testing.T) {
	for position := range size - 1 {
		end := uint64(valueAt(position))
		if index(end) != position || index(end+1) != position+1 {
			t.Fatalf("bucket %d ends at %d, but that has index %d and the next %d",
				position, end, index(end), index(end+1))
		}
	}
}

func TestSumEncodesWhatWasCounted(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	counts := &Counts{}
	reference := hdrhistogram.New(1, HighestNS, significantDigits)
	for range 20_000 {
		ns := int64(math.Exp(random.NormFloat64()*2 + 11))
		counts.Add(ns)
		if err := reference.RecordValue(min(ns, HighestNS)); err != nil {
			t.Fatal(err)
		}
	}
	counts.Add(5 * HighestNS)
	if err := reference.RecordValue(HighestNS); err != nil {
		t.Fatal(err)
	}
	var sum Sum
	sum.Take([]*Counts{counts})
	encoded, err := sum.Encode()
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := hdrhistogram.Decode([]byte(encoded))
	if err != nil {
		t.Fatal(err)
	}
	if decoded.TotalCount() != 20_001 || sum.Operations != 20_001 {
		t.Errorf("%d encoded, %d summed, instead of 20001", decoded.TotalCount(), sum.Operations)
	}
	for _, percent := range []float64{1, 50, 95, 99, 99.9} {
		want := reference.ValueAtQuantile(percent)
		if got := decoded.ValueAtQuantile(percent); got != want {
			t.Errorf("p%v decodes to %d instead of %d", percent, got, want)
		}
		if got := sum.PercentileUS(percent); got != float64(want)/1000 {
			t.Errorf("p%v is %v us instead of %v", percent, got, float64(want)/1000)
		}
	}
}

func TestSubtractLeavesTheIntervalAlone(t *testing.T) {
	counts := &Counts{}
	all := []*Counts{counts}
	var before, now, since Sum
	counts.Add(1_000_000)
	before.Take(all)
	counts.Add(10_000)
	counts.Add(20_000)
	now.Take(all)
	since.Subtract(&now, &before)
	if since.Operations != 2 {
		t.Errorf("%d operations instead of 2", since.Operations)
	}
	if p99 := since.PercentileUS(99); p99 < 20 || p99 > 20.2 {
		t.Errorf("p99 is %v us instead of 20", p99)
	}
	since.Subtract(&now, &now)
	if since.PercentileUS(99) != 0 {
		t.Error("an empty interval has a percentile")
	}
}

func TestReadersMayLookWhileAnOwnerAdds(t *testing.T) {
	const additions = 50_000
	counts := []*Counts{{}, {}}
	var owners sync.WaitGroup
	for _, own := range counts {
		owners.Go(func() {
			for ns := range int64(additions) {
				own.Add(ns * 100)
			}
		})
	}
	var sum Sum
	seen := []uint64{0}
	for seen[len(seen)-1] < additions/2 {
		sum.Take(counts)
		seen = append(seen, sum.Operations)
	}
	owners.Wait()
	sum.Take(counts)
	if sum.Operations != 2*additions || !slices.IsSorted(seen) {
		t.Errorf("%d additions were seen at the end, on the way %v", sum.Operations, seen)
	}
}
