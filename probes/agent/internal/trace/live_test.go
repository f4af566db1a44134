package trace

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"golang.org/x/sys/unix"

	"leadline/agent/internal/guard"
	"leadline/agent/internal/tracefs"
)

// TestMain makes the test's own program the guard, and the server whose work is seen.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if os.Args[1] == "guard" {
			os.Exit(guard.Main(os.Args[2:], os.Stdin, os.Stdout, os.Stderr))
		}
		if does := map[string]func(string){"serve": serve, "submit": submit}[os.Args[1]]; does != nil {
			does(os.Args[2])
			return
		}
	}
	os.Exit(m.Run())
}

const pageBytes = 16 << 10

// What the server does each time that it is asked, in each of its threads.
const (
	workers   = 3
	reads     = 50
	writes    = 20
	syncs     = 4
	dataPages = 64
)

// serve does some work in directory for each line that it reads.
func serve(directory string) {
	must := func(err error) {
		if err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
	}
	open := func(name string) int {
		fd, err := unix.Open(filepath.Join(directory, name), unix.O_RDWR|unix.O_CREAT, 0o600)
		must(err)
		must(unix.Ftruncate(fd, dataPages*pageBytes))
		return fd
	}
	data, redo, other := open("a.ibd"), open("ib_logfile0"), open("else")
	fmt.Println("ready")
	asked := bufio.NewScanner(os.Stdin)
	for asked.Scan() {
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				page := make([]byte, pageBytes)
				for at := range reads {
					_, err := unix.Pread(data, page, int64(at*pageBytes))
					must(err)
				}
				for range writes {
					_, err := unix.Pwrite(redo, page[:512], 0)
					must(err)
				}
				for range syncs {
					must(unix.Fdatasync(redo))
				}
				_, err := unix.Write(other, page[:10])
				must(err)
			})
		}
		all.Wait()
		fmt.Println("done")
	}
}

type server struct {
	t       *testing.T
	command *exec.Cmd
	ask     func()
}

func aServer(t *testing.T, directory string) *server { return aProgram(t, "serve", directory) }

func aProgram(t *testing.T, does, directory string) *server {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, does, directory)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = command.Wait()
	})
	lines := bufio.NewScanner(out)
	want := func(word string) {
		t.Helper()
		if !lines.Scan() || lines.Text() != word {
			t.Fatalf("the server says %q instead of %q", lines.Text(), word)
		}
	}
	want("ready")
	return &server{t, command, func() {
		t.Helper()
		if _, err := in.Write([]byte("work\n")); err != nil {
			t.Fatal(err)
		}
		want("done")
	}}
}

// started begins a trace; the test is skipped where there is none.
func started(t *testing.T, asked Request) *Trace {
	t.Helper()
	if mount, because := tracefs.Find("/"); mount == "" {
		t.Skip("nothing can be traced here: " + because)
	}
	tracing := Start(asked, func(what, because string) { t.Logf("%s: %s", what, because) })
	if tracing == nil || asked.PID != 0 && tracing.calls == nil {
		t.Skip("calls can't be traced here")
	}
	return tracing
}

// wantNothing fails where an instance of this process is left.
func wantNothing(t *testing.T, base tracefs.Base) {
	t.Helper()
	names, err := filepath.Glob(string(base) + "*")
	if err != nil || len(names) > 0 {
		t.Errorf("left are %v (%v)", names, err)
	}
}

