// Package latency counts nanoseconds in the buckets of an HdrHistogram.
package latency

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// HighestNS is the longest latency that is told apart; a longer one counts as this.
const HighestNS = 100_000_000_000

// Two significant digits need 256 linear steps; every further power of two needs 128 more.
const (
	significantDigits = 2
	stepBits          = 8
	halfSteps         = 1 << (stepBits - 1)
	highestBits       = 37 // of HighestNS
	size              = (highestBits - stepBits + 2) * halfSteps
)

// Counts is a histogram that some threads add to, and anybody may read at any time.
type Counts struct {
	cells [size]uint32
	// Neighbours must not share a cache line.
	_ [64]byte
}

// index returns the bucket of ns: HdrHistogram's layout for lowest 1 and two significant digits.
func index(ns uint64) int {
	shift := bits.Len64(ns|(2*halfSteps-1)) - stepBits
	return shift*halfSteps + int(ns>>uint(shift))
}

// valueAt returns the highest nanoseconds that share the bucket at position.
func valueAt(position int) int64 {
	shift := position/halfSteps - 1
	step := position%halfSteps + halfSteps
	if shift < 0 {
		shift, step = 0, position
	}
	return int64(step+1)<<uint(shift) - 1
}

// Add counts one operation that took ns.
//
//go:nosplit
func (c *Counts) Add(ns int64) { c.AddMany(ns, 1) }

// AddMany counts many operations that took ns each.
//
//go:nosplit
func (c *Counts) AddMany(ns int64, many uint32) {
	atomic.AddUint32(&c.cells[index(uint64(min(ns, HighestNS)))], many)
}

// Sum is a histogram over several Counts.
type Sum struct {
	cells      [size]uint64
	Operations uint64
}

// Take replaces s by what all have counted until now.
func (s *Sum) Take(all []*Counts) {
	*s = Sum{}
	s.Add(all)
}

// Add adds what all have counted until now, and returns how many operations that is.
func (s *Sum) Add(all []*Counts) uint64 {
	added := uint64(0)
	for _, counts := range all {
		for position := range counts.cells {
			count := uint64(atomic.LoadUint32(&counts.cells[position]))
			s.cells[position] += count
			added += count
		}
	}
	s.Operations += added
	return added
}

// AddSum adds what another histogram holds.
func (s *Sum) AddSum(other *Sum) {
	for position, count := range other.cells {
		s.cells[position] += count
	}
	s.Operations += other.Operations
}

// Total adds up the operations alone, of what all have counted until now.
func Total(all []*Counts) uint64 {
	total := uint64(0)
	for _, counts := range all {
		for position := range counts.cells {
			total += uint64(atomic.LoadUint32(&counts.cells[position]))
		}
	}
	return total
}

// Subtract replaces s by what was counted from earlier to later.
func (s *Sum) Subtract(later, earlier *Sum) {
	s.Operations = later.Operations - earlier.Operations
	for position := range s.cells {
		s.cells[position] = later.cells[position] - earlier.cells[position]
	}
}

// PercentileUS returns the microseconds within which percent of the operations finished; 0
// when there were none.
func (s *Sum) PercentileUS(percent float64) float64 {
	wanted := max(1, uint64(percent/100*float64(s.Operations)+0.5))
	seen := uint64(0)
	for position, count := range s.cells {
		seen += count
		if seen >= wanted {
			return float64(valueAt(position)) / 1000
		}
	}
	return 0
}

// Encode returns the histogram in HdrHistogram's V2 compressed encoding, base64.
func (s *Sum) Encode() (string, error) {
	histogram := hdrhistogram.New(1, HighestNS, significantDigits)
	for position, count := range s.cells {
		if count == 0 {
			continue
		}
		// The last bucket's upper end may lie above what the histogram takes.
		value := min(valueAt(position), HighestNS)
		if err := histogram.RecordValues(value, int64(count)); err != nil {
			return "", fmt.Errorf("histogram: %w", err)
		}
	}
	encoded, err := histogram.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return "", fmt.Errorf("histogram: %w", err)
	}
	return string(encoded), nil
}
