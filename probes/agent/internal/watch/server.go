package watch

import (
	"fmt"
	"path/filepath"
	"time"
)

// serverState is what the server's process has done since it began; nil is unknown.
type serverState struct {
	ReadBytes    *uint64 `json:"read_bytes,omitempty"`
	WrittenBytes *uint64 `json:"written_bytes,omitempty"`
	CPUUser      float64 `json:"cpu_user_s"`
	CPUSystem    float64 `json:"cpu_system_s"`
	// RunDelay counts from the first moment: threads that ended before can't be asked.
	RunDelay *float64 `json:"run_delay_s,omitempty"`
	// FlushCPU is that of threads named after flushing, in the same way; nil without any.
	FlushCPU *float64 `json:"flush_cpu_s,omitempty"`
	Threads  uint64   `json:"threads"`
}

// watchedServer is the server's process. Its files stay open: they lead to no other process, even if
// one takes its number.
type watchedServer struct {
	pid    int
	stat   *file
	io     *file
	delays *runDelays
}

func openServer(root string, pid int) (opened *watchedServer, because string) {
	folder := filepath.Join(root, fmt.Sprintf("proc/%d", pid))
	opened = &watchedServer{pid: pid, stat: openFile(filepath.Join(folder, "stat"))}
	if opened.stat == nil {
		return nil, fmt.Sprintf("process %d can't be read", pid)
	}
	opened.io = openFile(filepath.Join(folder, "io"))
	opened.delays = openRunDelays(folder)
	return opened, ""
}

// unknown is what this account or this kernel does not tell, and why.
func (s *watchedServer) unknown() map[string]string {
	unknown := map[string]string{}
	if s.io == nil {
		unknown["server.io"] = fmt.Sprintf("this account may not read /proc/%d/io", s.pid)
	}
	if s.delays == nil {
		unknown["server.run_delay"] = fmt.Sprintf("the kernel keeps no times in /proc/%d/schedstat", s.pid)
	}
	return unknown
}

// look is false once the process has ended.
func (s *watchedServer) look(threads depth) (*serverState, bool) {
	seen, ok := readProcess(s.stat.read())
	if !ok || seen.threads == 0 {
		return nil, false
	}
	state := &serverState{CPUUser: seen.user.Seconds(), CPUSystem: seen.system.Seconds(), Threads: seen.threads}
	if moved, ok := readTransfer(s.io.read()); ok {
		state.ReadBytes, state.WrittenBytes = &moved.read, &moved.written
	}
	if s.delays != nil {
		waited := rounded(time.Duration(s.delays.look(threads)).Seconds())
		state.RunDelay = &waited
		if s.delays.named {
			flushed := rounded(time.Duration(s.delays.flushed).Seconds())
			state.FlushCPU = &flushed
		}
	}
	return state, true
}

func (s *watchedServer) close() {
	if s == nil {
		return
	}
	s.stat.close()
	s.io.close()
	s.delays.close()
}
