package steady

// SlotsPerBatch is the five of MSER-5.
const SlotsPerBatch = 5

// WarmUp returns how many slots at the beginning are not like the rest, by MSER-5: of all cuts in
// the first half, the one after which the mean's standard error, taken as if values were
// independent, is smallest; values are means of five (White 1997, An effective truncation
// heuristic for bias reduction in simulation output; White, Cobb and Spratt 2000).
func WarmUp(slots []float64) int {
	batches := len(slots) / SlotsPerBatch
	best, cut := 0.0, 0
	// From the end, so that every suffix's mean and squares come from the one before it.
	mean, squares := 0.0, 0.0
	for index := batches - 1; index >= 0; index-- {
		sum := 0.0
		for _, count := range slots[index*SlotsPerBatch : (index+1)*SlotsPerBatch] {
			sum += count
		}
		kept := float64(batches - index)
		difference := sum - mean
		mean += difference / kept
		squares += difference * (sum - mean)
		if index > batches/2 {
			continue
		}
		if error := squares / (kept * kept); index == batches/2 || error <= best {
			best, cut = error, index
		}
	}
	return cut * SlotsPerBatch
}
