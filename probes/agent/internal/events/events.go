// Package events writes what the agent reports: JSON objects, one a line.
package events

import (
	"encoding/json"
	"io"
	"os"
	"sync"
)

// Protocol is the version of plan and events.
const Protocol = 2

// StoppedEarly is the exit status after nobody listens any more.
const StoppedEarly = 3

// Hello opens the report.
type Hello struct {
	Event           string  `json:"event"`
	Version         string  `json:"version"`
	Protocol        int     `json:"protocol"`
	ClockNS         float64 `json:"clock_ns"`
	OverheadNSPerOp float64 `json:"overhead_ns_per_op"`
}

// Calibrated tells what the prober itself costs and can do here. Keys are threads, and block sizes
// of the ceiling.
type Calibrated struct {
	Event       string                  `json:"event"`
	Processors  int                     `json:"processors"`
	WakeupUS    map[int]float64         `json:"wakeup_us"`
	CeilingPerS map[int]map[int]float64 `json:"ceiling_per_s"`
}

// Canary tells how a guarded server fares.
type Canary struct {
	Event          string  `json:"event"`
	LatencyUS      float64 `json:"latency_us"`
	BaselineUS     float64 `json:"baseline_us"`
	LimitUS        float64 `json:"limit_us"`
	ThreadsRunning int     `json:"threads_running"`
	RowLockWaits   int     `json:"row_lock_waits"`
}

// Recovered tells that a server which had become slow answers as before, and after how long.
type Recovered struct {
	Event   string  `json:"event"`
	Seconds float64 `json:"seconds"`
}

// Stages of preparing a file set.
const (
	Filling = "filling"
	Reading = "reading"
)

// Preparing tells how far a file set's current stage is.
type Preparing struct {
	Event      string `json:"event"`
	FileSet    string `json:"file_set"`
	Stage      string `json:"stage"`
	DoneBytes  int64  `json:"done_bytes"`
	TotalBytes int64  `json:"total_bytes"`
}

// Prepared tells that a file set is ready.
type Prepared struct {
	Event   string  `json:"event"`
	FileSet string  `json:"file_set"`
	Direct  bool    `json:"direct"`
	Seconds float64 `json:"seconds"`
}

// PointStarted tells that a point's threads begin.
type PointStarted struct {
	Event string `json:"event"`
	ID    string `json:"id"`
}

// Host is what everybody did to the device and the host within an interval; nil is unknown.
type Host struct {
	Device              string   `json:"device"`
	ReadsPerS           *float64 `json:"reads_per_s"`
	WritesPerS          *float64 `json:"writes_per_s"`
	ReadBytesPerS       *float64 `json:"read_bytes_per_s"`
	WrittenBytesPerS    *float64 `json:"written_bytes_per_s"`
	Queue               *float64 `json:"queue"`
	Utilisation         *float64 `json:"utilisation"`
	ReadAwaitUS         *float64 `json:"read_await_us"`
	WriteAwaitUS        *float64 `json:"write_await_us"`
	CPUUser             *float64 `json:"cpu_user"`
	CPUSystem           *float64 `json:"cpu_system"`
	CPUIowait           *float64 `json:"cpu_iowait"`
	CPUSteal            *float64 `json:"cpu_steal"`
	ContextSwitchesPerS *float64 `json:"context_switches_per_s"`
	OwnCPU              *float64 `json:"own_cpu"`
	ServerCPU           *float64 `json:"server_cpu"`
	MHz                 *float64 `json:"mhz"`
}

// Sample is what was seen within one interval of a point, or of one part of it.
type Sample struct {
	Event      string  `json:"event"`
	ID         string  `json:"id"`
	Part       string  `json:"part,omitempty"`
	AtS        float64 `json:"at_s"`
	Operations uint64  `json:"operations"`
	RatePerS   float64 `json:"rate_per_s"`
	P95US      float64 `json:"p95_us"`
	P99US      float64 `json:"p99_us"`
	Host       *Host   `json:"host,omitempty"`
}

// What ended a point.
const (
	EndedByInterval = "interval"
	EndedByTime     = "time"
	EndedByBytes    = "bytes"
)

// Point is a point's result, or that of one part of it. Direct is nil where there is no file.
type Point struct {
	Event            string         `json:"event"`
	ID               string         `json:"id"`
	Part             string         `json:"part,omitempty"`
	Threads          int            `json:"threads"`
	Seconds          float64        `json:"seconds"`
	WarmupSeconds    float64        `json:"warmup_seconds"`
	EndedBy          string         `json:"ended_by"`
	Operations       uint64         `json:"operations"`
	RatePerS         float64        `json:"rate_per_s"`
	CI95PerS         [2]float64     `json:"ci95_per_s"`
	Histogram        string         `json:"histogram"`
	CPUUserUSPerOp   float64        `json:"cpu_user_us_per_op"`
	CPUSystemUSPerOp float64        `json:"cpu_system_us_per_op"`
	Direct           *bool          `json:"direct"`
	Errors           uint64         `json:"errors"`
	MissingRows      uint64         `json:"missing_rows"`
	Details          map[string]any `json:"details"`
}

// Issued is what the prober asked of the drive, in details.
type Issued struct {
	Reads        uint64 `json:"reads"`
	Writes       uint64 `json:"writes"`
	ReadBytes    uint64 `json:"read_bytes"`
	WrittenBytes uint64 `json:"written_bytes"`
	Syncs        uint64 `json:"syncs"`
}

// Plus adds up two parts.
func (i Issued) Plus(other Issued) Issued {
	return Issued{
		Reads:        i.Reads + other.Reads,
		Writes:       i.Writes + other.Writes,
		ReadBytes:    i.ReadBytes + other.ReadBytes,
		WrittenBytes: i.WrittenBytes + other.WrittenBytes,
		Syncs:        i.Syncs + other.Syncs,
	}
}

// Codes of warnings.
const (
	Buffered      = "buffered"
	FewerThreads  = "fewer_threads"
	ShortWrites   = "short_writes"
	OutOfBudget   = "budget"
	IOPriority    = "io_priority"
	NotCalibrated = "calibrate"
	SteppedBack   = "stepped_back"
)

// Warning is something to know that does not end the point.
type Warning struct {
	Event   string `json:"event"`
	ID      string `json:"id,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error ends a point, or the plan when it is fatal.
type Error struct {
	Event   string `json:"event"`
	ID      string `json:"id,omitempty"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Fatal   bool   `json:"fatal"`
}

// Plain is an event without further words: alive, waiting, done.
type Plain struct {
	Event string `json:"event"`
}

// Writer writes events; several goroutines may share one.
type Writer struct {
	mutex sync.Mutex
	out   io.Writer
	// gone is called when the reader is gone.
	gone func()
}

// NewWriter writes to out and calls gone when that fails.
func NewWriter(out io.Writer, gone func()) *Writer {
	return &Writer{out: out, gone: gone}
}

// Stop ends the process at once: files have no names any more, so nothing is left to tidy.
func Stop() { os.Exit(StoppedEarly) }

// Write sends one event.
func (w *Writer) Write(event any) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.write(event)
}

// Last sends one event and ends the process with status: nothing can be said after it.
func (w *Writer) Last(event any, status int) {
	w.mutex.Lock()
	w.write(event)
	os.Exit(status)
}

func (w *Writer) write(event any) {
	line, err := json.Marshal(event)
	if err != nil {
		// Only a figure that is not a number can get here, which would be a bug of ours.
		panic(err)
	}
	if _, err := w.out.Write(append(line, '\n')); err != nil {
		w.gone()
	}
}
