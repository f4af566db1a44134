package watch

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"leadline/agent/internal/inventory"
)

// sectorBytes is the unit of the kernel's counters, whatever the device's own sectors are.
const sectorBytes = 512

// traffic is what a device has done since it appeared; times in milliseconds. The kernel's
// Documentation/block/stat.rst tells what each counter means.
type traffic struct {
	reads, readSectors, readMS    uint64
	writes, wroteSectors, writeMS uint64
	busyMS, queueMS               uint64
}

func (t traffic) plus(other traffic) traffic {
	return traffic{
		t.reads + other.reads, t.readSectors + other.readSectors, t.readMS + other.readMS,
		t.writes + other.writes, t.wroteSectors + other.wroteSectors, t.writeMS + other.writeMS,
		t.busyMS + other.busyMS, t.queueMS + other.queueMS,
	}
}

// minus is what was done since earlier; counters never go back but where a device was replaced.
func (t traffic) minus(earlier traffic) traffic {
	return traffic{
		since(t.reads, earlier.reads), since(t.readSectors, earlier.readSectors), since(t.readMS, earlier.readMS),
		since(t.writes, earlier.writes), since(t.wroteSectors, earlier.wroteSectors), since(t.writeMS, earlier.writeMS),
		since(t.busyMS, earlier.busyMS), since(t.queueMS, earlier.queueMS),
	}
}

func since(now, earlier uint64) uint64 {
	if now < earlier {
		return 0
	}
	return now - earlier
}

// device is what lies below a directory: mostly one disk, several where a file system spreads.
type device struct {
	name  string
	stats []*file
}

// disksBelow is empty where one directory's disks are unknown: the others alone would look as if
// they had done everything.
func disksBelow(root string, directories []string) []inventory.Disk {
	var all []inventory.Disk
	for _, directory := range directories {
		disks := inventory.DisksBelow(root, directory)
		if len(disks) == 0 {
			return nil
		}
		for _, disk := range disks {
			if !slices.Contains(all, disk) {
				all = append(all, disk)
			}
		}
	}
	return all
}

// openDisks is one device of them all. Without a name nothing is known: memory, a network, or a device
// that does not count.
func openDisks(root string, disks []inventory.Disk) *device {
	opened := &device{}
	var names []string
	for _, disk := range disks {
		folder := filepath.Join(root, "sys/dev/block", disk.Number)
		stat := openFile(filepath.Join(folder, "stat"))
		if stat == nil || !counts(folder) {
			stat.close()
			opened.close()
			return &device{}
		}
		names = append(names, disk.Name)
		opened.stats = append(opened.stats, stat)
	}
	opened.name = strings.Join(names, "+")
	return opened
}

// counts tells whether the device keeps its counters; somebody may have switched that off.
func counts(folder string) bool {
	switched := openFile(filepath.Join(folder, "queue/iostats"))
	defer switched.close()
	return !bytes.HasPrefix(switched.read(), []byte("0"))
}

// now is false when the device can't be read.
func (d *device) now() (counters, bool) {
	sum := counters{hasFlushes: true}
	for _, stat := range d.stats {
		one, ok := readCounters(stat.read())
		if !ok {
			return counters{}, false
		}
		sum = sum.plus(one)
	}
	return sum, len(d.stats) > 0
}

// counters are all that the kernel tells of a device. Flushes are counted from Linux 5.5 on.
type counters struct {
	traffic
	inFlight         uint64
	flushes, flushMS uint64
	hasFlushes       bool
}

func (c counters) plus(other counters) counters {
	return counters{
		c.traffic.plus(other.traffic), c.inFlight + other.inFlight,
		c.flushes + other.flushes, c.flushMS + other.flushMS, c.hasFlushes && other.hasFlushes,
	}
}

// readCounters reads sysfs' line of a device: 11 numbers at first, 15 with discards (4.18), 17 with
// flushes (5.5).
func readCounters(line []byte) (counters, bool) {
	const first = 11
	var field [17]uint64
	known := numbers(line, field[:])
	if known < first {
		return counters{}, false
	}
	return counters{
		traffic: traffic{
			reads: field[0], readSectors: field[2], readMS: field[3],
			writes: field[4], wroteSectors: field[6], writeMS: field[7],
			busyMS: field[9], queueMS: field[10],
		},
		inFlight: field[8],
		flushes:  field[15], flushMS: field[16], hasFlushes: known == len(field),
	}, true
}

func (d *device) close() {
	for _, stat := range d.stats {
		stat.close()
	}
	d.stats = nil
}
