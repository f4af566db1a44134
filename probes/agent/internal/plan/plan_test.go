package plan

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"leadline/agent/internal/faults"
)

const good = `{"protocol": 1,
 "file_sets": [{"id": "f1", "directory": "/var/tmp", "files": 2, "bytes_per_file": 1048577}],
 "mysql": {"network": "unix", "address": "/s", "user": "u", "password": "p", "tls": "off", "database": "d",
           "tables": {"cached": {"name": "t", "key": "id", "column": "c", "min": 1, "max": 9}}},
 "points": [
  {"id": "0", "probe": "random_read", "file_set": "f1", "block_size_bytes": 16384, "threads": 8, "seconds": 1, "warmup_seconds": 0.3, "seed": 7},
  {"id": "1", "probe": "redo_sync", "directory": "/d", "sync": "fsync", "block_size_bytes": 1000, "threads": 1, "seconds": 1},
  {"id": "2", "probe": "point_select", "table": "cached", "protocol": "sql", "threads": 1024, "seconds": 1}]}`

func read(text string) (*Plan, error) {
	return Read(json.NewDecoder(strings.NewReader(text)))
}

func TestReadTakesTheWholePlan(t *testing.T) {
	plan, err := read(good)
	if err != nil {
		t.Fatal(err)
	}
	if plan.FileSets[0].BytesPerFile != 1<<20 {
		t.Errorf("a file has %d bytes: not whole blocks", plan.FileSets[0].BytesPerFile)
	}
	if plan.LastUse("f1") != 0 || plan.LastRedo("/d") != 1 {
		t.Errorf("the last uses are %d and %d", plan.LastUse("f1"), plan.LastRedo("/d"))
	}
	if plan.MySQL.Tables["cached"].Max != 9 || plan.Points[0].Seed != 7 {
		t.Errorf("values went missing: %+v", plan)
	}
}

func TestReadRefusesWhatCannotBeMeasured(t *testing.T) {
	for name, change := range map[string][2]string{
		"another protocol":    {`"protocol": 1`, `"protocol": 2`},
		"an unknown field":    {`"seed": 7`, `"sead": 7`},
		"an unknown probe":    {`"random_read"`, `"random_reed"`},
		"no such file set":    {`"file_set": "f1"`, `"file_set": "f2"`},
		"an odd block":        {`16384`, `12288`},
		"a huge block":        {`16384`, `131072`},
		"no threads":          {`"threads": 8`, `"threads": 0`},
		"too many threads":    {`"threads": 1024`, `"threads": 1025`},
		"no time":             {`"seconds": 1, "warmup_seconds": 0.3`, `"seconds": 0, "warmup_seconds": 0.3`},
		"a negative warm-up":  {`"warmup_seconds": 0.3`, `"warmup_seconds": -1`},
		"a relative folder":   {`"directory": "/var/tmp"`, `"directory": "tmp"`},
		"no files":            {`"files": 2`, `"files": 0`},
		"files too small":     {`1048577`, `4096`},
		"an unknown sync":     {`"fsync"`, `"sync"`},
		"two redo writers":    {`"block_size_bytes": 1000, "threads": 1`, `"block_size_bytes": 1000, "threads": 2`},
		"no such table":       {`"table": "cached"`, `"table": "hot"`},
		"an unknown protocol": {`"sql"`, `"x"`},
		"an unknown tls":      {`"tls": "off"`, `"tls": "on"`},
		"no keys":             {`"max": 9`, `"max": 0`},
		"no JSON":             {`{"protocol"`, `{protocol`},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, change[0], change[1], 1)
			if text == good {
				t.Fatal("the change did not apply")
			}
			_, err := read(text)
			var fault *faults.Fault
			if !errors.As(err, &fault) || fault.Code != faults.BadPlan || !fault.Fatal {
				t.Errorf("%v instead of a bad plan", err)
			}
		})
	}
}
