// Package plan reads and checks what the agent is asked to measure.
package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
)

// The probes.
const (
	RandomRead  = "random_read"
	RandomWrite = "random_write"
	RedoSync    = "redo_sync"
	PointSelect = "point_select"
)

// How a redo append is made durable.
const (
	Fdatasync = "fdatasync"
	Fsync     = "fsync"
	ODsync    = "o_dsync"
)

// How a point select is asked.
const (
	Prepared = "prepared"
	SQL      = "sql"
	Handler  = "handler"
)

// How a connection is encrypted.
const (
	TLSOff     = "off"
	TLSPrefer  = "prefer"
	TLSRequire = "require"
	TLSVerify  = "verify"
)

const (
	smallestBlockBytes = 512
	largestBlockBytes  = 64 << 10
	mostThreads        = 1024
	mostFiles          = 1024
	longestSeconds     = 24 * 3600
	smallestFileBytes  = largestBlockBytes
)

// Plan is everything to measure, in order.
type Plan struct {
	Protocol int       `json:"protocol"`
	FileSets []FileSet `json:"file_sets"`
	MySQL    *MySQL    `json:"mysql"`
	Points   []Point   `json:"points"`
	// IgnoreFloor allows filling a file system further than is safe; for memory file systems.
	IgnoreFloor bool `json:"ignore_floor"`
}

// FileSet is a group of files to read and write.
type FileSet struct {
	ID           string `json:"id"`
	Directory    string `json:"directory"`
	Files        int    `json:"files"`
	BytesPerFile int64  `json:"bytes_per_file"`
}

// TotalBytes is the disk space of the whole set.
func (f FileSet) TotalBytes() int64 { return int64(f.Files) * f.BytesPerFile }

// MySQL tells how to log in, and where the tables are.
type MySQL struct {
	Network    string           `json:"network"`
	Address    string           `json:"address"`
	User       string           `json:"user"`
	Password   string           `json:"password"`
	TLS        string           `json:"tls"`
	CA         string           `json:"ca"`
	ServerName string           `json:"server_name"`
	Database   string           `json:"database"`
	Tables     map[string]Table `json:"tables"`
}

// Table has rows with every key from Min to Max, or nearly.
type Table struct {
	Name   string `json:"name"`
	Key    string `json:"key"`
	Column string `json:"column"`
	Min    int64  `json:"min"`
	Max    int64  `json:"max"`
}

// Point is one setting to measure.
type Point struct {
	ID             string  `json:"id"`
	Probe          string  `json:"probe"`
	FileSet        string  `json:"file_set"`
	Directory      string  `json:"directory"`
	Table          string  `json:"table"`
	BlockSizeBytes int     `json:"block_size_bytes"`
	Threads        int     `json:"threads"`
	Sync           string  `json:"sync"`
	Protocol       string  `json:"protocol"`
	Seconds        float64 `json:"seconds"`
	WarmupSeconds  float64 `json:"warmup_seconds"`
	Seed           uint64  `json:"seed"`
}

// Read takes one plan from decoder and checks it whole, so that nothing fails half-way which
// could have been told before. Without any plan the error is io.EOF.
func Read(decoder *json.Decoder) (*Plan, error) {
	decoder.DisallowUnknownFields()
	var plan Plan
	if err := decoder.Decode(&plan); err == io.EOF {
		return nil, err
	} else if err != nil {
		return nil, bad(fmt.Errorf("no plan could be read: %w", err))
	}
	if plan.Protocol != events.Protocol {
		return nil, bad(fmt.Errorf("the plan speaks protocol %d, this agent %d", plan.Protocol, events.Protocol))
	}
	sets := map[string]bool{}
	for index := range plan.FileSets {
		set := &plan.FileSets[index]
		// Whole blocks of every size must fit.
		set.BytesPerFile -= set.BytesPerFile % smallestFileBytes
		if err := set.check(); err != nil {
			return nil, bad(fmt.Errorf("file set %q: %w", set.ID, err))
		}
		sets[set.ID] = true
	}
	if plan.MySQL != nil {
		if err := plan.MySQL.check(); err != nil {
			return nil, bad(fmt.Errorf("mysql: %w", err))
		}
	}
	for _, point := range plan.Points {
		if err := point.check(sets, plan.MySQL); err != nil {
			return nil, bad(fmt.Errorf("point %q: %w", point.ID, err))
		}
	}
	return &plan, nil
}

