package main

import (
	"math"
	"testing"
)

// measured runs a plan and returns its result of every point and part, as "id" or "id/part".
func measured(t *testing.T, plan object) (results map[string]event, all []event) {
	t.Helper()
	measuring := start(t, "probe")
	measuring.say(plan)
	all = measuring.until("done")
	if status := measuring.status(); status != 0 {
		t.Errorf("status %d", status)
	}
	return byName(all), all
}

// byName are the results of every point and part, as "id" or "id/part".
func byName(all []event) map[string]event {
	results := map[string]event{}
	for _, result := range of("point", all) {
		name := result["id"].(string)
		if part, ok := result["part"].(string); ok {
			name += "/" + part
		}
		results[name] = result
	}
	return results
}

func with(asked object, more object) object {
	for key, value := range more {
		asked[key] = value
	}
	return asked
}

func detail(t *testing.T, result event, name string) float64 {
	t.Helper()
	details, ok := result["details"].(object)
	if !ok {
		t.Fatalf("no details in %v", result)
	}
	value, ok := details[name].(float64)
	if !ok {
		t.Fatalf("no %s in %v", name, details)
	}
	return value
}

func issued(t *testing.T, result event, name string) float64 {
	t.Helper()
	return result["details"].(object)["issued"].(object)[name].(float64)
}

func flushPoint(id, doublewrite string, seconds float64) object {
	return with(point(id, "page_flush", 2, seconds), object{
		"block_size_bytes": 16384, "doublewrite": doublewrite, "batch_pages": 16,
	})
}

func TestInnoDBsPatternsTellWhatTheyDid(t *testing.T) {
	directory := t.TempDir()
	all := longEnough(t, func(seconds float64) any {
		return filesPlan(directory,
			with(redoPoint("many", directory, seconds), object{"threads": 16}),
			with(redoPoint("growing", directory, seconds), object{"log": "growing"}),
			with(redoPoint("binlog", directory, seconds), object{"binlog": true}),
			flushPoint("once", "off", seconds), flushPoint("twice", "on", seconds), flushPoint("shared", "legacy", seconds),
			with(point("steady", "steady_write", 2, 3600), object{"block_size_bytes": 65536, "byte_limit": 4 << 20, "warmup_seconds": 0}),
			with(point("first", "random_read", 2, 3600), object{"touch": "first", "warmup_seconds": 0}),
			with(point("again", "random_read", 2, 3600), object{"touch": "again", "warmup_seconds": 0}),
		)
	})
	results := byName(all)
	for _, id := range []string{"many", "growing", "binlog", "once", "twice", "shared", "steady", "first", "again"} {
		result, ok := results[id]
		if !ok {
			t.Errorf("%s is missing: %v", id, of("error", all))
			continue
		}
		if issued(t, result, "reads")+issued(t, result, "writes") == 0 {
			t.Errorf("%s did nothing", id)
		}
	}
	if t.Failed() {
		return
	}
	each, syncs := detail(t, results["many"], "commits_per_sync"), detail(t, results["many"], "syncs")
	if commits := issued(t, results["many"], "written_bytes") / 512; commits < 16 || each < 1 || each > 16 || math.Abs(each*syncs-commits) > syncs/1000 {
		t.Errorf("16 committers made %v commits by %v syncs of %v", commits, syncs, each)
	}
	if syncs := detail(t, results["binlog"], "syncs"); issued(t, results["binlog"], "syncs") != 2*syncs {
		t.Errorf("%v syncs, and with the binlog %v", syncs, results["binlog"])
	}
	for id, copies := range map[string]float64{"once": 1, "twice": 2, "shared": 2} {
		result := results[id]
		batches := detail(t, result, "flush_batches")
		bytes := issued(t, result, "written_bytes")
		// Two cleaners may each have been stopped before they were let to the shared area.
		if want := batches * 16 * 16384 * copies; batches == 0 || bytes < want || bytes > want+2*16*16384*copies {
			t.Errorf("%s: %v batches, %v bytes", id, batches, bytes)
		}
		if spent := detail(t, result, "doublewrite_us"); (spent > 0) != (copies > 1) {
			t.Errorf("%s: doublewrite took %v us", id, spent)
		}
		if detail(t, result, "pages_us") <= 0 || detail(t, result, "sync_us") <= 0 {
			t.Errorf("%s: %v", id, result)
		}
	}
	for _, id := range []string{"steady", "first", "again"} {
		if ended := results[id]["ended_by"]; ended != "bytes" {
			t.Errorf("%s was ended by %v", id, ended)
		}
	}
	wantEmpty(t, directory)
}

