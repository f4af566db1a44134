// Package trace sees a server's own requests and system calls one by one, by the kernel's trace events, in
// instances of its own that a guard removes whatever happens.
package trace

import (
	"math"
	"slices"
	"syscall"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/tracefs"
)

const (
	// usualRound is how often the buffers are emptied; fuller ones are emptied sooner.
	usualRound   = 100 * time.Millisecond
	shortestStep = 2 * time.Millisecond
	upkeepEvery  = time.Second
	// mostIgnored calls a second may be on what is no file, before those that can be are left out.
	mostIgnored = 2_000
)

// Request is what to look at.
type Request struct {
	// Devices are the disks by their names, as the kernel numbers them in its events.
	Devices map[string]uint64
	// PID of the server, 0 for none, and its directories by their roles, without links, as it sees them.
	PID         int
	Directories map[string]string
	PageBytes   int
}

// Trace is one that is under way.
type Trace struct {
	request Request
	base    tracefs.Base
	guard   *guarding
	parts   []*part
	blocks  *blocks
	calls   *calls
	pages   *pages
	files   *files
	threads *threads
	pacer   pacer
	series  *series
	begun   int64
	cpu     time.Duration
	// miss is told what can't be had, and why, while it starts and when it stops.
	miss  func(what, because string)
	stop  chan struct{}
	done  chan struct{}
	looks chan chan *Series
	lost  uint64
	// ignoredBefore were there before the last second.
	ignoredBefore uint64
	// pagesBefore were read before the last slice.
	pagesBefore uint64
}

// part is one instance, and who is told its events.
type part struct {
	instance *tracefs.Instance
	stream   *tracefs.Stream
	see      func(tracefs.Event)
	forget   func()
}

// Start begins to record; nil where nothing can be recorded here. Stop has to follow.
func Start(asked Request, miss func(what, because string)) *Trace {
	mount, because := tracefs.Find("/")
	if mount == "" {
		miss("trace", because)
		return nil
	}
	tracefs.RemoveLeftovers(mount, tracefs.Young)
	t := &Trace{
		request: asked, base: tracefs.NewBase(mount), miss: miss,
		begun: clock.Now(), cpu: ownTime(), stop: make(chan struct{}), done: make(chan struct{}),
		looks: make(chan chan *Series),
	}
	t.series = newSeries(t.begun)
	var err error
	if t.guard, err = guardTraces(t.base); err != nil {
		miss("trace", "nobody would clean up after it: "+err.Error())
		return nil
	}
	if len(asked.Devices) > 0 {
		t.openPart("blocks", t.openBlocks)
	}
	if asked.PID != 0 {
		t.openPart("calls", t.openCalls)
	}
	if len(t.parts) == 0 {
		t.guard.end()
		return nil
	}
	t.begun = clock.Now()
	t.series.begun = t.begun
	t.pacer = pacer{on: true}
	t.record(true)
	go t.follow()
	return t
}

// record switches the recording on or off, and forgets what is under way: half of it is not seen.
func (t *Trace) record(on bool) {
	value := "0"
	if on {
		value = "1"
	}
	if on && t.files != nil {
		// What was closed in between has not been seen.
		t.files.forgetAll()
	}
	t.series.record(on, t.now())
	for _, part := range t.parts {
		_ = part.instance.Put("tracing_on", value)
		if !on {
			part.stream.Read(true, part.see)
		}
		part.forget()
	}
}

// pause begins one; the distances between reads of pages, of which there are so many a second, are
// followed without.
func (t *Trace) pause(pagesPerS float64) {
	if pagesPerS > 0 && t.pages.part == nil && t.pages.because == "" {
		t.openPages(pagesPerS)
	}
	t.record(false)
}

