package load

import "testing"

func TestOutcomesAreCountedOfAllThreads(t *testing.T) {
	processors(t, 8)
	finders := []*finder{{}, {}, {}}
	var workers []Worker
	for _, one := range finders {
		workers = append(workers, one)
	}
	results, err := RunParts([]Part{{Workers: workers, Rows: true}}, Length{Most: longest}, enough(1000, 1))
	if err != nil {
		t.Fatal(err)
	}
	var wanted [outcomes]uint64
	for _, one := range finders {
		// The last question came too late.
		for number := 1; number < one.asked; number++ {
			wanted[finding(number)]++
		}
	}
	result := results[0]
	if got := [outcomes]uint64{result.Counts.Operations - result.MissingRows - result.Errors, result.MissingRows, result.Errors}; got != wanted {
		t.Errorf("%v instead of %v were done, missing and failed", got, wanted)
	}
}

func TestAPartThatAsksForNoRowsHasOneOutcome(t *testing.T) {
	for rows, want := range map[bool]int{false: 1, true: int(outcomes)} {
		part := newPart(Part{Workers: []Worker{&finder{}}, Rows: rows}, nil, nil)
		if len(part.all) != want {
			t.Errorf("%d histograms instead of %d", len(part.all), want)
		}
	}
}
