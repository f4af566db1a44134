package probe

import (
	"sync"
	"time"

	"leadline/agent/internal/events"
	"leadline/agent/internal/faults"
	"leadline/agent/internal/plan"
)

// truce lets the guard end one point and not the plan, or hold up the filling of files. Until the
// server has recovered nothing loads the drive.
type truce struct {
	mutex sync.Mutex
	// left is how often that may happen.
	left int
	// ending is how long the threads of such a point may take to end. Each ends after the operation
	// that it is at; where one does not, the whole plan ends.
	ending time.Duration
	// preparing tells that a point is being made ready, which only the end of the plan ends, but for
	// the filling of files.
	preparing, filling bool
	// held is closed once what fills files may go on, nil while it may; after each piece it rests for
	// so many times what that took.
	held  chan struct{}
	rests time.Duration
	// end ends the threads of the running point; nil while there are none.
	end func(error)
	// overdue ends the plan where the threads don't.
	overdue *time.Timer
	// broken says why a point had to end; nil once the runner knows.
	broken *faults.Fault
	// recovered is how long the server took.
	recovered chan time.Duration
}

func newTruce(guard *plan.Guard) *truce {
	made := &truce{recovered: make(chan time.Duration, 1)}
	if guard != nil {
		made.left, made.ending = guard.StepBacks, seconds(guard.EndSeconds)
	}
	return made
}

// hold lets what fills files rest until the server has recovered, and fill them half as fast from
// then on; false where none are being filled, or it has happened too often.
func (t *truce) hold() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.left == 0 || !t.filling {
		return false
	}
	t.left--
	t.held, t.rests = make(chan struct{}), 2*t.rests+1
	return true
}

// fill tells that files are being filled from now on.
func (t *truce) fill() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.filling = true
}

// filled tells that they are; it returns once nothing is held.
func (t *truce) filled() {
	t.mutex.Lock()
	t.filling = false
	held := t.held
	t.mutex.Unlock()
	if held != nil {
		<-held
	}
}

// breathe is called between two pieces that are filled.
func (t *truce) breathe(took time.Duration) {
	t.mutex.Lock()
	held, rests := t.held, t.rests
	t.mutex.Unlock()
	if held != nil {
		<-held
	}
	time.Sleep(rests * took)
}

// stepBack ends the running point; giveUp is called where its threads do not end. Between points the
// next one is not begun. False where only the end of the plan helps.
func (t *truce) stepBack(sentence string, giveUp func()) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.left == 0 || t.preparing {
		return false
	}
	t.left--
	// Of an earlier slowdown that the runner has not come to yet nothing counts any more.
	select {
	case <-t.recovered:
	default:
	}
	t.broken = faults.New(faults.Guard, "%s", sentence)
	if t.end != nil {
		t.overdue = time.AfterFunc(t.ending, giveUp)
		t.end(t.broken)
	}
	return true
}

// prepare tells that a point is being made ready, unless the server was slowed down since the last one.
func (t *truce) prepare() error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.broken != nil {
		return t.broken
	}
	t.preparing = true
	return nil
}

// launch tells how the threads that begin now can be ended.
func (t *truce) launch(end func(error)) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.preparing, t.end = false, end
}

// rest tells that nothing is at work.
func (t *truce) rest() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.preparing, t.end = false, nil
	if t.overdue != nil {
		t.overdue.Stop()
	}
}

// restore tells that the server answers as before.
func (t *truce) restore(took time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.held != nil {
		close(t.held)
		t.held = nil
		return
	}
	t.recovered <- took
}

// isFor tells whether err is what the guard ended a point with, which is then known.
func (t *truce) isFor(err error) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.broken == nil || err != error(t.broken) {
		return false
	}
	t.broken = nil
	return true
}

// awaitRecovery waits where err is the guard's until the server answers as before; if it does not,
// the guard ends the plan.
func (r *runner) awaitRecovery(err error) {
	if !r.truce.isFor(err) {
		return
	}
	waited := r.whilePreparing(len(r.incoming.left()))
	took := <-r.truce.recovered
	waited()
	r.writer.Write(events.Recovered{Event: "recovered", Seconds: rounded(took.Seconds(), 2)})
}
