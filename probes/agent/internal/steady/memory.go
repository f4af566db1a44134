package steady

import "math"

// The lengths of the stretches whose means are compared: the shortest, and how many doublings.
const (
	shortestStretchNS = 50_000_000
	stretches         = 9
)

// forget is what an earlier point still weighs after each later one: about twenty points count.
const forget = 0.95

// longRunSeconds is the long run whose mean an interval is to hold. The allowance grows with its
// logarithm only: for an hour instead of five minutes it would be a quarter wider.
const longRunSeconds = 1000

// leastLongRun is the long run of a point that is long itself, as a multiple of it.
const leastLongRun = 10

// priorRepeats is how many repeated points it takes to weigh as much as what single points show.
const priorRepeats = 2

// Memory is how much the rates of one probe in one place differ between neighbouring stretches of
// time (their Allan variance), by the stretches' length, over the latest points; and between points
// of one setting that were repeated, which lie further apart. The zero value remembers nothing.
//
// It is kept because a point can't tell by itself how typical of the drive its second was: a
// neighbour's load that comes and goes every ten seconds leaves most points undisturbed and makes
// them differ all the same. Of series recorded on such a machine, points of up to 3 s by this
// memory held the mean of the whole series in 90 to 99 of 100, those without it in 20 to 70. On
// synthetic series without such swings it does not make points longer, and 94 to 97 of 100 hold it.
type Memory struct {
	spreads [stretches]spread
	seconds float64
	// repeats are the differences between points of one setting, apart the time between them.
	repeats, apart spread
	latest         map[string]mean
}

// mean is the logarithm of what a second's slots held on average, its variance by chance, and around
// which moment that was.
type mean struct{ logarithm, variance, atSeconds float64 }

// spread is the mean of squares, and of how many independent differences.
type spread struct{ squares, weight float64 }

// Learn adds what a point of that setting has shown, whose last slot ended at endNS.
func (m *Memory) Learn(setting string, slots []float64, slotNS, endNS int64) {
	seen := allan(slots, slotNS)
	for index := range m.spreads {
		m.spreads[index].learn(seen[index])
	}
	measured := float64(len(slots)) * seconds(slotNS)
	m.seconds += measured
	total := 0.0
	for _, count := range slots {
		total += count
	}
	if total > 0 {
		chance := byBatches(slots).HalfWidth / normal975
		m.compare(setting, mean{math.Log(total / measured), chance * chance, seconds(endNS) - measured/2})
	}
}

func (s *spread) learn(latest spread) {
	s.squares = s.squares*forget + latest.squares
	s.weight = s.weight*forget + latest.weight
}

// compare adds how a point differs from the one before of the same setting.
func (m *Memory) compare(setting string, now mean) {
	if before, found := m.latest[setting]; found {
		difference := now.logarithm - before.logarithm
		chance := (now.variance + before.variance) / 2
		m.repeats.learn(spread{difference*difference/2 - chance, 1})
		m.apart.learn(spread{now.atSeconds - before.atSeconds, 1})
	}
	if m.latest == nil {
		m.latest = map[string]mean{}
	}
	m.latest[setting] = now
}

// allan returns the Allan variances of the rate as shares of its mean squared: half the mean square
// of the difference between neighbouring stretches (Allan 1966; IEEE 1139).
func allan(slots []float64, slotNS int64) (all [stretches]spread) {
	total := 0.0
	for _, count := range slots {
		total += count
	}
	if total == 0 {
		return all
	}
	mean := total / float64(len(slots))
	for index := range all {
		length := int(shortestStretchNS << index / slotNS)
		if length == 0 {
			continue
		}
		pairs := len(slots) - 2*length + 1
		if pairs < 1 {
			break
		}
		// Stretches overlap; only so many of their differences are independent.
		weight := float64(len(slots))/float64(length) - 1
		variance := differences(slots, length) / float64(pairs) / 2 / (mean * mean)
		all[index] = spread{variance * weight, weight}
	}
	return all
}

