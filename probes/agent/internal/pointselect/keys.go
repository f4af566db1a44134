package pointselect

import (
	"errors"
	"math"
	"math/bits"
	"sort"
)

// How keys are drawn; the two uneven ways are those of sysbench, with the numbers that it takes by
// itself, and the keys that are drawn most are the lowest ones.
const (
	UniformKeys = "uniform"
	ZipfKeys    = "zipf"
	ParetoKeys  = "pareto"
	// HotKeys are uniform among the lowest ones for a share of all draws, and among the others for the rest.
	HotKeys = "hot"
)

// Hot is how HotKeys are drawn: Share of all draws are among the first Keys (a share, too) of all keys.
type Hot struct {
	Share float64 `json:"share"`
	Keys  float64 `json:"keys"`
}

// Check tells what is wrong with it.
func (h Hot) Check() error {
	if !(h.Share >= 0 && h.Share <= 1) || !(h.Keys > 0 && h.Keys < 1) {
		return errors.New("hot: share must be 0 to 1, and keys between 0 and 1")
	}
	return nil
}

const (
	// zipfExponent: key n is drawn in proportion to n^-0.8.
	zipfExponent = 0.8
	// paretoShare: the first fifth of all keys is drawn four times out of five, and so is the first fifth
	// of that.
	paretoShare = 0.2
)

// Uneven draws first choose one of so many stretches of keys that are drawn equally often. Within each, keys
// are drawn evenly: it is so narrow that their probabilities differ by some per cent at most.
const (
	stretchBits = 12
	stretches   = 1 << stretchBits
)

// keys are those of a table, and how they are drawn.
type keys struct {
	min   int64
	count uint64
	// bounds are those of the stretches, in keys above min; nil where all keys are drawn alike.
	bounds []float64
}

// newKeys makes what draws from min to max in that way; see UniformKeys.
func newKeys(min, max int64, way string, hot Hot) keys {
	made := keys{min: min, count: uint64(max-min) + 1}
	switch way {
	case ZipfKeys:
		made.bounds = boundsOf(zipfQuantile(made.count))
	case HotKeys:
		// A whole number of stretches, so that none lies in both parts.
		often, few := math.Round(hot.Share*stretches)/stretches, hot.Keys
		made.bounds = boundsOf(func(share float64) float64 {
			if share <= often && often > 0 {
				return float64(made.count) * few * share / often
			}
			return float64(made.count) * (few + (1-few)*(share-often)/(1-often))
		})
	case ParetoKeys:
		power := math.Log(paretoShare) / math.Log(1-paretoShare)
		made.bounds = boundsOf(func(share float64) float64 {
			return float64(made.count) * math.Pow(share, power)
		})
	}
	return made
}

func boundsOf(quantile func(share float64) float64) []float64 {
	bounds := make([]float64, stretches+1)
	for index := range bounds {
		bounds[index] = quantile(float64(index) / stretches)
	}
	return bounds
}

// zipfQuantile tells below which of so many keys a share of the draws lies. Each key takes the place from
// its number, counted from 0, to the next one. The first ones are added up one by one; beyond them an
// integral does as well.
func zipfQuantile(count uint64) func(share float64) float64 {
	const singly, rest = 1024, 1 - zipfExponent
	sums := []float64{0}
	for number := 1; number <= singly && uint64(number) <= count; number++ {
		sums = append(sums, sums[number-1]+math.Pow(float64(number), -zipfExponent))
	}
	first := len(sums) - 1
	// What lies between two whole numbers and a half stands for the number in their middle.
	integral := func(number float64) float64 { return math.Pow(number+0.5, rest) / rest }
	all := sums[first] + integral(float64(count)) - integral(float64(first))
	return func(share float64) float64 {
		wanted := share * all
		if wanted < sums[first] {
			number := sort.SearchFloat64s(sums, math.Nextafter(wanted, all)) - 1
			return float64(number) + (wanted-sums[number])/(sums[number+1]-sums[number])
		}
		beyond := wanted - sums[first] + integral(float64(first))
		return min(float64(count), math.Pow(beyond*rest, 1/rest)-0.5)
	}
}

// at is the key that belongs to 64 bits at random.
//
//go:nosplit
func (k *keys) at(drawn uint64) int64 {
	if k.bounds == nil {
		offset, _ := bits.Mul64(drawn, k.count)
		return k.min + int64(offset)
	}
	stretch := drawn >> (64 - stretchBits)
	from, to := k.bounds[stretch], k.bounds[stretch+1]
	// As many of the other bits as a float64 holds.
	within := float64(drawn<<stretchBits>>11) / (1 << 53)
	return k.min + int64(min(uint64(from+(to-from)*within), k.count-1))
}
