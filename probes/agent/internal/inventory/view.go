package inventory

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mostLinks are followed in one path, as the kernel does.
const mostLinks = 40

// View is how a process sees files: in a container, its paths lead elsewhere than the same ones here.
type View struct {
	// root is where the process's "/" lies for this one; "/" where both have the same.
	root string
	// mounts is the process's own mountinfo.
	mounts string
}

// rootNamespace is the inode of the first name space of processes, in which all processes are seen.
const rootNamespace = "pid:[4026531836]"

// InContainer is whether this process has a name space of processes of its own: it sees no others, and the
// kernel's numbers of threads are not known to it.
func InContainer() bool {
	space, err := os.Readlink("/proc/self/ns/pid")
	return err == nil && space != rootNamespace
}

// errContainer is why the files of a server in a container are not known.
var errContainer = errors.New("the server runs in a container, whose files this account may not see")

// OwnView is how this process sees files; /proc and /sys lie below root.
func OwnView(root string) View {
	mounts, _ := readText(filepath.Join(root, "proc/self/mountinfo"))
	return View{"/", mounts}
}

// ViewOf is how the process with this number sees files; the error's words follow "because". Mounts of its own
// alone, as a system's service may have, make no container.
func ViewOf(root string, pid int) (View, error) {
	folder := filepath.Join(root, "proc", strconv.Itoa(pid))
	theirs, err := os.Readlink(filepath.Join(folder, "ns/mnt"))
	ours, _ := os.Readlink(filepath.Join(root, "proc/self/ns/mnt"))
	numbered := len(numbersOf(folder)) > 1
	seen := View{root: filepath.Join(folder, "root")}
	if err != nil || theirs == ours || !numbered && sameFile(seen.root, "/") {
		if err != nil && numbered {
			return View{}, errContainer
		}
		return OwnView(root), nil
	}
	var known bool
	if seen.mounts, known = readText(filepath.Join(folder, "mountinfo")); !known {
		return View{}, errContainer
	}
	if _, err := os.ReadDir(seen.root); err != nil {
		return View{}, errContainer
	}
	return seen, nil
}

// sameFile is whether both paths lead to the same file now.
func sameFile(one, other string) bool {
	first, firstErr := os.Stat(one)
	second, secondErr := os.Stat(other)
	return firstErr == nil && secondErr == nil && os.SameFile(first, second)
}

// At is where a path of the process lies for this one.
func (v View) At(path string) string {
	if v.root == "/" {
		return path
	}
	return filepath.Join(v.root, path)
}

// Resolve follows the links in a path as the process would; what is not there stays as it is.
func (v View) Resolve(path string) string {
	if v.root == "/" {
		if followed, err := filepath.EvalSymlinks(path); err == nil {
			return followed
		}
		return filepath.Clean(path)
	}
	return within(v.root, path)
}

// within follows the links in a path of a process whose "/" lies at root.
func within(root, path string) string {
	done := "/"
	rest := strings.Split(strings.Trim(path, "/"), "/")
	for links := 0; len(rest) > 0; {
		next := filepath.Join(done, rest[0])
		rest = rest[1:]
		target, err := os.Readlink(filepath.Join(root, next))
		if err != nil || links >= mostLinks {
			done = next
			continue
		}
		links++
		if filepath.IsAbs(target) {
			done = "/"
		}
		rest = append(strings.Split(strings.Trim(target, "/"), "/"), rest...)
	}
	return done
}

// numbersOf are the numbers that the process of a folder in /proc has, from this name space of processes to
// its own; kernels before 4.1 do not tell.
func numbersOf(folder string) []string {
	status, _ := readText(filepath.Join(folder, "status"))
	for line := range strings.Lines(status) {
		if numbers, ok := strings.CutPrefix(line, "NSpid:"); ok {
			return strings.Fields(numbers)
		}
	}
	return nil
}

// HostnameOf is what the process with this number calls its machine; empty where that is not known.
func HostnameOf(root, pid string) string {
	folder := filepath.Join(root, "proc", pid)
	theirs, err := os.Readlink(filepath.Join(folder, "ns/uts"))
	ours, _ := os.Readlink(filepath.Join(root, "proc/self/ns/uts"))
	if err != nil {
		return ""
	}
	path := filepath.Join(root, "proc/sys/kernel/hostname")
	if theirs != ours {
		// What makes containers writes down the name that it gives them.
		path = filepath.Join(folder, "root/etc/hostname")
	}
	name, _ := readText(path)
	return strings.TrimSpace(name)
}

// sameHost compares names of which one may have its domain.
func sameHost(one, other string) bool {
	one, _, _ = strings.Cut(one, ".")
	other, _, _ = strings.Cut(other, ".")
	return strings.EqualFold(one, other)
}
