package inventory

import (
	"os"
	"path/filepath"
	"strings"
)

// device is a block device as sysfs shows it. Parent is the whole disk of a partition, and the
// device itself otherwise.
type device struct {
	Name   string            `json:"name"`
	Files  map[string]string `json:"files"`
	Slaves []string          `json:"slaves"`
	Parent string            `json:"parent"`
	Path   string            `json:"path"`
	Queues int               `json:"queues"`
	// Interrupts are those of the device that the disk hangs on, each with the processors that answer.
	Interrupts map[string]string `json:"interrupts,omitempty"`
}

// devicePatterns name what is read about a device. Serial numbers are nobody's business.
var devicePatterns = []string{
	"size", "ro", "removable", "partition", "start", "alignment_offset", "stat", "inflight",
	"queue/*",
	"dm/name", "dm/uuid",
	"md/level", "md/raid_disks", "md/chunk_size", "md/metadata_version", "md/degraded",
	"md/sync_action", "md/array_state", "md/consistency_policy", "md/layout",
	"bcache/cache_mode", "bcache/state",
	"device/model", "device/vendor", "device/rev", "device/firmware_rev", "device/transport",
	"device/state", "device/queue_depth", "device/type", "device/numa_node", "device/address",
	"device/device/numa_node", "device/device/vendor", "device/device/device",
	"loop/backing_file", "loop/dio", "backing_dev",
	"cache_type", "device/scsi_disk/*/cache_type",
}

// blockReader collects devices and everything below them.
type blockReader struct {
	root  string
	found map[string]*device
}

// add reads the device with this number, unless it is none or known already.
func (b *blockReader) add(number string) {
	if number == "" || b.found[number] != nil {
		return
	}
	directory, err := filepath.EvalSymlinks(filepath.Join(b.root, "sys/dev/block", number))
	if err != nil {
		return
	}
	read := b.read(number, directory)
	b.found[number] = read
	b.add(read.Parent)
	for _, slave := range read.Slaves {
		b.add(slave)
	}
}

func (b *blockReader) read(number, directory string) *device {
	sys := filepath.Join(b.root, "sys")
	read := &device{
		Name:   filepath.Base(directory),
		Files:  deviceFiles(directory),
		Slaves: numbersIn(filepath.Join(directory, "slaves")),
		Parent: number,
		Path:   strings.TrimPrefix(directory, sys),
		Queues: entries(filepath.Join(directory, "mq")),
	}
	if _, ok := read.Files["partition"]; ok {
		if parent, ok := readText(filepath.Join(filepath.Dir(directory), "dev")); ok {
			read.Parent = strings.TrimSpace(parent)
		}
	} else {
		read.Interrupts = interrupts(b.root, directory)
	}
	return read
}

func deviceFiles(directory string) map[string]string {
	files := map[string]string{}
	for _, pattern := range devicePatterns {
		matches, err := filepath.Glob(filepath.Join(directory, pattern))
		if err != nil {
			continue
		}
		for _, match := range matches {
			if content, ok := readText(match); ok {
				files[match[len(directory)+1:]] = strings.TrimSpace(content)
			}
		}
	}
	return files
}

// numbersIn lists the devices that a folder of sysfs links to.
func numbersIn(directory string) []string {
	numbers := []string{}
	links, err := os.ReadDir(directory)
	if err != nil {
		return numbers
	}
	for _, link := range links {
		if number, ok := readText(filepath.Join(directory, link.Name(), "dev")); ok {
			numbers = append(numbers, strings.TrimSpace(number))
		}
	}
	return numbers
}

func entries(directory string) int {
	list, err := os.ReadDir(directory)
	if err != nil {
		return 0
	}
	return len(list)
}
