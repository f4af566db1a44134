// Package canary watches a live server while its drive is probed: one cheap read by primary key,
// over and over, and what the server tells of itself. When the server suffers it ends what runs, or
// the plan.
package canary

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
)

const (
	// firstReads make the baseline.
	firstReads = 10
	// withoutLimit is how long an answer may take where the plan sets no limit to reads.
	withoutLimit = 30 * time.Second
	// beat is the time between two reports, and between two looks at the server's counters.
	beat = time.Second
	// ahead is how much nicer than the probing threads this one is treated.
	ahead = -20
)

// calmReads in a row, and what the counters say after them, show that the server has recovered.
const calmReads = 10

const question = "SHOW GLOBAL STATUS WHERE Variable_name IN " +
	"('Threads_running', 'Innodb_row_lock_current_waits')"

// Canary is at work from Start until the process ends.
type Canary struct {
	asked   *plan.MySQL
	session *pointselect.Session
	table   plan.Table
	every   time.Duration
	// recovery is how long the server may take to recover.
	recovery time.Duration
	limits   limits
	allowed  counters
	first    counters
	latest   counters
	// reports are written by another thread: whoever reads them must not hold up the watch.
	reports chan events.Canary
	hooks   Hooks
}

// Hooks are what a canary calls.
type Hooks struct {
	// Report is called once a second.
	Report func(events.Canary)
	// StepBack is called when the server suffers, with the reason: it ends what loads the drive, and
	// lets nothing begin before Recovered is called. False where only the end of the plan helps.
	StepBack  func(sentence string) bool
	Recovered func(after time.Duration)
	// Stop is called once: the server suffers, does not recover, or can no longer be watched.
	Stop func(*faults.Fault)
}

// Start logs in, finds out how the server fares without a probe, and watches it from then on by a
// thread of its own.
func Start(asked *plan.MySQL, guard *plan.Guard, hooks Hooks) error {
	canary := &Canary{
		asked:    asked,
		table:    asked.Tables[guard.Table],
		every:    time.Duration(guard.EverySeconds * float64(time.Second)),
		recovery: time.Duration(guard.RecoverSeconds * float64(time.Second)),
		limits:   limits{added: time.Duration(guard.AddedUS * float64(time.Microsecond))},
		allowed:  counters{guard.ThreadsRunning, guard.RowLockWaits},
		reports:  make(chan events.Canary, 1),
		hooks:    hooks,
	}
	var err error
	if canary.session, err = pointselect.OpenSession(asked, canary.table); err != nil {
		return faults.Fatal(faults.Guard, "the server can't be watched, so nothing was measured: %v", err)
	}
	if err := canary.learn(); err != nil {
		canary.session.Close()
		return faults.Fatal(faults.Guard, "the server could not be watched, so nothing was measured: %v", err)
	}
	go canary.watch()
	go func() {
		for seen := range canary.reports {
			hooks.Report(seen)
		}
	}()
	return nil
}

// learn finds out what is usual.
func (c *Canary) learn() error {
	var reads []time.Duration
	for range firstReads {
		took, err := c.read(withoutLimit)
		if err != nil {
			return err
		}
		reads = append(reads, took)
		sleep(c.every - took)
	}
	c.limits.learn(reads)
	var err error
	c.first, err = c.ask(withoutLimit)
	c.latest = c.first
	return err
}

// read looks up any row, and tells how long that took.
func (c *Canary) read(patience time.Duration) (time.Duration, error) {
	key := c.table.Min + rand.Int64N(c.table.Max-c.table.Min+1)
	begin := clock.Now()
	c.session.SetDeadline(begin + patience.Nanoseconds())
	err := c.session.Lookup(key)
	return time.Duration(clock.Now() - begin), err
}

// ask reads the server's counters; one that it does not have stays 0.
func (c *Canary) ask(patience time.Duration) (counters, error) {
	c.session.SetDeadline(clock.Now() + patience.Nanoseconds())
	rows, err := c.session.Query(question)
	if err != nil {
		return counters{}, err
	}
	var found counters
	for _, row := range rows {
		value, err := strconv.Atoi(row[1])
		if err != nil {
			continue
		}
		if row[0] == "Threads_running" {
			found.threadsRunning = value
		} else {
			found.rowLockWaits = value
		}
	}
	return found, nil
}

