package trial

import (
	"strconv"
	"time"

	"leadline/agent/internal/clock"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
	"leadline/agent/internal/pointselect"
)

const (
	// tick is the time between two looks.
	tick = 250 * time.Millisecond
	// window is over how much of the past time a limit counts.
	window = time.Second
	// farOver times the limit, a statement's time ends a trial after two looks.
	farOver = 8
	// fewest statements tell how long one takes.
	fewest = 20
	// unanswered is how long the server may take to say how it fares.
	unanswered = time.Second
)

// limits are what the server may come to while a value is tried; 0 is none.
type limits struct {
	// TimeUS is the mean time of a statement.
	TimeUS         float64 `json:"time_us"`
	ThreadsRunning float64 `json:"threads_running"`
	RowLockWaits   float64 `json:"row_lock_waits"`
	// StatementsPerS is the least that the server does while threads are at work.
	StatementsPerS float64 `json:"statements_per_s"`
}

// look is what the server said of itself at a moment.
type look struct {
	at             int64
	statements     float64
	busySeconds    float64
	threadsRunning float64
	rowLockWaits   float64
	uptime         float64
}

// passed is a limit that was passed.
type passed struct {
	Limit string  `json:"limit"`
	Seen  float64 `json:"seen"`
	Most  float64 `json:"most"`
}

const question = "SHOW GLOBAL STATUS WHERE Variable_name IN " +
	"('Threads_running', 'Innodb_row_lock_current_waits', 'Questions', 'Uptime')"

// looks are those of the window, the oldest first.
type looks []look

// guard looks at the server over a connection of its own.
type guard struct {
	session    *pointselect.Session
	statements string
	last       *look
}

func openGuard(asked *asked) (*guard, error) {
	server := *asked.MySQL
	server.Tables = map[string]plan.Table{}
	session, err := pointselect.Connect(&server)
	if err != nil {
		return nil, err
	}
	return &guard{session: session, statements: asked.Statements}, nil
}

// look asks once. late is whether the server did not answer in time.
func (g *guard) look() (seen look, late bool, err error) {
	begin := clock.Now()
	g.session.SetDeadline(begin + unanswered.Nanoseconds())
	seen, err = g.ask()
	took := clock.Now() - begin
	return seen, err != nil && took >= unanswered.Nanoseconds(), err
}

func (g *guard) ask() (look, error) {
	rows, err := g.session.Query(question)
	if err != nil {
		return look{}, err
	}
	seen := look{at: clock.Now()}
	for _, row := range rows {
		if len(row) != 2 {
			continue
		}
		value, _ := strconv.ParseFloat(row[1], 64)
		switch row[0] {
		case "Threads_running":
			// Less the one who asks.
			seen.threadsRunning = max(0, value-1)
		case "Innodb_row_lock_current_waits":
			seen.rowLockWaits = value
		case "Questions":
			seen.statements = value
		case "Uptime":
			seen.uptime = value
		}
	}
	if g.statements == "" {
		g.addBusy(&seen)
		return seen, nil
	}
	rows, err = g.session.Query(g.statements)
	if err != nil {
		return look{}, err
	}
	if len(rows) != 1 || len(rows[0]) != 2 {
		return look{}, faults.New(faults.MySQLQuery, "the server's sums of statements are no two figures")
	}
	seen.statements, _ = strconv.ParseFloat(rows[0][0], 64)
	seen.busySeconds, _ = strconv.ParseFloat(rows[0][1], 64)
	return seen, nil
}

// addBusy counts the time of threads at work, as no sum of it is kept.
func (g *guard) addBusy(seen *look) {
	if g.last != nil {
		seen.busySeconds = g.last.busySeconds + seen.threadsRunning*float64(seen.at-g.last.at)/1e9
	}
	g.last = seen
}

// with keeps a look, and those that the window reaches back to.
func (l looks) with(seen look) looks {
	l = append(l, seen)
	for len(l) > 2 && seen.at-l[1].at >= window.Nanoseconds() {
		l = l[1:]
	}
	return l
}

// recent is what was seen since the beginning of the window, or since a moment within it.
func (l looks) recent(since int64) (span time.Duration, statements, busy float64, ok bool) {
	if len(l) < 2 {
		return 0, 0, 0, false
	}
	last := l[len(l)-1]
	for _, first := range l[:len(l)-1] {
		if first.at >= since {
			return time.Duration(last.at - first.at), last.statements - first.statements,
				last.busySeconds - first.busySeconds, true
		}
	}
	return 0, 0, 0, false
}

// timeUntil is the mean time of a statement between two looks, in microseconds.
func (l look) timeUntil(last look) float64 {
	if last.statements <= l.statements {
		return 0
	}
	return (last.busySeconds - l.busySeconds) / (last.statements - l.statements) * 1e6
}

// over finds a limit that was passed since a moment; nil as long as there is none.
func (l looks) over(allowed limits, since int64) *passed {
	span, statements, busy, ok := l.recent(since)
	// Two ticks at least: one alone is any hiccup.
	if !ok || span < 2*tick-tick/5 {
		return nil
	}
	last := l[len(l)-1]
	if took := busy / max(1, statements) * 1e6; statements >= fewest && allowed.TimeUS > 0 && took > allowed.TimeUS {
		// A hiccup that is over by now is none of the value's.
		long := span >= window-tick/2 || took > farOver*allowed.TimeUS
		if long && l[len(l)-2].timeUntil(last) > allowed.TimeUS {
			return &passed{"time", took, allowed.TimeUS}
		}
	}
	steady := func(figure func(look) float64, most float64) bool {
		return most > 0 && figure(last) > most && figure(l[len(l)-2]) > most
	}
	if steady(func(one look) float64 { return one.threadsRunning }, allowed.ThreadsRunning) {
		return &passed{"threads_running", last.threadsRunning, allowed.ThreadsRunning}
	}
	if steady(func(one look) float64 { return one.rowLockWaits }, allowed.RowLockWaits) {
		return &passed{"row_lock_waits", last.rowLockWaits, allowed.RowLockWaits}
	}
	rate := statements / span.Seconds()
	if rate < allowed.StatementsPerS && span >= window-tick && last.threadsRunning >= 2 {
		return &passed{"statements_per_s", rate, allowed.StatementsPerS}
	}
	return nil
}
