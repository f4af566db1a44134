package tracefs

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// mostPages bounds what one round takes of a processor's buffer, so that rounds end.
const mostPages = 4096

// Stream reads an instance's buffers in binary, and puts the events of all processors in order.
type Stream struct {
	layout  Layout
	cpus    []*cpu
	queue   []*cpu
	horizon uint64
	spare   [][]byte
}

// cpu is the buffer of one processor: the pages that were read, and how far they have been looked at.
type cpu struct {
	fd     int
	pages  [][]byte
	next   int
	memory []byte
	page   Page
	event  []byte
	gap    bool
}

// Open opens the buffers of an instance. The error's words follow "because".
func (i *Instance) Open() (*Stream, error) {
	text := i.Read("events/header_page")
	if text == "" {
		text = (&Instance{path: i.mount}).Read("events/header_page")
	}
	layout, err := ParseLayout(text)
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(i.path, "per_cpu/cpu[0-9]*/trace_pipe_raw"))
	if err != nil || len(names) == 0 {
		return nil, errors.New("the kernel shows no buffers of a trace")
	}
	opened := &Stream{layout: layout}
	for _, name := range names {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err != nil {
			opened.Close()
			return nil, fmt.Errorf("a buffer of the trace can't be read: %s", why(err))
		}
		opened.cpus = append(opened.cpus, &cpu{fd: fd})
	}
	return opened, nil
}

// Event is one of the kernel's, valid until the next.
type Event struct {
	// Time in nanoseconds of the trace's clock.
	Time uint64
	Data []byte
	// Gap: events were lost between this one and the one before on the same processor.
	Gap bool
}

// Read takes what there is and gives handle the events in the order of their time; with all to the last
// one, else to those that no event on another processor can precede any more. It returns the most bytes
// that one processor had.
func (s *Stream) Read(all bool, handle func(Event)) int {
	reached, most := s.horizon, 0
	for _, cpu := range s.cpus {
		before := len(cpu.pages)
		reached = max(reached, s.take(cpu))
		most = max(most, (len(cpu.pages)-before)*s.layout.PageBytes())
	}
	// Whatever happened before the latest page of the last round began has been read by now.
	until := s.horizon
	if all {
		until = ^uint64(0)
	}
	s.horizon = reached
	s.queue = s.queue[:0]
	for _, cpu := range s.cpus {
		if cpu.event != nil || s.advance(cpu) {
			s.queue = append(s.queue, cpu)
		}
	}
	slices.SortFunc(s.queue, func(a, b *cpu) int {
		if a.page.Time < b.page.Time {
			return -1
		}
		return 1
	})
	for len(s.queue) > 0 && s.queue[0].page.Time <= until {
		first := s.queue[0]
		handle(Event{first.page.Time, first.event, first.gap})
		first.gap = false
		if !s.advance(first) {
			s.queue[0] = s.queue[len(s.queue)-1]
			s.queue = s.queue[:len(s.queue)-1]
		}
		s.sink()
	}
	return most
}

// take reads a processor's buffer until it is empty, and returns when its latest page began.
func (s *Stream) take(cpu *cpu) uint64 {
	latest := uint64(0)
	for range mostPages {
		page := s.memory()
		n, err := unix.Read(cpu.fd, page)
		if err != nil || n <= 0 {
			s.spare = append(s.spare, page)
			break
		}
		latest = s.layout.time.Number(page[:n])
		cpu.pages = append(cpu.pages, page[:n])
	}
	return latest
}

func (s *Stream) memory() []byte {
	if last := len(s.spare) - 1; last >= 0 {
		page := s.spare[last]
		s.spare = s.spare[:last]
		return page[:cap(page)]
	}
	return make([]byte, s.layout.PageBytes())
}

// advance goes to a processor's next event; false when none is left.
func (s *Stream) advance(cpu *cpu) bool {
	for {
		if event, ok := cpu.page.Next(); ok {
			cpu.event = event
			return true
		}
		cpu.event = nil
		if cpu.memory != nil {
			s.spare = append(s.spare, cpu.memory)
			cpu.memory = nil
		}
		if cpu.next == len(cpu.pages) {
			cpu.pages, cpu.next = cpu.pages[:0], 0
			return false
		}
		cpu.memory = cpu.pages[cpu.next]
		cpu.page = s.layout.Open(cpu.memory)
		cpu.gap = cpu.gap || cpu.page.Missed
		cpu.next++
	}
}

// sink puts the first of the queue, a heap by time, where it belongs.
func (s *Stream) sink() {
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(s.queue); child++ {
			if s.queue[child].page.Time < s.queue[least].page.Time {
				least = child
			}
		}
		if least == at {
			return
		}
		s.queue[at], s.queue[least] = s.queue[least], s.queue[at]
		at = least
	}
}

// Close gives the buffers back.
func (s *Stream) Close() {
	for _, cpu := range s.cpus {
		_ = unix.Close(cpu.fd)
	}
	s.cpus = nil
}

// Lost is how many events found no room in the buffers.
func (i *Instance) Lost() uint64 {
	names, err := filepath.Glob(filepath.Join(i.path, "per_cpu/cpu[0-9]*/stats"))
	if err != nil {
		return 0
	}
	lost := uint64(0)
	for _, name := range names {
		for line := range strings.Lines((&Instance{path: filepath.Dir(name)}).Read("stats")) {
			what, value, _ := strings.Cut(line, ":")
			if what == "overrun" || what == "dropped events" || what == "commit overrun" {
				count, err := strconv.ParseUint(strings.TrimSpace(value), 10, 64)
				if err == nil {
					lost += count
				}
			}
		}
	}
	return lost
}
