package steady

import "math"

const (
	// fewestBatches is how many batches an interval is made of at least: their number is the
	// degrees of freedom of a variance, and with fewer it is hardly known.
	fewestBatches = 10
	// alike is the correlation between neighbours below which batches pass as independent.
	alike = 0.2
	// mostAlike bounds the correction for the correlation that is left.
	mostAlike = 0.95
	// widest is half an interval that says no more than that nothing is known: a factor of 20.
	widest = 3
)

// Estimate is how well a rate is known.
type Estimate struct {
	// HalfWidth is half the 95 % interval of the rate's logarithm: for small ones the share of the
	// rate by which the truth may lie above or below. Swings multiply a rate, so that a slow phase is
	// as far below the mean as a fast one above only on this scale.
	HalfWidth float64
	Batches   int
	// Autocorrelation is what is left of it between neighbouring batches.
	Autocorrelation float64
	// Swing is how much the rate differs from one stretch to the next, however long they are (the
	// floor of its Allan deviation), as a share.
	Swing float64
}

// unknown is the estimate of too short a series.
var unknown = Estimate{HalfWidth: 1}

// Bounds returns the interval around rate.
func (e Estimate) Bounds(rate float64) [2]float64 {
	return [2]float64{rate * math.Exp(-e.HalfWidth), rate * math.Exp(e.HalfWidth)}
}

// Interval estimates how well the mean of slots, each slotNS long, is known: by batch means for what
// varies within the series, and by memory for what varies more slowly than it lasts.
//
// Batches grow until neighbours are no longer alike; what is left of that when they would become
// too few widens the interval as for a first-order autoregressive process (Law and Carson 1979, A
// sequential procedure for determining the length of a steady-state simulation; Law, Simulation
// Modeling and Analysis, chapter 9; Alexopoulos and Seila 1998, Output data analysis).
//
// That alone is far too sure where others use the machine, too: rates swing there over seconds and
// minutes as much as over tenths of a second (1/f noise). See Memory for figures.
func Interval(slots []float64, slotNS int64, memory *Memory) Estimate {
	estimate := byBatches(slots)
	if estimate == unknown {
		return unknown
	}
	measured := float64(len(slots)) * seconds(slotNS)
	estimate.Swing = memory.swing(slots, slotNS)
	slowly := normal975 * memory.slowly(estimate.Swing, measured)
	estimate.HalfWidth = min(widest, math.Hypot(estimate.HalfWidth, slowly))
	return estimate
}

func byBatches(slots []float64) Estimate {
	for size := 1; len(slots)/size >= fewestBatches; {
		larger := size + 1 + size/4
		batches := len(slots) / size
		mean, variance, correlation := moments(slots, size)
		if mean <= 0 {
			return unknown
		}
		correlation = max(0, correlation)
		if correlation < alike || len(slots)/larger < fewestBatches {
			bounded := min(correlation, mostAlike)
			error := math.Sqrt(variance / float64(batches) * (1 + bounded) / (1 - bounded))
			return Estimate{
				HalfWidth: student975(batches-1) * error / mean, Batches: batches, Autocorrelation: correlation,
			}
		}
		size = larger
	}
	return unknown
}

// moments returns mean and variance of the sums of size slots each, and the correlation of one with
// the next. What does not make a whole batch is left out at the beginning.
func moments(slots []float64, size int) (mean, variance, correlation float64) {
	slots = slots[len(slots)%size:]
	batches := len(slots) / size
	for _, count := range slots {
		mean += count
	}
	mean /= float64(batches)
	squares, products, last := 0.0, 0.0, 0.0
	for index := range batches {
		off := -mean
		for _, count := range slots[index*size : (index+1)*size] {
			off += count
		}
		squares += off * off
		products += off * last
		last = off
	}
	if squares > 0 {
		correlation = products / squares
	}
	return mean, squares / float64(batches-1), correlation
}
