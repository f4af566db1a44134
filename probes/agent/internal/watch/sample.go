package watch

import (
	"math"

	"leadline/agent/internal/events"
)

// sample is one report whose memory serves again and again.
type sample struct {
	host   events.Host
	values [16]float64
	used   int
}

// fill tells what happened within an interval; what is unknown stays nil.
func (s *sample) fill(device string, seen *between, mhz float64) *events.Host {
	s.host, s.used = events.Host{Device: device}, 0
	if seen.known {
		s.fillDevice(&seen.traffic, seen.seconds)
	}
	if seen.hasShares {
		s.host.CPUUser = s.figure(seen.shares.user)
		s.host.CPUSystem = s.figure(seen.shares.system)
		s.host.CPUIowait = s.figure(seen.shares.iowait)
		s.host.CPUSteal = s.figure(seen.shares.steal)
		s.host.ContextSwitchesPerS = s.figure(float64(seen.switches) / seen.seconds)
	}
	s.host.OwnCPU = s.figure(seen.own.Seconds() / seen.seconds)
	if seen.hasServer {
		s.host.ServerCPU = s.figure(seen.server.Seconds() / seen.seconds)
	}
	s.host.MHz = s.figure(mhz)
	return &s.host
}

// fillDevice means by each word what iostat -x does: utilisation is the share of time with any
// request in flight, queue their mean number, await the mean time of one, waiting included.
func (s *sample) fillDevice(done *traffic, seconds float64) {
	s.host.ReadsPerS = s.figure(float64(done.reads) / seconds)
	s.host.WritesPerS = s.figure(float64(done.writes) / seconds)
	s.host.ReadBytesPerS = s.figure(float64(done.readSectors*sectorBytes) / seconds)
	s.host.WrittenBytesPerS = s.figure(float64(done.wroteSectors*sectorBytes) / seconds)
	s.host.Queue = s.figure(float64(done.queueMS) / 1000 / seconds)
	s.host.Utilisation = s.figure(min(1, float64(done.busyMS)/1000/seconds))
	// None finished: 0/0 is not a number, and so unknown.
	s.host.ReadAwaitUS = s.figure(float64(done.readMS*1000) / float64(done.reads))
	s.host.WriteAwaitUS = s.figure(float64(done.writeMS*1000) / float64(done.writes))
}

// figure keeps a value, short enough to read; nil for none.
func (s *sample) figure(value float64) *float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	kept := &s.values[s.used]
	s.used++
	*kept = rounded(value)
	return kept
}

func rounded(value float64) float64 { return math.Round(value*1000) / 1000 }
