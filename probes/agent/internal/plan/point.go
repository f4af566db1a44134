package plan

import (
	"errors"
	"fmt"
)

// The probes.
const (
	RandomRead  = "random_read"
	RandomWrite = "random_write"
	SteadyWrite = "steady_write"
	RedoSync    = "redo_sync"
	PageFlush   = "page_flush"
	Mixed       = "mixed"
	PointSelect = "point_select"
	PKUpdate    = "pk_update"
)

const (
	mostThreads    = 1024
	longestSeconds = 24 * 3600
)

// Point is one setting to measure; most fields belong to some probes alone.
type Point struct {
	ID    string `json:"id"`
	Probe string `json:"probe"`

	// Seconds are exact without Within. With it the point ends once the rate's 95 % interval is
	// that narrow, at the earliest after LeastSeconds and at the latest after Seconds.
	Seconds       float64 `json:"seconds"`
	LeastSeconds  float64 `json:"least_seconds"`
	Within        float64 `json:"within"`
	WarmupSeconds float64 `json:"warmup_seconds"`
	Seed          uint64  `json:"seed"`

	FileSet        string `json:"file_set"`
	Directory      string `json:"directory"`
	Table          string `json:"table"`
	BlockSizeBytes int    `json:"block_size_bytes"`
	Threads        int    `json:"threads"`

	// Buffers is how the memory of blocks lies, of all probes that go past the page cache.
	Buffers string `json:"buffers"`
	// Touch of random_read and random_write: each block at most once, in one order.
	Touch string `json:"touch"`
	// ByteLimit ends steady_write; 0 does not.
	ByteLimit int64 `json:"byte_limit"`
	// Sync, Log and Binlog are redo_sync's.
	Sync   string `json:"sync"`
	Log    string `json:"log"`
	Binlog bool   `json:"binlog"`
	// BatchPages, Doublewrite and PerSecond are page_flush's.
	BatchPages  int     `json:"batch_pages"`
	Doublewrite string  `json:"doublewrite"`
	PerSecond   float64 `json:"per_second"`
	// Protocol of the server's probes.
	Protocol string `json:"protocol"`
	// Parts of mixed, by name.
	Parts map[string]Point `json:"parts"`
}

// Leaves returns the point itself, or the parts of a mixed one.
func (p Point) Leaves() []Point {
	if p.Probe != Mixed {
		return []Point{p}
	}
	var leaves []Point
	for _, name := range PartNames {
		if part, ok := p.Parts[name]; ok {
			leaves = append(leaves, part)
		}
	}
	return leaves
}

// AllThreads counts the threads of all parts.
func (p Point) AllThreads() int {
	threads := 0
	for _, leaf := range p.Leaves() {
		threads += leaf.Threads
	}
	return threads
}

// WithThreads returns the point with that many threads in all; of a mixed one each part gives up its
// share, but keeps one.
func (p Point) WithThreads(threads int) Point {
	if p.Probe != Mixed {
		p.Threads = threads
		return p
	}
	all := p.AllThreads()
	parts := map[string]Point{}
	for name, part := range p.Parts {
		part.Threads = max(1, part.Threads*threads/all)
		parts[name] = part
	}
	p.Parts = parts
	return p
}

// complete fills in what is usual where nothing was said.
func (p *Point) complete() {
	switch p.Probe {
	case RedoSync:
		if p.Log == "" {
			p.Log = Preallocated
		}
	case PageFlush:
		if p.BatchPages == 0 {
			p.BatchPages = usualBatchPages
		}
	}
	if p.Buffers == "" {
		p.Buffers = OrdinaryPages
	}
	for name, part := range p.Parts {
		if part.Buffers == "" {
			part.Buffers = p.Buffers
		}
		part.complete()
		p.Parts[name] = part
	}
}

func (p Point) check(plan *Plan) error {
	switch {
	case !(p.Seconds > 0 && p.Seconds <= longestSeconds):
		return errors.New("seconds must be above 0 and at most a day")
	case !(p.WarmupSeconds >= 0 && p.WarmupSeconds <= longestSeconds):
		return errors.New("warmup_seconds must be 0 or more and at most a day")
	case !(p.Within >= 0 && p.Within < 1):
		return errors.New("within must be 0 or more and below 1")
	case !(p.LeastSeconds >= 0 && p.LeastSeconds <= p.Seconds):
		return errors.New("least_seconds must be 0 or more and at most seconds")
	}
	return p.checkProbe(plan)
}

func (p Point) checkProbe(plan *Plan) error {
	if err := p.checkBuffers(); err != nil {
		return err
	}
	if p.Probe == Mixed {
		return p.checkMixed(plan)
	}
	if p.Threads < 1 || p.Threads > mostThreads {
		return fmt.Errorf("threads must be 1 to %d", mostThreads)
	}
	switch p.Probe {
	case RandomRead, RandomWrite:
		return p.checkRandom(plan)
	case SteadyWrite:
		return p.checkSteady(plan)
	case RedoSync:
		return p.checkRedo()
	case PageFlush:
		return p.checkFlush(plan)
	case PointSelect:
		return p.checkSelect(plan.MySQL)
	case PKUpdate:
		return p.checkUpdate(plan.MySQL)
	default:
		return fmt.Errorf("there is no probe %q", p.Probe)
	}
}
