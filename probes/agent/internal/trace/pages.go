package trace

import (
	"fmt"
	"math"
	"strings"
	"time"

	"leadline/agent/internal/reuse"
	"leadline/agent/internal/tracefs"
)

const (
	// affordablePages is how many reads of pages a second may come from the kernel for the distances.
	affordablePages = 8_000
	// mostBits: one page in so many is followed at the least, by the lowest bits of their numbers.
	mostBits = 12
	pageCall = "syscalls/sys_enter_pread64"
)

// pages finds the distances between reads of a page. Pauses would cut them short: once calls are recorded in
// slices, reads come from an instance of its own, where the kernel keeps to a part of the pages.
type pages struct {
	distances *reuse.Distances
	calls     *calls
	format    *callFormat
	part      *part
	threads   *threads
	bits      uint
	seen      uint64
	counted   uint64
	since     time.Duration
	// because tells why the distances end early.
	because string
}

func newPages(calls *calls) *pages {
	made := &pages{distances: reuse.New(), calls: calls}
	calls.pageRead = made.distances.Read
	return made
}

// bitsFor is how many bits leave as many reads as are affordable.
func bitsFor(perS float64) uint {
	if perS <= affordablePages {
		return 0
	}
	return uint(min(mostBits, math.Ceil(math.Log2(perS/affordablePages))))
}

// pageFilter lets reads of a page pass whose number has its lowest bits set. Older kernels can't ask for a
// bit that is not.
func pageFilter(pageBytes uint64, bits uint) string {
	tests := []string{fmt.Sprintf("count == %d", pageBytes)}
	for bit := range bits {
		tests = append(tests, fmt.Sprintf("pos & %#x", pageBytes<<bit))
	}
	return strings.Join(tests, " && ")
}

// open makes an instance ready to go on with; perS is how many pages a second are read.
func (p *pages) open(instance *tracefs.Instance, pid int, perS float64) (*part, error) {
	format, err := instance.Format(pageCall)
	if err != nil {
		return nil, err
	}
	p.format = newCallFormat(0, false, format)
	if p.threads, err = keepTo(instance, pid, nil); err != nil {
		return nil, err
	}
	if !p.threads.exact {
		return nil, fmt.Errorf("more pages were read than this kernel can tell of without pauses")
	}
	p.bits = bitsFor(perS)
	if err := instance.Put("events/"+pageCall+"/filter", pageFilter(p.calls.pageBytes, p.bits)); err != nil {
		return nil, err
	}
	return &part{see: p.see, forget: func() {}}, instance.Put("events/"+pageCall+"/enable", "1")
}

// goOn takes over from the calls, all of which have been seen.
func (p *pages) goOn(opened *part, now time.Duration) {
	p.part, p.since = opened, now
	p.calls.pageRead = func(uint32, uint64) {}
	p.distances.Only(p.bits)
	_ = opened.instance.Put("tracing_on", "1")
}

func (p *pages) see(event tracefs.Event) {
	p.seen++
	read := p.calls.files.at(p.format.descriptor.Number(event.Data))
	number := p.format.pos.Number(event.Data) / p.calls.pageBytes
	// Some came before the filter was made narrower.
	if low := uint64(1)<<p.bits - 1; read.pooled && number&low == low {
		p.distances.Read(read.id, number)
	}
}

// upkeep follows fewer pages where more and more are read.
func (p *pages) upkeep(now time.Duration) {
	if p.part == nil {
		return
	}
	perS := float64(p.seen-p.counted) / max(time.Millisecond, now-p.since).Seconds()
	p.counted, p.since = p.seen, now
	if more := bitsFor(perS / 2); more > 0 && p.bits < mostBits {
		more = min(mostBits, p.bits+more)
		if p.part.instance.Put("events/"+pageCall+"/filter", pageFilter(p.calls.pageBytes, more)) == nil {
			p.bits = more
			p.distances.Only(more)
		}
	}
	if !p.threads.follows {
		_ = p.threads.refresh()
	}
}
