package tracefs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// mounted is where this machine has tracefs; without it the test is skipped.
func mounted(t *testing.T) string {
	t.Helper()
	mount, because := Find("/")
	if mount == "" {
		t.Skip("nothing can be traced here: " + because)
	}
	return mount
}

func create(t *testing.T, base Base, kind string) *Instance {
	t.Helper()
	made, err := base.Create(kind)
	if err != nil {
		t.Skipf("no instance can be made here: %v", err)
	}
	t.Cleanup(made.Remove)
	return made
}

func TestAnInstanceRecordsWhatItIsAsked(t *testing.T) {
	const reads = 5000
	instance := create(t, NewBase(mounted(t)), "test")
	if !instance.Has("events/syscalls") {
		t.Skip("this kernel has no events for system calls")
	}
	format, err := instance.Format("syscalls/sys_enter_pread64")
	if err != nil {
		t.Fatal(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for name, value := range map[string]string{
		"events/syscalls/sys_enter_pread64/filter": "count == 4096",
		"set_event_pid": fmt.Sprint(unix.Gettid()), "trace_clock": "mono",
	} {
		if err := instance.Put(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := instance.Size(1<<20, 1<<18, 1<<30); err != nil {
		t.Fatal(err)
	}
	stream, err := instance.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	for _, name := range []string{"events/syscalls/sys_enter_pread64/enable", "tracing_on"} {
		if err := instance.Put(name, "1"); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Open(path, unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(fd) }()
	seen, latest := uint64(0), uint64(0)
	see := func(event Event) {
		if Kind(event.Data) != uint16(format.ID) || format.Fields["pos"].Number(event.Data) != seen {
			t.Errorf("after %d reads came % x", seen, event.Data)
		}
		if event.Time < latest || event.Gap {
			t.Errorf("event %d came at %d after %d", seen, event.Time, latest)
		}
		latest = event.Time
		seen++
	}
	memory := make([]byte, 4096)
	for position := range reads {
		if _, err := unix.Pread(fd, memory, int64(position)); err != nil {
			t.Fatal(err)
		}
		if _, err := unix.Pread(fd, memory[:1], 0); err != nil {
			t.Fatal(err)
		}
		if position%1000 == 0 {
			stream.Read(false, see)
		}
	}
	stream.Read(true, see)
	if seen != reads || instance.Lost() != 0 {
		t.Errorf("%d of %d reads were seen, %d lost", seen, reads, instance.Lost())
	}
}

func TestWhatFindsNoRoomIsCounted(t *testing.T) {
	instance := create(t, NewBase(mounted(t)), "small")
	if err := instance.Size(1<<12, 1<<12, 1<<12); err != nil {
		t.Fatal(err)
	}
	if !instance.Has("trace_marker") {
		t.Skip("this kernel takes no markers into instances")
	}
	stream, err := instance.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if err := instance.Put("tracing_on", "1"); err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		if err := instance.Put("trace_marker", strings.Repeat("x", 200)); err != nil {
			t.Fatal(err)
		}
	}
	seen, gaps := uint64(0), 0
	stream.Read(true, func(event Event) {
		seen++
		if event.Gap {
			gaps++
		}
	})
	if lost := instance.Lost(); lost == 0 || seen+lost != 2000 || gaps == 0 {
		t.Errorf("%d events were seen, %d lost, with %d gaps", seen, lost, gaps)
	}
}

func TestInstancesOfTheDeadAreRemoved(t *testing.T) {
	mount := mounted(t)
	command := exec.Command("true")
	if err := command.Run(); err != nil {
		t.Fatal(err)
	}
	dead := Base(filepath.Join(mount, "instances", fmt.Sprintf("%s%d-77-0", prefix, command.Process.Pid)))
	// This process lives, but began at another time than the one that bore its number.
	reused := Base(filepath.Join(mount, "instances", fmt.Sprintf("%s%d-1-0", prefix, os.Getpid())))
	living := NewBase(mount)
	var all []*Instance
	for _, base := range []Base{dead, reused, living} {
		all = append(all, create(t, base, "test"))
	}
	// One of another name space of processes may just be about to be opened.
	for _, young := range []time.Duration{Young, 0} {
		RemoveLeftovers(mount, young)
		wanted := []bool{young > 0, young > 0, true}
		there := []bool{all[0].Has("tracing_on"), all[1].Has("tracing_on"), all[2].Has("tracing_on")}
		if !slices.Equal(there, wanted) {
			t.Errorf("of what is older than %v there are %v", young, there)
		}
	}
	if err := living.Remove(); err != nil || all[2].Has("tracing_on") {
		t.Errorf("it was not removed: %v", err)
	}
}

func TestWhatSomebodyReadsIsStopped(t *testing.T) {
	instance := create(t, NewBase(mounted(t)), "held")
	stream, err := instance.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if err := instance.Put("tracing_on", "1"); err != nil {
		t.Fatal(err)
	}
	if err := remove(instance.path, 0); err == nil || strings.TrimSpace(instance.Read("tracing_on")) != "0" {
		t.Errorf("it goes on: %v", err)
	}
	stream.Close()
	instance.Remove()
	if instance.Has("tracing_on") {
		t.Error("it is still there")
	}
}

func TestANameThatIsTakenIsLeftAlone(t *testing.T) {
	base := NewBase(mounted(t))
	first := create(t, base, "test")
	if second, err := base.Create("test"); err == nil || second != nil {
		t.Error("it was made twice")
	}
	if !first.Has("tracing_on") {
		t.Error("the first one is gone")
	}
}

func TestOnlyOwnTracesAreRemoved(t *testing.T) {
	for _, path := range []string{
		"", "leadline-1-2-3", "/sys/kernel/tracing/instances/other", "/sys/kernel/tracing/instances/",
		"/tmp/leadline-1", "/sys/kernel/tracing/instances/leadline-1/..", "/sys/kernel/tracing/instances/leadline-1/../../x",
	} {
		if base, err := ParseBase(path); err == nil {
			t.Errorf("%q is taken for %q", path, base)
		}
	}
	if base, err := ParseBase("/a/instances/leadline-1-2-3"); err != nil || base != "/a/instances/leadline-1-2-3" {
		t.Errorf("%q, %v", base, err)
	}
}

func TestTracefsIsFoundWhereItIsMounted(t *testing.T) {
	root := t.TempDir()
	if _, because := Find(root); because != notMounted {
		t.Error(because)
	}
	make := func(path string) {
		if err := os.MkdirAll(filepath.Join(root, path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	make("sys/kernel/debug/tracing/events")
	if _, because := Find(root); !strings.Contains(because, "instances") {
		t.Error(because)
	}
	make("mnt/elsewhere/instances")
	make("proc/self")
	mounts := "30 24 0:12 / /mnt/elsewhere rw,relatime - tracefs none rw\n"
	if err := os.WriteFile(filepath.Join(root, "proc/self/mountinfo"), []byte(mounts), 0o600); err != nil {
		t.Fatal(err)
	}
	if mount, because := Find(root); mount != filepath.Join(root, "mnt/elsewhere") {
		t.Errorf("%q, %s", mount, because)
	}
}

func TestARefusalIsSaidForWhatItIs(t *testing.T) {
	refused := "only root may use tracefs"
	if os.Geteuid() == 0 {
		// Kernels that are locked down let root see the files and open none.
		refused = "refuses tracefs even to root here, as in a container or where it is locked down"
	}
	for err, said := range map[error]string{
		unix.EPERM:  refused,
		unix.EACCES: refused,
		unix.EROFS:  "mounted read-only",
		unix.ENOMEM: "no memory for the buffers",
		unix.ENOSPC: unix.ENOSPC.Error(),
	} {
		if because := why(&os.PathError{Op: "open", Path: "tracing_on", Err: err}); !strings.Contains(because, said) {
			t.Errorf("of %v it says %q", err, because)
		}
	}
}
