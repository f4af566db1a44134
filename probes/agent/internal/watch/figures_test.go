package watch

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
)

const diskLine = " 1000 5 64000 2500 200 7 12800 900 3 1750 3400 0 0 0 0 11 22\n"

func TestADeviceLineIsRead(t *testing.T) {
	want := counters{
		traffic: traffic{
			reads: 1000, readSectors: 64000, readMS: 2500,
			writes: 200, wroteSectors: 12800, writeMS: 900, busyMS: 1750, queueMS: 3400,
		},
		inFlight: 3, flushes: 11, flushMS: 22, hasFlushes: true,
	}
	if found, ok := readCounters([]byte(diskLine)); !ok || found != want {
		t.Errorf("found %+v", found)
	}
	want.flushes, want.flushMS, want.hasFlushes = 0, 0, false
	for kernel, line := range map[string]string{
		"3.10": " 1000 5 64000 2500 200 7 12800 900 3 1750 3400\n",
		"4.18": " 1000 5 64000 2500 200 7 12800 900 3 1750 3400 0 0 0 0\n",
	} {
		if found, ok := readCounters([]byte(line)); !ok || found != want {
			t.Errorf("%s: found %+v", kernel, found)
		}
	}
	for _, damaged := range []string{"", "\n", "1 2 3\n"} {
		if _, ok := readCounters([]byte(damaged)); ok {
			t.Errorf("%q was read", damaged)
		}
	}
}

func TestProcessorsAreShares(t *testing.T) {
	first, ok := readTicks([]byte("cpu  100 20 50 1000 300 10 20 0 7 0\ncpu0 1 1\nintr 5 5\nctxt 900\nbtime 1\n"))
	if !ok {
		t.Fatal("not read")
	}
	later, _ := readTicks([]byte("cpu  110 30 60 1040 310 15 25 10 7 0\ncpu0 1 1\nintr 5 5\nctxt 1000\nbtime 1\n"))
	found, ok := later.sharesSince(first)
	want := shares{user: 0.2, system: 0.2, iowait: 0.1, steal: 0.1, busy: 0.5}
	if !ok || math.Abs(found.user-want.user)+math.Abs(found.system-want.system)+math.Abs(found.iowait-want.iowait)+
		math.Abs(found.steal-want.steal)+math.Abs(found.busy-want.busy) > 1e-9 {
		t.Errorf("found %+v instead of %+v", found, want)
	}
	if later.switches-first.switches != 100 {
		t.Errorf("%d switches", later.switches-first.switches)
	}
	if _, ok := later.sharesSince(later); ok {
		t.Error("shares of no time at all")
	}
	if _, ok := readTicks([]byte("intr 1 2 3 4 5 6 7 8 9\n")); ok {
		t.Error("another file was read")
	}
}

func TestAProcessWithAStrangeNameIsRead(t *testing.T) {
	line := "812 (my) 9 9 (sqld) S 1 812 812 0 -1 4194560 5 0 1 0 250 50 0 0 20 0 40 0 100 1 1\n"
	found, ok := readProcess([]byte(line))
	want := process{user: 2500 * time.Millisecond, system: 500 * time.Millisecond, threads: 40}
	if !ok || found != want {
		t.Errorf("found %+v", found)
	}
	if _, ok := readProcess([]byte("812 (cut")); ok {
		t.Error("a damaged line was read")
	}
}

func TestClocksAreAddedUp(t *testing.T) {
	sum, count := readClocks([]byte("cpu MHz\t\t: 2400.5\nflags: x\ncpu MHz\t\t: 1200.5\ncpu MHz : none\n"))
	if sum != 3601 || count != 2 {
		t.Errorf("%v MHz of %d", sum, count)
	}
}

func TestFiguresMeanWhatIostatMeans(t *testing.T) {
	all, _ := readCounters([]byte(diskLine))
	done := all.traffic
	done.writes = 0
	seen := between{seconds: 2, traffic: done, known: true, own: time.Second}
	var report sample
	host := report.fill("sdx", &seen, math.NaN())
	for name, pair := range map[string][2]float64{
		"reads_per_s":      {*host.ReadsPerS, 500},
		"read_bytes_per_s": {*host.ReadBytesPerS, 64000 * 512 / 2},
		"queue":            {*host.Queue, 1.7},
		"utilisation":      {*host.Utilisation, 0.875},
		"read_await_us":    {*host.ReadAwaitUS, 2500},
		"own_cpu":          {*host.OwnCPU, 0.5},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("%s is %v instead of %v", name, pair[0], pair[1])
		}
	}
	text, err := json.Marshal(host)
	if err != nil {
		t.Fatal(err)
	}
	for _, unknown := range []string{"write_await_us", "cpu_user", "server_cpu", "mhz"} {
		if !strings.Contains(string(text), `"`+unknown+`":null`) {
			t.Errorf("%s is not null in %s", unknown, text)
		}
	}
}

func TestACounterThatStartsAnewIsNoFlood(t *testing.T) {
	if found := (traffic{reads: 5}).minus(traffic{reads: 9}); found != (traffic{}) {
		t.Errorf("found %+v", found)
	}
}

func TestTransfersAreRead(t *testing.T) {
	line := "rchar: 9\nwchar: 8\nsyscr: 7\nsyscw: 6\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 5\n"
	if found, ok := readTransfer([]byte(line)); !ok || found != (transfer{4096, 8192}) {
		t.Errorf("found %+v", found)
	}
	for _, damaged := range []string{"", "rchar: 9\nwchar: 8\n", "\nread_bytes: \nwrite_bytes: 1\n"} {
		if _, ok := readTransfer([]byte(damaged)); ok {
			t.Errorf("%q was read", damaged)
		}
	}
}