// follow empties the buffers until Stop.
func (t *Trace) follow() {
	defer close(t.done)
	step, upkeep := usualRound, upkeepEvery
	timer := time.NewTimer(step)
	defer timer.Stop()
	for {
		select {
		case <-t.stop:
			return
		case answer := <-t.looks:
			t.series.record(t.series.on, t.now())
			answer <- t.seriesReport()
			continue
		case <-timer.C:
		}
		step = nextStep(step, t.read(false))
		now := t.now()
		t.pace(now)
		if now >= upkeep {
			upkeep = now + upkeepEvery
			t.upkeep()
		}
		timer.Reset(step)
	}
}

// pace begins and ends pauses.
func (t *Trace) pace(now time.Duration) {
	recording, before := t.pacer.on, t.pacer.since
	switch next := t.pacer.decide(now, t.events()); {
	case next && !recording:
		t.record(true)
	case recording && !next:
		t.pause(float64(t.pageReads()-t.pagesBefore) / (now - before).Seconds())
	}
	if t.pacer.since != before {
		t.pagesBefore = t.pageReads()
	}
}

func (t *Trace) pageReads() uint64 {
	if t.calls == nil {
		return 0
	}
	return t.calls.pages
}

// nextStep is how long to wait where the fullest buffer had so many bytes after the last wait.
func nextStep(step time.Duration, bytes int) time.Duration {
	switch {
	case bytes > bufferBytes/8:
		return max(shortestStep, step/2)
	case bytes < bufferBytes/32:
		return min(usualRound, step*2)
	}
	return step
}

func (t *Trace) read(all bool) int {
	most := 0
	for _, part := range t.all() {
		most = max(most, part.stream.Read(all, part.see))
	}
	return most
}

// all are the parts with the one that has no pauses.
func (t *Trace) all() []*part {
	if t.pages == nil || t.pages.part == nil {
		return t.parts
	}
	return append(slices.Clip(t.parts), t.pages.part)
}

// upkeep is done once a second.
func (t *Trace) upkeep() {
	if t.calls == nil {
		return
	}
	t.files.verify()
	t.files.listed = false
	if ignored := t.calls.ignored - t.ignoredBefore; ignored > mostIgnored && !t.calls.dropped {
		t.calls.dropPlain()
	}
	t.ignoredBefore = t.calls.ignored
	t.pages.upkeep(t.now())
	if !t.threads.follows {
		_ = t.threads.refresh()
	}
}

func (t *Trace) now() time.Duration { return time.Duration(clock.Now() - t.begun) }

func (t *Trace) events() uint64 {
	seen := uint64(0)
	if t.blocks != nil {
		seen += t.blocks.seen
	}
	if t.calls != nil {
		seen += t.calls.seen
	}
	return seen
}

// SoFar is what was seen over time until now; nil where nothing was recorded yet.
func (t *Trace) SoFar() *Series {
	answer := make(chan *Series)
	t.looks <- answer
	return <-answer
}

// Stop ends the recording, takes everything back, and returns what was seen.
func (t *Trace) Stop() *Report {
	close(t.stop)
	<-t.done
	ended := t.now()
	if t.pages != nil && t.pages.part != nil {
		t.parts = t.all()
	} else if t.pages != nil && t.pages.because != "" {
		t.miss("trace.pages", t.pages.because)
		t.pages = nil
	}
	if t.calls != nil && t.calls.dropped {
		t.miss("trace.calls.read_write", "most calls of read and write are on connections, too many to look at")
	}
	t.record(false)
	if t.calls != nil {
		if because := t.calls.ring.lost(t.calls.called(ringCall)); because != "" {
			t.miss("trace.calls.io_uring", because)
		}
		if because := t.calls.direct.lost(t.calls.submitted()); because != "" {
			t.miss("trace.calls.io_submit", because)
		}
	}
	for _, part := range t.parts {
		t.lost += part.instance.Lost()
		part.stream.Close()
		part.instance.Remove()
	}
	t.guard.end()
	return t.report(ended)
}

// ownTime is what this process took of the processors so far.
func ownTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(syscall.TimevalToNsec(usage.Utime) + syscall.TimevalToNsec(usage.Stime))
}

func rounded(value float64) float64 { return math.Round(value*1000) / 1000 }