// watch runs on a thread that no other work shares, and that the kernel prefers where it is
// allowed: a thousand probing threads must not make a quick server look slow.
func (c *Canary) watch() {
	runtime.LockOSThread()
	_ = unix.Setpriority(unix.PRIO_PROCESS, 0, ahead)
	for {
		found := c.untilTrouble()
		if found.lost || !c.hooks.StepBack(found.sentence) {
			c.hooks.Stop(Suffered(found.sentence))
			return
		}
		begin := clock.Now()
		if sentence := c.restored(begin, found.owed); sentence != "" {
			c.hooks.Stop(Suffered(sentence))
			return
		}
		c.hooks.Recovered(time.Duration(clock.Now() - begin))
	}
}

// Suffered is the fault that ends a plan for the server's sake.
func Suffered(sentence string) *faults.Fault {
	return faults.Fatal(faults.Guard, "the probe was stopped because the server suffered: %s", sentence)
}

// trouble is why the load has to end. The server can no longer be watched where the connection is
// lost; where an answer is owed, not by this connection.
type trouble struct {
	sentence   string
	lost, owed bool
}

// untilTrouble watches the server while it may be loaded.
func (c *Canary) untilTrouble() *trouble {
	slowest, lastBeat := time.Duration(0), clock.Now()
	for {
		patience := c.limits.patience()
		took, err := c.read(patience)
		if found := c.judge(took, patience, err); found != nil {
			return found
		}
		slowest = max(slowest, took)
		if clock.Now()-lastBeat >= beat.Nanoseconds() {
			lastBeat = clock.Now()
			if found := c.beat(slowest, c.limits.patience()); found != nil {
				return found
			}
			slowest = 0
		}
		sleep(c.limits.pause(c.every, took))
	}
}

// restored waits until the server answers as before, with none of the load that slowed it down; the
// sentence says why it did not.
func (c *Canary) restored(begin int64, owed bool) string {
	if owed {
		c.session.Close()
		session, err := pointselect.OpenSession(c.asked, c.table)
		if err != nil {
			return "it could not be asked again: " + err.Error()
		}
		c.session = session
	}
	c.limits.forget()
	var reads []time.Duration
	for {
		left := c.recovery - time.Duration(clock.Now()-begin)
		if left <= 0 {
			return "without the probe it had not recovered after " + shown(c.recovery)
		}
		took, err := c.read(left)
		if err != nil && took < left {
			return connectionLost(err).sentence
		}
		if reads = append(reads, took); len(reads) == calmReads {
			found := c.beat(slices.Max(reads), left)
			if found == nil && c.limits.calm(reads) {
				return ""
			}
			if found != nil && (found.lost || found.owed) {
				return found.sentence
			}
			reads = reads[:0]
		}
		sleep(c.every - took)
	}
}

// judge finds nothing for as long as reads are answered quickly enough.
func (c *Canary) judge(took, patience time.Duration, err error) *trouble {
	if err == nil {
		return tooMuch(c.limits.note(took))
	}
	if took >= patience {
		return &trouble{sentence: c.limits.unanswered(took), owed: true}
	}
	return connectionLost(err)
}

// beat looks at the counters and reports.
func (c *Canary) beat(slowest, patience time.Duration) *trouble {
	begin := clock.Now()
	found, err := c.ask(patience)
	if took := time.Duration(clock.Now() - begin); err != nil && took >= patience {
		return &trouble{sentence: "it did not report its status within " + shown(took), owed: true}
	}
	if err != nil {
		return connectionLost(err)
	}
	c.latest = found
	select {
	case c.reports <- c.event(slowest):
	default:
	}
	return tooMuch(found.over(c.first, c.allowed))
}

// tooMuch makes a trouble of a sentence, unless that is empty.
func tooMuch(sentence string) *trouble {
	if sentence == "" {
		return nil
	}
	return &trouble{sentence: sentence}
}

func connectionLost(err error) *trouble {
	return &trouble{sentence: "the connection that watches it failed: " + err.Error(), lost: true}
}

func (c *Canary) event(slowest time.Duration) events.Canary {
	return events.Canary{
		Event:          "canary",
		LatencyUS:      microseconds(slowest),
		BaselineUS:     microseconds(c.limits.baseline),
		LimitUS:        microseconds(c.limits.limit()),
		ThreadsRunning: c.latest.threadsRunning,
		RowLockWaits:   c.latest.rowLockWaits,
	}
}

func microseconds(took time.Duration) float64 { return float64(took.Nanoseconds()/100) / 10 }

// sleep waits in the kernel: Go's own timers need a thread that has no preference.
func sleep(length time.Duration) {
	if length <= 0 {
		return
	}
	rest := unix.NsecToTimespec(length.Nanoseconds())
	for unix.Nanosleep(&rest, &rest) == unix.EINTR {
		continue
	}
}
