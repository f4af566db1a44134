package trace

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/tracefs"
)

// iocb is a request as io_submit takes it (linux/aio_abi.h).
type iocb struct {
	_, _   uint64
	opcode uint16
	_      uint16
	fd     uint32
	buffer uint64
	bytes  uint64
	offset int64
	_      uint64
	_, _   uint32
}

const (
	aioRead, aioWrite = 0, 1
	// What the server of these tests submits each time that it is asked.
	submittedReads, submittedWrites = 40, 15
)

// submit hands requests over to the kernel for each line that it reads: direct reads of a table's file and
// writes of an undo tablespace's.
func submit(directory string) {
	must := func(err error) {
		if err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
	}
	open := func(name string) uint32 {
		fd, err := unix.Open(filepath.Join(directory, name), unix.O_RDWR|unix.O_CREAT|unix.O_DIRECT, 0o600)
		must(err)
		must(unix.Fallocate(fd, 0, 0, dataPages*pageBytes))
		return uint32(fd)
	}
	data, undo := open("a.ibd"), open("undo_001")
	page, err := unix.Mmap(-1, 0, pageBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	must(err)
	var context uintptr
	call := func(number uintptr, arguments ...uintptr) {
		arguments = append(arguments, make([]uintptr, 5-len(arguments))...)
		failed := unix.EINTR
		// A wait ends early where Go's scheduler signals the thread that waits.
		for failed == unix.EINTR {
			_, _, failed = unix.Syscall6(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], 0)
		}
		if failed != 0 {
			must(failed)
		}
	}
	call(unix.SYS_IO_SETUP, 16, uintptr(unsafe.Pointer(&context)))
	one := func(opcode uint16, fd uint32, at int) {
		request := &iocb{
			opcode: opcode, fd: fd, buffer: uint64(uintptr(unsafe.Pointer(&page[0]))), bytes: pageBytes,
			offset: int64(at * pageBytes),
		}
		var ended [4]uint64
		call(unix.SYS_IO_SUBMIT, context, 1, uintptr(unsafe.Pointer(&request)))
		call(unix.SYS_IO_GETEVENTS, context, 1, 1, uintptr(unsafe.Pointer(&ended)))
	}
	fmt.Println("ready")
	asked := bufio.NewScanner(os.Stdin)
	for asked.Scan() {
		for at := range submittedReads {
			one(aioRead, data, at)
		}
		for at := range submittedWrites {
			one(aioWrite, undo, at)
		}
		// A thread that waits by itself.
		_, err := unix.Pread(int(data), page, 0)
		must(err)
		fmt.Println("done")
	}
}

func TestRequestsByIOSubmitAreCountedByTheRolesOfTheirFiles(t *testing.T) {
	directory, err := os.MkdirTemp("/var/tmp", "leadline-trace-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(directory) }()
	fd, err := unix.Open(filepath.Join(directory, "probe"), unix.O_RDWR|unix.O_CREAT|unix.O_DIRECT, 0o600)
	if err != nil {
		t.Skip("O_DIRECT is refused:", err)
	}
	_ = unix.Close(fd)
	serving := aProgram(t, "submit", directory)
	tracing := started(t, Request{PID: serving.command.Process.Pid, PageBytes: pageBytes})
	if len(tracing.calls.direct.formats) == 0 {
		tracing.Stop()
		t.Skip("this kernel does not tell of direct requests")
	}
	const times = 2
	for range times {
		serving.ask()
	}
	var missing []string
	tracing.miss = func(what, because string) { missing = append(missing, what+": "+because) }
	report := tracing.Stop()
	wantNothing(t, tracing.base)
	found := map[string]Call{}
	for _, call := range report.Calls {
		found[fmt.Sprint(call.Role, " ", call.Call)] = call
	}
	for name, count := range map[string]uint64{
		"data io_submit_read": times * submittedReads, "undo io_submit_write": times * submittedWrites,
	} {
		if got := found[name]; got.Count != count || got.Bytes != count*pageBytes {
			t.Errorf("%s is %+v instead of %d (missing %v)", name, got, count, missing)
		}
	}
	if got := found["data pread64"]; got.Count != times {
		t.Errorf("what a thread waits for is %+v", got)
	}
	if got := found["other io_submit"]; got.Requests != times*(submittedReads+submittedWrites) {
		t.Errorf("handed over were %+v", got)
	}
	for _, row := range report.Series.Rows {
		if row.Role == Undo {
			t.Errorf("what is not timed has a course: %+v", row)
		}
	}
	if len(missing) > 0 {
		t.Errorf("missing are %v", missing)
	}
}

// directText describes an event as a kernel of that time does.
func directText(fields string) string {
	text := "ID: 9\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	for at, field := range strings.Fields(fields) {
		text += fmt.Sprintf("\tfield:u64 %s;\toffset:%d;\tsize:8;\tsigned:0;\n", field, 8+8*at)
	}
	return text
}

