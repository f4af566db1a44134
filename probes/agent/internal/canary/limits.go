package canary

import (
	"fmt"
	"slices"
	"time"
)

const (
	// remembered reads are looked at together, and slowOnes of them end the plan.
	remembered = 5
	slowOnes   = 3
	// grace is what slow reads may take beyond their limit, one alone or several together.
	grace = 500 * time.Millisecond
)

// limits know what is usual and what is too much.
type limits struct {
	baseline, added time.Duration
	// latest are the newest reads, oldest first.
	latest []time.Duration
}

// learn takes the median of the first reads as what is usual.
func (l *limits) learn(reads []time.Duration) {
	sorted := slices.Sorted(slices.Values(reads))
	l.baseline = (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// limit is what a read may take; 0 when there is no limit.
func (l *limits) limit() time.Duration {
	if l.added == 0 {
		return 0
	}
	return l.baseline + l.added
}

// patience is how long the next read may take before it ends the plan unanswered. Several slow
// reads share what one alone may take: a server that answers slowly must not be heard out longer
// than one that does not answer.
func (l *limits) patience() time.Duration {
	if l.added == 0 {
		return withoutLimit
	}
	_, together := l.slow(remembered - 1)
	return max(l.limit(), l.limit()+grace-together)
}

// slow tells how many of the newest reads took too long, and how long together.
func (l *limits) slow(newest int) (count int, together time.Duration) {
	for _, read := range l.latest[max(0, len(l.latest)-newest):] {
		if read > l.limit() {
			count++
			together += read
		}
	}
	return count, together
}

// pause is how long to wait after a read: not long after a slow one, to be sure soon.
func (l *limits) pause(every, read time.Duration) time.Duration {
	if l.added > 0 && read > l.limit() {
		return every / 4
	}
	return every - read
}

// note remembers a read; the sentence is empty for as long as reads are quick enough.
func (l *limits) note(read time.Duration) string {
	l.latest = append(l.latest[max(0, len(l.latest)-remembered+1):], read)
	if l.added == 0 {
		return ""
	}
	slow, _ := l.slow(remembered)
	if slow < slowOnes {
		return ""
	}
	return fmt.Sprintf("%d of its latest %d reads by primary key took longer than %s, the last one %s; "+
		"before the run they took %s", slow, len(l.latest), shown(l.limit()), shown(read), shown(l.baseline))
}

// forget the reads under a load that has ended.
func (l *limits) forget() { l.latest = nil }

// calm tells whether reads without a load of ours are as before: none took too long, and most no more
// than half way there.
func (l *limits) calm(reads []time.Duration) bool {
	sorted := slices.Sorted(slices.Values(reads))
	return l.added == 0 || sorted[len(sorted)-1] <= l.limit() && sorted[len(sorted)/2] <= l.baseline+l.added/2
}

// unanswered is the sentence for a read that was given up.
func (l *limits) unanswered(waited time.Duration) string {
	before := ""
	if slow, together := l.slow(remembered - 1); slow > 0 {
		before = fmt.Sprintf(" after %d slow ones that took %s", slow, shown(together))
	}
	return fmt.Sprintf("a read by primary key was not answered within %s%s; before the run it took %s",
		shown(waited), before, shown(l.baseline))
}

// counters are what the server tells of itself.
type counters struct{ threadsRunning, rowLockWaits int }

// over is the sentence for a counter that is more than its limit above what it was at first.
func (c counters) over(first, limit counters) string {
	switch {
	case limit.threadsRunning > 0 && c.threadsRunning > first.threadsRunning+limit.threadsRunning:
		return fmt.Sprintf("%d of its threads are at work (Threads_running); at first they were %d, and %d more are allowed",
			c.threadsRunning, first.threadsRunning, limit.threadsRunning)
	case limit.rowLockWaits > 0 && c.rowLockWaits > first.rowLockWaits+limit.rowLockWaits:
		return fmt.Sprintf("%d of its transactions wait for a row (Innodb_row_lock_current_waits); at first they were %d, and %d more are allowed",
			c.rowLockWaits, first.rowLockWaits, limit.rowLockWaits)
	default:
		return ""
	}
}

// shown is a time for people.
func shown(took time.Duration) string {
	milliseconds := float64(took) / float64(time.Millisecond)
	if milliseconds >= 10 {
		return fmt.Sprintf("%.0f ms", milliseconds)
	}
	return fmt.Sprintf("%.2g ms", milliseconds)
}
