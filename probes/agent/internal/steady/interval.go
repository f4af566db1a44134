package steady

import "math"

// Estimate is how well a mean is known.
type Estimate struct {
	// HalfWidth is that of the 95 % interval, as a share of the mean.
	HalfWidth       float64
	Batches         int
	Autocorrelation float64
}

// unknown is the estimate of too short a series.
var unknown = Estimate{HalfWidth: 1}

const (
	fewestBatches = 10
	alike         = 0.2
)

// Interval estimates by batch means.
func Interval(slots []float64) Estimate {
	for size := 1; ; size++ {
		batches := len(slots) / size
		if batches < fewestBatches {
			return unknown
		}
		mean, variance, correlation := moments(slots, size)
		if mean <= 0 {
			return unknown
		}
		if correlation < alike || (batches-1) < fewestBatches {
			correlation = max(0, correlation)
			inflation := (1 + correlation) / (1 - correlation)
			half := 2.1 * math.Sqrt(variance*inflation/float64(batches)) / mean
			return Estimate{min(half, 1), batches, correlation}
		}
	}
}

func moments(slots []float64, size int) (mean, variance, correlation float64) {
	n := len(slots) / size
	values := make([]float64, n)
	for i := range values {
		for _, c := range slots[len(slots)-(n-i)*size : len(slots)-(n-i-1)*size] {
			values[i] += c
		}
		mean += values[i] / float64(n)
	}
	products := 0.0
	for i, v := range values {
		variance += (v - mean) * (v - mean)
		if i > 0 {
			products += (v - mean) * (values[i-1] - mean)
		}
	}
	if variance > 0 {
		correlation = products / variance
	}
	return mean, variance / float64(n-1), correlation
}
