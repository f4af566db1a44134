package trace

import (
	"fmt"
	"math/bits"
	"strings"

	"leadline/agent/internal/latency"
	"leadline/agent/internal/tracefs"
)

// mostInFlight bounds the requests whose end has not been seen: of some it never will be.
const mostInFlight = 1 << 16

// requestKey names a request in flight.
type requestKey struct{ device, sector uint64 }

type request struct {
	begun   uint64
	sectors uint64
	left    uint64
	op      byte
}

// blockKey is what histograms are kept by.
type blockKey struct {
	device uint64
	op     byte
	bytes  uint64
}

// courseKey is what requests are followed over time by.
type courseKey struct {
	device uint64
	op     byte
}

// blocks times the requests of block devices from issue to completion.
type blocks struct {
	issue, complete requestFormat
	issueID         uint16
	flight          map[requestKey]request
	// flushes have neither sector nor length; each device ends them in turn.
	flushes map[uint64][]uint64
	took    map[blockKey]*latency.Counts
	series  *series
	courses map[courseKey]*course
	seen    uint64
}

// requestFormat is where an event tells of a request.
type requestFormat struct{ device, sector, sectors, operation tracefs.Field }

const sectorBytes = 512

var blockEvents = [2]string{"block/block_rq_issue", "block/block_rq_complete"}

func emptyBlocks(series *series) *blocks {
	return &blocks{
		flight: map[requestKey]request{}, flushes: map[uint64][]uint64{}, took: map[blockKey]*latency.Counts{},
		series: series, courses: map[courseKey]*course{},
	}
}

// newBlocks makes an instance record the requests of these devices, by their numbers.
func newBlocks(instance *tracefs.Instance, devices []uint64, series *series) (*blocks, error) {
	made := emptyBlocks(series)
	var tests []string
	for _, device := range devices {
		tests = append(tests, fmt.Sprintf("dev == %d", device))
	}
	for at, name := range blockEvents {
		format, err := instance.Format(name)
		if err != nil {
			return nil, err
		}
		found := requestFormat{
			format.Fields["dev"], format.Fields["sector"], format.Fields["nr_sector"], format.Fields["rwbs"],
		}
		if found.device.Size == 0 || found.sector.Size == 0 || found.sectors.Size == 0 || found.operation.Size == 0 {
			return nil, fmt.Errorf("the kernel tells of %s in an unknown way", name)
		}
		if at == 0 {
			made.issue, made.issueID = found, uint16(format.ID)
		} else {
			made.complete = found
		}
		if err := instance.Put("events/"+name+"/filter", strings.Join(tests, " || ")); err != nil {
			return nil, err
		}
	}
	for _, name := range blockEvents {
		if err := instance.Put("events/"+name+"/enable", "1"); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// operations by the letter that stands for them; others are commands of the driver's own.
var operations = map[byte]string{'R': "read", 'W': "write", 'F': "flush", 'D': "discard"}

// operationOf reads the kernel's letters: an F that comes first asks for a flush before, which without
// data is all there is.
func operationOf(letters []byte, sectors uint64) byte {
	if len(letters) == 0 {
		return 0
	}
	first := letters[0]
	if first == 'F' && sectors > 0 && len(letters) > 1 {
		first = letters[1]
	}
	if operations[first] == "" || sectors == 0 && first != 'F' {
		return 0
	}
	return first
}

func (b *blocks) see(event tracefs.Event) {
	b.seen++
	if event.Gap {
		b.forget()
	}
	if tracefs.Kind(event.Data) == b.issueID {
		b.begin(event)
	} else {
		b.end(event)
	}
}

func (f *requestFormat) read(data []byte) (key requestKey, sectors uint64, op byte) {
	sectors = f.sectors.Number(data)
	key = requestKey{f.device.Number(data), f.sector.Number(data)}
	return key, sectors, operationOf(f.operation.Text(data), sectors)
}

func (b *blocks) begin(event tracefs.Event) {
	key, sectors, op := b.issue.read(event.Data)
	if op == 'F' {
		if waiting := b.flushes[key.device]; len(waiting) < mostInFlight {
			b.flushes[key.device] = append(waiting, event.Time)
		}
		return
	}
	if op == 0 {
		return
	}
	if len(b.flight) >= mostInFlight {
		b.forget()
	}
	b.flight[key] = request{begun: event.Time, sectors: sectors, left: sectors, op: op}
}

func (b *blocks) end(event tracefs.Event) {
	key, sectors, op := b.complete.read(event.Data)
	if op == 'F' {
		if waiting := b.flushes[key.device]; len(waiting) > 0 {
			b.count(key.device, 'F', 0, waiting[0], event.Time)
			b.flushes[key.device] = waiting[1:]
		}
		return
	}
	begun, known := b.flight[key]
	if !known || begun.op != op {
		return
	}
	delete(b.flight, key)
	if sectors < begun.left {
		// A part is done; the rest bears the number of its own first sector.
		begun.left -= sectors
		b.flight[requestKey{key.device, key.sector + sectors}] = begun
		return
	}
	b.count(key.device, op, begun.sectors*sectorBytes, begun.begun, event.Time)
}

// classOf is the power of two that size does not exceed.
func classOf(size uint64) uint64 { return 1 << bits.Len64(max(1, size)-1) }

// count adds a request of so many bytes; a flush has none.
func (b *blocks) count(device uint64, op byte, bytes, begun, ended uint64) {
	key := blockKey{device, op, 0}
	if op != 'F' {
		key.bytes = classOf(bytes)
	}
	counts := b.took[key]
	if counts == nil {
		counts = &latency.Counts{}
		b.took[key] = counts
	}
	counts.Add(int64(ended - begun))
	followed := courseKey{device, op}
	to := b.courses[followed]
	if to == nil {
		to = b.series.course()
		b.courses[followed] = to
	}
	b.series.count(to, ended, ended-begun, bytes)
}

// forget drops what has begun: its end may have gone unseen.
func (b *blocks) forget() {
	clear(b.flight)
	clear(b.flushes)
}
