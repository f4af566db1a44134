package probe

import (
	"errors"
	"testing"
	"time"

	"leadline/agent/internal/plan"
)

func truceFor(stepBacks int) *truce {
	return newTruce(&plan.Guard{StepBacks: stepBacks, EndSeconds: 600, RecoverSeconds: 600})
}

func TestThePointThatRunsEnds(t *testing.T) {
	made := truceFor(1)
	var ended error
	if made.prepare() != nil {
		t.Fatal("nothing has happened yet")
	}
	made.launch(func(err error) { ended = err })
	if !made.stepBack("it is slow", func() {}) || ended == nil || ended.Error() != "it is slow" {
		t.Fatalf("it ended by %v", ended)
	}
	made.rest()
	if made.isFor(errors.New("it is slow")) || !made.isFor(ended) || made.isFor(ended) {
		t.Error("the guard's own error is known once, and no other")
	}
	if made.prepare() != nil {
		t.Error("once that is known the next point may begin")
	}
}

func TestThreadsThatDoNotEndEndThePlan(t *testing.T) {
	made := newTruce(&plan.Guard{StepBacks: 1, EndSeconds: 1e-9, RecoverSeconds: 600})
	gaveUp := make(chan bool)
	made.launch(func(error) {})
	made.stepBack("it is slow", func() { gaveUp <- true })
	<-gaveUp
}

func TestBetweenPointsTheNextOneDoesNotBegin(t *testing.T) {
	made := truceFor(2)
	made.stepBack("it is slow", nil)
	// The server recovers and gets slow again before anybody asks.
	made.restore(time.Second)
	made.stepBack("it is slow again", nil)
	err := made.prepare()
	if err == nil || err.Error() != "it is slow again" || !made.isFor(err) {
		t.Fatalf("it may begin: %v", err)
	}
	made.restore(2 * time.Second)
	if took := <-made.recovered; took != 2*time.Second {
		t.Errorf("what counts is the last recovery, not %v", took)
	}
}

func TestWhatIsMadeReadyCanOnlyEndWithThePlan(t *testing.T) {
	made := truceFor(1)
	if err := made.prepare(); err != nil {
		t.Fatal(err)
	}
	if made.hold() || made.stepBack("it is slow", nil) {
		t.Error("it steps back from what it can't end")
	}
}

func TestStepBacksAreUsedUpByPointsAndFillingAlike(t *testing.T) {
	made := truceFor(2)
	made.fill()
	if !made.hold() {
		t.Fatal("filling was not held")
	}
	filled := make(chan bool)
	go func() {
		made.breathe(0)
		made.filled()
		filled <- true
	}()
	made.restore(time.Second)
	<-filled
	if made.hold() {
		t.Error("there is nothing to hold any more")
	}
	made.launch(func(error) {})
	if !made.stepBack("it is slow", func() {}) {
		t.Error("one was left")
	}
	made.rest()
	if made.stepBack("it is slow", nil) {
		t.Error("none was left")
	}
	if newTruce(nil).hold() {
		t.Error("without a guard there is nothing to step back from")
	}
}
