package inventory

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Disk is a block device whose counters tell what was done to a directory's storage.
type Disk struct {
	Name   string
	Number string
}

// KernelNumber is the number as the kernel keeps it: the major one in the upper bits.
func (d Disk) KernelNumber() (uint64, bool) {
	const minorBits = 20
	major, minor, ok := strings.Cut(d.Number, ":")
	upper, upperErr := strconv.ParseUint(major, 10, 12)
	lower, lowerErr := strconv.ParseUint(minor, 10, minorBits)
	return upper<<minorBits | lower, ok && upperErr == nil && lowerErr == nil
}

// DisksBelow finds the devices that hold directory, seen from root: whole disks, where a partition
// or a volume lies on one alone; the volume itself, where it spreads over several, since its own
// counters are then those that match what was asked of it. Empty where there is no block device
// (memory, a network, ZFS).
func DisksBelow(root, directory string) []Disk { return OwnView(root).Disks(root, directory) }

// Disks is DisksBelow for a directory as a process sees it. Below a container's overlay they are those of the
// directory on this machine that takes what is written.
func (v View) Disks(root, directory string) []Disk {
	if directory == "" {
		return nil
	}
	place := v.look(directory)
	if !place.Exists {
		return nil
	}
	candidates := [][]string{btrfsDevices(root, place.MountSource), {place.Device}, {place.SourceDevice}}
	for _, numbers := range candidates {
		var disks []Disk
		for _, number := range numbers {
			if disk, ok := DiskOf(root, number); ok && !slices.Contains(disks, disk) {
				disks = append(disks, disk)
			}
		}
		if len(disks) > 0 {
			return disks
		}
	}
	if upper := upperOf(place.MountPoint, v.mounts); upper != "" {
		return OwnView(root).Disks(root, upper)
	}
	return nil
}

// DiskOf follows the device with this number down to where its requests can be told apart no
// further; false where the kernel shows no such device.
func DiskOf(root, number string) (Disk, bool) {
	const deepest = 16
	found := Disk{}
	for range deepest {
		directory, err := filepath.EvalSymlinks(filepath.Join(root, "sys/dev/block", number))
		if number == "" || err != nil {
			break
		}
		found = Disk{Name: filepath.Base(directory), Number: number}
		number = oneBelow(directory)
	}
	return found, found.Name != ""
}

// oneBelow is the disk of a partition, or the only device below a volume; empty for others.
func oneBelow(directory string) string {
	if _, err := os.Stat(filepath.Join(directory, "partition")); err == nil {
		parent, _ := readText(filepath.Join(filepath.Dir(directory), "dev"))
		return strings.TrimSpace(parent)
	}
	if below := numbersIn(filepath.Join(directory, "slaves")); len(below) == 1 {
		return below[0]
	}
	return ""
}

// LowestDisks are the devices that carry out what is asked of the one with this number: itself, or
// those that a volume spreads over.
func LowestDisks(root, number string) []Disk {
	const deepest = 16
	var lowest []Disk
	above := []string{number}
	for range deepest {
		var below []string
		for _, each := range above {
			disk, ok := DiskOf(root, each)
			if !ok {
				continue
			}
			directory, err := filepath.EvalSymlinks(filepath.Join(root, "sys/dev/block", disk.Number))
			if err != nil {
				continue
			}
			if slaves := numbersIn(filepath.Join(directory, "slaves")); len(slaves) > 0 {
				below = append(below, slaves...)
			} else if !slices.Contains(lowest, disk) {
				lowest = append(lowest, disk)
			}
		}
		above = below
	}
	return lowest
}
