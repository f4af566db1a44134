package trace

import (
	"regexp"
	"slices"
	"strconv"

	"leadline/agent/internal/tracefs"
)

// directBegin is the kind of events that tell of a direct request when it is handed on, in the thread that asks
// for it. Those inside io_submit are what that submits: the call itself names no file.
const directBegin = -5

// directEvents are the kernel's names for them: of all file systems that have it from 6.5 on, before of those
// that have their own.
var directEvents = []struct {
	name string
	// direction is the field that says whether it writes; what has none is told by its name.
	direction string
	// whole: no other events are needed beside it.
	whole bool
}{
	{"iomap/iomap_dio_rw_begin", "ki_flags", true},
	{"xfs/xfs_file_direct_read", "", false},
	{"xfs/xfs_file_direct_write", "", false},
	{"ext4/ext4_direct_IO_enter", "rw", false},
}

// writeFlag is how the kernel describes the bit of such a request that writes.
var writeFlag = regexp.MustCompile(`\{ *\(1 << (\d+)\), "WRITE" *\}`)

// directFormat is how the kernel tells of one of directEvents.
type directFormat struct {
	device, inode, pos, size, direction tracefs.Field
	// writes has the bits of direction that say so; without any all of them do, or none.
	writes uint64
	always bool
}

// isWrite is whether the request writes.
func (d *directFormat) isWrite(data []byte) bool {
	return d.always || d.direction.Number(data)&d.writes != 0
}

// direct counts what a server submits by io_submit, by the files' roles. What each request takes is not known:
// the kernel tells of its end in another thread.
type direct struct {
	calls *calls
	// formats by the kinds of events.
	formats map[int]*directFormat
	// filed requests have a file that is known, of all that were seen inside io_submit.
	filed, seen uint64
}

func newDirect(calls *calls) *direct { return &direct{calls: calls, formats: map[int]*directFormat{}} }

// listen adds the events that this kernel has. Of requests that a thread waits for it need not tell, where it
// can be asked for the others alone.
func (d *direct) listen(instance *tracefs.Instance) error {
	for _, event := range directEvents {
		if !instance.Has("events/" + event.name) {
			continue
		}
		format, err := instance.Format(event.name)
		if err != nil {
			return err
		}
		d.add(event.name, event.direction, format, instance.Read("events/"+event.name+"/format"))
		if _, told := format.Fields["aio"]; told {
			_ = instance.Put("events/"+event.name+"/filter", "aio != 0")
		}
		if event.whole {
			break
		}
	}
	return nil
}

func (d *direct) add(name, direction string, format *tracefs.Format, text string) {
	made := &directFormat{
		device: format.Fields["dev"], inode: format.Fields["ino"], direction: format.Fields[direction],
		pos: either(format, "pos", "offset"), size: either(format, "count", "len"), writes: 1,
		always: direction == "" && name[len(name)-len("write"):] == "write",
	}
	if bit := writeFlag.FindStringSubmatch(text); bit != nil {
		shift, _ := strconv.Atoi(bit[1])
		made.writes = 1 << shift
	}
	d.formats[format.ID] = made
	d.calls.add(format.ID, newCallFormat(directBegin, false, format))
	d.calls.events = append(d.calls.events, name)
}

func either(format *tracefs.Format, names ...string) tracefs.Field {
	for _, name := range names {
		if found, ok := format.Fields[name]; ok {
			return found
		}
	}
	return tracefs.Field{}
}

func (d *direct) see(thread uint32, event tracefs.Event) {
	inside, known := d.calls.inside[thread]
	if !known || watchedCalls[inside.call].name != submitCall {
		return
	}
	format := d.formats[int(tracefs.Kind(event.Data))]
	d.seen++
	its := d.calls.files.byInode(format.device.Number(event.Data), format.inode.Number(event.Data))
	if its == nil || its.role == "" {
		return
	}
	d.filed++
	call := directRead
	if format.isWrite(event.Data) {
		call = directWrite
	}
	role := d.calls.roleAt(its.role, watchedCalls[call].operation, format.pos.Number(event.Data))
	totals := d.calls.totalsOf(callKey{role, call})
	totals.count++
	totals.result += format.size.Number(event.Data)
}

// mostUnfiled of the requests may be unknown before that is said.
const mostUnfiled = 20

// lost says what of the requests by io_submit is not known by file, in words that follow "because"; "" for
// nothing. submitted is how many the server handed over.
func (d *direct) lost(submitted uint64) string {
	switch {
	case submitted == 0 || mostUnfiled*(submitted-min(submitted, d.filed)) <= submitted:
		return ""
	case len(d.formats) == 0:
		return "this kernel does not tell the files of requests by io_submit, which the server uses (from Linux 6.5 " +
			"on it does, before on XFS, and on ext4 up to 5.4): they are among the disks' requests alone"
	case d.seen == 0:
		return "requests by io_submit, which the server uses, are not direct, or their file system does not tell of " +
			"them: they are among the disks' requests alone"
	}
	return "of a part of the requests by io_submit, which the server uses, the kernel does not tell the files: these " +
		"are among the disks' requests alone"
}

// isDirect is whether such requests are counted, and not timed.
func isDirect(call int) bool { return slices.Contains([]int{directRead, directWrite}, call) }
