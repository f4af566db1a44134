package trace

import (
	"slices"

	"leadline/agent/internal/tracefs"
)

// Kinds of events that tell of requests by io_uring, beside closing and directBegin.
const (
	ringSubmit = -2 - iota
	ringFile
	ringComplete
)

// ringEvents are the kernel's names for them; it has one of each kind at most. The submission was renamed in 6.3.
var ringEvents = []struct {
	name string
	kind int
}{
	{"io_uring/io_uring_submit_req", ringSubmit},
	{"io_uring/io_uring_submit_sqe", ringSubmit},
	{"io_uring/io_uring_file_get", ringFile},
	{"io_uring/io_uring_complete", ringComplete},
}

// ringCalls are what requests count as, by their operation codes (IORING_OP_… of linux/io_uring.h).
var ringCalls = map[uint64]int{
	1: ringRead, 4: ringRead, 22: ringRead,
	2: ringWrite, 5: ringWrite, 23: ringWrite,
	3: ringSync,
}

// mostInRing bounds what is known of requests that never come to an end.
const mostInRing = 1 << 16

// requested is a request that is under way, or (begun is 0) only has its file.
type requested struct {
	begun uint64
	call  int
	file  *file
}

// ring times a server's requests by io_uring, from their submission to their completion. The kernel tells
// which file a descriptor is looked up for; of files that were registered before it says nothing.
type ring struct {
	calls *calls
	// files of requests are told by request, or (before 5.17) by thread, just before the submission.
	under  map[uint64]requested
	thread map[uint32]*file
	// kinds that this kernel has events of.
	kinds []int
	// submitted are reads, writes and syncs; ended of them were completed, unfiled have no file that is known,
	// and cut were under way when the recording stopped.
	submitted, ended, unfiled, cut uint64
	// opcodes: the kernel says what a request does.
	opcodes bool
}

func newRing(calls *calls) *ring {
	return &ring{calls: calls, under: map[uint64]requested{}, thread: map[uint32]*file{}}
}

// listen adds the events that this kernel has.
func (r *ring) listen(instance *tracefs.Instance) error {
	for _, event := range ringEvents {
		if slices.Contains(r.kinds, event.kind) || !instance.Has("events/"+event.name) {
			continue
		}
		format, err := instance.Format(event.name)
		if err != nil {
			return err
		}
		r.calls.add(format.ID, newCallFormat(event.kind, false, format))
		r.calls.events = append(r.calls.events, event.name)
		r.kinds = append(r.kinds, event.kind)
		if _, told := format.Fields["opcode"]; told {
			r.opcodes = true
		}
	}
	return nil
}

func (r *ring) see(thread uint32, format *callFormat, event tracefs.Event) {
	key := format.request.Number(event.Data)
	if key == 0 {
		key = format.ring.Number(event.Data) ^ format.userData.Number(event.Data)<<1
	}
	switch format.call {
	case ringFile:
		r.found(key, thread, format, r.calls.files.at(format.descriptor.Number(event.Data)))
	case ringSubmit:
		r.submit(key, thread, format.opcode.Number(event.Data), event.Time)
	case ringComplete:
		r.complete(key, int64(format.result.Number(event.Data)), event.Time)
	}
}

// found a request's file, before or after its submission.
func (r *ring) found(key uint64, thread uint32, format *callFormat, its *file) {
	if format.request.Size == 0 {
		r.thread[thread] = its
		return
	}
	r.bound()
	one := r.under[key]
	one.file = its
	r.under[key] = one
}

func (r *ring) submit(key uint64, thread uint32, opcode, now uint64) {
	call, counts := ringCalls[opcode]
	if !counts {
		delete(r.under, key)
		delete(r.thread, thread)
		return
	}
	one := requested{begun: now, call: call, file: r.thread[thread]}
	delete(r.thread, thread)
	if before, known := r.under[key]; known && before.begun == 0 {
		one.file = before.file
	}
	r.bound()
	r.submitted++
	r.under[key] = one
}

func (r *ring) complete(key uint64, result int64, now uint64) {
	one, known := r.under[key]
	delete(r.under, key)
	if !known || one.begun == 0 || now < one.begun {
		return
	}
	r.ended++
	if one.file == nil {
		r.unfiled++
		one.file = asynchronous
	}
	role := one.file.role
	if role == System && one.call == ringWrite && result > int64(r.calls.pageBytes) {
		// Where it is written is not told; only the doublewrite buffer takes several pages at once.
		role = Doublewrite
	}
	if role != "" {
		r.calls.count(callKey{role, one.call}, result, one.begun, now)
	}
}

// bound forgets requests whose end was not told.
func (r *ring) bound() {
	if len(r.under) >= mostInRing {
		r.forget()
	}
}

// forget drops what is under way: its end may go unseen.
func (r *ring) forget() {
	for _, one := range r.under {
		if one.begun != 0 {
			r.cut++
		}
	}
	clear(r.under)
	clear(r.thread)
}

// lost says what of the server's requests is not known, in words that follow "because"; "" for nothing.
// entered is how often the server called io_uring_enter.
func (r *ring) lost(entered uint64) string {
	switch {
	case entered == 0 && r.submitted == 0:
		return ""
	case !slices.Contains(r.kinds, ringSubmit) || !slices.Contains(r.kinds, ringComplete) || !r.opcodes:
		return "this kernel does not tell what requests by io_uring do, which the server uses"
	case r.submitted > 0 && 2*r.ended < r.submitted-min(r.submitted, r.cut):
		return "the kernel tells of most requests by io_uring only that they were submitted"
	case r.submitted == 0 && entered > 0:
		return "the server calls io_uring, and the kernel tells of no request"
	case 20*r.unfiled > r.ended:
		return "the files of requests by io_uring were registered before, so that the kernel does not tell them: " +
			"they stand under other files"
	}
	return ""
}
