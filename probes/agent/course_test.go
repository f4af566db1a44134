package main

import (
	"strings"
	"testing"
)

func TestFurtherPointsAreMeasuredUntilTheEnd(t *testing.T) {
	directory := t.TempDir()
	measuring := start(t, "probe")
	wanted := filesPlan(directory, point("0", "random_read", 1, 0.1))
	wanted["more"] = true
	measuring.say(wanted)
	first := measuring.until("waiting")
	if points := of("point", first); len(points) != 1 || len(of("prepared", first)) != 1 {
		t.Fatalf("before waiting came %v", first)
	}
	measuring.say(object{"points": []object{point("1", "random_read", 2, 0.1), point("2", "random_read", 3, 0.1)}})
	second := measuring.until("waiting")
	if points := of("point", second); len(points) != 2 || points[1]["id"] != "2" {
		t.Errorf("the second time came %v", second)
	}
	if again := of("preparing", second); len(again) != 0 {
		t.Error("the files were made once more")
	}
	measuring.say(object{"end": true})
	if rest := measuring.until("done"); len(of("point", rest)) != 0 {
		t.Errorf("after the end came %v", rest)
	}
	if status := measuring.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	wantEmpty(t, directory)
}

func TestTheEndMayComeWithTheLastPoints(t *testing.T) {
	measuring := start(t, "probe")
	wanted := filesPlan(t.TempDir())
	wanted["more"] = true
	measuring.say(wanted)
	measuring.say(object{"points": []object{point("0", "random_read", 1, 0.1)}, "end": true})
	if points := of("point", measuring.until("done")); len(points) != 1 {
		t.Errorf("the points were %v", points)
	}
}

func TestAWrongLineEndsThePlanEvenWhileAPointRuns(t *testing.T) {
	measuring := start(t, "probe")
	wanted := filesPlan(t.TempDir(), point("0", "random_read", 2, 600))
	wanted["more"] = true
	measuring.say(wanted)
	measuring.until("sample")
	measuring.say(object{"points": []object{point("1", "random_reed", 1, 1)}})
	failures := of("error", measuring.until("error"))
	if failures[0]["code"] != "bad_plan" || failures[0]["fatal"] != true {
		t.Errorf("the error was %v", failures)
	}
	if status := measuring.status(); status != 1 {
		t.Errorf("status %d", status)
	}
}

func TestTheAgentEndsWithItsInputWhileItWaits(t *testing.T) {
	measuring := start(t, "probe")
	wanted := filesPlan(t.TempDir())
	wanted["more"] = true
	measuring.say(wanted)
	measuring.until("waiting")
	if err := measuring.in.Close(); err != nil {
		t.Fatal(err)
	}
	if status := measuring.status(); status != 3 {
		t.Errorf("status %d", status)
	}
}

func TestItIsAliveWhileAPointRuns(t *testing.T) {
	measuring := start(t, "probe")
	measuring.say(filesPlan(t.TempDir(), point("0", "random_read", 2, 600)))
	measuring.until("point_started")
	for range 2 {
		if ended := of("point", measuring.until("alive")); len(ended) > 0 {
			t.Errorf("the point is over: %v", ended)
		}
	}
}

func TestWhatIsBeyondTheBudgetIsLeftOut(t *testing.T) {
	for name, limit := range map[string]object{
		"of bytes read":     {"read_bytes": 2<<20 + 8192},
		"of bytes to read":  {"read_bytes": 4096},
		"of bytes to write": {"written_bytes": 4096},
	} {
		t.Run(name, func(t *testing.T) {
			points := pointsWithin(t, limit)
			// What has to be read or written before the first point may be too much already.
			if left := strings.Contains(name, " to "); left != (len(points) == 0) {
				t.Errorf("the points were %v", points)
			}
		})
	}
	t.Run("of time", func(t *testing.T) {
		// On a busy machine it may run out before the first point begins.
		for seconds := 0.7; len(pointsWithin(t, object{"seconds": seconds})) == 0; seconds *= 4 {
			if seconds > 300 {
				t.Fatal("no point begins")
			}
		}
	})
}

// pointsWithin returns the points that were measured of two that would take long.
func pointsWithin(t *testing.T, budget object) []event {
	t.Helper()
	directory := t.TempDir()
	measuring := start(t, "probe")
	wanted := filesPlan(directory, point("0", "random_read", 1, 3600), point("1", "random_read", 1, 3600))
	wanted["budget"] = budget
	measuring.say(wanted)
	events := measuring.until("done")
	if status := measuring.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	warnings := of("warning", events)
	if len(warnings) == 0 || warnings[len(warnings)-1]["code"] != "budget" {
		t.Errorf("the warnings were %v", warnings)
	}
	points := of("point", events)
	if len(points) > 1 || len(points) == 1 && points[0]["ended_by"] != "time" {
		t.Errorf("the points were %v", points)
	}
	wantEmpty(t, directory)
	return points
}

func TestTheBudgetEndsFillingToo(t *testing.T) {
	measuring := start(t, "probe")
	directory := t.TempDir()
	wanted := filesPlan(directory, point("0", "random_read", 1, 30))
	wanted["file_sets"] = []object{{"id": "f1", "directory": directory, "files": 1, "bytes_per_file": 6 << 30}}
	wanted["budget"] = object{"seconds": 0.3}
	measuring.say(wanted)
	events := measuring.until("done")
	if status := measuring.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	if warnings := of("warning", events); len(warnings) != 1 || warnings[0]["code"] != "budget" {
		t.Errorf("the warnings were %v", warnings)
	}
	if len(of("point", events)) != 0 {
		t.Error("a point was measured")
	}
}

func TestAPointEndsWhenItIsSure(t *testing.T) {
	measuring := start(t, "probe")
	sure := point("0", "random_read", 1, 3600)
	sure["within"], sure["least_seconds"] = 0.9, 0.4
	measuring.say(filesPlan(t.TempDir(), sure))
	result := of("point", measuring.until("done"))[0]
	seconds, warmup := result["seconds"].(float64), result["warmup_seconds"].(float64)
	if result["ended_by"] != "interval" || seconds+warmup < 0.6 || warmup < 0.2 {
		t.Errorf("%v s after %v s of warm-up, ended by %v", seconds, warmup, result["ended_by"])
	}
	checkPoint(t, result)
	interval, rate := result["ci95_per_s"].([]any), result["rate_per_s"].(float64)
	if low, high := interval[0].(float64), interval[1].(float64); low > rate || high < rate {
		t.Errorf("the interval of %v is %v", rate, interval)
	}
	details := result["details"].(map[string]any)
	// Where the host held everything up at the very end, nothing is left to make batches of.
	if _, told := details["batches"].(float64); !told || details["issued"].(map[string]any)["reads"].(float64) < result["operations"].(float64) {
		t.Errorf("the details are %v", details)
	}
}
