package plan

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"leadline/agent/internal/faults"
)

const good = `{"protocol": 2,
 "file_sets": [{"id": "f1", "directory": "/var/tmp", "files": 2, "bytes_per_file": 1048577},
               {"id": "f2", "directory": "/var/tmp", "files": 1, "bytes_per_file": 65536, "content": "zeros", "settle": false}],
 "mysql": {"network": "unix", "address": "/s", "user": "u", "password": "p", "tls": "off", "database": "d",
           "tables": {"cached": {"name": "t", "key": "id", "column": "c", "min": 1, "max": 9},
                      "own": {"name": "o", "key": "id", "column": "c", "min": 1, "max": 9, "own": true}}},
 "calibrate": {"directory": "/dev/shm", "block_sizes": [4096], "threads": [1, 64]},
 "guard": {"table": "cached", "every_seconds": 0.1, "added_us": 50000, "threads_running": 64, "row_lock_waits": 16,
  "step_backs": 3, "end_seconds": 0.5, "recover_seconds": 30},
 "budget": {"seconds": 600, "read_bytes": 0, "written_bytes": 5},
 "io_priority": "idle",
 "watch": {"directories": ["/data"], "pids": [812]},
 "points": [
  {"id": "0", "probe": "random_read", "file_set": "f1", "block_size_bytes": 16384, "threads": 8, "seconds": 1, "warmup_seconds": 0.3,
   "within": 0.05, "least_seconds": 0.4, "seed": 7, "touch": "first"},
  {"id": "1", "probe": "redo_sync", "directory": "/d", "sync": "fsync", "block_size_bytes": 1000, "threads": 64, "seconds": 1, "log": "growing"},
  {"id": "2", "probe": "point_select", "table": "cached", "protocol": "sql", "threads": 1024, "seconds": 1},
  {"id": "3", "probe": "pk_update", "table": "own", "protocol": "prepared", "threads": 4, "seconds": 1},
  {"id": "4", "probe": "steady_write", "file_set": "f1", "block_size_bytes": 1048576, "threads": 2, "seconds": 60, "byte_limit": 9},
  {"id": "5", "probe": "page_flush", "file_set": "f1", "block_size_bytes": 4096, "threads": 3, "seconds": 1, "doublewrite": "legacy", "per_second": 0.5},
  {"id": "6", "probe": "mixed", "seconds": 2, "parts": {
    "flush": {"probe": "page_flush", "file_set": "f1", "block_size_bytes": 16384, "threads": 1, "doublewrite": "on", "batch_pages": 7},
    "reads": {"probe": "random_read", "file_set": "f1", "block_size_bytes": 16384, "threads": 96},
    "redo": {"probe": "redo_sync", "directory": "/d", "sync": "fdatasync", "block_size_bytes": 512, "threads": 1}}}],
 "more": true}`

func read(text string) (*Plan, error) {
	return Read(json.NewDecoder(strings.NewReader(text)))
}

