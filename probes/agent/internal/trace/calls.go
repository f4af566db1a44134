package trace

import (
	"errors"
	"slices"
	"strings"

	"leadline/agent/internal/latency"
	"leadline/agent/internal/tracefs"
)

// What calls do with a file. Submit and wait are halves of asynchronous I/O: the requests themselves are
// among the blocks.
const (
	opRead   = "read"
	opWrite  = "write"
	opSync   = "sync"
	opSubmit = "submit"
	opWait   = "wait"
)

// watchedCalls are the system calls by which servers use files, and what requests by io_uring and io_submit
// count as.
var watchedCalls = []struct {
	name, operation string
	// page: it reads one piece from a given place.
	page bool
}{
	ringRead:    {"io_uring_read", opRead, false},
	ringWrite:   {"io_uring_write", opWrite, false},
	ringSync:    {"io_uring_sync", opSync, false},
	directRead:  {"io_submit_read", opRead, false},
	directWrite: {"io_submit_write", opWrite, false},
	{"pread64", opRead, true},
	{"pwrite64", opWrite, false},
	{"preadv", opRead, false},
	{"pwritev", opWrite, false},
	{"preadv2", opRead, false},
	{"pwritev2", opWrite, false},
	{"read", opRead, false},
	{"write", opWrite, false},
	{"fsync", opSync, false},
	{"fdatasync", opSync, false},
	{submitCall, opSubmit, false},
	{"io_getevents", opWait, false},
	{"io_pgetevents", opWait, false},
	{ringCall, opSubmit, false},
}

// Where requests by io_uring and io_submit stand among watchedCalls.
const (
	ringRead = iota
	ringWrite
	ringSync
	directRead
	directWrite
	ringEnd
)

const (
	ringCall   = "io_uring_enter"
	submitCall = "io_submit"
)

// closing gives a descriptor away: what it leads to next is another file.
const (
	closing   = -1
	closeCall = "syscalls/sys_enter_close"
)

// callFormat is how the kernel tells of one of watchedCalls.
type callFormat struct {
	// call is one of watchedCalls, closing, or one of the kinds of events of io_uring.
	call                  int
	isExit                bool
	thread                tracefs.Field
	descriptor, size, pos tracefs.Field
	result                tracefs.Field
	// Those of io_uring have these: a request's place in the kernel, or (before 5.17) its ring and the
	// server's own mark.
	request, ring, userData, opcode tracefs.Field
}

// calling is a thread that is inside a call.
type calling struct {
	begun uint64
	call  int
	file  *file
	pos   uint64
}

type callKey struct {
	role Role
	call int
}

// callTotals are of one kind of call on files of one role.
type callTotals struct {
	took   latency.Counts
	course *course
	count  uint64
	// result adds up what the calls returned: bytes, or requests.
	result uint64
	errors uint64
}

// calls times a server's system calls on files, by the files' roles.
type calls struct {
	instance *tracefs.Instance
	byID     []*callFormat
	files    *files
	inside   map[uint32]calling
	ring     *ring
	direct   *direct
	totals   map[callKey]*callTotals
	series   *series
	// events are the names of what the kernel is to tell.
	events []string
	seen   uint64
	// ignored are calls on what is no file.
	ignored uint64
	dropped bool
	// pages is how many reads of pages there were.
	pages uint64
	// extent is how long a stretch of the system tablespace is of which two hold its doublewrite buffer.
	extent uint64
	// mine tells the server's threads from others that the kernel could not keep out; nil where it could.
	mine func(thread int) bool
	// pageRead is told of every read of a page of a file whose pages are kept in the buffer pool.
	pageRead  func(file uint32, page uint64)
	pageBytes uint64
}

func emptyCalls(files *files, pageBytes uint64, series *series) *calls {
	made := &calls{
		files: files, inside: map[uint32]calling{}, totals: map[callKey]*callTotals{}, pageBytes: pageBytes,
		extent: max(1<<20, 64*pageBytes), pageRead: func(uint32, uint64) {}, series: series,
	}
	made.ring, made.direct = newRing(made), newDirect(made)
	return made
}

// newCalls makes an instance record the system calls; it is told of its threads by somebody else.
func newCalls(instance *tracefs.Instance, files *files, pageBytes uint64, series *series) (*calls, error) {
	made := emptyCalls(files, pageBytes, series)
	made.instance = instance
	if !instance.Has("events/syscalls") {
		return nil, errors.New("this kernel was built without events for system calls")
	}
	for call, watched := range watchedCalls[ringEnd:] {
		call += ringEnd
		for _, name := range callEvents(watched.name) {
			// Not every kernel has every call.
			if !instance.Has("events/" + name) {
				continue
			}
			format, err := instance.Format(name)
			if err != nil {
				return nil, err
			}
			made.add(format.ID, newCallFormat(call, strings.Contains(name, "_exit_"), format))
			made.events = append(made.events, name)
		}
	}
	if len(made.byID) == 0 {
		return nil, errors.New("this kernel tells of none of the calls that read and write files")
	}
	if err := made.ring.listen(instance); err != nil {
		return nil, err
	}
	if err := made.direct.listen(instance); err != nil {
		return nil, err
	}
	if format, err := instance.Format(closeCall); err == nil {
		made.add(format.ID, newCallFormat(closing, false, format))
		made.events = append(made.events, closeCall)
	}
	return made, nil
}

