// Package watch looks at devices, at the host and at the server's process, as iostat -x, vmstat and
// pidstat do. A Watcher does it while threads measure: it allocates next to nothing and takes far less
// than a millisecond an interval. Main does it for as long as somebody wants, and adds no load.
package watch

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"leadline/agent/internal/events"
)

// Watcher serves all points of a plan, one after the other.
type Watcher struct {
	root      string
	devices   map[string]*device
	device    *device
	stat      *file
	processes []*file
	// transfers tell what each of the watched processes had storage do.
	transfers []*file
	watched   int
	frequency *frequency

	first, latest moment
	mhz           float64
	ahead         time.Duration
	sample        sample
}

// New watches the devices of each point's directories, the host, and the processes pids.
func New(pids []int) *Watcher { return newWatcher("/", pids) }

func newWatcher(root string, pids []int) *Watcher {
	return &Watcher{
		root:      root,
		devices:   map[string]*device{},
		device:    &device{},
		stat:      openFile(filepath.Join(root, "proc/stat")),
		processes: openProcesses(root, pids, "stat"),
		transfers: openProcesses(root, pids, "io"),
		watched:   len(pids),
		frequency: openFrequency(root),
	}
}

// Begin starts the watch over a point that works in these directories, if any. It comes before the
// point's first operation.
func (w *Watcher) Begin(directories []string) {
	key := strings.Join(directories, "\x00")
	known, ok := w.devices[key]
	if !ok {
		known = openDisks(w.root, disksBelow(w.root, directories))
		w.devices[key] = known
	}
	w.device = known
	w.mhz, w.ahead = w.frequency.mhz(), wallAhead()
	w.first = w.now()
	w.latest = w.first
}

// Sample tells what happened since the last one, or since Begin. It is valid until the next call.
func (w *Watcher) Sample() *events.Host {
	now := w.now()
	seen := now.since(&w.latest)
	w.latest = now
	return w.sample.fill(w.device.name, &seen, w.frequency.mhz())
}

// Device is what a device did over a point, in details.
type Device struct {
	Name         string `json:"name"`
	Reads        uint64 `json:"reads"`
	Writes       uint64 `json:"writes"`
	ReadBytes    uint64 `json:"read_bytes"`
	WrittenBytes uint64 `json:"written_bytes"`
}

// Server is what the watched processes had storage do over a point, in details.
type Server struct {
	ReadBytes    uint64 `json:"read_bytes"`
	WrittenBytes uint64 `json:"written_bytes"`
}

// End adds what happened over the whole point to its details. It comes after the last operation
// has ended; what is unknown is left out.
func (w *Watcher) End(details map[string]any) {
	now := w.now()
	seen := now.since(&w.first)
	if seen.known {
		details["device"] = Device{
			Name:         w.device.name,
			Reads:        seen.traffic.reads,
			Writes:       seen.traffic.writes,
			ReadBytes:    seen.traffic.readSectors * sectorBytes,
			WrittenBytes: seen.traffic.wroteSectors * sectorBytes,
		}
	}
	if seen.hasMoved {
		details["server"] = Server{ReadBytes: seen.moved.read, WrittenBytes: seen.moved.written}
	}
	if seen.hasShares {
		details["cpu_busy"] = rounded(seen.shares.busy)
		details["cpu_steal"] = rounded(seen.shares.steal)
	}
	if after := w.frequency.mhz(); !math.IsNaN(w.mhz) && !math.IsNaN(after) {
		details["mhz"] = [2]float64{rounded(w.mhz), rounded(after)}
	}
	details["clock_jump_s"] = rounded((wallAhead() - w.ahead).Seconds())
}

// Close gives all descriptors back.
func (w *Watcher) Close() {
	for _, device := range w.devices {
		device.close()
	}
	for _, process := range slices.Concat(w.processes, w.transfers) {
		process.close()
	}
	w.stat.close()
	w.frequency.close()
}
