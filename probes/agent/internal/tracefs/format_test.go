package tracefs

import (
	"encoding/binary"
	"testing"
)

const common = `format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

`

// issueFormats are how kernels tell of a request that is handed to its driver.
var issueFormats = map[string]string{
	"3.10": "name: block_rq_issue\nID: 672\n" + common + `	field:dev_t dev;	offset:8;	size:4;	signed:0;
	field:sector_t sector;	offset:16;	size:8;	signed:0;
	field:unsigned int nr_sector;	offset:24;	size:4;	signed:0;
	field:unsigned int bytes;	offset:28;	size:4;	signed:0;
	field:char rwbs[8];	offset:32;	size:8;	signed:1;
	field:char comm[16];	offset:40;	size:16;	signed:1;
	field:__data_loc char[] cmd;	offset:56;	size:4;	signed:1;

print fmt: "%d,%d %s %u (%s) %llu + %u [%s]", ((unsigned int) ((REC->dev) >> 20)), REC->comm
`,
	// As Red Hat's kernel for real time has it, with a fifth common field.
	"4.18-rt": "name: block_rq_issue\nID: 1159\n" + `format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;
	field:unsigned char common_preempt_lazy_count;	offset:8;	size:1;	signed:0;

	field:dev_t dev;	offset:12;	size:4;	signed:0;
	field:sector_t sector;	offset:16;	size:8;	signed:0;
	field:unsigned int nr_sector;	offset:24;	size:4;	signed:0;
	field:unsigned int bytes;	offset:28;	size:4;	signed:0;
	field:char rwbs[8];	offset:32;	size:8;	signed:1;
	field:char comm[16];	offset:40;	size:16;	signed:1;
	field:__data_loc char[] cmd;	offset:56;	size:4;	signed:1;
`,
	"5.14": "name: block_rq_issue\nID: 1230\n" + common + `	field:dev_t dev;	offset:8;	size:4;	signed:0;
	field:sector_t sector;	offset:16;	size:8;	signed:0;
	field:unsigned int nr_sector;	offset:24;	size:4;	signed:0;
	field:unsigned int bytes;	offset:28;	size:4;	signed:0;
	field:char rwbs[8];	offset:32;	size:8;	signed:1;
	field:char comm[16];	offset:40;	size:16;	signed:1;
	field:__data_loc char[] cmd;	offset:56;	size:4;	signed:1;
`,
	"6.18": "name: block_rq_issue\nID: 2104\n" + common + `	field:dev_t dev;	offset:8;	size:4;	signed:0;
	field:sector_t sector;	offset:16;	size:8;	signed:0;
	field:unsigned int nr_sector;	offset:24;	size:4;	signed:0;
	field:unsigned int bytes;	offset:28;	size:4;	signed:0;
	field:unsigned short ioprio;	offset:32;	size:2;	signed:0;
	field:char rwbs[10];	offset:34;	size:10;	signed:0;
	field:char comm[16];	offset:44;	size:16;	signed:0;
	field:__data_loc char[] cmd;	offset:60;	size:4;	signed:0;
`,
}

func TestFormatsOfManyKernelsAreRead(t *testing.T) {
	for kernel, text := range issueFormats {
		format, err := ParseFormat(text)
		if err != nil {
			t.Fatalf("%s: %v", kernel, err)
		}
		event := make([]byte, 64)
		device, letters := format.Fields["dev"], format.Fields["rwbs"]
		binary.LittleEndian.PutUint16(event, uint16(format.ID))
		binary.LittleEndian.PutUint32(event[device.Offset:], 254<<20|1)
		copy(event[letters.Offset:], "WFS")
		if int(Kind(event)) != format.ID || device.Number(event) != 254<<20|1 || string(letters.Text(event)) != "WFS" {
			t.Errorf("%s: %+v", kernel, format)
		}
		if len(format.Fields) < 10 || format.Fields["common_pid"].Size != 4 {
			t.Errorf("%s: %d fields", kernel, len(format.Fields))
		}
	}
	for _, text := range []string{"", "ID: 5\n", "ID: 70000\n" + common, "ID: x\n" + common, common} {
		if _, err := ParseFormat(text); err == nil {
			t.Errorf("%q is taken for a format", text)
		}
	}
}

// enterFormats are how kernels tell that a thread begins to read: the number of the call bears another name.
var enterFormats = map[string]string{
	"3.10": "name: sys_enter_pread64\nID: 545\n" + common + `	field:int nr;	offset:8;	size:4;	signed:1;
	field:unsigned int fd;	offset:16;	size:8;	signed:0;
	field:char * buf;	offset:24;	size:8;	signed:0;
	field:size_t count;	offset:32;	size:8;	signed:0;
	field:loff_t pos;	offset:40;	size:8;	signed:0;

print fmt: "fd: 0x%08lx, buf: 0x%08lx, count: 0x%08lx, pos: 0x%08lx", ((unsigned long)(REC->fd))
`,
	"5.14": "name: sys_enter_pread64\nID: 710\n" + common + `	field:int __syscall_nr;	offset:8;	size:4;	signed:1;
	field:unsigned int fd;	offset:16;	size:8;	signed:0;
	field:char * buf;	offset:24;	size:8;	signed:0;
	field:size_t count;	offset:32;	size:8;	signed:0;
	field:loff_t pos;	offset:40;	size:8;	signed:0;
`,
}

func TestCallsOfManyKernelsAreRead(t *testing.T) {
	for kernel, text := range enterFormats {
		format, err := ParseFormat(text)
		if err != nil {
			t.Fatalf("%s: %v", kernel, err)
		}
		event := make([]byte, 48)
		for at, name := range []string{"fd", "buf", "count", "pos"} {
			binary.LittleEndian.PutUint64(event[format.Fields[name].Offset:], uint64(at+1)<<32)
			if got := format.Fields[name].Number(event); got != uint64(at+1)<<32 {
				t.Errorf("%s: %s is %x", kernel, name, got)
			}
		}
	}
}

func TestNumbersOfEverySizeAreRead(t *testing.T) {
	event := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}
	for field, want := range map[Field]uint64{
		{0, 1, false}: 0xff, {0, 2, false}: 0xffff, {0, 4, false}: 0xffffffff, {0, 8, true}: ^uint64(0),
		{0, 4, true}: ^uint64(0), {2, 8, false}: 0, {0, 3, false}: 0, {}: 0, {8, 1, false}: 1,
	} {
		if got := field.Number(event); got != want {
			t.Errorf("%+v is %x instead of %x", field, got, want)
		}
	}
	if text := (Field{Offset: 8, Size: 4}).Text(event); text != nil {
		t.Errorf("past the end there is %q", text)
	}
}
