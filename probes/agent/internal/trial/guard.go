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
	// counting is the same where no sums of statements are kept and threads at work are counted instead: of a
	// server with little to do, four counts a second say too little.
	counting = 100 * time.Millisecond
	// window is over how much of the past time a limit counts.
	window = time.Second
	// farOver times the limit, a statement's time ends a trial after two looks, and nobody else is blamed.
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
	// ErrorsPerS are statements that failed, AbortedPerS connections that were cut or refused.
	ErrorsPerS  float64 `json:"errors_per_s"`
	AbortedPerS float64 `json:"aborted_per_s"`
	// AvailableBytes of memory, and FreeBytes of the fullest volume, are to be left at least.
	AvailableBytes   float64 `json:"available_bytes"`
	FreeBytes        float64 `json:"free_bytes"`
	SwappedBytesPerS float64 `json:"swapped_bytes_per_s"`
}

// look is what the server said of itself at a moment.
type look struct {
	at             int64
	statements     float64
	busySeconds    float64
	threadsRunning float64
	rowLockWaits   float64
	uptime         float64
	errors         float64
	aborted        float64
	room           room
}

// passed is a limit that was passed.
type passed struct {
	Limit string  `json:"limit"`
	Seen  float64 `json:"seen"`
	Most  float64 `json:"most"`
}

// byOthers is whether a neighbour's work may have done it as well: where it is not far over, and nothing fails.
func (p *passed) byOthers() bool {
	switch p.Limit {
	case "time", "threads_running", "row_lock_waits":
		return p.Seen <= farOver*p.Most
	}
	return false
}

const question = "SHOW GLOBAL STATUS WHERE Variable_name IN " +
	"('Threads_running', 'Innodb_row_lock_current_waits', 'Questions', 'Uptime', 'Aborted_clients', 'Aborted_connects')"

// looks are those of the window, the oldest first.
type looks []look

// guard looks at the server over a connection of its own.
type guard struct {
	session     *pointselect.Session
	statements  string
	standby     float64
	directories []string
	last        *look
}

func openGuard(asked *asked) (*guard, error) {
	server := *asked.MySQL
	server.Tables = map[string]plan.Table{}
	session, err := pointselect.Connect(&server)
	if err != nil {
		return nil, err
	}
	return &guard{
		session:     session,
		statements:  asked.Statements,
		standby:     float64(asked.Standby),
		directories: asked.Directories,
	}, nil
}

// pace is the time between two looks.
func (g *guard) pace() time.Duration {
	if g.statements == "" {
		return counting
	}
	return tick
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
	seen := look{at: clock.Now(), room: g.room()}
	for _, row := range rows {
		if len(row) != 2 {
			continue
		}
		value, _ := strconv.ParseFloat(row[1], 64)
		switch row[0] {
		case "Threads_running":
			// Less the one who asks, and those that wait for whoever asked.
			seen.threadsRunning = max(0, value-1-g.standby)
		case "Innodb_row_lock_current_waits":
			seen.rowLockWaits = value
		case "Questions":
			seen.statements = value
		case "Uptime":
			seen.uptime = value
		case "Aborted_clients", "Aborted_connects":
			seen.aborted += value
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
	if len(rows) != 1 || len(rows[0]) != 3 {
		return look{}, faults.New(faults.MySQLQuery, "the server's sums of statements are no three figures")
	}
	seen.statements, _ = strconv.ParseFloat(rows[0][0], 64)
	seen.busySeconds, _ = strconv.ParseFloat(rows[0][1], 64)
	seen.errors, _ = strconv.ParseFloat(rows[0][2], 64)
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

// ends are the first and the last look of the window, or since a moment within it.
func (l looks) ends(since int64) (first, last look, ok bool) {
	if len(l) < 2 {
		return look{}, look{}, false
	}
	for _, first := range l[:len(l)-1] {
		if first.at >= since {
			return first, l[len(l)-1], true
		}
	}
	return look{}, look{}, false
}

// before is the look of one tick before the last one.
func (l looks) before() look {
	last := l[len(l)-1]
	for index := len(l) - 2; index > 0; index-- {
		if last.after(l[index]) >= tick-tick/5 {
			return l[index]
		}
	}
	return l[0]
}

// after is how long after another look this one was.
func (l look) after(first look) time.Duration { return time.Duration(l.at - first.at) }

// timeUntil is the mean time of a statement between two looks, in microseconds.
func (l look) timeUntil(last look) float64 {
	if last.statements <= l.statements {
		return 0
	}
	return (last.busySeconds - l.busySeconds) / (last.statements - l.statements) * 1e6
}

// over finds a limit that was passed since a moment; nil as long as there is none.
func (l looks) over(allowed limits, since int64) *passed {
	first, last, ok := l.ends(since)
	span := last.after(first)
	// Two ticks at least: one alone is any hiccup.
	if !ok || span < 2*tick-tick/5 {
		return nil
	}
	before := l.before()
	statements, busy := last.statements-first.statements, last.busySeconds-first.busySeconds
	if took := busy / max(1, statements) * 1e6; statements >= fewest && allowed.TimeUS > 0 && took > allowed.TimeUS {
		// A hiccup that is over by now is none of the value's.
		long := span >= window-tick/2 || took > farOver*allowed.TimeUS
		if long && before.timeUntil(last) > allowed.TimeUS {
			return &passed{"time", took, allowed.TimeUS}
		}
	}
	steady := func(figure func(look) float64, most float64) bool {
		return most > 0 && figure(last) > most && figure(before) > most
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
	if span < window-tick/2 {
		return nil
	}
	if found := growing(allowed, first, before, last); found != nil {
		return found
	}
	return shrinking(allowed, before.room, last.room)
}

// growing finds what came more often within the window than it may, and still comes.
func growing(allowed limits, first, before, last look) *passed {
	for _, each := range []struct {
		limit  string
		most   float64
		figure func(look) float64
	}{
		{"errors_per_s", allowed.ErrorsPerS, func(one look) float64 { return one.errors }},
		{"aborted_per_s", allowed.AbortedPerS, func(one look) float64 { return one.aborted }},
		{"swapped_bytes_per_s", allowed.SwappedBytesPerS, func(one look) float64 { return one.room.swapped }},
	} {
		perSecond := (each.figure(last) - each.figure(first)) / last.after(first).Seconds()
		if each.most > 0 && perSecond > each.most && each.figure(last) > each.figure(before) {
			return &passed{each.limit, perSecond, each.most}
		}
	}
	return nil
}

// shrinking finds what there is too little left of, at two looks.
func shrinking(allowed limits, before, last room) *passed {
	for _, each := range []struct {
		limit  string
		least  float64
		figure func(room) float64
	}{
		{"available_bytes", allowed.AvailableBytes, func(one room) float64 { return one.Available }},
		{"free_bytes", allowed.FreeBytes, func(one room) float64 { return one.Free }},
	} {
		had, has := each.figure(before), each.figure(last)
		if has > 0 && has < each.least && had < each.least {
			return &passed{each.limit, has, each.least}
		}
	}
	return nil
}