func TestMixedRunsItsPartsAtOnce(t *testing.T) {
	directory := t.TempDir()
	part := func(asked object) object {
		for _, key := range []string{"id", "seconds", "warmup_seconds"} {
			delete(asked, key)
		}
		return asked
	}
	all := longEnough(t, func(seconds float64) any {
		return filesPlan(directory, object{
			"id": "m", "probe": "mixed", "seconds": seconds, "warmup_seconds": 0.2,
			"parts": object{
				"reads": part(point("", "random_read", 2, 1)),
				"redo":  part(redoPoint("", directory, 1)),
				"flush": part(with(flushPoint("", "on", 1), object{"per_second": 640})),
			},
		})
	})
	results := byName(all)
	samples := map[any]int{}
	for _, sample := range of("sample", all) {
		samples[sample["part"]]++
	}
	for name, threads := range map[string]float64{"reads": 2, "redo": 1, "flush": 2} {
		result, ok := results["m/"+name]
		if !ok {
			t.Fatalf("%s is missing: %v", name, of("error", all))
		}
		if result["threads"] != threads || issued(t, result, "reads")+issued(t, result, "writes") == 0 || samples[name] < 2 {
			t.Errorf("%s: %d samples, %v", name, samples[name], result)
		}
	}
	flush := results["m/flush"]
	// At the begin and the end each cleaner's batch may lie outside in part, and one is due at either.
	if pages, seconds := flush["operations"].(float64), flush["seconds"].(float64); pages > 640*seconds+4*16 {
		t.Errorf("%v pages in %v s under a limit of 640 a second", pages, seconds)
	}
	reads, redo := results["m/reads"], results["m/redo"]
	if reads["direct"] != true && reads["direct"] != false || redo["direct"] != nil {
		t.Errorf("direct is %v for reads and %v for redo", reads["direct"], redo["direct"])
	}
	if issued(t, reads, "reads") == 0 || issued(t, reads, "syncs") != 0 || issued(t, redo, "syncs") == 0 {
		t.Errorf("%v, %v", reads["details"], redo["details"])
	}
	wantEmpty(t, directory)
}

func TestAMixedPointWhosePartCanNotBeMadeIsRefused(t *testing.T) {
	directory := t.TempDir()
	measuring := start(t, "probe")
	measuring.say(filesPlan(directory, object{
		"id": "m", "probe": "mixed", "seconds": 0.2,
		"parts": object{
			"reads": object{"probe": "random_read", "file_set": "f1", "block_size_bytes": 4096, "threads": 1},
			"redo":  object{"probe": "redo_sync", "directory": directory + "/none", "sync": "fsync", "block_size_bytes": 512, "threads": 1},
		},
	}, point("r", "random_read", 1, 0.1)))
	all := measuring.until("done")
	failures := of("error", all)
	if len(failures) != 1 || failures[0]["id"] != "m" || failures[0]["code"] != "directory_missing" {
		t.Errorf("the errors were %v", failures)
	}
	if points := of("point", all); len(points) != 1 || points[0]["id"] != "r" {
		t.Errorf("the points were %v", points)
	}
	wantEmpty(t, directory)
}

func TestATableOfSomebodyElseIsNotUpdated(t *testing.T) {
	measuring := start(t, "probe")
	measuring.say(object{
		"protocol": 2,
		"mysql": object{"network": "unix", "address": "/nowhere", "user": "u", "tls": "off", "tables": object{
			"theirs": object{"name": "t", "key": "id", "column": "c", "min": 1, "max": 2},
		}},
		"points": []object{{"id": "u", "probe": "pk_update", "table": "theirs", "protocol": "sql", "threads": 1, "seconds": 1}},
	})
	failure := measuring.until("error")
	last := failure[len(failure)-1]
	if last["code"] != "bad_plan" || last["fatal"] != true {
		t.Errorf("the error was %v", last)
	}
}

func TestWhatIsWrittenBeforeAPointIsPaidFor(t *testing.T) {
	directory := t.TempDir()
	// The log takes 64 MiB.
	for mib, wanted := range map[int]int{32: 0, 128: 1} {
		plan := filesPlan(directory, redoPoint("l", directory, 0.05))
		plan["budget"] = object{"written_bytes": mib << 20}
		results, all := measured(t, plan)
		if len(results) != wanted {
			t.Errorf("%d MiB allow %d points: %v", mib, len(results), of("warning", all))
		}
		if warnings := of("warning", all); wanted == 0 && (len(warnings) == 0 || warnings[0]["code"] != "budget") {
			t.Errorf("the warnings were %v", warnings)
		}
	}
}