func TestOlderKernelsTellOfDirectRequestsByFileSystem(t *testing.T) {
	folder := t.TempDir()
	file, err := os.Create(filepath.Join(folder, "ibdata1"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var info unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &info); err != nil {
		t.Fatal(err)
	}
	device := uint64(unix.Major(uint64(info.Dev)))<<20 | uint64(unix.Minor(uint64(info.Dev)))
	const writing = 1 << 18
	for _, each := range []struct {
		name, direction, fields, more string
		values                        []uint64
		want                          string
	}{
		{"xfs/xfs_file_direct_write", "", "dev ino size offset count", "", []uint64{9, 0, 4096}, "system io_submit_write 4096"},
		{"xfs/xfs_file_direct_read", "", "dev ino size offset count", "", []uint64{9, 0, 4096}, "system io_submit_read 4096"},
		{"ext4/ext4_direct_IO_enter", "rw", "dev ino pos len rw", "", []uint64{2 << 20, 4096, 1}, "doublewrite io_submit_write 4096"},
		{"ext4/ext4_direct_IO_enter", "rw", "dev ino pos len rw", "", []uint64{2 << 20, 4096, 0}, "system io_submit_read 4096"},
		{"iomap/iomap_dio_rw_begin", "ki_flags", "dev ino pos count ki_flags", `{ (1 << 18), "WRITE" }`, []uint64{0, 512, writing | 1}, "system io_submit_write 512"},
		{"iomap/iomap_dio_rw_begin", "ki_flags", "dev ino pos count ki_flags", `{ (1 << 18), "WRITE" }`, []uint64{0, 512, 1}, "system io_submit_read 512"},
	} {
		text := directText(each.fields)
		format, err := tracefs.ParseFormat(text)
		if err != nil {
			t.Fatal(err)
		}
		seen := emptyCalls(newFiles("/", os.Getpid(), nil), 16384, newSeries(0))
		seen.direct.add(each.name, each.direction, format, text+each.more)
		event := eventOf(1000, 9, "", append([]uint64{device, info.Ino}, each.values...)...)
		seen.see(event) // outside of io_submit
		submits := 0
		for at, watched := range watchedCalls {
			if watched.name == submitCall {
				submits = at
			}
		}
		seen.inside[uint32(seen.byID[9].thread.Number(event.Data))] = calling{begun: 900, call: submits, file: asynchronous}
		seen.see(event)
		var got []string
		for key, totals := range seen.totals {
			got = append(got, fmt.Sprint(key.role, " ", watchedCalls[key.call].name, " ", totals.result))
		}
		if fmt.Sprint(got) != fmt.Sprint([]string{each.want}) {
			t.Errorf("%s: %v instead of %s", each.name, got, each.want)
		}
	}
}

func TestWhatIsNotKnownOfRequestsByIOSubmitIsSaid(t *testing.T) {
	formats := map[int]*directFormat{9: {}}
	for _, each := range []struct {
		direct    direct
		submitted uint64
		want      string
	}{
		{direct{}, 0, ""},
		{direct{}, 10, "this kernel does not tell"},
		{direct{formats: formats}, 10, "are not direct"},
		{direct{formats: formats, seen: 100, filed: 96}, 100, ""},
		{direct{formats: formats, seen: 100, filed: 80}, 100, "of a part of the requests"},
	} {
		got := each.direct.lost(each.submitted)
		if (each.want == "") != (got == "") || !strings.Contains(got, each.want) {
			t.Errorf("%+v of %d: %q", each.direct, each.submitted, got)
		}
	}
}

func TestAClosedFilesInodeIsForgotten(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "undo_001"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var info unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &info); err != nil {
		t.Fatal(err)
	}
	device := uint64(unix.Major(uint64(info.Dev)))<<20 | uint64(unix.Minor(uint64(info.Dev)))
	seen := newFiles("/", os.Getpid(), nil)
	if found := seen.byInode(device, info.Ino); found == nil || found.role != Undo {
		t.Fatalf("it is %+v", found)
	}
	seen.forget(uint64(file.Fd()))
	if found := seen.byInode(device, info.Ino); found != nil {
		t.Errorf("it still is %+v", found)
	}
	seen.listed = false
	if found := seen.byInode(device, info.Ino); found == nil {
		t.Error("it is not looked for again")
	}
}
