package watch

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/inventory"
	"leadline/agent/internal/trace"
)

const (
	// shortestInterval is between moments; a longer watch has longer ones, which keeps the answer within
	// its 4 MiB.
	shortestInterval = time.Second
	mostMoments      = 3600
	longestSeconds   = 25 * 3600
	usualPageBytes   = 16 << 10
)

// request is what the command line asks for.
type request struct {
	seconds     float64
	directories map[string]string
	server      *inventory.Server
	wantsTrace  bool
	pageBytes   int
}

func readRequest(arguments []string) (*request, error) {
	asked := &request{pageBytes: usualPageBytes}
	var rest []string
	asked.server, arguments = inventory.ServerAsked(arguments)
	for _, argument := range arguments {
		name, value, _ := strings.Cut(argument, "=")
		switch name {
		case "--seconds":
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil || !(seconds > 0 && seconds <= longestSeconds) {
				return nil, fmt.Errorf("--seconds takes a number above 0 and up to %d, not %q", longestSeconds, value)
			}
			asked.seconds = seconds
		case "--trace":
			asked.wantsTrace = true
		case "--page-bytes":
			bytes, err := strconv.Atoi(value)
			if err != nil || bytes < 512 || bytes > 64<<10 || bytes&(bytes-1) != 0 {
				return nil, fmt.Errorf("--page-bytes takes a power of two from 512 to 65536, not %q", value)
			}
			asked.pageBytes = bytes
		default:
			rest = append(rest, argument)
		}
	}
	if asked.seconds == 0 {
		return nil, fmt.Errorf("--seconds=N is missing")
	}
	var err error
	asked.directories, err = inventory.AskedPaths(rest)
	return asked, err
}

// answer is the whole report.
type answer struct {
	Version string  `json:"version"`
	Seconds float64 `json:"seconds"`
	OwnCPU  float64 `json:"own_cpu_s"`
	*view
	Others *othersReport `json:"others,omitempty"`
	Trace  *trace.Report `json:"trace,omitempty"`
}

// Main looks at what arguments name until their time is over or in closes, and then reports to out;
// it returns the exit status. A signal ends it without a report.
func Main(version string, arguments []string, in io.Reader, out, failures io.Writer) int {
	asked, err := readRequest(arguments)
	if err != nil {
		fmt.Fprintln(failures, "watch:", err)
		return 2
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	looks, closed := make(chan struct{}), make(chan struct{})
	go hear(in, looks, closed)
	seen := openView("/", asked)
	defer seen.close()
	var tracing *trace.Trace
	if asked.wantsTrace {
		tracing = trace.Start(seen.traceRequest(asked), seen.miss)
	}
	var before map[int]taken
	if inventory.InContainer() {
		seen.miss("others", "in a container only its own processes are seen")
	} else {
		before = takenByAll("/")
	}
	ended := seen.watch(asked.seconds, closed, signals, looks, func() { seen.glimpse(out, tracing) })
	report := answer{Version: version, view: seen}
	if len(before) > 0 {
		after := takenByAll("/")
		report.Others = othersBetween(before, after, seen.PID, ownProcesses(after))
	}
	if tracing != nil {
		report.Trace = tracing.Stop()
	}
	if !ended {
		return events.StoppedEarly
	}
	report.Seconds, report.OwnCPU = seen.Moments[len(seen.Moments)-1].At, rounded(ownTime().Seconds())
	if err := json.NewEncoder(out).Encode(report); err != nil {
		return 1
	}
	return 0
}

// hear reads the lines of in: each asks for what was seen so far. It ends with them.
func hear(in io.Reader, looks, closed chan<- struct{}) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		select {
		case looks <- struct{}{}:
		case <-time.After(shortestInterval):
			// The watch is over.
		}
	}
	close(closed)
}

// soFar is the answer to somebody who looks.
type soFar struct {
	Series  *trace.Series     `json:"series"`
	Devices map[string]string `json:"devices"`
	Moments []instant         `json:"moments"`
	Missing []missing         `json:"missing"`
}

// glimpse reports in a line what was traced so far, and the moments that no earlier one has shown.
func (v *view) glimpse(out io.Writer, tracing *trace.Trace) {
	seen := soFar{Devices: v.Devices, Moments: v.Moments[v.shown:], Missing: v.Missing}
	if tracing != nil {
		seen.Series = tracing.SoFar()
	}
	v.shown = len(v.Moments)
	_ = json.NewEncoder(out).Encode(seen)
}

// watch takes a moment a second, fewer over hours, and one at the end; false when a signal came.
// Whenever somebody looks, it shows what was seen so far.
func (v *view) watch(
	seconds float64, closed <-chan struct{}, signals <-chan os.Signal, looks <-chan struct{}, show func(),
) bool {
	interval := max(shortestInterval, time.Duration(seconds/mostMoments*float64(time.Second)))
	end := time.NewTimer(time.Duration(seconds * float64(time.Second)))
	defer end.Stop()
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	v.look(everyThread)
	for {
		select {
		case <-signals:
			return false
		case <-looks:
			show()
			continue
		case <-closed:
		case <-end.C:
		case <-ticker.C:
			// At the end both may be due, and one moment is enough.
			if seconds-v.seconds() > interval.Seconds()/2 {
				v.look(someThreads)
			}
			continue
		}
		v.look(everyThread)
		return true
	}
}

// traceRequest is what to trace: the disks that carry out what the counted devices are asked, and the
// server.
func (v *view) traceRequest(asked *request) trace.Request {
	wanted := trace.Request{
		Devices: map[string]uint64{}, PID: v.PID, Directories: map[string]string{}, PageBytes: asked.pageBytes,
	}
	for role, directory := range asked.directories {
		wanted.Directories[role] = v.files.Resolve(directory)
	}
	for _, disk := range v.disks {
		if number, ok := disk.KernelNumber(); ok {
			wanted.Devices[disk.Name] = number
		}
	}
	return wanted
}
