package watch

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestAMeterTellsWhatWasDoneBetweenTwoReadings(t *testing.T) {
	root := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(root, "proc", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("stat", "cpu  100 0 50 800 40 0 10 0 0 0\nctxt 1\n")
	write("7/stat", "7 (mysqld) S 1 7 7 0 -1 4194560 1 0 0 0 250 120 0 0 20 0 9 0 5 1 1\n")
	write("7/io", "rchar: 1\nread_bytes: 4096\nwrite_bytes: 100\n")
	meter := OpenMeter(root, 7)
	defer meter.Close()
	before := meter.Read()
	// The kernel's estimate of the time that is spent on waiting may go back.
	write("stat", "cpu  200 0 80 900 39 0 10 30 0 0\nctxt 2\n")
	write("7/stat", "7 (mysqld) S 1 7 7 0 -1 4194560 1 0 0 0 450 130 0 0 20 0 9 0 5 1 1\n")
	write("7/io", "rchar: 1\nread_bytes: 8192\nwrite_bytes: 100\n")
	between := meter.Read().Since(before)
	if got := *between.Machine; got != (processorState{1.6, 0, 0.3, 2.59}) {
		t.Errorf("the machine did %+v", got)
	}
	if got := between.Process; got.CPUUser != 2 || got.CPUSystem != 0.1 || *got.ReadBytes != 4096 || *got.WrittenBytes != 0 {
		t.Errorf("the process did %+v", got)
	}
}

func TestAMeterReadsThisProcess(t *testing.T) {
	meter := OpenMeter("/", os.Getpid())
	defer meter.Close()
	before := meter.Read()
	for begin := ownTime(); ownTime()-begin < 30*time.Millisecond; {
	}
	between := meter.Read().Since(before)
	if between.OwnCPU < 30*time.Millisecond || between.Machine == nil || between.Machine.Total < 0 {
		t.Errorf("%+v", between)
	}
	if between.Process == nil || between.Process.CPUUser+between.Process.CPUSystem < 0.01 {
		t.Errorf("this process did %+v", between.Process)
	}
	nothing := OpenMeter("/", 0)
	defer nothing.Close()
	if read := nothing.Read().Since(nothing.Read()); read.Process != nil || read.Machine == nil {
		t.Errorf("%+v", read)
	}
}
