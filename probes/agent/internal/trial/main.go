package trial

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
)

// Why it went back, as PROTOCOL.md lists it.
// beatEach is the time between two beats.
const beatEach = time.Second

const (
	becauseAsked  = "asked"
	becauseLimit  = "limit"
	becauseClosed = "input_closed"
	becauseSilent = "silent"
	becauseSignal = "signal"
	becauseKeeper = "keeper"
	becauseFault  = "fault"
)

type (
	setDone struct {
		Event  string  `json:"event"`
		To     string  `json:"to"`
		TookMS float64 `json:"took_ms"`
	}
	beat struct {
		Event          string  `json:"event"`
		StatementsPerS float64 `json:"statements_per_s"`
		TimeUS         float64 `json:"time_us"`
		ThreadsRunning float64 `json:"threads_running"`
		RowLockWaits   float64 `json:"row_lock_waits"`
		UptimeS        float64 `json:"uptime_s"`
		ErrorsPerS     float64 `json:"errors_per_s"`
		AbortedPerS    float64 `json:"aborted_per_s"`
		// What is left of the machine, where that is known, and what goes to swap.
		AvailableBytes   float64 `json:"available_bytes,omitempty"`
		FreeBytes        float64 `json:"free_bytes,omitempty"`
		SwappedBytesPerS float64 `json:"swapped_bytes_per_s"`
	}
	ready struct {
		Event string `json:"event"`
		room
	}
	limited struct {
		Event string `json:"event"`
		passed
		// Aside tells that the old values are being set now, and that the trial may go on after it.
		Aside bool `json:"aside"`
	}
	returned struct {
		Event   string  `json:"event"`
		Because string  `json:"because"`
		TookMS  float64 `json:"took_ms"`
		// Foreign are values by name that stay, as somebody else has set them.
		Foreign foreign `json:"foreign,omitempty"`
		// Fault and Message say what could not be set.
		Fault   string `json:"fault,omitempty"`
		Message string `json:"message,omitempty"`
	}
)

// wanted is one line of whoever asks.
type wanted struct {
	Do string `json:"do"`
	To string `json:"to"`
	// Step is which of the values of a change in steps is the new one.
	Step int `json:"step"`
	// Aside of limits: one that others may cause does not end the trial.
	Aside bool `json:"aside"`
	limits
}

// seen is one look of the guard, or why there is none.
type seen struct {
	look look
	late bool
	err  error
}

// trial is the first process at work.
type trial struct {
	asked  *asked
	hand   *hand
	keeper *keeper
	guard  *guard
	out    *events.Writer
	looks  looks
	limits limits
	// since is when the values that are there were set, by package clock: the new ones, or the old ones.
	since   int64
	tried   bool
	overOld bool
	// mayStep is whether a limit that others may cause has the old values set, and no more; aside is whether
	// one has, and whoever asked has not gone on yet.
	mayStep bool
	aside   bool
	heard   time.Time
	beaten  time.Time
	// setting gives what came of a value that is being set; nil while none is.
	setting chan error
	asking  wanted
	began   time.Time
}

// Main holds the way back until it is told to keep the new values or to go back, or has to.
func Main(in io.Reader, out io.Writer) int {
	ignoreBrokenPipes()
	// Nobody may listen any more when the way back is gone.
	writer := events.NewWriter(out, func() {})
	reader := bufio.NewReaderSize(in, longestLine)
	asked, err := readPlan(reader)
	if err == io.EOF {
		return 0
	}
	if err != nil {
		writer.Write(fatal(err))
		return 1
	}
	held := &trial{asked: asked, out: writer}
	if err := held.open(); err != nil {
		held.close()
		writer.Write(fatal(err))
		return 1
	}
	defer held.close()
	writer.Write(ready{"ready", held.guard.room()})
	return held.run(commandsOf(reader))
}

func fatal(err error) events.Error {
	fault := faults.Of(err)
	return events.Error{Event: "error", Code: fault.Code, Message: fault.Message, Fatal: true}
}

// open logs in three times, so that each can go on without the others.
func (t *trial) open() (err error) {
	if t.hand, err = connect(t.asked); err != nil {
		return err
	}
	if err = t.hand.hold(); err != nil {
		return err
	}
	if err = t.hand.want(false); err != nil {
		return err
	}
	if t.guard, err = openGuard(t.asked); err != nil {
		return err
	}
	if t.keeper, err = startKeeper(t.asked); err != nil {
		return faults.New(faults.Guard, "%v", err)
	}
	return nil
}

func (t *trial) close() {
	if t.keeper != nil {
		t.keeper.release()
	}
	if t.guard != nil {
		t.guard.session.Close()
	}
	if t.hand != nil {
		t.hand.close()
	}
}

// commandsOf reads what is wanted; a line that can't be read ends it, as the end of the input does.
func commandsOf(reader *bufio.Reader) <-chan wanted {
	commands := make(chan wanted)
	go func() {
		defer close(commands)
		for {
			line, err := reader.ReadSlice('\n')
			if err != nil {
				return
			}
			var read wanted
			if json.Unmarshal(line, &read) != nil {
				return
			}
			commands <- read
		}
	}()
	return commands
}

