package pointselect

import (
	"math"
	"testing"
)

// drawn counts draws of each key, with numbers that lie evenly over all there may be.
func drawn(chosen keys, draws uint64) map[int64]float64 {
	hits := map[int64]float64{}
	step := math.MaxUint64 / draws
	for number := range draws {
		hits[chosen.at(number*step+step/2)] += 1 / float64(draws)
	}
	return hits
}

func TestZipfKeysAreDrawnInProportionToAPowerOfTheirNumber(t *testing.T) {
	for _, count := range []int64{1, 2, 10, 1000, 20_000} {
		all := 0.0
		for number := int64(1); number <= count; number++ {
			all += math.Pow(float64(number), -zipfExponent)
		}
		hits := drawn(newKeys(5, 4+count, ZipfKeys, Hot{}), 4_000_000)
		sum := 0.0
		for number := int64(1); number <= count; number++ {
			wanted := math.Pow(float64(number), -zipfExponent) / all
			sum += wanted - hits[4+number]
			// Up to a key all draws together are right to a thousandth, and those of one to some per cent.
			if math.Abs(sum) > 0.001 || (number < 100 && math.Abs(hits[4+number]/wanted-1) > 0.05) {
				t.Fatalf("key %d of %d is drawn %g of all times instead of %g", number, count, hits[4+number], wanted)
			}
		}
	}
}

func TestAFifthOfParetoKeysIsDrawnFourTimesOfFive(t *testing.T) {
	const count = 1_000_000
	for share, wanted := range map[float64]float64{0.2: 0.8, 0.04: 0.64, 1: 1} {
		sum := 0.0
		for key, hits := range drawn(newKeys(1, count, ParetoKeys, Hot{}), 1_000_000) {
			if key < 1 || key > count {
				t.Fatalf("key %d is drawn", key)
			}
			if float64(key) <= share*count {
				sum += hits
			}
		}
		if math.Abs(sum-wanted) > 0.002 {
			t.Errorf("%g of the keys are drawn %g of all times instead of %g", share, sum, wanted)
		}
	}
}

func TestHotKeysAreTheLowestOnes(t *testing.T) {
	const count = 1_000_000
	for share, wanted := range map[float64]float64{0.125: 0.75, 0.0625: 0.375, 0.5625: 0.875} {
		sum := 0.0
		for key, hits := range drawn(newKeys(1, count, HotKeys, Hot{Share: 0.75, Keys: 0.125}), 1_000_000) {
			if float64(key) <= share*count {
				sum += hits
			}
		}
		if math.Abs(sum-wanted) > 0.002 {
			t.Errorf("%g of the keys are drawn %g of all times instead of %g", share, sum, wanted)
		}
	}
	for _, wrong := range []Hot{{-0.1, 0.5}, {1.1, 0.5}, {0.5, 0}, {0.5, 1}, {math.NaN(), 0.5}} {
		if wrong.Check() == nil {
			t.Errorf("%+v is none", wrong)
		}
	}
}

func TestTheLastBitsLeadToKeysOfTheTable(t *testing.T) {
	for _, way := range []string{UniformKeys, ZipfKeys, ParetoKeys, HotKeys} {
		for _, count := range []int64{1, 3, 1 << 40} {
			chosen := newKeys(-7, -8+count, way, Hot{Share: 1, Keys: 0.5})
			for _, bits := range []uint64{0, math.MaxUint64} {
				if key := chosen.at(bits); key < -7 || key > -8+count {
					t.Errorf("%s: key %d of %d is drawn", way, key, count)
				}
			}
		}
	}
}
