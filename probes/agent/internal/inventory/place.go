package inventory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// place is what is known about one directory.
type place struct {
	Path     string `json:"path"`
	Resolved string `json:"resolved"`
	Exists   bool   `json:"exists"`
	// Denied: the directory lies in one that this account may not enter.
	Denied bool `json:"denied"`
	// Contained: the server is in a container, where another directory lies under this path; nothing is told.
	Contained    bool   `json:"contained,omitempty"`
	IsDirectory  bool   `json:"is_directory"`
	Writable     bool   `json:"writable"`
	Device       string `json:"device"`
	MountPoint   string `json:"mount_point"`
	MountSource  string `json:"mount_source"`
	SourceDevice string `json:"source_device"`
	// Devices are all that a btrfs spreads over.
	Devices         []string `json:"devices"`
	BlockBytes      int64    `json:"block_bytes"`
	Blocks          uint64   `json:"blocks"`
	BlocksFree      uint64   `json:"blocks_free"`
	BlocksAvailable uint64   `json:"blocks_available"`
	FSType          int64    `json:"fs_type"`
	FSTypeName      string   `json:"fs_type_name"`
	// Attributes are the directory's flags as lsattr shows them.
	Attributes *uint32 `json:"attributes,omitempty"`
	fileFacts
}

// look follows path to its file system.
func (v View) look(path string) *place {
	found := &place{Path: path}
	resolved, err := filepath.Abs(v.Resolve(path))
	if err != nil {
		return found
	}
	at := v.At(resolved)
	var info unix.Stat_t
	if err := unix.Stat(at, &info); err != nil {
		found.Denied = errors.Is(err, fs.ErrPermission)
		return found
	}
	found.Resolved, found.Exists = resolved, true
	found.IsDirectory = info.Mode&unix.S_IFMT == unix.S_IFDIR
	found.Writable = unix.Access(at, unix.W_OK) == nil
	found.Device = deviceNumber(uint64(info.Dev))
	var system unix.Statfs_t
	if unix.Statfs(at, &system) == nil {
		found.BlockBytes, found.FSType = int64(system.Bsize), int64(system.Type)
		found.Blocks, found.BlocksFree, found.BlocksAvailable = system.Blocks, system.Bfree, system.Bavail
	}
	found.MountPoint, found.FSTypeName, found.MountSource = mountOf(resolved, v.mounts)
	found.SourceDevice = deviceOf(found.MountSource)
	found.fileFacts = lookAtFiles(at)
	if found.IsDirectory {
		found.Attributes = attributes(at)
	}
	return found
}

// lookFor is how a path of the server's is told to this machine: only where both see the same directory there.
func lookFor(own, servers View, path string) *place {
	if servers.root == own.root || servers.root != "" && sameFile(path, servers.At(servers.Resolve(path))) {
		return own.look(path)
	}
	return &place{Path: path, Contained: true}
}

func deviceNumber(number uint64) string {
	return fmt.Sprintf("%d:%d", unix.Major(number), unix.Minor(number))
}

// deviceOf is the number of the block device source, empty when it is none: btrfs and overlays
// have numbers of their own which lead nowhere.
func deviceOf(source string) string {
	var info unix.Stat_t
	if !filepath.IsAbs(source) || unix.Stat(source, &info) != nil {
		return ""
	}
	if info.Mode&unix.S_IFMT != unix.S_IFBLK {
		return ""
	}
	return deviceNumber(info.Rdev)
}

// btrfsDevices are the numbers of all devices of the btrfs which source, one of them, belongs to.
func btrfsDevices(root, source string) []string {
	device, err := filepath.EvalSymlinks(source)
	if err != nil {
		return []string{}
	}
	pattern := filepath.Join(root, "sys/fs/btrfs/*/devices", filepath.Base(device))
	matches, err := filepath.Glob(pattern)
	if err != nil || len(matches) == 0 {
		return []string{}
	}
	return numbersIn(filepath.Dir(matches[0]))
}

// upperOf is the directory on the machine that takes what is written to an overlay at this mount point; empty
// for other file systems.
func upperOf(point, mounts string) string {
	found := ""
	for line := range strings.Lines(mounts) {
		before, after, ok := strings.Cut(strings.TrimSpace(line), " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 5 || len(right) < 3 || unescape(left[4]) != point {
			continue
		}
		found = ""
		for option := range strings.SplitSeq(right[2], ",") {
			if upper, ok := strings.CutPrefix(option, "upperdir="); ok && right[0] == "overlay" {
				found = unescape(upper)
			}
		}
	}
	return found
}

// mountOf finds the mount below which path lies; of several on one point the last one counts.
func mountOf(path, mounts string) (point, fsType, source string) {
	for line := range strings.Lines(mounts) {
		before, after, ok := strings.Cut(strings.TrimSpace(line), " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 5 || len(right) < 2 {
			continue
		}
		candidate := unescape(left[4])
		if isBelow(path, candidate) && len(candidate) >= len(point) {
			point, fsType, source = candidate, right[0], unescape(right[1])
		}
	}
	return point, fsType, source
}

func isBelow(path, mount string) bool {
	return mount == "/" || path == mount || strings.HasPrefix(path, mount+string(os.PathSeparator))
}

// unescape undoes the kernel's octal escapes of blanks, tabs, newlines and backslashes.
func unescape(text string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(text)
}
