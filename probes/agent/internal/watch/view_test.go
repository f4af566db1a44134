package watch

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"leadline/agent/internal/inventory"
)

// aServer starts a process that is called like one, and returns it with its pid file.
func aServer(t *testing.T) (*exec.Cmd, string) {
	t.Helper()
	directory := t.TempDir()
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(directory, "mariadbd")
	if err := os.WriteFile(program, content, 0o700); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "600")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	pidFile := filepath.Join(directory, "server.pid")
	if err := os.WriteFile(pidFile, []byte(strconv.Itoa(command.Process.Pid)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return command, pidFile
}

func (v *view) why(what string) string {
	for _, told := range v.Missing {
		if told.What == what {
			return told.Because
		}
	}
	return ""
}

func TestAServerIsWatchedUntilItEnds(t *testing.T) {
	command, pidFile := aServer(t)
	seen := openView("/", &request{server: &inventory.Server{PIDFile: pidFile}})
	defer seen.close()
	seen.look(everyThread)
	if seen.PID != command.Process.Pid || seen.Moments[0].Server == nil || seen.Moments[0].Server.Threads != 1 {
		t.Fatalf("process %d is %+v; missing %v", seen.PID, seen.Moments[0].Server, seen.Missing)
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	for range 2 {
		seen.look(everyThread)
	}
	if seen.Moments[1].Server != nil || seen.Moments[2].Server != nil || seen.Moments[2].CPU == nil {
		t.Errorf("after its end there is %+v", seen.Moments[1:])
	}
	if because := seen.why("server"); !strings.Contains(because, "ended") || len(seen.Missing) > 2 {
		t.Errorf("missing is %v", seen.Missing)
	}
	if seen.Moments[1].At <= seen.Moments[0].At || seen.Moments[2].At <= seen.Moments[1].At {
		t.Errorf("time does not pass: %v", seen.Moments)
	}
}

func TestWhatIsNotThereIsNamed(t *testing.T) {
	seen := openView(t.TempDir(), &request{
		directories: map[string]string{"data": "/does/not/exist", "tmp": t.TempDir()}, server: &inventory.Server{},
	})
	defer seen.close()
	seen.look(everyThread)
	for _, what := range []string{"devices.data", "devices.tmp", "server", "cpu", "pressure"} {
		if seen.why(what) == "" {
			t.Errorf("%s is not missing: %v", what, seen.Missing)
		}
	}
	text, err := json.Marshal(seen)
	if err != nil || !strings.Contains(string(text), `"moments":[{"at_s":0,"devices":{}}]`) {
		t.Errorf("the answer is %s (%v)", text, err)
	}
}

func TestADeviceThatGoesAwayIsNamed(t *testing.T) {
	root := tree(t, map[string]string{
		block + "8:0":          "->sys/devices/sda",
		"sys/devices/sda/stat": diskLine,
		"sys/devices/sda/dev":  "8:0\n",
	})
	seen := openView(root, &request{})
	seen.opened["sda"] = openDisks(root, []inventory.Disk{{Name: "sda", Number: "8:0"}})
	defer seen.close()
	seen.look(everyThread)
	if state := seen.Moments[0].Devices["sda"]; state.ReadBytes != 64000*512 || state.Flushes == nil || *state.FlushMS != 22 {
		t.Errorf("sda did %+v", state)
	}
	if err := os.Truncate(filepath.Join(root, "sys/devices/sda/stat"), 0); err != nil {
		t.Fatal(err)
	}
	seen.look(everyThread)
	if _, there := seen.Moments[1].Devices["sda"]; there || seen.why("devices.sda") == "" {
		t.Errorf("it is %v, missing %v", seen.Moments[1], seen.Missing)
	}
}

func TestThreadsThatEndAreNotForgotten(t *testing.T) {
	root := tree(t, map[string]string{
		"p/schedstat": "10 5 3\n", "p/task/1/schedstat": "10 100 3\n", "p/task/2/schedstat": "10 50 1\n",
	})
	set := func(thread, line string) {
		path := filepath.Join(root, "p/task", thread, "schedstat")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	delays := openRunDelays(filepath.Join(root, "p"))
	defer delays.close()
	want := func(total uint64) {
		t.Helper()
		if got := delays.look(everyThread); got != total {
			t.Errorf("%d ns instead of %d", got, total)
		}
	}
	want(0)
	set("1", "10 130 4\n")
	set("3", "10 7 1\n")
	want(37)
	if err := os.RemoveAll(filepath.Join(root, "p/task/2")); err != nil {
		t.Fatal(err)
	}
	want(37)
	// Another thread has its number now.
	set("3", "1 2 1\n")
	want(39)
	set("1", "10 230 5\n")
	// What is not asked this time comes later.
	if first, second := delays.look(1), delays.look(1); max(first, second) != 139 || min(first, second) < 39 {
		t.Errorf("%d and then %d ns", first, second)
	}
	set("1", "0 0 0\n")
	if err := os.WriteFile(filepath.Join(root, "p/schedstat"), []byte("0 0 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if off := openRunDelays(filepath.Join(root, "p")); off != nil {
		t.Error("times that are not kept were read")
	}
}

func TestTheTimeOfThreadsThatFlushIsKnownByTheirNames(t *testing.T) {
	root := tree(t, map[string]string{
		"p/schedstat":        "10 5 3\n",
		"p/task/1/schedstat": "10 1 3\n", "p/task/1/comm": "connection\n",
		"p/task/2/schedstat": "20 1 3\n", "p/task/2/comm": "ib_pg_flush_co\n",
		"p/task/3/schedstat": "30 1 3\n", "p/task/3/comm": "ib_io_wr-1\n",
	})
	delays := openRunDelays(filepath.Join(root, "p"))
	defer delays.close()
	delays.look(everyThread)
	for thread, line := range map[string]string{"1": "99 1 4\n", "2": "25 1 4\n", "3": "37 1 4\n"} {
		path := filepath.Join(root, "p/task", thread, "schedstat")
		if err := os.WriteFile(path, []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	delays.look(everyThread)
	if !delays.named || delays.flushed != 12 {
		t.Errorf("flushing took %d ns, named %v", delays.flushed, delays.named)
	}
	unnamed := openRunDelays(filepath.Join(tree(t, map[string]string{
		"p/schedstat": "10 5 3\n", "p/task/1/schedstat": "10 1 3\n", "p/task/1/comm": "mysqld\n",
	}), "p"))
	defer unnamed.close()
	if unnamed.look(everyThread); unnamed.named {
		t.Error("a thread without a name of its own is taken for one that flushes")
	}
}

func TestAWatchEndsInTimeOrSooner(t *testing.T) {
	closed, signals := make(chan struct{}), make(chan os.Signal, 1)
	timed := openView("/", &request{})
	defer timed.close()
	if !timed.watch(0.01, closed, signals, nil, nil) || len(timed.Moments) != 2 {
		t.Errorf("%d moments", len(timed.Moments))
	}
	close(closed)
	left := openView("/", &request{})
	defer left.close()
	if !left.watch(600, closed, signals, nil, nil) || len(left.Moments) != 2 {
		t.Errorf("%d moments", len(left.Moments))
	}
	signals <- syscall.SIGTERM
	ended := openView("/", &request{})
	defer ended.close()
	if ended.watch(600, make(chan struct{}), signals, nil, nil) {
		t.Error("a signal did not end it")
	}
}

func TestEachLineAsksForWhatWasSeenSoFar(t *testing.T) {
	looks, closed := make(chan struct{}), make(chan struct{})
	go hear(strings.NewReader("look\nlook\n"), looks, closed)
	shown := 0
	seen := openView("/", &request{})
	defer seen.close()
	if !seen.watch(600, closed, nil, looks, func() { shown++ }) || shown != 2 {
		t.Errorf("shown %d times", shown)
	}
}

func TestRequestsAreChecked(t *testing.T) {
	asked, err := readRequest([]string{"--seconds=2.5", "--path", "data=/a", "--server-pid-file=", "--path=tmp=/b"})
	if err != nil || asked.seconds != 2.5 || asked.server == nil || asked.directories["tmp"] != "/b" {
		t.Errorf("asked %+v (%v)", asked, err)
	}
	for _, line := range []string{
		"", "--seconds=0", "--seconds=-1", "--seconds=NaN", "--seconds=1e9", "--seconds=x", "--seconds=1 --what", "--seconds=1 --path x",
	} {
		var said strings.Builder
		if status := Main("1", strings.Fields(line), strings.NewReader(""), io.Discard, &said); status != 2 || said.Len() == 0 {
			t.Errorf("%q: status %d, %q", line, status, said.String())
		}
	}
}

func TestPressureIsRead(t *testing.T) {
	if us, ok := readPressure([]byte("some avg10=92.02 avg60=89.97 avg300=79.28 total=17056131227\nfull avg10=0.00 total=5\n")); !ok || us != 17056131227 {
		t.Errorf("%d us", us)
	}
	for _, other := range []string{"", "full avg10=0.00 total=5\n", "some avg10=1"} {
		if _, ok := readPressure([]byte(other)); ok {
			t.Errorf("%q was read", other)
		}
	}
}

func TestThisProcessIsSeenWhole(t *testing.T) {
	server, because := openServer("/", os.Getpid())
	if server == nil {
		t.Fatal(because)
	}
	defer server.close()
	state, ok := server.look(everyThread)
	if !ok || state.Threads == 0 {
		t.Errorf("it is %+v", state)
	}
	known := []bool{server.io == nil, server.delays == nil}
	if len(server.unknown()) != len(slices.DeleteFunc(known, func(nothing bool) bool { return !nothing })) {
		t.Errorf("unknown are %v", server.unknown())
	}
	if gone, because := openServer("/", 1<<30); gone != nil || because == "" {
		t.Error("no process was opened")
	}
}