func bad(err error) error { return faults.Fatal(faults.BadPlan, "%v", err) }

// LastUse tells the index of the last point that uses the file set id, -1 for none.
func (p *Plan) LastUse(id string) int {
	last := -1
	for index, point := range p.Points {
		if point.FileSet == id {
			last = index
		}
	}
	return last
}

// LastRedo tells the index of the last redo_sync in directory, -1 for none.
func (p *Plan) LastRedo(directory string) int {
	last := -1
	for index, point := range p.Points {
		if point.Probe == RedoSync && point.Directory == directory {
			last = index
		}
	}
	return last
}

func (f FileSet) check() error {
	switch {
	case !filepath.IsAbs(f.Directory):
		return errors.New("the directory must be an absolute path")
	case f.Files < 1 || f.Files > mostFiles:
		return fmt.Errorf("files must be 1 to %d", mostFiles)
	case f.BytesPerFile < smallestFileBytes:
		return fmt.Errorf("bytes_per_file must be at least %d", smallestFileBytes)
	case f.BytesPerFile > math.MaxInt64/int64(f.Files):
		return errors.New("the files are too large")
	}
	return nil
}

func (m *MySQL) check() error {
	switch {
	case m.Network != "unix" && m.Network != "tcp":
		return fmt.Errorf("network must be unix or tcp, not %q", m.Network)
	case m.Address == "":
		return errors.New("the address is empty")
	case !slices.Contains([]string{TLSOff, TLSPrefer, TLSRequire, TLSVerify}, m.TLS):
		return fmt.Errorf("tls must be off, prefer, require or verify, not %q", m.TLS)
	}
	for id, table := range m.Tables {
		if table.Name == "" || table.Key == "" || table.Column == "" {
			return fmt.Errorf("table %q: name, key and column are needed", id)
		}
		if table.Min > table.Max || table.Min < math.MinInt64/4 || table.Max > math.MaxInt64/4 {
			return fmt.Errorf("table %q: no keys from %d to %d", id, table.Min, table.Max)
		}
	}
	return nil
}

func (p Point) check(sets map[string]bool, mysql *MySQL) error {
	switch {
	case !(p.Seconds > 0 && p.Seconds <= longestSeconds):
		return errors.New("seconds must be above 0 and at most a day")
	case !(p.WarmupSeconds >= 0 && p.WarmupSeconds <= longestSeconds):
		return errors.New("warmup_seconds must be 0 or more and at most a day")
	case p.Threads < 1 || p.Threads > mostThreads:
		return fmt.Errorf("threads must be 1 to %d", mostThreads)
	}
	switch p.Probe {
	case RandomRead, RandomWrite:
		if !sets[p.FileSet] {
			return fmt.Errorf("there is no file set %q", p.FileSet)
		}
		return p.checkBlock(true)
	case RedoSync:
		return p.checkRedo()
	case PointSelect:
		return p.checkSelect(mysql)
	default:
		return fmt.Errorf("there is no probe %q", p.Probe)
	}
}

func (p Point) checkBlock(powerOfTwo bool) error {
	if p.BlockSizeBytes < smallestBlockBytes || p.BlockSizeBytes > largestBlockBytes {
		return fmt.Errorf("block_size_bytes must be %d to %d", smallestBlockBytes, largestBlockBytes)
	}
	if powerOfTwo && p.BlockSizeBytes&(p.BlockSizeBytes-1) != 0 {
		return errors.New("block_size_bytes must be a power of two")
	}
	return nil
}

func (p Point) checkRedo() error {
	switch {
	case !filepath.IsAbs(p.Directory):
		return errors.New("the directory must be an absolute path")
	case p.Threads != 1:
		return errors.New("redo_sync has one writer")
	case !slices.Contains([]string{Fdatasync, Fsync, ODsync}, p.Sync):
		return fmt.Errorf("sync must be fdatasync, fsync or o_dsync, not %q", p.Sync)
	}
	return p.checkBlock(false)
}

func (p Point) checkSelect(mysql *MySQL) error {
	if mysql == nil {
		return errors.New("point_select needs mysql")
	}
	if _, ok := mysql.Tables[p.Table]; !ok {
		return fmt.Errorf("there is no table %q", p.Table)
	}
	if !slices.Contains([]string{Prepared, SQL, Handler}, p.Protocol) {
		return fmt.Errorf("protocol must be prepared, sql or handler, not %q", p.Protocol)
	}
	return nil
}
