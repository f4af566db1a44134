package trace

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"leadline/agent/internal/tracefs"
)

func TestFilesHaveRoles(t *testing.T) {
	directories := map[string]string{
		"data": "/srv/mysql", "tmp": "/tmp", "binlog": "/log/binary", "relay_log": "/log/relay",
	}
	for path, want := range map[string]Role{
		"/srv/mysql/shop/orders.ibd":             Data,
		"/srv/mysql/mysql.ibd":                   Data,
		"/srv/mysql/ibdata1":                     System,
		"/srv/mysql/undo001":                     Undo,
		"/srv/mysql/undo_002":                    Undo,
		"/srv/mysql/more.ibu":                    Undo,
		"/srv/redo/ib_logfile0":                  Redo,
		"/srv/mysql/#innodb_redo/#ib_redo12":     Redo,
		"/srv/mysql/#innodb_redo/#ib_redo13_tmp": Redo,
		"/srv/mysql/#ib_16384_0.dblwr":           Doublewrite,
		"/srv/mysql/#ib_16384_0.bdblwr":          Doublewrite,
		"/srv/mysql/xb_doublewrite":              Doublewrite,
		"/srv/mysql/ibtmp1":                      Temp,
		"/srv/mysql/#innodb_temp/temp_3.ibt":     Temp,
		"/tmp/#sql_1f_0.MAI":                     Temp,
		"/tmp/ibXYZ (deleted)":                   Temp,
		"/elsewhere/ML1 (deleted)":               Temp,
		"/srv/mysql/shop/gone.ibd (deleted)":     Data,
		"/tmp/MLfd=12":                           Temp,
		"/log/binary/db7-bin.000012":             Binlog,
		"/log/binary/db7-bin.index":              Binlog,
		"/log/binary/log.1234567":                Binlog,
		"/srv/mysql/db7-relay-bin.000003":        RelayLog,
		"/log/relay/stream.000003":               RelayLog,
		"/srv/mysql/aria_log.00000001":           Other,
		"/var/log/mysql/error.log":               Other,
		"/srv/mysql/shop/old.MYD":                Other,
		"socket:[812]":                           "",
		"anon_inode:[io_uring]":                  "",
		"pipe:[3]":                               "",
	} {
		if got := roleOf(path, directories); got != want {
			t.Errorf("%s is %q instead of %q", path, got, want)
		}
	}
}

func TestTooManyEventsAreSeenInSlices(t *testing.T) {
	const second = time.Second
	steady := pacer{on: true}
	for at := 100 * time.Millisecond; at <= 30*second; at += 100 * time.Millisecond {
		if !steady.decide(at, uint64(at.Seconds()*affordable*0.9)) {
			t.Fatal("what is affordable was left out")
		}
	}
	if share := steady.sampled(30 * second); share != 1 {
		t.Errorf("%v of the time was seen", share)
	}
	flood := pacer{on: true}
	events, on, changes := 0.0, true, 0
	for at := 100 * time.Millisecond; at <= 60*second; at += 100 * time.Millisecond {
		if on {
			events += 10 * affordable * 0.1
		}
		now := flood.decide(at, uint64(events))
		if now != on {
			changes++
		}
		on = now
	}
	if share := flood.sampled(60 * second); share < 0.08 || share > 0.12 || changes < 10 {
		t.Errorf("%v of the time was seen, in %d changes", share, changes)
	}
	ebb := pacer{on: true}
	ebb.decide(slice, affordable/4)
	if ebb.decide(2*slice, 100*affordable) {
		t.Error("a flood was recorded in full")
	}
	if ebb.decide(2*slice+longestPause/2, 100*affordable) || !ebb.decide(2*slice+longestPause, 100*affordable) {
		t.Error("the pause has another length")
	}
	for at := 2*slice + longestPause; at < 60*second; at += slice {
		if !ebb.decide(at, 100*affordable) {
			t.Error("after the flood not all is recorded")
		}
	}
}

func TestThreadsBecomeFewRanges(t *testing.T) {
	if got := rangesOf([]int{5, 6, 7, 9, 20, 21}, 9); got != "(common_pid >= 5 && common_pid <= 7) || common_pid == 9 || (common_pid >= 20 && common_pid <= 21)" {
		t.Error(got)
	}
	if got := rangesOf([]int{5, 6, 7, 9, 20, 21}, 2); got != "(common_pid >= 5 && common_pid <= 9) || (common_pid >= 20 && common_pid <= 21)" {
		t.Error(got)
	}
	var many []int
	for at := range 10_000 {
		many = append(many, 1_000_000+at*at)
	}
	if got := rangesOf(many, mostRanges); len(got) >= 4096 || strings.Count(got, "||") != mostRanges-1 {
		t.Errorf("%d letters: %s", len(got), got)
	}
}

