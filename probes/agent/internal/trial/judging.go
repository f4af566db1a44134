package trial

import "time"

// judge takes one look of the guard in; over is whether the trial is.
func (t *trial) judge(now seen) (status int, over bool) {
	if now.err != nil {
		if now.late {
			late := passed{"unanswered", unanswered.Seconds() * 1e6, unanswered.Seconds() * 1e6}
			t.out.Write(limited{"limit", late, false})
			return t.end(becauseLimit), true
		}
		return t.fail(now.err), true
	}
	t.looks = t.looks.with(now.look)
	if status, over := t.judgeLimits(); over {
		return status, true
	}
	if time.Since(t.beaten) >= beatEach-counting/2 {
		t.beaten = time.Now()
		if t.keeper.beat() != nil || (t.setting == nil && t.hand.alive() != nil) {
			return t.end(becauseKeeper), true
		}
		t.out.Write(t.beat(now.look))
	}
	return 0, false
}

// judgeLimits goes back where the new values have passed a limit. What passes one with the old values is said
// once of each time that they are set: it is none of the new ones' doing.
func (t *trial) judgeLimits() (status int, over bool) {
	if t.since == 0 {
		return 0, false
	}
	found := t.looks.over(t.limits, t.since)
	switch {
	case found == nil:
	case !t.tried:
		if !t.overOld {
			t.overOld = true
			t.out.Write(limited{"over_old", *found, false})
		}
	case t.mayStep && t.setting == nil && found.byOthers():
		t.aside = true
		t.out.Write(limited{"limit", *found, true})
		if err := t.startSet(wanted{Do: "set", To: "old"}); err != nil {
			return t.fail(err), true
		}
	default:
		t.out.Write(limited{"limit", *found, false})
		return t.end(becauseLimit), true
	}
	return 0, false
}