func TestEveryCallOfAServerIsSeen(t *testing.T) {
	directory := t.TempDir()
	serving := aServer(t, directory)
	tracing := started(t, Request{
		PID: serving.command.Process.Pid, Directories: map[string]string{"data": directory}, PageBytes: pageBytes,
	})
	const times = 3
	for range times {
		serving.ask()
	}
	report := tracing.Stop()
	wantNothing(t, tracing.base)
	found := map[string]Call{}
	for _, call := range report.Calls {
		found[fmt.Sprint(call.Role, " ", call.Call)] = call
	}
	for name, want := range map[string]Call{
		"data pread64":   {Operation: opRead, Count: times * workers * reads, Bytes: times * workers * reads * pageBytes},
		"redo pwrite64":  {Operation: opWrite, Count: times * workers * writes, Bytes: times * workers * writes * 512},
		"redo fdatasync": {Operation: opSync, Count: times * workers * syncs},
		"other write":    {Operation: opWrite, Count: times * workers, Bytes: times * workers * 10},
	} {
		got := found[name]
		if got.Operation != want.Operation || got.Count != want.Count || got.Bytes != want.Bytes || got.Errors != 0 {
			t.Errorf("%s is %+v instead of %+v", name, got, want)
		}
		histogram, err := hdrhistogram.Decode([]byte(got.Histogram))
		if err != nil || histogram.TotalCount() != int64(want.Count) || histogram.Min() <= 0 {
			t.Errorf("%s took %q (%v)", name, got.Histogram, err)
		}
	}
	wantSeries(t, report)
	pages := report.Pages
	if counted := total(pages.Distances) + total(pages.Censored); counted != times*workers*reads || pages.Reads != times*workers*reads {
		t.Errorf("%v pages of %d were placed: %+v", counted, times*workers*reads, pages)
	}
	if pages.Different != reads || total(pages.Censored) != reads || pages.Share != 1 || pages.PageBytes != pageBytes {
		t.Errorf("the pages are %+v", pages)
	}
	if report.Lost != 0 || report.Sampled != 1 || report.Events < times*workers*(reads+writes+syncs)*2 || report.Seconds <= 0 {
		t.Errorf("the report is %+v", report)
	}
}

func total(classes [][2]float64) float64 {
	sum := 0.0
	for _, class := range classes {
		sum += class[1]
	}
	return sum
}

// halted begins a trace whose rounds the test makes itself.
func halted(t *testing.T, asked Request) *Trace {
	t.Helper()
	tracing := started(t, asked)
	close(tracing.stop)
	<-tracing.done
	tracing.stop = make(chan struct{})
	return tracing
}

func TestPausesLeaveNoPagesOut(t *testing.T) {
	serving := aServer(t, t.TempDir())
	tracing := halted(t, Request{PID: serving.command.Process.Pid, PageBytes: pageBytes})
	serving.ask()
	tracing.pause(3 * affordablePages)
	serving.ask()
	tracing.upkeep()
	serving.ask()
	report := tracing.Stop()
	wantNothing(t, tracing.base)
	const followed = reads / 4
	if report.Pages == nil {
		t.Skip("this kernel can't be asked for a part of the pages")
	}
	if pages := report.Pages; pages.Share != 0.25 || pages.Reads != workers*reads+2*workers*followed*4 {
		t.Errorf("the pages are %+v", pages)
	}
	if again := total(report.Pages.Distances); again < 2*workers*followed || report.Calls[0].Count != workers*reads {
		t.Errorf("%v reads again; the calls are %+v", again, report.Calls)
	}
}

func TestCallsOnConnectionsAreLeftOut(t *testing.T) {
	serving := aServer(t, t.TempDir())
	tracing := halted(t, Request{PID: serving.command.Process.Pid, PageBytes: pageBytes})
	serving.ask()
	tracing.read(true)
	if tracing.calls.ignored == 0 {
		t.Error("nobody spoke over a pipe")
	}
	tracing.upkeep()
	if tracing.calls.dropped {
		t.Errorf("%d calls were too many", tracing.calls.ignored)
	}
	tracing.calls.ignored += mostIgnored + 1
	tracing.upkeep()
	serving.ask()
	var missing []string
	tracing.miss = func(what, _ string) { missing = append(missing, what) }
	report := tracing.Stop()
	wantNothing(t, tracing.base)
	if fmt.Sprint(missing) != "[trace.calls.read_write]" {
		t.Errorf("missing are %v", missing)
	}
	for _, call := range report.Calls {
		if call.Call == "write" || call.Call == "pread64" && call.Count != 2*workers*reads {
			t.Errorf("there is %+v", call)
		}
	}
}

func TestOlderKernelsAreToldThreadsByFilters(t *testing.T) {
	directory := t.TempDir()
	serving := aServer(t, directory)
	serving.ask()
	mount, because := tracefs.Find("/")
	if mount == "" {
		t.Skip("nothing can be traced here: " + because)
	}
	instance, err := tracefs.NewBase(mount).Create("old")
	if err != nil {
		t.Skip(err)
	}
	defer instance.Remove()
	made, err := newCalls(instance, newFiles("/", serving.command.Process.Pid, nil), pageBytes, newSeries(0))
	if err != nil {
		t.Skip(err)
	}
	old := &threads{
		tasks: fmt.Sprintf("/proc/%d/task", serving.command.Process.Pid), instance: instance, events: made.events,
	}
	if err := old.refresh(); err != nil {
		t.Fatal(err)
	}
	filter := instance.Read("events/syscalls/sys_enter_pread64/filter")
	if !strings.Contains(filter, strconv.Itoa(serving.command.Process.Pid)) || !strings.Contains(filter, "common_pid") {
		t.Errorf("the filter is %q", filter)
	}
	if !old.has(serving.command.Process.Pid) || old.has(os.Getpid()) {
		t.Errorf("its threads are %v", old.told)
	}
}

