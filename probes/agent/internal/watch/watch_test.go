package watch

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/inventory"
)

// onDisk is a directory on a block device.
func onDisk(t *testing.T) string {
	t.Helper()
	directory, err := os.MkdirTemp("/var/tmp", "leadline-watch-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(directory) })
	if len(inventory.DisksBelow("/", directory)) == 0 {
		t.Skip("no block device lies below /var/tmp")
	}
	return directory
}

func TestReadsShowOnTheirDevice(t *testing.T) {
	const blocks, blockBytes = 128, 16 << 10
	directory := onDisk(t)
	path := filepath.Join(directory, "file")
	if err := os.WriteFile(path, make([]byte, blocks*blockBytes), 0o600); err != nil {
		t.Fatal(err)
	}
	unix.Sync()
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECT, 0)
	if err != nil {
		t.Skip("O_DIRECT is refused:", err)
	}
	defer func() { _ = unix.Close(fd) }()
	memory, err := unix.Mmap(-1, 0, blockBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(memory) }()
	watcher := New(nil)
	defer watcher.Close()
	watcher.Begin([]string{directory})
	for block := range blocks {
		if _, err := unix.Pread(fd, memory, int64(block*blockBytes)); err != nil {
			t.Fatal(err)
		}
	}
	host := watcher.Sample()
	if host.Device == "" || host.ReadsPerS == nil || *host.ReadsPerS <= 0 || *host.ReadAwaitUS <= 0 {
		t.Errorf("the sample is %+v", host)
	}
	details := map[string]any{}
	watcher.End(details)
	device, ok := details["device"].(Device)
	if !ok || device.Name != host.Device || device.Reads < blocks || device.ReadBytes < blocks*blockBytes {
		t.Errorf("the device did %+v", details["device"])
	}
}

func TestMemoryHasNoDevice(t *testing.T) {
	watcher := New(nil)
	defer watcher.Close()
	for _, directory := range []string{"/dev/shm", "/does/not/exist", ""} {
		// What lies beside it must not pass for everything.
		watcher.Begin([]string{"/var/tmp", directory})
		host := watcher.Sample()
		if host.Device != "" || host.ReadsPerS != nil || host.Queue != nil {
			t.Errorf("below %q lies %+v", directory, host)
		}
		if host.CPUUser == nil && host.OwnCPU == nil {
			t.Errorf("nothing is known of the host: %+v", host)
		}
		details := map[string]any{}
		watcher.End(details)
		if _, ok := details["device"]; ok {
			t.Errorf("below %q lies %v", directory, details["device"])
		}
	}
}

// usedHere is what this process had of the processors for programs.
func usedHere(t *testing.T) time.Duration {
	t.Helper()
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano())
}

// used is how many ticks a process had of the processors for programs.
func used(t *testing.T, pid int) int {
	t.Helper()
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	ticks, err := strconv.Atoi(strings.Fields(string(content[bytes.LastIndexByte(content, ')')+1:]))[11])
	if err != nil {
		t.Fatal(err)
	}
	return ticks
}

func TestProcessesAreSeenAtWork(t *testing.T) {
	command := exec.Command("sh", "-c", "while :; do :; done")
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	watcher := New([]int{command.Process.Pid, 1 << 30})
	defer watcher.Close()
	watcher.Begin(nil)
	// On a busy machine it takes a while until both have had their share.
	here, there := usedHere(t), used(t, command.Process.Pid)
	for usedHere(t)-here < 200*time.Millisecond || used(t, command.Process.Pid)-there < 5 {
		_ = math.Sqrt(float64(time.Now().UnixNano()))
	}
	host := watcher.Sample()
	if host.ServerCPU == nil || *host.ServerCPU <= 0 {
		t.Errorf("the process took %v", host.ServerCPU)
	}
	if host.OwnCPU == nil || *host.OwnCPU <= 0 {
		t.Errorf("this process took %v", host.OwnCPU)
	}
	if host.CPUUser == nil || *host.CPUUser <= 0 || *host.CPUUser > 1 {
		t.Errorf("all processors spent %v on programs", host.CPUUser)
	}
	details := map[string]any{}
	watcher.End(details)
	if busy, ok := details["cpu_busy"].(float64); !ok || busy <= 0 || busy > 1 {
		t.Errorf("the processors were busy for %v", details["cpu_busy"])
	}
	if jump, ok := details["clock_jump_s"].(float64); !ok || math.Abs(jump) > 1 {
		t.Errorf("the clock jumped by %v", details["clock_jump_s"])
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	watcher.Begin(nil)
	if host := watcher.Sample(); host.ServerCPU != nil {
		t.Errorf("a process that is gone takes %v", *host.ServerCPU)
	}
}

func TestSamplesTakeNoMemory(t *testing.T) {
	watcher := New([]int{os.Getpid()})
	defer watcher.Close()
	watcher.Begin([]string{"/var/tmp"})
	if allocations := testing.AllocsPerRun(20, func() { watcher.Sample() }); allocations > 0 {
		t.Errorf("a sample takes %v allocations", allocations)
	}
}

func TestAFileThatGrowsIsReadWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stat")
	long := make([]byte, 10000)
	for at := range long {
		long[at] = 'x'
	}
	if err := os.WriteFile(path, long, 0o600); err != nil {
		t.Fatal(err)
	}
	opened := openFile(path)
	defer opened.close()
	if err := os.WriteFile(path, append(long, "and more"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if found := opened.read(); len(found) != len(long)+8 {
		t.Errorf("%d bytes were read", len(found))
	}
}

func BenchmarkSample(b *testing.B) {
	watcher := New([]int{os.Getpid()})
	defer watcher.Close()
	watcher.Begin([]string{"/var/tmp"})
	for b.Loop() {
		watcher.Sample()
	}
}

func TestWhatAProcessHasStorageDoIsCounted(t *testing.T) {
	const blocks, blockBytes = 64, 16 << 10
	directory := onDisk(t)
	watcher := New([]int{os.Getpid()})
	defer watcher.Close()
	watcher.Begin([]string{directory})
	fd, err := unix.Open(filepath.Join(directory, "file"), unix.O_RDWR|unix.O_CREAT|unix.O_DIRECT, 0o600)
	if err != nil {
		t.Skip("O_DIRECT is refused:", err)
	}
	defer func() { _ = unix.Close(fd) }()
	memory, err := unix.Mmap(-1, 0, blockBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(memory) }()
	for block := range int64(blocks) {
		if _, err := unix.Pwrite(fd, memory, block*blockBytes); err != nil {
			t.Fatal(err)
		}
	}
	for block := range int64(blocks / 2) {
		if _, err := unix.Pread(fd, memory, block*blockBytes); err != nil {
			t.Fatal(err)
		}
	}
	details := map[string]any{}
	watcher.End(details)
	server, ok := details["server"].(Server)
	if !ok || server.WrittenBytes < blocks*blockBytes || server.ReadBytes < blocks*blockBytes/2 {
		t.Errorf("this process did %+v", details["server"])
	}
}

func TestAProcessThatIsGoneLeavesItsIOUnknown(t *testing.T) {
	watcher := New([]int{os.Getpid(), 1 << 30})
	defer watcher.Close()
	watcher.Begin(nil)
	details := map[string]any{}
	watcher.End(details)
	if found, ok := details["server"]; ok {
		t.Errorf("of two processes one is gone, and both did %v", found)
	}
}
