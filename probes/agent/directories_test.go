package main

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/drivetest"
)

func patternPoints(directory string) []object {
	return []object{
		point("write", "random_write", 2, 0.2),
		with(redoPoint("redo", directory, 0.2), object{"log": "growing", "binlog": true, "threads": 4}),
		flushPoint("flush", "on", 0.2),
		with(point("steady", "steady_write", 1, 0.2), object{"block_size_bytes": 65536}),
	}
}

func TestAnOverlayIsProbedAsItIs(t *testing.T) {
	directory := t.TempDir()
	folders := map[string]string{}
	for _, name := range []string{"lower", "upper", "work", "merged"} {
		folders[name] = filepath.Join(directory, name)
		if err := unix.Mkdir(folders[name], 0o700); err != nil {
			t.Fatal(err)
		}
	}
	options := "lowerdir=" + folders["lower"] + ",upperdir=" + folders["upper"] + ",workdir=" + folders["work"]
	if err := unix.Mount("overlay", folders["merged"], "overlay", 0, options); err != nil {
		t.Skipf("no overlay can be mounted: %v", err)
	}
	defer func() { _ = unix.Unmount(folders["merged"], unix.MNT_DETACH) }()
	results, all := measured(t, filesPlan(folders["merged"], patternPoints(folders["merged"])...))
	if len(results) != 4 {
		t.Errorf("the errors were %v", of("error", all))
	}
	wantEmpty(t, folders["merged"])
	wantEmpty(t, folders["upper"])
}

func TestMemoryIsSaidToBeNoDrive(t *testing.T) {
	directory := drivetest.Full(t, 256<<20)
	results, all := measured(t, filesPlan(directory, patternPoints(directory)...))
	for id, result := range results {
		if result["direct"] != false {
			t.Errorf("%s: direct is %v", id, result["direct"])
		}
	}
	warned := map[any]bool{}
	for _, warning := range of("warning", all) {
		if warning["code"] == "buffered" {
			warned[warning["id"]] = true
		}
	}
	if len(results) != 4 || len(warned) != 4 {
		t.Errorf("%d points, the warnings were %v", len(results), of("warning", all))
	}
}

func TestADirectoryThatIsReadOnlyIsTold(t *testing.T) {
	directory := drivetest.ReadOnly(t)
	_, all := measured(t, filesPlan(directory, patternPoints(directory)...))
	failures := of("error", all)
	if len(failures) != 4 {
		t.Fatalf("the errors were %v", failures)
	}
	for _, failure := range failures {
		if failure["code"] != "directory_read_only" || failure["fatal"] != false {
			t.Errorf("the error was %v", failure)
		}
	}
}

func TestADirectoryThatFillsUpEndsItsPointAlone(t *testing.T) {
	directory := drivetest.Full(t, 3<<20)
	plan := filesPlan(directory,
		with(redoPoint("full", directory, 3600), object{"log": "growing", "block_size_bytes": 65536}),
		point("small", "random_write", 1, 0.1))
	results, all := measured(t, plan)
	failures := of("error", all)
	if len(failures) != 1 || failures[0]["id"] != "full" || failures[0]["code"] != "no_space" || failures[0]["fatal"] != false {
		t.Errorf("the errors were %v", failures)
	}
	// The room that the log took is there again.
	if _, ok := results["small"]; !ok {
		t.Errorf("the point behind it is missing: %v", all)
	}
}
