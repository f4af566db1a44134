package steady

import "math"

// The lengths of the stretches whose means are compared: the shortest, and how many doublings.
const (
	shortestStretchNS = 50_000_000
	stretches         = 9
)

// forget is what an earlier point still weighs after each later one: about twenty points count.
const forget = 0.95

// longRunSeconds is the long run whose mean an interval is to hold: about as long as a whole plan
// takes. The allowance grows with its logarithm only: for an hour it would be a tenth wider.
const longRunSeconds = 1000

// leastLongRun is the long run of a point that is long itself, as a multiple of it.
const leastLongRun = 10

// mostRepeats is how many of the latest points of one setting are compared, and priorRepeats how many it
// takes to weigh as much as what single points show.
const (
	mostRepeats  = 20
	priorRepeats = 2
)

// Memory is how much the rates of one probe in one place differ between neighbouring stretches of
// time (their Allan variance), by the stretches' length, over the latest points; and between points
// of one setting that were repeated, which lie further apart. The zero value remembers nothing.
//
// It is kept because a point can't tell by itself how typical of the drive its second was: a
// neighbour's load that comes and goes every ten seconds leaves most points undisturbed and makes
// them differ all the same. On 22 series of 15 to 200 s, recorded on a drive and in memory of a
// machine that others were using, 1 to 256 threads, points of 0.4 to 2 s were tried at 5 %: with this
// memory 96 of 100 intervals held their series' mean (63 to 100 by series), with batch means alone
// 7 to 54. Nearly all took 2 s there. On series without such swings they end after half a second,
// and 95 to 97 of 100 hold it.
type Memory struct {
	spreads [stretches]spread
	seconds float64
	// repeats are the latest points of each setting.
	repeats map[string][]mean
}

// mean is the logarithm of what slots held on average, and its variance by chance.
type mean struct{ logarithm, variance float64 }

// spread is the mean of squares, and of how many independent differences.
type spread struct{ squares, weight float64 }

// Learn adds what a point of that setting has shown.
func (m *Memory) Learn(setting string, slots []float64, slotNS int64) {
	latest := allan(slots, slotNS)
	for index := range m.spreads {
		kept := &m.spreads[index]
		kept.squares = kept.squares*forget + latest[index].squares
		kept.weight = kept.weight*forget + latest[index].weight
	}
	measured := float64(len(slots)) * seconds(slotNS)
	m.seconds += measured
	total := 0.0
	for _, count := range slots {
		total += count
	}
	if total > 0 {
		chance := byBatches(slots).HalfWidth / normal975
		m.repeat(setting, mean{math.Log(total / measured), chance * chance})
	}
}

func (m *Memory) repeat(setting string, latest mean) {
	if m.repeats == nil {
		m.repeats = map[string][]mean{}
	}
	all := append(m.repeats[setting], latest)
	m.repeats[setting] = all[max(0, len(all)-mostRepeats):]
}

// between returns how much repeated points lie off their setting's mean beyond what chance explains:
// the squares, and how many of them are independent.
func (m *Memory) between() (all spread) {
	for _, repeats := range m.repeats {
		count := float64(len(repeats))
		middle, chance := 0.0, 0.0
		for _, one := range repeats {
			middle += one.logarithm / count
			chance += one.variance / count
		}
		for _, one := range repeats {
			all.squares += (one.logarithm - middle) * (one.logarithm - middle)
		}
		all.squares -= (count - 1) * chance
		all.weight += count - 1
	}
	all.squares = max(0, all.squares)
	return all
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
// run. Where stretches differ by swing however long they are (flicker noise), its variance grows with
// the logarithm of how much longer the long run is (Barnes 1971, Tables of bias functions). Repeated
// points may tell that there is more.
func (m *Memory) slowly(swing, measuredSeconds float64) float64 {
	times := max(longRunSeconds/measuredSeconds, leastLongRun)
	variance := swing * swing * math.Log(times) / (2 * math.Ln2)
	repeated := m.between()
	together := (priorRepeats*variance + repeated.squares) / (priorRepeats + repeated.weight)
	return math.Sqrt(max(variance, together))
}
