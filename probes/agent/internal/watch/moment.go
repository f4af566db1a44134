package watch

import (
	"syscall"
	"time"

	"leadline/agent/internal/clock"
)

// moment is everything that counts, read at about one time.
type moment struct {
	at         int64
	traffic    traffic
	hasTraffic bool
	ticks      ticks
	hasTicks   bool
	own        time.Duration
	server     time.Duration
	hasServer  bool
	moved      transfer
	hasMoved   bool
}

func (w *Watcher) now() moment {
	found := moment{at: clock.Now(), own: ownTime()}
	device, known := w.device.now()
	found.traffic, found.hasTraffic = device.traffic, known
	found.ticks, found.hasTicks = readTicks(w.stat.read())
	found.server, found.hasServer = processorTime(w.processes)
	found.moved, found.hasMoved = transferred(w.transfers, w.watched)
	return found
}

// ownTime is what this process took of the processors so far.
func ownTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(syscall.TimevalToNsec(usage.Utime) + syscall.TimevalToNsec(usage.Stime))
}

// between is what happened from one moment to a later one; seconds is above 0.
type between struct {
	seconds   float64
	traffic   traffic
	known     bool
	shares    shares
	hasShares bool
	switches  uint64
	own       time.Duration
	server    time.Duration
	hasServer bool
	moved     transfer
	hasMoved  bool
}

func (m *moment) since(earlier *moment) between {
	found := between{
		seconds:   max(1, float64(m.at-earlier.at)) / 1e9,
		traffic:   m.traffic.minus(earlier.traffic),
		known:     m.hasTraffic && earlier.hasTraffic,
		switches:  since(m.ticks.switches, earlier.ticks.switches),
		own:       m.own - earlier.own,
		server:    max(0, m.server-earlier.server),
		hasServer: m.hasServer && earlier.hasServer,
		moved:     m.moved.minus(earlier.moved),
		hasMoved:  m.hasMoved && earlier.hasMoved,
	}
	if m.hasTicks && earlier.hasTicks {
		found.shares, found.hasShares = m.ticks.sharesSince(earlier.ticks)
	}
	return found
}
