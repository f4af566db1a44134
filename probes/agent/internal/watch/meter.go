package watch

import (
	"fmt"
	"path/filepath"
	"time"
)

// Meter reads what a process and the whole machine have done so far.
type Meter struct{ machine, stat, io *file }

// ProcessWork is what a process did; the bytes are nil where this account may not read them.
type ProcessWork struct {
	CPUUser      float64 `json:"cpu_user_s"`
	CPUSystem    float64 `json:"cpu_system_s"`
	ReadBytes    *uint64 `json:"read_bytes,omitempty"`
	WrittenBytes *uint64 `json:"written_bytes,omitempty"`
}

// Metered is what was done, nil where that can't be decided.
type Metered struct {
	Process *ProcessWork
	Machine *processorState
	OwnCPU  time.Duration
}

// OpenMeter opens one for a process; 0 is none.
func OpenMeter(root string, pid int) *Meter {
	opened := &Meter{machine: openFile(filepath.Join(root, "proc/stat"))}
	if pid != 0 {
		folder := filepath.Join(root, fmt.Sprintf("proc/%d", pid))
		opened.stat, opened.io = openFile(filepath.Join(folder, "stat")), openFile(filepath.Join(folder, "io"))
	}
	return opened
}

// Read tells what was done until now.
func (m *Meter) Read() Metered {
	read := Metered{OwnCPU: ownTime()}
	if seen, ok := readProcess(m.stat.read()); ok {
		read.Process = &ProcessWork{CPUUser: seen.user.Seconds(), CPUSystem: seen.system.Seconds()}
		if moved, ok := readTransfer(m.io.read()); ok {
			read.Process.ReadBytes, read.Process.WrittenBytes = &moved.read, &moved.written
		}
	}
	if seen, ok := readTicks(m.machine.read()); ok {
		read.Machine = seen.state()
	}
	return read
}

// Since is what was done from an earlier reading to m.
func (m Metered) Since(earlier Metered) Metered {
	between := Metered{OwnCPU: m.OwnCPU - earlier.OwnCPU}
	if m.Process != nil && earlier.Process != nil {
		now, then := m.Process, earlier.Process
		between.Process = &ProcessWork{
			passed(now.CPUUser, then.CPUUser), passed(now.CPUSystem, then.CPUSystem),
			moved(now.ReadBytes, then.ReadBytes), moved(now.WrittenBytes, then.WrittenBytes),
		}
	}
	if m.Machine != nil && earlier.Machine != nil {
		now, then := m.Machine, earlier.Machine
		between.Machine = &processorState{
			passed(now.Busy, then.Busy), passed(now.Iowait, then.Iowait),
			passed(now.Steal, then.Steal), passed(now.Total, then.Total),
		}
	}
	return between
}

// passed may be a little below 0: the kernel estimates some of these times.
func passed(now, earlier float64) float64 { return rounded(max(0, now-earlier)) }

func moved(now, earlier *uint64) *uint64 {
	if now == nil || earlier == nil {
		return nil
	}
	bytes := since(*now, *earlier)
	return &bytes
}

// Close gives the files back.
func (m *Meter) Close() {
	m.machine.close()
	m.stat.close()
	m.io.close()
}
