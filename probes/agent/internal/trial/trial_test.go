package trial

import (
	"bufio"
	"strings"
	"testing"
)

var allowed = limits{TimeUS: 2000, ThreadsRunning: 20, RowLockWaits: 10, StatementsPerS: 50}

// seenAt are looks a quarter of a second apart, between which a hundred statements took that long each.
func seenAt(timesUS ...float64) looks {
	found := looks{{threadsRunning: 4}}
	for _, timeUS := range timesUS {
		last := found[len(found)-1]
		last.at += tick.Nanoseconds()
		last.statements += 100
		last.busySeconds += 100 * timeUS / 1e6
		found = found.with(last)
	}
	return found
}

func TestALimitOfTimeIsPassedWhenItLasts(t *testing.T) {
	for _, each := range []struct {
		timesUS []float64
		passed  bool
	}{
		{[]float64{1000, 1000, 1000, 1000}, false},
		{[]float64{2500, 2500, 2500, 2500}, true},
		{[]float64{2500, 2500}, false},
		{[]float64{20000, 20000}, true},
		{[]float64{90000}, false},
		{[]float64{9000, 1000, 1000, 1000}, false},
		{[]float64{1000, 1000, 1000, 9000}, true},
	} {
		if found := seenAt(each.timesUS...).over(allowed, 0); (found != nil) != each.passed {
			t.Errorf("%v: %v", each.timesUS, found)
		}
	}
}

func TestCloserLooksAreJudgedAsThoseOfATickAre(t *testing.T) {
	for _, each := range []struct {
		slow   int
		passed bool
	}{{2, false}, {12, true}} {
		found := looks{{threadsRunning: 4}}
		for count := range 12 {
			last := found[len(found)-1]
			last.at += counting.Nanoseconds()
			last.statements += 40
			last.busySeconds += 40 * 1000 / 1e6
			if count >= 12-each.slow {
				last.busySeconds += 40 * 2000 / 1e6
			}
			found = found.with(last)
		}
		if over := found.over(allowed, 0); (over != nil) != each.passed {
			t.Errorf("%d slow looks: %v", each.slow, over)
		}
	}
}

func TestOnlyWhatCameAfterTheValueWasSetCounts(t *testing.T) {
	if found := seenAt(9000, 9000, 1000, 1000).over(allowed, 2*tick.Nanoseconds()); found != nil {
		t.Errorf("passed %v", found)
	}
}

func TestThreadsAndStandingStill(t *testing.T) {
	many := seenAt(1000, 1000, 1000, 1000)
	for index := range many {
		many[index].threadsRunning = 30
	}
	if found := many.over(allowed, 0); found == nil || found.Limit != "threads_running" {
		t.Errorf("found %v", found)
	}
	still := seenAt(1000, 1000, 1000, 1000)
	for index := range still {
		still[index].statements = 0
	}
	if found := still.over(allowed, 0); found == nil || found.Limit != "statements_per_s" {
		t.Errorf("found %v", found)
	}
}

func TestErrorsAndWhatTheMachineHasLeft(t *testing.T) {
	machine := limits{ErrorsPerS: 20, AbortedPerS: 5, SwappedBytesPerS: 1 << 24, AvailableBytes: 1 << 28, FreeBytes: 1 << 30}
	enough := room{Available: 1 << 30, Free: 1 << 33}
	for _, each := range []struct {
		limit  string
		change func(*look, float64)
	}{
		{"", func(*look, float64) {}},
		{"errors_per_s", func(one *look, tick float64) { one.errors = 10 * tick }},
		{"aborted_per_s", func(one *look, tick float64) { one.aborted = 2 * tick }},
		{"swapped_bytes_per_s", func(one *look, tick float64) { one.room.swapped = tick * (1 << 23) }},
		{"available_bytes", func(one *look, _ float64) { one.room.Available = 1 << 27 }},
		{"free_bytes", func(one *look, _ float64) { one.room.Free = 1 << 29 }},
		// What is not known is no limit that was passed.
		{"", func(one *look, _ float64) { one.room = room{} }},
		// Errors that have stopped by now are none of the value's.
		{"", func(one *look, tick float64) { one.errors = 10 * min(tick, 3) }},
	} {
		seen := seenAt(1000, 1000, 1000, 1000)
		for index := range seen {
			seen[index].room = enough
			each.change(&seen[index], float64(index))
		}
		found := seen.over(machine, 0)
		if (found == nil) != (each.limit == "") || (found != nil && found.Limit != each.limit) {
			t.Errorf("%q: found %v", each.limit, found)
		}
	}
}

func TestTheMachineIsLookedAt(t *testing.T) {
	here := (&guard{directories: []string{"/no/such/place", t.TempDir()}}).room()
	if here.Available <= 0 || here.Memory < here.Available || here.Free <= 0 || here.Volume < here.Free {
		t.Errorf("found %+v", here)
	}
}

func TestAChangeInSteps(t *testing.T) {
	one := asked{Settings: []setting{{Name: "pool", Old: "400", New: "200", Path: []string{"300", "200"}}}}
	if err := one.step(0); err != nil || one.Settings[0].New != "300" {
		t.Errorf("%v, %v", one.Settings[0], err)
	}
	if one.step(2) == nil || !one.inSteps() {
		t.Error("a step that is not there was taken")
	}
	for value, own := range map[string]bool{"400": true, "300": true, "200": true, "250": false} {
		if one.Settings[0].own(value) != own {
			t.Errorf("%s: %v", value, !own)
		}
	}
}

func TestValuesAreComparedAsServersShowThem(t *testing.T) {
	for _, each := range []struct {
		one, other string
		same       bool
	}{
		{"90", "90.000000", true},
		{"ON", "on", true},
		{"18446744073709551615", "18446744073709551614", false},
		{"200", "300", false},
	} {
		if same(each.one, each.other) != each.same {
			t.Errorf("%s and %s", each.one, each.other)
		}
	}
}

func TestAPlanThatMeansSomethingElseIsRefused(t *testing.T) {
	const good = `{"protocol":2,"mysql":{"network":"unix","address":"/s","tls":"off"},"settings":[` +
		`{"name":"innodb_io_capacity","old":"200","new":"400","number":true}],"lock":"a-1","silence_s":10,"statements":""}`
	if _, err := readPlan(bufio.NewReader(strings.NewReader(good + "\n"))); err != nil {
		t.Fatal(err)
	}
	for _, each := range [][2]string{
		{`"innodb_io_capacity"`, `"x; DROP TABLE t"`},
		{`"400"`, `"400, GLOBAL x = 1"`},
		{`"200"`, `"2'00"`},
		{`"a-1"`, `"a'"`},
		{`"silence_s":10`, `"silence_s":0`},
		{`"number":true`, `"number":true,"path":["1","2, GLOBAL x = 1"]`},
		{`"protocol":2`, `"protocol":1`},
		{`"lock"`, `"lok"`},
	} {
		plan := strings.Replace(good, each[0], each[1], 1)
		if _, err := readPlan(bufio.NewReader(strings.NewReader(plan + "\n"))); err == nil {
			t.Errorf("%s was taken", plan)
		}
	}
}
