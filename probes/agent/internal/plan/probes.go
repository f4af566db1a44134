package plan

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// How often blocks are visited.
const (
	// TouchFirst visits blocks that nobody has read since they were written.
	TouchFirst = "first"
	// TouchAgain visits them in the same order once more.
	TouchAgain = "again"
)

// How the memory of blocks lies that are read or written past the page cache.
const (
	// OrdinaryPages is a buffer pool of ordinary pages.
	OrdinaryPages = "ordinary"
	// HugePages is one of huge pages.
	HugePages = "huge"
)

// How a redo append is made durable.
const (
	Fdatasync = "fdatasync"
	Fsync     = "fsync"
	ODsync    = "o_dsync"
)

// What a redo log is like.
const (
	Preallocated = "preallocated"
	Growing      = "growing"
)

// Where pages are written before they are written in place.
const (
	DoublewriteOff    = "off"
	DoublewriteOn     = "on"
	DoublewriteLegacy = "legacy"
)

// Names of the parts of mixed, and what each may be.
const (
	Reads = "reads"
	Redo  = "redo"
	Flush = "flush"
)

// PartNames are in the order in which parts are prepared and reported.
var PartNames = []string{Reads, Redo, Flush}

var partProbes = map[string]string{Reads: RandomRead, Redo: RedoSync, Flush: PageFlush}

const (
	smallestBlockBytes  = 512
	largestBlockBytes   = 64 << 10
	smallestPageBytes   = 4 << 10
	largestSteadyBytes  = 1 << 20
	mostCommitters      = 64
	usualBatchPages     = 128
	mostBatchPages      = 1024
	mostPagesPerSecond  = 1e9
	mostThreadsOfAPoint = 2 * mostThreads
)

func (p Point) checkBuffers() error {
	if p.Buffers != OrdinaryPages && p.Buffers != HugePages {
		return fmt.Errorf("buffers must be ordinary or huge, not %q", p.Buffers)
	}
	return nil
}

func checkBlock(bytes, smallest, largest int, powerOfTwo bool) error {
	if bytes < smallest || bytes > largest {
		return fmt.Errorf("block_size_bytes must be %d to %d", smallest, largest)
	}
	if powerOfTwo && bytes&(bytes-1) != 0 {
		return errors.New("block_size_bytes must be a power of two")
	}
	return nil
}

func (p Point) checkSet(plan *Plan) (FileSet, error) {
	set, ok := plan.FileSet(p.FileSet)
	if !ok {
		return set, fmt.Errorf("there is no file set %q", p.FileSet)
	}
	return set, nil
}

func (p Point) checkRandom(plan *Plan) error {
	if _, err := p.checkSet(plan); err != nil {
		return err
	}
	if !slices.Contains([]string{"", TouchFirst, TouchAgain}, p.Touch) {
		return fmt.Errorf("touch must be first or again, not %q", p.Touch)
	}
	return checkBlock(p.BlockSizeBytes, smallestBlockBytes, largestBlockBytes, true)
}

func (p Point) checkSteady(plan *Plan) error {
	set, err := p.checkSet(plan)
	if err != nil {
		return err
	}
	if err := checkBlock(p.BlockSizeBytes, smallestPageBytes, largestSteadyBytes, true); err != nil {
		return err
	}
	block := int64(p.BlockSizeBytes)
	switch {
	case p.ByteLimit < 0:
		return errors.New("byte_limit must be 0 or more")
	case set.BytesPerFile/block*int64(set.Files) < int64(p.Threads):
		return errors.New("the file set has fewer blocks than there are threads")
	}
	return nil
}

func (p Point) checkRedo() error {
	switch {
	case !filepath.IsAbs(p.Directory):
		return errors.New("the directory must be an absolute path")
	case p.Threads > mostCommitters:
		return fmt.Errorf("redo_sync has at most %d committers", mostCommitters)
	case !slices.Contains([]string{Fdatasync, Fsync, ODsync}, p.Sync):
		return fmt.Errorf("sync must be fdatasync, fsync or o_dsync, not %q", p.Sync)
	case p.Log != Preallocated && p.Log != Growing:
		return fmt.Errorf("log must be preallocated or growing, not %q", p.Log)
	}
	return checkBlock(p.BlockSizeBytes, smallestBlockBytes, largestBlockBytes, false)
}

func (p Point) checkFlush(plan *Plan) error {
	if _, err := p.checkSet(plan); err != nil {
		return err
	}
	switch {
	case p.BatchPages < 1 || p.BatchPages > mostBatchPages:
		return fmt.Errorf("batch_pages must be 1 to %d", mostBatchPages)
	case !slices.Contains([]string{DoublewriteOff, DoublewriteOn, DoublewriteLegacy}, p.Doublewrite):
		return fmt.Errorf("doublewrite must be off, on or legacy, not %q", p.Doublewrite)
	case !(p.PerSecond >= 0 && p.PerSecond <= mostPagesPerSecond):
		return errors.New("per_second must be 0 or more")
	}
	return checkBlock(p.BlockSizeBytes, smallestPageBytes, largestBlockBytes, true)
}

func (p Point) checkMixed(plan *Plan) error {
	if len(p.Parts) == 0 {
		return errors.New("mixed needs parts")
	}
	for name, part := range p.Parts {
		if probe, ok := partProbes[name]; !ok || part.Probe != probe {
			return fmt.Errorf("a part %q that does %q is not known", name, part.Probe)
		}
		if part.ID != "" || part.Seconds+part.LeastSeconds+part.Within+part.WarmupSeconds != 0 {
			return fmt.Errorf("part %q: id and times are those of the whole point", name)
		}
		if err := part.checkProbe(plan); err != nil {
			return fmt.Errorf("part %q: %w", name, err)
		}
	}
	if p.AllThreads() > mostThreadsOfAPoint {
		return fmt.Errorf("all parts together may have %d threads", mostThreadsOfAPoint)
	}
	return nil
}

func (p Point) checkSelect(mysql *MySQL) error {
	if _, err := mysql.table(p.Table); err != nil {
		return err
	}
	if !slices.Contains([]string{Prepared, SQL, Handler}, p.Protocol) {
		return fmt.Errorf("protocol must be prepared, sql or handler, not %q", p.Protocol)
	}
	return nil
}

func (p Point) checkUpdate(mysql *MySQL) error {
	table, err := mysql.table(p.Table)
	if err != nil {
		return err
	}
	switch {
	case !table.Own:
		return fmt.Errorf("table %q is not ours to write to", p.Table)
	case p.Protocol != Prepared && p.Protocol != SQL:
		return fmt.Errorf("protocol must be prepared or sql, not %q", p.Protocol)
	}
	return nil
}