func TestRequestsOfADeviceAreSeen(t *testing.T) {
	directory, err := os.MkdirTemp("/var/tmp", "leadline-trace-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(directory) }()
	device := deviceBelow(t, directory)
	tracing := started(t, Request{Devices: map[string]uint64{"disk": device}})
	fd, err := unix.Open(filepath.Join(directory, "file"), unix.O_RDWR|unix.O_CREAT|unix.O_DIRECT, 0o600)
	if err != nil {
		tracing.Stop()
		t.Skip("O_DIRECT is refused:", err)
	}
	defer func() { _ = unix.Close(fd) }()
	memory, err := unix.Mmap(-1, 0, pageBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(memory) }()
	const count = 30
	for at := range int64(count) {
		if _, err := unix.Pwrite(fd, memory, at*pageBytes); err != nil {
			t.Fatal(err)
		}
		if _, err := unix.Pread(fd, memory, at*pageBytes); err != nil {
			t.Fatal(err)
		}
	}
	report := tracing.Stop()
	wantNothing(t, tracing.base)
	found := map[string]uint64{}
	for _, block := range report.Blocks {
		if block.Device != "disk" || block.Bytes != 0 && block.Bytes != classOf(block.Bytes) {
			t.Errorf("a block is %+v", block)
		}
		if block.Bytes == pageBytes {
			found[block.Operation] = block.Count
		}
	}
	// Others may use the device too.
	if found["read"] < count || found["write"] < count {
		if report.Sampled == 1 && report.Lost == 0 {
			t.Errorf("%v were seen of %d each: %+v", found, count, report)
		}
	}
}

// deviceBelow is the number of the disk under a directory; the test is skipped where that is none whose
// requests are seen.
func deviceBelow(t *testing.T, directory string) uint64 {
	t.Helper()
	var info unix.Stat_t
	if err := unix.Stat(directory, &info); err != nil {
		t.Fatal(err)
	}
	path := fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(info.Dev), unix.Minor(info.Dev))
	if _, err := os.Stat(path + "/queue/scheduler"); err != nil {
		t.Skip("no whole disk lies below /var/tmp")
	}
	return uint64(unix.Major(info.Dev))<<20 | uint64(unix.Minor(info.Dev))
}

func TestAServerThatEndsIsNoFault(t *testing.T) {
	serving := aServer(t, t.TempDir())
	tracing := halted(t, Request{PID: serving.command.Process.Pid, PageBytes: pageBytes})
	serving.ask()
	_ = serving.command.Process.Kill()
	_ = serving.command.Wait()
	tracing.upkeep()
	if report := tracing.Stop(); report.Events == 0 {
		t.Errorf("the report is %+v", report)
	}
	wantNothing(t, tracing.base)
	var missing []string
	if again := Start(Request{PID: 1 << 30, PageBytes: pageBytes}, func(what, because string) {
		missing = append(missing, what+": "+because)
	}); again != nil || len(missing) != 1 || !strings.HasPrefix(missing[0], "trace.calls: ") {
		t.Errorf("missing are %v", missing)
	}
}

func TestAPauseLeavesNothingHalf(t *testing.T) {
	serving := aServer(t, t.TempDir())
	tracing := halted(t, Request{PID: serving.command.Process.Pid, PageBytes: pageBytes})
	tracing.record(false)
	serving.ask()
	tracing.record(true)
	serving.ask()
	report := tracing.Stop()
	wantNothing(t, tracing.base)
	for _, call := range report.Calls {
		if call.Role == Data && call.Count != workers*reads {
			t.Errorf("%d reads were seen, of %d within a pause and as many after it", call.Count, workers*reads)
		}
	}
	if len(report.Calls) == 0 {
		t.Error("nothing was seen")
	}
}