func TestOperationsAreTold(t *testing.T) {
	for _, each := range []struct {
		letters string
		sectors uint64
		want    string
	}{
		{"R", 8, "read"}, {"RA", 8, "read"}, {"RSM", 8, "read"}, {"W", 8, "write"}, {"WS", 8, "write"}, {"WFS", 8, "write"},
		{"FWFS", 8, "write"}, {"FF", 0, "flush"}, {"F", 0, "flush"}, {"FN", 0, "flush"}, {"FWS", 0, "flush"}, {"D", 8, "discard"},
		{"DE", 8, "discard"}, {"N", 0, ""}, {"", 8, ""}, {"R", 0, ""},
	} {
		if got := operations[operationOf([]byte(each.letters), each.sectors)]; got != each.want {
			t.Errorf("%s of %d sectors is %q instead of %q", each.letters, each.sectors, got, each.want)
		}
	}
}

// made-up formats: an event is its number, a thread, and five words.
const (
	issueID = 7 + iota
	completeID
)

func eventOf(time uint64, id uint16, letters string, words ...uint64) tracefs.Event {
	data := binary.LittleEndian.AppendUint16(nil, id)
	data = append(data, 0, 0, 1, 0, 0, 0)
	for _, word := range words {
		data = binary.LittleEndian.AppendUint64(data, word)
	}
	return tracefs.Event{Time: time, Data: append(data, letters+"\x00\x00"...)}
}

func word(at int) tracefs.Field { return tracefs.Field{Offset: 8 + 8*at, Size: 8} }

func TestRequestsAreMatched(t *testing.T) {
	format := requestFormat{word(0), word(1), word(2), tracefs.Field{Offset: 32, Size: 3}}
	seen := emptyBlocks(newSeries(0))
	seen.issue, seen.complete, seen.issueID = format, format, issueID
	for _, event := range []tracefs.Event{
		eventOf(1000, issueID, "R", 1, 500, 32),
		eventOf(1100, issueID, "R", 2, 500, 32), // another device
		eventOf(1200, issueID, "W", 1, 900, 9),
		eventOf(1300, issueID, "FF", 1, 0, 0),
		eventOf(1400, issueID, "FF", 1, 0, 0),
		eventOf(2000, completeID, "R", 1, 500, 32),
		eventOf(2100, completeID, "R", 1, 500, 32), // nobody asked
		eventOf(2200, completeID, "W", 1, 900, 4),  // a part, then the rest
		eventOf(3200, completeID, "W", 1, 904, 5),
		eventOf(3300, completeID, "FF", 1, 0, 0),
		eventOf(5300, completeID, "FF", 1, 0, 0),
		eventOf(5400, completeID, "N", 1, 0, 0),
	} {
		seen.see(event)
	}
	lost := eventOf(9000, completeID, "R", 2, 500, 32)
	lost.Gap = true
	seen.see(lost)
	got := map[string]string{}
	for key, counts := range seen.took {
		count, _ := encoded(counts)
		got[fmt.Sprint(key.device, operations[key.op], key.bytes)] = fmt.Sprint(count)
	}
	if fmt.Sprint(got) != fmt.Sprint(map[string]string{"1read16384": "1", "1write8192": "1", "1flush0": "2"}) {
		t.Errorf("seen %v", got)
	}
	if seen.seen != 13 || len(seen.flight) != 0 {
		t.Errorf("%d events; in flight %v", seen.seen, seen.flight)
	}
}

func TestCallsAreMatched(t *testing.T) {
	folder := t.TempDir()
	open := func(name string) uint64 {
		file, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		return uint64(file.Fd())
	}
	data, system := open("a.ibd"), open("ibdata1")
	seen := emptyCalls(newFiles("/", os.Getpid(), nil), 16384, newSeries(0))
	var pages []string
	seen.pageRead = func(file uint32, page uint64) { pages = append(pages, fmt.Sprint(file, "/", page)) }
	thread, result := tracefs.Field{Offset: 4, Size: 4}, word(0)
	for at, name := range []string{"pread64", "pwrite64"} {
		call := ringEnd + at
		if watchedCalls[call].name != name {
			t.Fatalf("call %d is %s", call, watchedCalls[call].name)
		}
		id := 2 * at
		seen.add(id, &callFormat{call: call, thread: thread, descriptor: word(0), size: word(1), pos: word(2)})
		seen.add(id+1, &callFormat{call: call, isExit: true, thread: thread, result: result})
	}
	const enterRead, exitRead, enterWrite, exitWrite, closed = 0, 1, 2, 3, 4
	seen.add(closed, &callFormat{call: closing, thread: thread, descriptor: word(0)})
	for _, event := range []tracefs.Event{
		eventOf(100, exitRead, "", 16384), // began before
		eventOf(1000, enterRead, "", data, 16384, 5*16384),
		eventOf(2000, exitRead, "", 16384),
		eventOf(3000, enterRead, "", data, 100, 0), // no page
		eventOf(4000, exitRead, "", 100),
		eventOf(5000, enterRead, "", data, 16384, 5*16384),
		eventOf(6000, exitRead, "", ^uint64(4)),
		eventOf(7000, enterWrite, "", system, 16384, 0),
		eventOf(8000, exitWrite, "", 16384),
		eventOf(8100, enterWrite, "", system, 16384, 2<<20), // its doublewrite buffer
		eventOf(8200, exitWrite, "", 16384),
		eventOf(9000, enterRead, "", data, 16384, 0),
		eventOf(9400, closed, "", data),
		eventOf(9500, exitWrite, "", 16384), // another call: its own end was lost
	} {
		seen.see(event)
	}
	got := map[string]string{}
	for key, totals := range seen.totals {
		got[fmt.Sprint(key.role, " ", watchedCalls[key.call].name)] = fmt.Sprint(totals.count, " ", totals.result, " ", totals.errors)
	}
	want := map[string]string{"data pread64": "2 16484 1", "system pwrite64": "1 16384 0", "doublewrite pwrite64": "1 16384 0"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("seen %v instead of %v", got, want)
	}
	if seen.files.known[data] != nil || seen.files.known[system] == nil {
		t.Error("a closed descriptor is known, or one that is open is not")
	}
	if fmt.Sprint(pages) != "[1/5 1/5 1/0]" {
		t.Errorf("pages %v", pages)
	}
}