func callEvents(call string) [2]string {
	return [2]string{"syscalls/sys_enter_" + call, "syscalls/sys_exit_" + call}
}

func newCallFormat(call int, isExit bool, format *tracefs.Format) *callFormat {
	field := func(names ...string) tracefs.Field {
		for _, name := range names {
			if found, ok := format.Fields[name]; ok {
				return found
			}
		}
		return tracefs.Field{}
	}
	return &callFormat{
		call: call, isExit: isExit, thread: field("common_pid"), descriptor: field("fd"),
		size: field("count"), pos: field("pos", "pos_l"), result: field("ret", "res"),
		request: field("req"), ring: field("ctx"), userData: field("user_data"), opcode: field("opcode"),
	}
}

func (c *calls) add(id int, format *callFormat) {
	for len(c.byID) <= id {
		c.byID = append(c.byID, nil)
	}
	c.byID[id] = format
}

func (c *calls) see(event tracefs.Event) {
	c.seen++
	if event.Gap {
		c.forget()
	}
	kind := int(tracefs.Kind(event.Data))
	if kind >= len(c.byID) || c.byID[kind] == nil {
		return
	}
	format := c.byID[kind]
	thread := uint32(format.thread.Number(event.Data))
	if c.mine != nil && !c.mine(int(thread)) {
		return
	}
	switch {
	case format.call == closing:
		c.files.forget(format.descriptor.Number(event.Data))
	case format.call == directBegin:
		c.direct.see(thread, event)
	case format.call < closing:
		c.ring.see(thread, format, event)
	case format.isExit:
		c.exit(thread, format, event)
	default:
		c.enter(thread, format, event)
	}
}

func (c *calls) enter(thread uint32, format *callFormat, event tracefs.Event) {
	watched := &watchedCalls[format.call]
	now := calling{begun: event.Time, call: format.call, file: asynchronous}
	if watched.operation != opSubmit && watched.operation != opWait {
		now.file = c.files.at(format.descriptor.Number(event.Data))
		now.pos = format.pos.Number(event.Data)
	}
	if watched.page && now.file.pooled && format.size.Number(event.Data) == c.pageBytes {
		c.pages++
		c.pageRead(now.file.id, now.pos/c.pageBytes)
	}
	c.inside[thread] = now
}

// asynchronous stands for the files of calls that name many, or none.
var asynchronous = &file{role: Other}

func (c *calls) exit(thread uint32, format *callFormat, event tracefs.Event) {
	begun, known := c.inside[thread]
	if !known {
		return
	}
	delete(c.inside, thread)
	if begun.call != format.call || event.Time < begun.begun {
		return
	}
	if c.dropped && slices.Contains(plain, watchedCalls[format.call].name) {
		return
	}
	role := begun.file.role
	if role == "" {
		c.ignored++
		return
	}
	role = c.roleAt(role, watchedCalls[format.call].operation, begun.pos)
	c.count(callKey{role, format.call}, int64(format.result.Number(event.Data)), begun.begun, event.Time)
}

// roleAt is what is written at a place of a file of this role: servers without files of its own have the
// doublewrite buffer in the system tablespace.
func (c *calls) roleAt(role Role, operation string, pos uint64) Role {
	if role == System && operation == opWrite && pos >= c.extent && pos < 3*c.extent {
		return Doublewrite
	}
	return role
}

// totalsOf are those of one kind of call on files of one role.
func (c *calls) totalsOf(key callKey) *callTotals {
	totals := c.totals[key]
	if totals == nil {
		totals = &callTotals{course: c.series.course()}
		c.totals[key] = totals
	}
	return totals
}

// count what has ended with this result.
func (c *calls) count(key callKey, result int64, begun, ended uint64) {
	totals := c.totalsOf(key)
	if result < 0 {
		totals.errors++
		return
	}
	totals.count++
	totals.result += uint64(result)
	took := ended - begun
	totals.took.Add(int64(took))
	c.series.count(totals.course, ended, took, uint64(result))
}

// called is how often the server made such a call.
func (c *calls) called(name string) uint64 {
	all := uint64(0)
	for key, totals := range c.totals {
		if watchedCalls[key.call].name == name {
			all += totals.count + totals.errors
		}
	}
	return all
}

// submitted is how many requests io_submit took.
func (c *calls) submitted() uint64 {
	all := uint64(0)
	for key, totals := range c.totals {
		if watchedCalls[key.call].name == submitCall {
			all += totals.result
		}
	}
	return all
}

// plain are the calls that programs use on sockets too.
var plain = []string{"read", "write"}

// dropPlain no longer counts them, and takes back what was counted.
func (c *calls) dropPlain() {
	for _, name := range plain {
		for _, event := range callEvents(name) {
			_ = c.instance.Put("events/"+event+"/enable", "0")
		}
	}
	for key := range c.totals {
		if slices.Contains(plain, watchedCalls[key.call].name) {
			delete(c.totals, key)
		}
	}
	c.dropped = true
}

// forget drops what has begun: its end may have gone unseen.
func (c *calls) forget() {
	clear(c.inside)
	c.ring.forget()
}