func mustRead(t *testing.T) *Plan {
	t.Helper()
	plan, err := read(good)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestReadTakesTheWholePlan(t *testing.T) {
	plan := mustRead(t)
	if plan.FileSets[0].BytesPerFile != 1<<20 {
		t.Errorf("a file has %d bytes: not whole blocks", plan.FileSets[0].BytesPerFile)
	}
	if plan.MySQL.Tables["cached"].Max != 9 || !plan.MySQL.Tables["own"].Own || plan.Points[0].Seed != 7 {
		t.Errorf("values went missing: %+v", plan)
	}
	if plan.Guard.AddedUS != 50000 || plan.Budget.WrittenBytes != 5 || plan.Watch.PIDs[0] != 812 || !plan.More {
		t.Errorf("values went missing: %+v", plan)
	}
}

func TestWhatIsNotSaidIsAsUsual(t *testing.T) {
	plan := mustRead(t)
	usual, said := plan.FileSets[0], plan.FileSets[1]
	if usual.Content != Noise || !*usual.Settle || said.Content != Zeros || *said.Settle {
		t.Errorf("the file sets are %+v and %+v", usual, said)
	}
	mixed := plan.Points[6]
	if plan.Points[1].Log != Growing || mixed.Parts[Redo].Log != Preallocated {
		t.Error("a log is not as usual")
	}
	if plan.Points[5].BatchPages != 128 || mixed.Parts[Flush].BatchPages != 7 {
		t.Error("a batch is not as usual")
	}
}

func TestAMixedPointHasThePartsThreads(t *testing.T) {
	mixed := mustRead(t).Points[6]
	var probes []string
	for _, leaf := range mixed.Leaves() {
		probes = append(probes, leaf.Probe)
	}
	if !slices.Equal(probes, []string{RandomRead, RedoSync, PageFlush}) || mixed.AllThreads() != 98 {
		t.Errorf("%d threads do %v", mixed.AllThreads(), probes)
	}
	fewer := mixed.WithThreads(49)
	if fewer.Parts[Reads].Threads != 48 || fewer.Parts[Redo].Threads != 1 || fewer.Parts[Flush].Threads != 1 {
		t.Errorf("under a limit the parts are %+v", fewer.Parts)
	}
	if mixed.Parts[Reads].Threads != 96 {
		t.Error("the point itself was changed")
	}
}

func TestReadRefusesWhatCannotBeMeasured(t *testing.T) {
	for name, change := range map[string][2]string{
		"another protocol":    {`"protocol": 2`, `"protocol": 1`},
		"an unknown field":    {`"seed": 7`, `"sead": 7`},
		"an unknown probe":    {`"random_read"`, `"random_reed"`},
		"no such file set":    {`"file_set": "f1"`, `"file_set": "f3"`},
		"a file set twice":    {`"id": "f2"`, `"id": "f1"`},
		"an odd block":        {`16384`, `12288`},
		"a huge block":        {`16384`, `131072`},
		"no threads":          {`"threads": 8`, `"threads": 0`},
		"too many threads":    {`"threads": 1024`, `"threads": 1025`},
		"no time":             {`"seconds": 1, "warmup_seconds": 0.3`, `"seconds": 0, "warmup_seconds": 0.3`},
		"a negative warm-up":  {`"warmup_seconds": 0.3`, `"warmup_seconds": -1`},
		"an impossible width": {`"within": 0.05`, `"within": 1`},
		"least above most":    {`"least_seconds": 0.4`, `"least_seconds": 1.4`},
		"a relative folder":   {`"directory": "/var/tmp"`, `"directory": "tmp"`},
		"no files":            {`"files": 2`, `"files": 0`},
		"files too small":     {`1048577`, `4096`},
		"unknown content":     {`"zeros"`, `"ones"`},
		"unknown buffers":     {`"touch": "first"`, `"buffers": "small"`},
		"an unknown touch":    {`"touch": "first"`, `"touch": "last"`},
		"an unknown sync":     {`"fsync"`, `"sync"`},
		"an unknown log":      {`"growing"`, `"shrinking"`},
		"too many committers": {`"block_size_bytes": 1000, "threads": 64`, `"block_size_bytes": 1000, "threads": 65`},
		"no such table":       {`"table": "cached", "protocol"`, `"table": "hot", "protocol"`},
		"an unknown protocol": {`"sql"`, `"x"`},
		"an unknown tls":      {`"tls": "off"`, `"tls": "on"`},
		"a private network":   {`"unix", "address": "/s"`, `"tcp", "private": true, "address": "10.0.0.7:3306"`},
		"a private name":      {`"unix", "address": "/s"`, `"tcp", "private": true, "address": "localhost.example:3306"`},
		"tls for whoever listens": {`"network": "unix", "address": "/s", "user": "u", "password": "p", "tls": "off"`,
			`"network": "tcp", "address": "127.0.0.1:3306", "user": "u", "password": "p", "tls": "prefer"`},
		"no certificate":         {`"tls": "off"`, `"tls": "pinned"`},
		"an idle certificate":    {`"tls": "off"`, `"tls": "off", "certificate": "00"`},
		"no keys":                {`"max": 9}`, `"max": 0}`},
		"no JSON":                {`{"protocol"`, `{protocol`},
		"someone's table":        {`"own": true`, `"own": false`},
		"updates by handler":     {`"own", "protocol": "prepared"`, `"own", "protocol": "handler"`},
		"a limit below 0":        {`"byte_limit": 9`, `"byte_limit": -9`},
		"fewer blocks":           {`1048576, "threads": 2`, `1048576, "threads": 3`},
		"small steady blocks":    {`1048576, "threads": 2`, `2048, "threads": 2`},
		"unknown doublewrite":    {`"legacy"`, `"both"`},
		"a negative rate":        {`"per_second": 0.5`, `"per_second": -1`},
		"too large a batch":      {`"batch_pages": 7`, `"batch_pages": 1025`},
		"too small a page":       {`"block_size_bytes": 4096, "threads": 3`, `"block_size_bytes": 512, "threads": 3`},
		"an unknown part":        {`"flush": {`, `"flushes": {`},
		"a part's wrong probe":   {`"flush": {"probe": "page_flush"`, `"flush": {"probe": "random_write"`},
		"a part with a time":     {`"batch_pages": 7`, `"seconds": 7`},
		"a part's wrong set":     {`"f1", "block_size_bytes": 16384, "threads": 96`, `"f9", "block_size_bytes": 16384, "threads": 96`},
		"no parts":               {`"parts": {`, `"parts": {}, "x": {`},
		"calibrated nowhere":     {`"/dev/shm"`, `"shm"`},
		"an odd size calibrated": {`"block_sizes": [4096]`, `"block_sizes": [4097]`},
		"0 threads calibrated":   {`[1, 64]`, `[0, 64]`},
		"a table not guarded":    {`"guard": {"table": "cached"`, `"guard": {"table": "hot"`},
		"a restless guard":       {`"every_seconds": 0.1`, `"every_seconds": 0`},
		"a guard below 0":        {`"row_lock_waits": 16`, `"row_lock_waits": -16`},
		"step-backs below 0":     {`"step_backs": 3`, `"step_backs": -3`},
		"step-backs without end": {`"step_backs": 3`, `"step_backs": 300`},
		"an end without time":    {`"end_seconds": 0.5`, `"end_seconds": 0`},
		"an endless recovery":    {`"recover_seconds": 30`, `"recover_seconds": 3000`},
		"a budget below 0":       {`"read_bytes": 0`, `"read_bytes": -1`},
		"an unknown priority":    {`"idle"`, `"lazy"`},
		"a relative directory":   {`"/data"`, `"data"`},
		"no process":             {`812`, `-1`},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, change[0], change[1], 1)
			if text == good {
				t.Fatal("the change did not apply")
			}
			_, err := read(text)
			wantBadPlan(t, err)
		})
	}
}

