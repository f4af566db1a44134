package tracefs

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func recorded(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// The page holds 20 reads of a page each, one after the other, by descriptor 77; between them reads of 100
// bytes, whose beginnings a filter discarded; a pause after the tenth; and a sync.
func TestARecordedPageIsRead(t *testing.T) {
	layout, err := ParseLayout(recorded(t, "header-6.18"))
	if err != nil || layout.PageBytes() != 4096 {
		t.Fatalf("%+v, %v", layout, err)
	}
	formats := map[uint16]string{}
	kinds := map[string]*Format{}
	for _, name := range []string{"sys_enter_pread64", "sys_exit_pread64", "sys_enter_fdatasync", "sys_exit_fdatasync"} {
		format, err := ParseFormat(recorded(t, name+"-6.18"))
		if err != nil {
			t.Fatal(err)
		}
		formats[uint16(format.ID)], kinds[name] = name, format
	}
	page := layout.Open([]byte(recorded(t, "page-6.18")))
	if page.Missed {
		t.Error("nothing was lost")
	}
	seen := map[string]int{}
	begun, longest := uint64(0), uint64(0)
	for event, ok := page.Next(); ok; event, ok = page.Next() {
		name := formats[Kind(event)]
		seen[name]++
		fields := kinds[name].Fields
		switch name {
		case "sys_enter_pread64":
			if begun != 0 {
				longest = max(longest, page.Time-begun)
			}
			begun = page.Time
			position := uint64(seen[name]-1) * 16384
			if fields["fd"].Number(event) != 77 || fields["count"].Number(event) != 16384 || fields["pos"].Number(event) != position {
				t.Errorf("read %d is % x", seen[name], event)
			}
		case "sys_exit_pread64":
			if got := fields["ret"].Number(event); got != 16384 && got != 100 {
				t.Errorf("a read returned %d", got)
			}
		case "sys_exit_fdatasync":
			if fields["ret"].Number(event) != 0 {
				t.Errorf("the sync is % x", event)
			}
		}
	}
	if fmt.Sprint(seen) != "map[sys_enter_fdatasync:1 sys_enter_pread64:20 sys_exit_fdatasync:1 sys_exit_pread64:40]" {
		t.Errorf("seen %v", seen)
	}
	if longest < 300e6 || longest > 60e9 {
		t.Errorf("the pause of 0.3 s took %d ns", longest)
	}
}

const (
	wideHeader = `	field: u64 timestamp;	offset:0;	size:8;	signed:0;
	field: local_t commit;	offset:8;	size:8;	signed:1;
	field: int overwrite;	offset:8;	size:1;	signed:1;
	field: char data;	offset:16;	size:4080;	signed:1;
`
	narrowHeader = `	field: u64 timestamp;	offset:0;	size:8;	signed:0;
	field: local_t commit;	offset:8;	size:4;	signed:1;
	field: char data;	offset:12;	size:65524;	signed:1;
`
)

// entry is a header with words behind it.
func entry(kind, delta uint32, words ...uint32) []byte {
	made := binary.LittleEndian.AppendUint32(nil, delta<<5|kind)
	for _, word := range words {
		made = binary.LittleEndian.AppendUint32(made, word)
	}
	return made
}

// pageOf puts entries into a page as this layout has it.
func pageOf(layout Layout, time, flags uint64, entries ...[]byte) []byte {
	page := make([]byte, layout.PageBytes())
	binary.LittleEndian.PutUint64(page[layout.time.Offset:], time)
	at := layout.data.Offset
	for _, one := range entries {
		at += copy(page[at:], one)
	}
	commit := uint64(at-layout.data.Offset) | flags
	if layout.commit.Size == 8 {
		binary.LittleEndian.PutUint64(page[layout.commit.Offset:], commit)
	} else {
		binary.LittleEndian.PutUint32(page[layout.commit.Offset:], uint32(commit))
	}
	return page
}

func TestEveryKindOfEntryIsRead(t *testing.T) {
	for _, header := range []string{wideHeader, narrowHeader} {
		layout, err := ParseLayout(header)
		if err != nil {
			t.Fatal(err)
		}
		const begun = 5<<59 + 1000
		page := layout.Open(pageOf(layout, begun, missed,
			entry(2, 10, 0xa1, 0xa2),
			entry(timeExtend, 5, 3),
			entry(longEvent, 1, 12, 0xb1, 0xb2),
			entry(padding, 7, 8, 0),
			entry(timeStamp, 9, 2),
			entry(1, 0, 0xc1),
			entry(padding, 0),
			entry(1, 0, 0xd1),
		))
		if !page.Missed {
			t.Error("what was lost is not told")
		}
		type found struct {
			time  uint64
			bytes int
			first byte
		}
		var all []found
		for event, ok := page.Next(); ok; event, ok = page.Next() {
			all = append(all, found{page.Time - 5<<59, len(event), event[0]})
		}
		extended := uint64(1000 + 10 + 3<<timeBits + 5)
		want := []found{{1010, 8, 0xa1}, {extended + 1, 8, 0xb1}, {2<<timeBits + 9, 4, 0xc1}}
		if fmt.Sprint(all) != fmt.Sprint(want) {
			t.Errorf("found %v instead of %v", all, want)
		}
	}
}

func TestDamagedPagesEnd(t *testing.T) {
	layout, err := ParseLayout(wideHeader)
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range map[string][]byte{
		"nothing": nil, "a header alone": make([]byte, 16), "shorter than it says": pageOf(layout, 1, 4000)[:20],
		"an event past the end": pageOf(layout, 1, 0, entry(28, 1)), "no length": pageOf(layout, 1, 0, entry(longEvent, 1, 0)),
	} {
		opened := layout.Open(page)
		for range 2000 {
			if _, ok := opened.Next(); !ok {
				break
			}
		}
		if _, ok := opened.Next(); ok {
			t.Errorf("%s has no end", name)
		}
	}
	for _, text := range []string{
		"", "nonsense", "field: u64 timestamp; offset:0; size:8;",
		"field: u64 timestamp; offset:0; size:8;\nfield: local_t commit; offset:8; size:8;\nfield: char data; offset:12; size:4080;",
		"field: u64 timestamp; offset:0; size:8;\nfield: local_t commit; offset:8; size:8;\nfield: char data; offset:16; size:99999999;",
	} {
		if _, err := ParseLayout(text); err == nil {
			t.Errorf("%q is taken for a layout", text)
		}
	}
}

func FuzzPage(f *testing.F) {
	layout, err := ParseLayout(wideHeader)
	if err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile("testdata/page-6.18")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add(pageOf(layout, 1, missed, entry(timeExtend, 5, 3), entry(longEvent, 1, 12, 1, 2), entry(padding, 7, 8)))
	f.Fuzz(func(t *testing.T, data []byte) {
		page := layout.Open(data)
		bytes := 0
		for event, ok := page.Next(); ok; event, ok = page.Next() {
			bytes += len(event)
			_ = Field{Offset: 4, Size: 8}.Number(event)
			_ = Field{Offset: 4, Size: 8}.Text(event)
			_ = Kind(event)
		}
		if bytes > len(data) {
			t.Errorf("%d bytes of events in %d", bytes, len(data))
		}
	})
}

func FuzzFormat(f *testing.F) {
	f.Add(wideHeader)
	for _, text := range issueFormats {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = ParseLayout(text)
		format, err := ParseFormat(text)
		if err != nil {
			return
		}
		for _, field := range format.Fields {
			_ = field.Number(make([]byte, 64))
			_ = field.Text(make([]byte, 64))
		}
	})
}
