package reuse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDistancesAreThoseOfAList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found := New()
	var recent []page // the latest last
	var again, first [classes]float64
	for range 20_000 {
		number := uint64(random.IntN(30) * random.IntN(30))
		file := uint32(1 + random.IntN(2))
		read := page(file)<<fileShift ^ page(number)
		if at := slices.Index(recent, read); at >= 0 {
			again[found.class(len(recent)-1-at)]++
			recent = slices.Delete(recent, at, at+1)
		} else {
			first[found.class(len(recent))]++
		}
		recent = append(recent, read)
		found.Read(file, number)
	}
	if found.again != again || found.first != first {
		t.Errorf("distances are %v instead of %v", told(&found.again), told(&again))
	}
	report := found.Report(16384)
	if report.Reads != 20_000 || report.Different != uint64(len(recent)) || report.Share != 1 || report.PageBytes != 16384 {
		t.Errorf("the report is %+v", report)
	}
}

func TestTheOrderIsMadeDense(t *testing.T) {
	const pages = 1000
	found := New()
	for at := range uint64(3 * positions) {
		found.Read(1, at%pages)
	}
	report := found.Report(16384)
	if fmt.Sprint(report.Distances) != fmt.Sprint([][2]float64{{1024, 3*positions - pages}}) {
		t.Errorf("distances are %v", report.Distances)
	}
}

// weighed is the mean of the logarithms of distances, and how many there are of all pages.
func weighed(report *Report) (mean, count float64) {
	for _, class := range report.Distances {
		mean += class[1] * math.Log2(class[0])
		count += class[1]
	}
	return mean / count, count / report.Share
}

func TestASampleStandsForAll(t *testing.T) {
	const pages, reads = 3 * mostPages, 1_000_000
	for name, prepare := range map[string]func(*Distances){
		"by hash": func(*Distances) {}, "by number": func(d *Distances) { d.Only(4) },
	} {
		random := rand.New(rand.NewPCG(3, 4))
		found := New()
		prepare(found)
		for range reads {
			number := uint64(random.IntN(pages))
			if found.told < 1 && number&15 != 15 {
				continue
			}
			found.Read(1, number)
		}
		report := found.Report(16384)
		if len(found.slots) > mostPages || report.Share > 0.4 || report.Share < 0.04 {
			t.Errorf("%s: %d pages are followed, a share of %v", name, len(found.slots), report.Share)
		}
		// A page is read again after as many different others as a list of all has on average.
		mean, count := weighed(report)
		if math.Abs(float64(report.Different)/pages-1) > 0.03 || math.Abs(count/(reads-pages)-1) > 0.03 {
			t.Errorf("%s: %d different pages, %.0f reads again", name, report.Different, count)
		}
		if math.Abs(float64(report.Reads)/reads-1) > 0.03 || mean < math.Log2(pages)-1.8 || mean > math.Log2(pages) {
			t.Errorf("%s: %d reads, distances of 2^%.2f", name, report.Reads, mean)
		}
	}
}

func TestFewerPagesMayBeFollowedMeanwhile(t *testing.T) {
	found := New()
	random := rand.New(rand.NewPCG(5, 6))
	for at := range 400_000 {
		if at == 100_000 {
			found.Only(2)
		}
		if at == 200_000 {
			found.Only(1) // is no less
		}
		if number := random.Uint64N(4096); found.follows(1<<fileShift ^ page(number)) {
			found.Read(1, number)
		}
	}
	report := found.Report(16384)
	if report.Share != 0.25 || report.Different < 4000 || report.Different > 4200 {
		t.Errorf("the report is %+v", report)
	}
	if _, count := weighed(report); math.Abs(count/396_000-1) > 0.03 {
		t.Errorf("%.0f reads again", count)
	}
}

func TestClassesHaveTheirBounds(t *testing.T) {
	found := New()
	for _, number := range []int{0, 1, 2, 64, 65, 76, 77, 1000, 1 << 30} {
		class := found.class(number)
		if upper := bound(class); float64(upper) < float64(number)-0.5 || class > 0 && bound(class-1) > uint64(number) {
			t.Errorf("%d is in a class up to %d", number, upper)
		}
	}
	if found.class(math.MaxInt64) != classes-1 {
		t.Error("the largest has no class")
	}
}