// differences adds up the squared differences between the means of neighbouring stretches.
func differences(slots []float64, length int) float64 {
	difference, sum := 0.0, 0.0
	for index, count := range slots[:2*length] {
		if index < length {
			difference -= count
		} else {
			difference += count
		}
	}
	scale := 1 / float64(length)
	for index := 2 * length; ; index++ {
		sum += difference * scale * difference * scale
		if index == len(slots) {
			return sum
		}
		difference += slots[index-2*length] - 2*slots[index-length] + slots[index]
	}
}

// swing returns the part of the Allan deviation that does not shrink with the stretches' length,
// from what is remembered and the latest slots together. Variances are taken as white noise, which
// shrinks with the length, and a floor: neither below 0, by least squares, each variance weighing as
// much as it is known relative to itself.
func (m *Memory) swing(slots []float64, slotNS int64) float64 {
	latest := allan(slots, slotNS)
	var variances, inverses, weights [stretches]float64
	for index := range latest {
		weight := m.spreads[index].weight + latest[index].weight
		if weight < 1 {
			continue
		}
		variances[index] = (m.spreads[index].squares + latest[index].squares) / weight
		inverses[index] = 1 / float64(int64(1)<<index)
		weights[index] = weight
	}
	return math.Sqrt(fitFloor(variances, inverses, weights))
}

func fitFloor(variances, inverses, weights [stretches]float64) float64 {
	const rounds = 4
	white, floor := 0.0, 0.0
	for round := range rounds {
		var fit normalEquations
		for index, variance := range variances {
			expected := white*inverses[index] + floor
			if round == 0 {
				expected = variance
			}
			if weights[index] > 0 && expected > 0 {
				fit.add(inverses[index], variance, weights[index]/(expected*expected))
			}
		}
		white, floor = fit.solve()
	}
	return floor
}

// normalEquations of variance = white * inverse + floor.
type normalEquations struct{ w, x, xx, y, xy float64 }

func (n *normalEquations) add(inverse, variance, weight float64) {
	n.w += weight
	n.x += weight * inverse
	n.xx += weight * inverse * inverse
	n.y += weight * variance
	n.xy += weight * inverse * variance
}

// solve finds the best pair of which neither is below 0.
func (n *normalEquations) solve() (white, floor float64) {
	if n.w == 0 {
		return 0, 0
	}
	determinant := n.w*n.xx - n.x*n.x
	// With one variance alone nobody can tell the two apart: it may all be floor.
	if determinant <= 1e-12*n.w*n.xx {
		return 0, n.y / n.w
	}
	white = (n.w*n.xy - n.x*n.y) / determinant
	floor = (n.xx*n.y - n.x*n.xy) / determinant
	switch {
	case white < 0:
		return 0, n.y / n.w
	case floor < 0:
		return n.xy / n.xx, 0
	}
	return white, floor
}

// slowly is the standard deviation between the mean of so many measured seconds and that of the long
// run, where stretches differ by swing however long they are, and repeated points as remembered.
func (m *Memory) slowly(swing, measuredSeconds float64) float64 {
	within := flicker(swing, measuredSeconds)
	if m.repeats.weight == 0 {
		return within
	}
	// Were it the same noise, repeated points would differ by as much as stretches do.
	squares := priorRepeats*swing*swing + max(0, m.repeats.squares)
	variance := squares / (priorRepeats + m.repeats.weight)
	return max(within, flicker(math.Sqrt(variance), m.apart.squares/m.apart.weight))
}

// flicker is the standard deviation between the mean of a stretch and that of the long run, for noise
// whose Allan deviation is the same at every length: the variance grows with the logarithm of how
// much longer the long run is (Barnes 1971, Tables of bias functions).
func flicker(deviation, stretchSeconds float64) float64 {
	times := max(longRunSeconds/stretchSeconds, leastLongRun)
	return deviation * math.Sqrt(math.Log(times)/(2*math.Ln2))
}
