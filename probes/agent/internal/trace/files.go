package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// mostVerified bounds how many descriptors are looked at again at a time: each takes some 2 us.
const mostVerified = 256

// file is what a descriptor of the server's leads to.
type file struct {
	id     uint32
	role   Role
	pooled bool
}

// files knows the server's descriptors. It asks when one is used for the first time, and again now and
// then: one that is closed where that is not seen is given away anew.
type files struct {
	folder      string
	directories map[string]string
	known       []*file
	byPath      map[string]*file
	inodes      map[inode]*file
	// opened are the inodes by descriptors.
	opened map[uint64]inode
	// listed: all descriptors were looked at for their inodes since the last upkeep.
	listed bool
	used   []uint32
	isUsed []bool
}

// highestDescriptor is more than any server is allowed to have.
const highestDescriptor = 1 << 21

func newFiles(root string, pid int, directories map[string]string) *files {
	resolved := map[string]string{}
	for role, directory := range directories {
		resolved[role] = filepath.Clean(directory)
	}
	return &files{
		folder: filepath.Join(root, fmt.Sprintf("proc/%d/fd", pid)), directories: resolved, byPath: map[string]*file{},
		inodes: map[inode]*file{}, opened: map[uint64]inode{},
	}
}

// at returns the file of a descriptor; one without a role is no file.
func (f *files) at(descriptor uint64) *file {
	if descriptor >= highestDescriptor {
		return noFile
	}
	number := int(descriptor)
	if number >= len(f.known) {
		f.known = append(f.known, make([]*file, number+1-len(f.known))...)
		f.isUsed = append(f.isUsed, make([]bool, number+1-len(f.isUsed))...)
	}
	if f.known[number] == nil {
		if f.known[number] = f.ask(number); f.known[number] == nil {
			return noFile
		}
	}
	if !f.isUsed[number] {
		f.isUsed[number] = true
		f.used = append(f.used, uint32(number))
	}
	return f.known[number]
}

var noFile = &file{}

// forget what a descriptor led to.
func (f *files) forget(descriptor uint64) {
	if descriptor < uint64(len(f.known)) {
		f.known[descriptor] = nil
	}
	// Another file may get the inode, too.
	if its, known := f.opened[descriptor]; known {
		delete(f.inodes, its)
		delete(f.opened, descriptor)
	}
}

// forgetAll asks for each anew, which changes nothing where it leads to the same file.
func (f *files) forgetAll() { clear(f.known) }

// ask is nil where the descriptor has been closed.
func (f *files) ask(number int) *file {
	path, err := os.Readlink(fmt.Sprintf("%s/%d", f.folder, number))
	if err != nil {
		return nil
	}
	if found := f.byPath[path]; found != nil {
		return found
	}
	role := roleOf(path, f.directories)
	found := &file{id: uint32(len(f.byPath) + 1), role: role, pooled: isPooled(role, path)}
	f.byPath[path] = found
	return found
}

// inode is a file as the kernel's events have it.
type inode struct{ device, number uint64 }

// minorBits are those of a device's number inside the kernel that are of its lower part.
const minorBits = 20

// byInode returns the file with this inode, nil where the server has none open. All of its descriptors are
// looked at when one is unknown, once between two upkeeps.
func (f *files) byInode(device, number uint64) *file {
	wanted := inode{device, number}
	if f.inodes[wanted] == nil && !f.listed {
		f.list()
	}
	return f.inodes[wanted]
}

func (f *files) list() {
	f.listed = true
	entries, err := os.ReadDir(f.folder)
	if err != nil {
		return
	}
	clear(f.inodes)
	clear(f.opened)
	for _, entry := range entries {
		number, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		var info unix.Stat_t
		if unix.Stat(filepath.Join(f.folder, entry.Name()), &info) != nil || info.Mode&unix.S_IFMT != unix.S_IFREG {
			continue
		}
		if its := f.ask(number); its != nil {
			device := uint64(unix.Major(uint64(info.Dev)))<<minorBits | uint64(unix.Minor(uint64(info.Dev)))
			f.inodes[inode{device, info.Ino}], f.opened[uint64(number)] = its, inode{device, info.Ino}
		}
	}
}

// verify looks again at some descriptors that were used since it did last.
func (f *files) verify() {
	for range min(mostVerified, len(f.used)) {
		number := f.used[0]
		f.used = f.used[1:]
		f.isUsed[number] = false
		// What has been closed since may have had calls that are yet to be read.
		if now := f.ask(int(number)); now != nil {
			f.known[number] = now
		}
	}
}
