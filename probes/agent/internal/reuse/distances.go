// Package reuse finds out how far apart the reads of one page lie: how many different pages were read in
// between. It follows a sample of the pages, chosen by a hash (SHARDS; Waldspurger and others, FAST 2015),
// so that neither memory nor time grows with what is read.
package reuse

import (
	"math"
	"slices"
)

const (
	// mostPages are followed at a time; where there are more, a smaller share of all of them is.
	mostPages = 64 << 10
	// positions in the order of reads, until it is made dense again.
	positions = 4 * mostPages
	// kept is the share of the followed pages that is kept when there are too many.
	kept = 0.75
	// classes of distances, four to a power of two.
	perDouble = 4
	classes   = 48*perDouble + 1
)

// nowhere is the position of a slot that is free.
const nowhere = -1

// page is one of the followed: the file's number in the upper bits.
type page uint64

const fileShift = 40

// Distances counts the distances between reads of one page. Counts are of the pages followed at the end:
// what was counted when there were more is scaled down.
type Distances struct {
	// slots are the numbers of the followed pages; of each its name and its latest position.
	slots  map[page]int32
	names  []page
	latest []int32
	free   []int32
	// order has the slot of each position, and tree how many positions up to one are some page's latest.
	order []int32
	tree  []int32
	next  int32

	// threshold: pages whose hash lies below are followed.
	threshold float64
	// told is the share of all pages whose reads come here at all, by the lower bits of their numbers.
	told float64
	bits uint

	reads     float64
	again     [classes]float64
	first     [classes]float64
	different float64
}

// New follows all pages at first.
func New() *Distances {
	return &Distances{
		slots: map[page]int32{}, order: make([]int32, positions), tree: make([]int32, positions+1),
		threshold: 1, told: 1,
	}
}

// Read is told of one.
func (d *Distances) Read(file uint32, number uint64) {
	d.reads += 1 / d.told
	read := page(file)<<fileShift ^ page(number)
	if !d.follows(read) {
		return
	}
	slot, known := d.slots[read]
	if known {
		before := d.latest[slot]
		between := len(d.slots) - int(d.upTo(before))
		d.again[d.class(between)]++
		d.add(before, -1)
	} else {
		d.first[d.class(len(d.slots))]++
		d.different++
		slot = d.take(read)
	}
	d.put(slot)
	if len(d.slots) > mostPages {
		d.threshold *= kept
		d.thin(kept)
	}
	if d.next == positions {
		d.rebuild()
	}
}

// take gives a page a slot.
func (d *Distances) take(read page) int32 {
	slot := int32(len(d.names))
	if last := len(d.free) - 1; last >= 0 {
		slot = d.free[last]
		d.free = d.free[:last]
		d.names[slot] = read
	} else {
		d.names = append(d.names, read)
		d.latest = append(d.latest, 0)
	}
	d.slots[read] = slot
	return slot
}

// put gives a slot the next position.
func (d *Distances) put(slot int32) {
	d.latest[slot] = d.next
	d.order[d.next] = slot
	d.add(d.next, 1)
	d.next++
}

// Only follows from now on the pages whose numbers have their lowest bits set: reads of others do not come
// any more.
func (d *Distances) Only(bits uint) {
	if bits <= d.bits {
		return
	}
	share := math.Ldexp(1, int(d.bits)-int(bits))
	d.bits = bits
	d.told *= share
	d.thin(share)
}

func (d *Distances) follows(read page) bool {
	low := page(1)<<d.bits - 1
	return read&low == low && (d.threshold == 1 || hash(read) < d.threshold)
}

// hash is from 0 to 1; the mixing is that of SplitMix64.
func hash(read page) float64 {
	mixed := uint64(read) + 0x9e3779b97f4a7c15
	mixed = (mixed ^ mixed>>30) * 0xbf58476d1ce4e5b9
	mixed = (mixed ^ mixed>>27) * 0x94d049bb133111eb
	mixed ^= mixed >> 31
	return float64(mixed>>11) / (1 << 53)
}

// Share is that of all pages that is followed.
func (d *Distances) Share() float64 { return d.threshold * d.told }

// thin drops the pages that are followed no longer, and scales what was counted.
func (d *Distances) thin(share float64) {
	for read, slot := range d.slots {
		if !d.follows(read) {
			delete(d.slots, read)
			d.latest[slot] = nowhere
			d.free = append(d.free, slot)
		}
	}
	for class := range classes {
		d.again[class] *= share
		d.first[class] *= share
	}
	d.different *= share
	d.rebuild()
}

// rebuild gives the followed pages the lowest positions, in their order.
func (d *Distances) rebuild() {
	used := d.next
	clear(d.tree)
	d.next = 0
	for position := range used {
		if slot := d.order[position]; d.latest[slot] == position {
			d.put(slot)
		}
	}
}

// add and upTo are those of a Fenwick tree.
func (d *Distances) add(position, change int32) {
	for at := position + 1; at <= positions; at += at & -at {
		d.tree[at] += change
	}
}

func (d *Distances) upTo(position int32) int32 {
	sum := int32(0)
	for at := position + 1; at > 0; at -= at & -at {
		sum += d.tree[at]
	}
	return sum
}

// class is that of a number of followed pages, as a number of all pages.
func (d *Distances) class(followed int) int {
	all := max(1, float64(followed)/d.Share())
	class := int(math.Ceil(perDouble*math.Log2(all) - 1e-9))
	return min(class, classes-1)
}

// bound is the largest number in a class.
func bound(class int) uint64 {
	return uint64(math.Round(math.Exp2(float64(class) / perDouble)))
}

// Report is what was found.
type Report struct {
	PageBytes uint64 `json:"page_bytes"`
	// Reads and Different are of all pages; where only some were followed, Different is an estimate.
	Reads     uint64 `json:"reads"`
	Different uint64 `json:"different"`
	// Share is that of the pages that were followed, of which the other figures are.
	Share     float64      `json:"share"`
	Distances [][2]float64 `json:"distances"`
	Censored  [][2]float64 `json:"censored"`
}

// Report tells what was found until now.
func (d *Distances) Report(pageBytes uint64) *Report {
	return &Report{
		PageBytes: pageBytes, Reads: uint64(math.Round(d.reads)), Different: uint64(math.Round(d.different / d.Share())),
		Share: d.Share(), Distances: told(&d.again), Censored: told(&d.first),
	}
}

// told are the upper bounds of the classes that have any, with their counts.
func told(counts *[classes]float64) [][2]float64 {
	all := [][2]float64{}
	for class, count := range counts {
		if count == 0 {
			continue
		}
		upper := float64(bound(class))
		if last := len(all) - 1; last >= 0 && all[last][0] == upper {
			all[last][1] += count
		} else {
			all = append(all, [2]float64{upper, count})
		}
	}
	for at := range all {
		all[at][1] = math.Round(all[at][1]*100) / 100
	}
	return slices.Clip(all)
}
