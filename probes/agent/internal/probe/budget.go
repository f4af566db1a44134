package probe

import (
	"fmt"
	"sync"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/plan"
)

// budget is what the whole plan may take, and what it has taken.
type budget struct {
	limits plan.Budget
	began  time.Time

	mutex sync.Mutex
	spent events.Issued
}

func newBudget(limits plan.Budget) *budget { return &budget{limits: limits, began: time.Now()} }

// charge adds what was asked of the drive.
func (b *budget) charge(issued events.Issued) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.spent = b.spent.Plus(issued)
}

// usedUp names the limit that is reached, or would be if issued came on top; "" for none.
func (b *budget) usedUp(issued events.Issued) string {
	b.mutex.Lock()
	all := b.spent.Plus(issued)
	b.mutex.Unlock()
	switch {
	case b.limits.Seconds > 0 && time.Since(b.began).Seconds() >= b.limits.Seconds:
		return fmt.Sprintf("%g s", b.limits.Seconds)
	case b.limits.ReadBytes > 0 && all.ReadBytes >= uint64(b.limits.ReadBytes):
		return fmt.Sprintf("%d MiB to read", b.limits.ReadBytes>>20)
	case b.limits.WrittenBytes > 0 && all.WrittenBytes >= uint64(b.limits.WrittenBytes):
		return fmt.Sprintf("%d MiB to write", b.limits.WrittenBytes>>20)
	}
	return ""
}

// overBudget tells that a point can't be prepared within a limit.
type overBudget struct{ limit string }

func (o overBudget) Error() string { return "the budget of " + o.limit + " is used up" }

// enough ends a running point.
func (b *budget) enough(issued events.Issued) bool { return b.usedUp(issued) != "" }

// left is the time that remains; false without such a limit.
func (b *budget) left() (time.Duration, bool) {
	return time.Until(b.began.Add(seconds(b.limits.Seconds))), b.limits.Seconds > 0
}

// leaveOut ends the plan because limit is used up: what follows is not measured.
func (r *runner) leaveOut(limit string, points int) {
	message := fmt.Sprintf("the budget of %s is used up", limit)
	if points > 0 {
		message += ": " + leftOut(points)
	}
	r.writer.Write(events.Warning{Event: "warning", Code: events.OutOfBudget, Message: message})
}

func leftOut(points int) string {
	if points == 1 {
		return "1 point was left out"
	}
	return fmt.Sprintf("%d points were left out", points)
}

// whilePreparing ends the whole program should time run out before the point has begun: files have
// no names, so that nothing is left of what was half made. What it returns takes that back.
func (r *runner) whilePreparing(points int) (prepared func()) {
	left, limited := r.budget.left()
	if !limited {
		return func() {}
	}
	timer := time.AfterFunc(left, func() {
		r.leaveOut(r.budget.usedUp(events.Issued{}), points)
		r.writer.Last(events.Plain{Event: "done"}, 0)
	})
	return func() { timer.Stop() }
}
