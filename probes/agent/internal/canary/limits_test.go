package canary

import (
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

func watching(added time.Duration) *limits {
	made := &limits{added: added}
	made.learn([]time.Duration{1 * ms, 90 * ms, 1 * ms, 3 * ms, 1 * ms, 3 * ms, 3 * ms, 1 * ms, 3 * ms, 1 * ms})
	return made
}

func TestTheBaselineIsTheMedian(t *testing.T) {
	if found := watching(50 * ms); found.baseline != 2*ms || found.limit() != 52*ms {
		t.Errorf("usual are %v, allowed %v", found.baseline, found.limit())
	}
}

func TestThreeOfFiveAreTooMany(t *testing.T) {
	for name, one := range map[string]struct {
		reads []time.Duration
		trips bool
	}{
		"quick ones":             {[]time.Duration{ms, ms, ms, ms, ms, ms}, false},
		"two hiccups":            {[]time.Duration{60 * ms, ms, 60 * ms, ms, ms}, false},
		"at the limit":           {[]time.Duration{52 * ms, 52 * ms, 52 * ms, 52 * ms}, false},
		"three in a row":         {[]time.Duration{ms, 53 * ms, 53 * ms, 53 * ms}, true},
		"every other":            {[]time.Duration{53 * ms, ms, 53 * ms, ms, 53 * ms}, true},
		"the first is forgotten": {[]time.Duration{53 * ms, ms, 53 * ms, ms, ms, 53 * ms}, false},
	} {
		watch, sentence := watching(50*ms), ""
		for _, read := range one.reads {
			if sentence != "" {
				t.Errorf("%s: tripped early: %s", name, sentence)
			}
			sentence = watch.note(read)
		}
		if (sentence != "") != one.trips {
			t.Errorf("%s: it says %q", name, sentence)
		}
	}
}

func TestTheSentenceTellsTheFigures(t *testing.T) {
	watch := watching(50 * ms)
	watch.note(61 * ms)
	watch.note(70 * ms)
	sentence := watch.note(81 * ms)
	for _, figure := range []string{"3 of its latest 3", "52 ms", "81 ms", "2 ms"} {
		if !strings.Contains(sentence, figure) {
			t.Errorf("%s is missing in %q", figure, sentence)
		}
	}
	sentence = watching(50 * ms).unanswered(551 * ms)
	if !strings.Contains(sentence, "within 551 ms;") || !strings.Contains(sentence, "2 ms") {
		t.Errorf("it says %q", sentence)
	}
	if sentence := watch.unanswered(340 * ms); !strings.Contains(sentence, "340 ms after 3 slow ones that took 212 ms;") {
		t.Errorf("it says %q", sentence)
	}
}

func TestSlowReadsShareTheirPatience(t *testing.T) {
	watch := watching(50 * ms)
	if patience := watch.patience(); patience != 552*ms {
		t.Errorf("the first waits %v", patience)
	}
	watch.note(400 * ms)
	if patience := watch.patience(); patience != 152*ms {
		t.Errorf("after 400 ms the next waits %v", patience)
	}
	watch.note(140 * ms)
	// Never less than what is allowed.
	if patience := watch.patience(); patience != 52*ms {
		t.Errorf("after 540 ms the next waits %v", patience)
	}
	for range remembered {
		watch.note(ms)
	}
	if patience := watch.patience(); patience != 552*ms {
		t.Errorf("forgotten reads still count: %v", patience)
	}
}

func TestASlowReadIsFollowedSoon(t *testing.T) {
	watch := watching(50 * ms)
	for read, want := range map[time.Duration]time.Duration{
		3 * ms: 97 * ms, 52 * ms: 48 * ms, 53 * ms: 25 * ms, 400 * ms: 25 * ms,
	} {
		if pause := watch.pause(100*ms, read); pause != want {
			t.Errorf("after %v it waits %v", read, pause)
		}
	}
	if pause := watching(0).pause(100*ms, 80*ms); pause != 20*ms {
		t.Errorf("without a limit it waits %v", pause)
	}
}

func TestWithoutALimitNothingIsTooSlow(t *testing.T) {
	watch := watching(0)
	for range 10 {
		if sentence := watch.note(time.Second); sentence != "" {
			t.Error(sentence)
		}
	}
	if watch.limit() != 0 || watch.patience() != withoutLimit {
		t.Errorf("allowed are %v, and %v of waiting", watch.limit(), watch.patience())
	}
}

func TestCountersMayGrowByTheirLimits(t *testing.T) {
	first, allowed := counters{threadsRunning: 3, rowLockWaits: 1}, counters{threadsRunning: 10, rowLockWaits: 4}
	for now, figures := range map[counters][]string{
		{13, 5}: nil,
		{14, 5}: {"14", "Threads_running", "10"},
		{13, 6}: {"6", "Innodb_row_lock_current_waits", "4"},
	} {
		sentence := now.over(first, allowed)
		if (sentence == "") != (figures == nil) {
			t.Errorf("%+v: %q", now, sentence)
		}
		for _, figure := range figures {
			if !strings.Contains(sentence, figure) {
				t.Errorf("%s is missing in %q", figure, sentence)
			}
		}
	}
	if sentence := (counters{9999, 9999}).over(first, counters{}); sentence != "" {
		t.Errorf("without limits: %q", sentence)
	}
}

func TestCalmIsWhatWasUsualAndNotOnlyWhatIsAllowed(t *testing.T) {
	for name, one := range map[string]struct {
		reads []time.Duration
		calm  bool
	}{
		"as before":            {[]time.Duration{ms, 2 * ms, 3 * ms, 2 * ms}, true},
		"one nearly too slow":  {[]time.Duration{ms, 52 * ms, 3 * ms, 2 * ms}, true},
		"one too slow":         {[]time.Duration{ms, 53 * ms, 3 * ms, 2 * ms}, false},
		"half of the way":      {[]time.Duration{27 * ms, 27 * ms, 27 * ms, 27 * ms}, true},
		"most near what stops": {[]time.Duration{ms, 28 * ms, 28 * ms, 40 * ms}, false},
	} {
		if calm := watching(50 * ms).calm(one.reads); calm != one.calm {
			t.Errorf("%s: calm is %v", name, calm)
		}
	}
	if !watching(0).calm([]time.Duration{time.Second}) {
		t.Error("without a limit nothing is too slow")
	}
}
