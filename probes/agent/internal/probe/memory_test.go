package probe

import (
	"testing"

	"leadline/agent/internal/plan"
)

func reading(threads int) plan.Point {
	return plan.Point{ID: "0", Probe: plan.RandomRead, FileSet: "f", BlockSizeBytes: 4096, Threads: threads, Seconds: 1}
}

func TestPointsThatRepeatOneAnotherHaveOneSetting(t *testing.T) {
	first, again := reading(4), reading(4)
	again.ID, again.Seed, again.Seconds, again.Within, again.LeastSeconds, again.WarmupSeconds = "9", 7, 3, 0.05, 0.4, 0.1
	if settingOf(first) != settingOf(again) {
		t.Errorf("%s is not %s", settingOf(first), settingOf(again))
	}
	if settingOf(first) == settingOf(reading(8)) {
		t.Error("other threads are the same setting")
	}
	mixed := plan.Point{Probe: plan.Mixed, Parts: map[string]plan.Point{plan.Reads: reading(4)}}
	other := plan.Point{Probe: plan.Mixed, Parts: map[string]plan.Point{plan.Reads: reading(5)}}
	if settingOf(mixed) == settingOf(other) {
		t.Error("other parts are the same setting")
	}
}

func TestAPlaceHasAMemoryForEachProbe(t *testing.T) {
	wanted := &plan.Plan{FileSets: []plan.FileSet{{ID: "f", Directory: "/a"}, {ID: "g", Directory: "/a"}, {ID: "h", Directory: "/b"}}}
	runner := newRunner(wanted, nil)
	at := func(set, probe string) plan.Point {
		point := reading(1)
		point.FileSet, point.Probe = set, probe
		return point
	}
	usual := runner.memory(at("f", plan.RandomRead), "")
	if usual == nil || usual != runner.memory(at("g", plan.RandomRead), "") {
		t.Error("another set in the same directory is another place")
	}
	if usual == runner.memory(at("h", plan.RandomRead), "") || usual == runner.memory(at("f", plan.RandomWrite), "") {
		t.Error("another directory or probe is the same")
	}
	mixed := plan.Point{Probe: plan.Mixed, Parts: map[string]plan.Point{plan.Reads: at("f", plan.RandomRead)}}
	if usual == runner.memory(mixed, plan.Reads) {
		t.Error("reading beside others is the same as reading alone")
	}
	if runner.memory(at("f", plan.SteadyWrite), "") != nil {
		t.Error("a steady write is remembered")
	}
}
