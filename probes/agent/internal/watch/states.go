package watch

import (
	"bytes"
	"time"
)

// deviceState is what a device has done since it appeared, as the kernel counts it.
type deviceState struct {
	Reads        uint64 `json:"reads"`
	ReadBytes    uint64 `json:"read_bytes"`
	ReadMS       uint64 `json:"read_ms"`
	Writes       uint64 `json:"writes"`
	WrittenBytes uint64 `json:"written_bytes"`
	WriteMS      uint64 `json:"write_ms"`
	InFlight     uint64 `json:"in_flight"`
	BusyMS       uint64 `json:"busy_ms"`
	QueueMS      uint64 `json:"queue_ms"`
	// Flushes are nil where the kernel does not count them.
	Flushes *uint64 `json:"flushes,omitempty"`
	FlushMS *uint64 `json:"flush_ms,omitempty"`
}

func stateOf(counted *counters) deviceState {
	state := deviceState{
		counted.reads, counted.readSectors * sectorBytes, counted.readMS,
		counted.writes, counted.wroteSectors * sectorBytes, counted.writeMS,
		counted.inFlight, counted.busyMS, counted.queueMS, nil, nil,
	}
	if counted.hasFlushes {
		state.Flushes, state.FlushMS = &counted.flushes, &counted.flushMS
	}
	return state
}

// processorState is what all processors together did since the machine started.
type processorState struct {
	Busy   float64 `json:"busy_s"`
	Iowait float64 `json:"iowait_s"`
	Steal  float64 `json:"steal_s"`
	Total  float64 `json:"total_s"`
}

func (t ticks) state() *processorState {
	seconds := func(ticks uint64) float64 { return rounded((time.Duration(ticks) * tick).Seconds()) }
	// What the host took away was not to be had, which is as good as busy.
	return &processorState{seconds(t.user + t.system + t.steal), seconds(t.iowait), seconds(t.steal), seconds(t.all)}
}

// readPressure is the time, in microseconds, in which some task waited.
func readPressure(text []byte) (uint64, bool) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if !bytes.HasPrefix(line, []byte("some ")) {
		return 0, false
	}
	return counter(line, " total=")
}