func wantBadPlan(t *testing.T, err error) {
	t.Helper()
	var fault *faults.Fault
	if !errors.As(err, &fault) || fault.Code != faults.BadPlan || !fault.Fatal {
		t.Errorf("%v instead of a bad plan", err)
	}
}

func TestFurtherLinesAddPointsOrEndThePlan(t *testing.T) {
	decoder := json.NewDecoder(strings.NewReader(good + `
		{"points": [{"id": "7", "probe": "redo_sync", "directory": "/d", "sync": "fsync", "block_size_bytes": 512, "threads": 1, "seconds": 1}]}
		{"end": true}`))
	plan, err := Read(decoder)
	if err != nil {
		t.Fatal(err)
	}
	added, err := plan.ReadAddition(decoder)
	if err != nil || len(added.Points) != 1 || added.End || added.Points[0].Log != Preallocated {
		t.Fatalf("the first line was %+v (%v)", added, err)
	}
	ended, err := plan.ReadAddition(decoder)
	if err != nil || !ended.End {
		t.Fatalf("the second line was %+v (%v)", ended, err)
	}
	if _, err = plan.ReadAddition(decoder); err != io.EOF {
		t.Errorf("after the last line comes %v", err)
	}
}

func TestFurtherPointsAreCheckedToo(t *testing.T) {
	for _, line := range []string{
		`{"points": [{"id": "7", "probe": "random_read", "file_set": "f9", "block_size_bytes": 512, "threads": 1, "seconds": 1}]}`,
		`{"pints": []}`, `[`, `7`,
	} {
		decoder := json.NewDecoder(strings.NewReader(good + line))
		plan, err := Read(decoder)
		if err != nil {
			t.Fatal(err)
		}
		_, err = plan.ReadAddition(decoder)
		wantBadPlan(t, err)
	}
}

func TestPartsHaveTheBuffersOfTheWhole(t *testing.T) {
	points := mustRead(t).Points
	if points[0].Buffers != OrdinaryPages {
		t.Errorf("without a word buffers are %q", points[0].Buffers)
	}
	mixed := Point{Probe: Mixed, Buffers: HugePages, Parts: map[string]Point{Reads: {}, Flush: {Buffers: OrdinaryPages}}}
	mixed.complete()
	if mixed.Parts[Reads].Buffers != HugePages || mixed.Parts[Flush].Buffers != OrdinaryPages {
		t.Errorf("the parts have %+v", mixed.Parts)
	}
}
