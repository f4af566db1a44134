package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"leadline/agent/internal/tracefs"
)

const (
	submitted, filed, completed = 0, 1, 2
)

// ofRing makes calls that know the events of io_uring as kernels from 5.17 on have them (told by request),
// or as older ones have them.
func ofRing(t *testing.T, byRequest bool) (seen *calls, data, redo uint64) {
	t.Helper()
	folder := t.TempDir()
	open := func(name string) uint64 {
		file, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		return uint64(file.Fd())
	}
	seen = emptyCalls(newFiles("/", os.Getpid(), nil), 16384, newSeries(0))
	thread := tracefs.Field{Offset: 4, Size: 4}
	for kind, call := range map[int]int{submitted: ringSubmit, filed: ringFile, completed: ringComplete} {
		format := &callFormat{call: call, thread: thread, ring: word(0), userData: word(1)}
		if byRequest {
			format.request = word(0)
		}
		switch call {
		case ringSubmit:
			format.opcode = word(2)
		case ringFile:
			format.descriptor = word(2)
		case ringComplete:
			format.result = word(2)
		}
		seen.add(kind, format)
		seen.ring.kinds = append(seen.ring.kinds, call)
	}
	seen.ring.opcodes = true
	return seen, open("a.ibd"), open("ib_logfile0")
}

func found(seen *calls) string {
	got := map[string]string{}
	for key, totals := range seen.totals {
		name := fmt.Sprint(key.role, " ", watchedCalls[key.call].name)
		got[name] = fmt.Sprint(totals.count, " ", totals.result, " ", totals.errors)
	}
	return fmt.Sprint(got)
}

func TestRequestsByIoUringHaveTheirFiles(t *testing.T) {
	seen, data, redo := ofRing(t, true)
	for _, event := range []tracefs.Event{
		eventOf(100, completed, "", 900, 0, 16384), // submitted before
		eventOf(1000, submitted, "", 1, 0, 2),
		eventOf(1001, filed, "", 1, 0, data),
		eventOf(1100, submitted, "", 2, 0, 3),
		eventOf(1101, filed, "", 2, 0, redo),
		eventOf(1900, completed, "", 2, 0, 0),
		eventOf(2000, completed, "", 1, 0, 16384),
		eventOf(3000, filed, "", 3, 0, data), // 5.17 and 5.18 tell the file first
		eventOf(3001, submitted, "", 3, 0, 22),
		eventOf(3500, completed, "", 3, 0, ^uint64(4)),
		eventOf(4000, submitted, "", 4, 0, 6), // it polls
		eventOf(4100, completed, "", 4, 0, 1),
	} {
		seen.see(event)
	}
	want := "map[data io_uring_read:0 0 1 data io_uring_write:1 16384 0 redo io_uring_sync:1 0 0]"
	if got := found(seen); got != want {
		t.Errorf("seen %s instead of %s", got, want)
	}
	if count, _ := encoded(&seen.totals[callKey{Data, ringWrite}].took); count != 1 {
		t.Error("what it took is not known")
	}
	if because := seen.ring.lost(4); because != "" {
		t.Error("lost: " + because)
	}
}

func TestSeveralPagesAtOnceAreTheDoublewriteBuffers(t *testing.T) {
	seen, _, _ := ofRing(t, true)
	seen.ring.under[1] = requested{file: &file{role: System}}
	seen.ring.under[2] = requested{file: &file{role: System}}
	for _, event := range []tracefs.Event{
		eventOf(1000, submitted, "", 1, 0, 2),
		eventOf(1001, submitted, "", 2, 0, 2),
		eventOf(2000, completed, "", 1, 0, 16384),
		eventOf(2001, completed, "", 2, 0, 3*16384),
	} {
		seen.see(event)
	}
	if got := found(seen); got != "map[doublewrite io_uring_write:1 49152 0 system io_uring_write:1 16384 0]" {
		t.Error("seen " + got)
	}
}

func TestOlderKernelsTellTheFileByTheThread(t *testing.T) {
	seen, data, redo := ofRing(t, false)
	for _, event := range []tracefs.Event{
		eventOf(1000, filed, "", 7, 0, data),
		eventOf(1001, submitted, "", 7, 11, 2),
		eventOf(1002, filed, "", 7, 0, redo),
		eventOf(1003, submitted, "", 7, 12, 2),
		eventOf(2000, completed, "", 7, 12, 512),
		eventOf(2001, completed, "", 7, 11, 16384),
	} {
		seen.see(event)
	}
	want := "map[data io_uring_write:1 16384 0 redo io_uring_write:1 512 0]"
	if got := found(seen); got != want {
		t.Errorf("seen %s instead of %s", got, want)
	}
}

func TestWhatIsNotKnownOfIoUringIsNamed(t *testing.T) {
	seen, _, _ := ofRing(t, true)
	for at := range uint64(10) {
		seen.see(eventOf(1000+at, submitted, "", at+1, 0, 5))
		seen.see(eventOf(2000+at, completed, "", at+1, 0, 16384))
	}
	if got := found(seen); got != "map[other io_uring_write:10 163840 0]" {
		t.Error("seen " + got)
	}
	endless, _, _ := ofRing(t, true)
	for at := range uint64(10) {
		endless.see(eventOf(1000+at, submitted, "", at+1, 0, 2))
	}
	cut, _, _ := ofRing(t, true)
	for at := range uint64(10) {
		cut.see(eventOf(1000+at, submitted, "", at+1, 0, 2))
	}
	cut.forget()
	untold, _, _ := ofRing(t, true)
	untold.ring.kinds = []int{ringFile}
	silent, _, _ := ofRing(t, true)
	for name, test := range map[string]struct {
		of      *calls
		entered uint64
		because string
	}{
		"registered files": {
			seen, 10,
			"the files of requests by io_uring were registered before, so that the kernel does not tell them: " +
				"they stand under other files",
		},
		"no end":      {endless, 10, "the kernel tells of most requests by io_uring only that they were submitted"},
		"a pause":     {cut, 10, ""},
		"no events":   {untold, 5, "this kernel does not tell what requests by io_uring do, which the server uses"},
		"no requests": {silent, 5, "the server calls io_uring, and the kernel tells of no request"},
		"not used":    {silent, 0, ""},
	} {
		if got := test.of.ring.lost(test.entered); got != test.because {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestRequestsWithoutAnEndAreForgotten(t *testing.T) {
	seen, _, _ := ofRing(t, true)
	for at := range uint64(mostInRing + 10) {
		seen.see(eventOf(at, submitted, "", at+1, 0, 2))
	}
	if known := len(seen.ring.under); known > mostInRing {
		t.Errorf("%d are known", known)
	}
}
