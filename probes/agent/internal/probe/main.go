// Package probe carries out a plan: it makes what the points need, measures them in order, and
// reports.
package probe

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

// spareProcessors serve everything but the loops: preparing, sampling, reporting, watching.
const spareProcessors = 8

// Main reads a plan from in and reports to out; it returns the exit status. It ends the process
// at once when in closes or a signal asks for it.
func Main(version string, in io.Reader, out io.Writer) int {
	// Garbage is collected between points alone, whatever the environment says.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(math.MaxInt64)
	stopOnSignals()
	writer := events.NewWriter(out, events.Stop)
	decoder := json.NewDecoder(in)
	wanted, err := plan.Read(decoder)
	if errors.Is(err, io.EOF) {
		return events.StoppedEarly
	}
	if err != nil {
		return report(writer, "", err)
	}
	runtime.GOMAXPROCS(spareProcessors)
	runner := newRunner(wanted, writer)
	go runner.incoming.listen(wanted, decoder, in, writer)
	clock.UseCounter()
	writer.Write(events.Hello{
		Event:           "hello",
		Version:         version,
		Protocol:        events.Protocol,
		ClockNS:         rounded(clock.CostNS(), 1),
		OverheadNSPerOp: rounded(overheadNS(), 1),
	})
	go stayAlive(writer)
	return runner.runAll()
}

func stopOnSignals() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	go func() {
		<-signals
		events.Stop()
	}()
}

// report writes err as an event and returns the exit status when it is fatal, 0 otherwise.
func report(writer *events.Writer, id string, err error) int {
	fault := faults.Of(err)
	writer.Write(errorEvent(id, fault))
	if fault.Fatal {
		return 1
	}
	return 0
}

// fail reports err as fatal and ends the process, from any goroutine.
func fail(writer *events.Writer, err error) {
	fault := *faults.Of(err)
	fault.Fatal = true
	writer.Last(errorEvent("", &fault), 1)
}

func errorEvent(id string, fault *faults.Fault) events.Error {
	return events.Error{Event: "error", ID: id, Code: fault.Code, Message: fault.Message, Fatal: fault.Fatal}
}

// rounded keeps digits after the point, so that reports stay short.
func rounded(value float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(value*scale) / scale
}