// looking has the guard look at its pace until it fails.
func (t *trial) looking() <-chan seen {
	found := make(chan seen)
	go func() {
		for {
			next := time.Now().Add(t.guard.pace())
			now, late, err := t.guard.look()
			found <- seen{now, late, err}
			if err != nil {
				return
			}
			time.Sleep(time.Until(next))
		}
	}()
	return found
}

// run works until the end; its status is 0 where the server is as it was asked for.
func (t *trial) run(commands <-chan wanted) int {
	signals := stopSignals()
	looks := t.looking()
	t.heard = time.Now()
	for {
		select {
		case command, more := <-commands:
			if !more {
				return t.end(becauseClosed)
			}
			t.heard = time.Now()
			if done, status := t.obey(command); done {
				return status
			}
		case now := <-looks:
			if status, over := t.judge(now); over {
				return status
			}
		case err := <-t.setting:
			if done, status := t.wasSet(err); done {
				return status
			}
		case <-signals:
			return t.end(becauseSignal)
		case <-t.keeper.gone:
			return t.end(becauseKeeper)
		case <-time.After(t.asked.silence() - time.Since(t.heard)):
			return t.end(becauseSilent)
		}
	}
}

// obey does what is wanted; done is whether that was the last.
func (t *trial) obey(command wanted) (done bool, status int) {
	switch command.Do {
	case "beat":
		return false, 0
	case "limits":
		t.limits, t.mayStep = command.limits, command.Aside
		return false, 0
	case "go_on":
		t.aside = false
		return false, 0
	case "set":
		if t.aside {
			// Sent before anybody knew of the limit: the old values stay.
			return false, 0
		}
		if err := t.startSet(command); err != nil {
			return true, t.fail(err)
		}
		return false, 0
	case "keep":
		if t.aside {
			return true, t.end(becauseLimit)
		}
		if t.setting != nil {
			return true, t.end(becauseFault)
		}
		if err := t.hand.set("new"); err != nil {
			return true, t.fail(err)
		}
		t.keeper.release()
		t.out.Write(events.Plain{Event: "kept"})
		return true, 0
	case "back":
		return true, t.end(becauseAsked)
	default:
		return true, t.end(becauseFault)
	}
}

// startSet has a side's values set while the guard goes on looking: a server may take minutes over a size.
func (t *trial) startSet(command wanted) error {
	switch {
	case t.setting != nil:
		return faults.New(faults.BadPlan, "a value is being set already")
	case command.To == "old":
		t.watchFrom(false)
	case command.To != "new":
		return faults.New(faults.BadPlan, "a value is old or new, not %q", command.To)
	default:
		if err := t.asked.step(command.Step); err != nil {
			return faults.New(faults.BadPlan, "%v", err)
		}
		if err := t.keeper.arm(); err != nil {
			return faults.New(faults.Guard, "%v", err)
		}
		t.watchFrom(true)
	}
	done := make(chan error, 1)
	t.setting, t.asking, t.began = done, command, time.Now()
	go func() { done <- t.hand.set(command.To) }()
	return nil
}

// watchFrom has the guard count what comes from now on, unless that side's values were there before.
func (t *trial) watchFrom(tried bool) {
	if t.since == 0 || t.tried != tried {
		t.since, t.tried = clock.Now(), tried
	}
	t.overOld = false
}

// wasSet takes in what came of it.
func (t *trial) wasSet(err error) (done bool, status int) {
	t.setting = nil
	if err != nil {
		return true, t.fail(err)
	}
	t.out.Write(setDone{"set", t.asking.To, milliseconds(time.Since(t.began))})
	return false, 0
}

func (t *trial) beat(last look) beat {
	said := beat{
		Event:          "beat",
		ThreadsRunning: last.threadsRunning,
		RowLockWaits:   last.rowLockWaits,
		UptimeS:        last.uptime,
		AvailableBytes: last.room.Available,
		FreeBytes:      last.room.Free,
	}
	if first, now, ok := t.looks.ends(0); ok {
		span := now.after(first).Seconds()
		said.ErrorsPerS = max(0, now.errors-first.errors) / span
		said.AbortedPerS = max(0, now.aborted-first.aborted) / span
		said.SwappedBytesPerS = max(0, now.room.swapped-first.room.swapped) / span
		if now.statements > first.statements {
			said.StatementsPerS = (now.statements - first.statements) / span
			said.TimeUS = first.timeUntil(now)
		}
	}
	return said
}

// fail ends the trial because of a fault; what somebody else has set is said with the way back.
func (t *trial) fail(err error) int {
	var others foreign
	if !errors.As(err, &others) {
		t.out.Write(fatal(err))
	}
	return t.end(becauseFault)
}

// end goes back, says so, and returns the status.
func (t *trial) end(because string) int {
	begin := time.Now()
	if t.setting != nil {
		// The connection is the value's until the server has answered.
		<-t.setting
		t.setting = nil
	}
	err := t.hand.backForSure()
	said := returned{Event: "back", Because: because, TookMS: milliseconds(time.Since(begin))}
	if err != nil && !errors.As(err, &said.Foreign) {
		fault := faults.Of(err)
		said.Fault, said.Message = fault.Code, fault.Message
	}
	t.out.Write(said)
	if err != nil {
		return 1
	}
	return 0
}

func milliseconds(took time.Duration) float64 { return float64(took.Microseconds()) / 1000 }