func TestDescriptorsAreLookedAtAgain(t *testing.T) {
	folder := t.TempDir()
	file, err := os.Create(filepath.Join(folder, "a.ibd"))
	if err != nil {
		t.Fatal(err)
	}
	seen := newFiles("/", os.Getpid(), nil)
	number := uint64(file.Fd())
	before := seen.at(number)
	if err := os.Rename(file.Name(), filepath.Join(folder, "ib_logfile0")); err != nil {
		t.Fatal(err)
	}
	if seen.at(number) != before || before.role != Data {
		t.Errorf("it is %+v", seen.at(number))
	}
	seen.verify()
	if after := seen.at(number); after.role != Redo || after.id == before.id {
		t.Errorf("it still is %+v", after)
	}
	_ = file.Close()
	seen.verify()
	// Calls before its end may be yet to come.
	if gone := seen.at(number); gone.role != Redo {
		t.Errorf("closed it is %+v", gone)
	}
	seen.forget(number)
	seen.forget(1 << 60)
	if gone := seen.at(number); gone.role != "" {
		t.Errorf("given back it is %+v", gone)
	}
	again, err := os.Create(filepath.Join(folder, "b.ibd"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	// The lowest descriptor that is free is the one that was closed.
	if now := seen.at(uint64(again.Fd())); now.role != Data {
		t.Errorf("opened again it is %+v", now)
	}
	if err := os.Rename(again.Name(), filepath.Join(folder, "undo_001")); err != nil {
		t.Fatal(err)
	}
	seen.forgetAll()
	if now := seen.at(uint64(again.Fd())); now.role != Undo {
		t.Errorf("asked anew it is %+v", now)
	}
	if none := seen.at(1 << 60); none.role != "" {
		t.Errorf("a descriptor that can't be is %+v", none)
	}
}

func TestTenThousandFilesAreKnown(t *testing.T) {
	const count = 10_000
	root := t.TempDir()
	folder := filepath.Join(root, "proc/7/fd")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for number := range count {
		if err := os.Symlink(fmt.Sprintf("/srv/mysql/t/%d.ibd", number), filepath.Join(folder, fmt.Sprint(number))); err != nil {
			t.Fatal(err)
		}
	}
	seen := newFiles(root, 7, map[string]string{"data": "/srv/mysql"})
	different := map[uint32]bool{}
	for number := range uint64(count) {
		found := seen.at(number)
		if found.role != Data || !found.pooled {
			t.Fatalf("%d is %+v", number, found)
		}
		different[found.id] = true
	}
	if len(different) != count {
		t.Errorf("%d files are %d", count, len(different))
	}
	// Each is looked at again, some at a time.
	for range count/mostVerified + 1 {
		before := len(seen.used)
		if seen.verify(); before-len(seen.used) > mostVerified {
			t.Errorf("%d were looked at again at once", before-len(seen.used))
		}
	}
	if len(seen.used) != 0 {
		t.Errorf("%d are left", len(seen.used))
	}
}

func TestRoundsFollowTheBuffers(t *testing.T) {
	step := usualRound
	for range 20 {
		step = nextStep(step, bufferBytes)
	}
	if step != shortestStep {
		t.Errorf("full buffers are read every %v", step)
	}
	for range 20 {
		step = nextStep(step, 0)
	}
	if step != usualRound {
		t.Errorf("empty buffers are read every %v", step)
	}
}

func TestFewerPagesAreAskedForWhereThereAreMore(t *testing.T) {
	for perS, want := range map[float64]uint{0: 0, affordablePages: 0, affordablePages + 1: 1, 8 * affordablePages: 3, 1e12: mostBits} {
		if got := bitsFor(perS); got != want {
			t.Errorf("for %.0f a second %d bits instead of %d", perS, got, want)
		}
	}
	if got := pageFilter(16384, 2); got != "count == 16384 && pos & 0x4000 && pos & 0x8000" {
		t.Error(got)
	}
}
