// Package events writes what the agent reports: JSON objects, one a line.
package events

import (
	"encoding/json"
	"io"
	"os"
	"sync"
)

// Protocol is the version of plan and events.
const Protocol = 1

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

// Sample is what was seen within one interval of a point.
type Sample struct {
	Event      string  `json:"event"`
	ID         string  `json:"id"`
	AtS        float64 `json:"at_s"`
	Operations uint64  `json:"operations"`
	RatePerS   float64 `json:"rate_per_s"`
	P95US      float64 `json:"p95_us"`
	P99US      float64 `json:"p99_us"`
}

// Point is a point's result. Direct is nil where there is no file.
type Point struct {
	Event            string  `json:"event"`
	ID               string  `json:"id"`
	Threads          int     `json:"threads"`
	Seconds          float64 `json:"seconds"`
	Operations       uint64  `json:"operations"`
	RatePerS         float64 `json:"rate_per_s"`
	Histogram        string  `json:"histogram"`
	CPUUserUSPerOp   float64 `json:"cpu_user_us_per_op"`
	CPUSystemUSPerOp float64 `json:"cpu_system_us_per_op"`
	Direct           *bool   `json:"direct"`
	Errors           uint64  `json:"errors"`
	MissingRows      uint64  `json:"missing_rows"`
}

// Codes of warnings.
const (
	Buffered     = "buffered"
	FewerThreads = "fewer_threads"
	ShortWrites  = "short_writes"
)

// Warning is something to know that does not end the point.
type Warning struct {
	Event   string `json:"event"`
	ID      string `json:"id"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error ends a point, or the plan when it is fatal.
type Error struct {
	Event   string `json:"event"`
	ID      string `json:"id"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Fatal   bool   `json:"fatal"`
}

// Done closes the report of a whole plan.
type Done struct {
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
	line, err := json.Marshal(event)
	if err != nil {
		// Only a figure that is not a number can get here, which would be a bug of ours.
		panic(err)
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if _, err := w.out.Write(append(line, '\n')); err != nil {
		w.gone()
	}
}
