package inventory

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// server is the process of the database server, as every account may see it.
type server struct {
	PID int `json:"pid"`
	// Hostname is what it calls its machine, another name in a container; empty where that is not known.
	Hostname string `json:"hostname,omitempty"`
	// Files are those of its folder in /proc, by their names there.
	Files map[string]string `json:"files"`
	// Groups are the limits of its control groups and of those above them, by their paths.
	Groups map[string]string `json:"groups"`
	// Options is nil for a throwaway server of Leadline's own.
	Options *options `json:"options,omitempty"`
}

// serverNames are what a server's process is called; the kernel cuts names at 15 letters.
var serverNames = []string{"mysqld", "mariadbd"}

// findServer looks for the server's process; nil where nothing leads to one. Its option files are read, and
// those in optionFiles.
func findServer(root string, wanted Server, optionFiles []string) *server {
	number, _ := ServerProcess(root, wanted)
	if number == 0 {
		return nil
	}
	pid := strconv.Itoa(number)
	folder := filepath.Join(root, "proc", pid)
	found := &server{PID: number, Files: map[string]string{}, Groups: map[string]string{}}
	for _, name := range []string{"status", "limits", "cgroup", "oom_score_adj", "smaps_rollup"} {
		if content, ok := readText(filepath.Join(folder, name)); ok {
			found.Files[name] = content
		}
	}
	for _, path := range limitFiles(found.Files["cgroup"]) {
		if content, ok := readText(filepath.Join(root, path)); ok {
			found.Groups["/"+path] = content
		}
	}
	found.Hostname = HostnameOf(root, pid)
	found.Options = findOptions(root, pid, optionFiles)
	return found
}

func pidIn(pidFile string) string {
	if pidFile == "" {
		return ""
	}
	file, _, err := openPlain(pidFile)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	content, _ := textOf(file)
	return strings.TrimSpace(content)
}

// isServer holds a number against the process that bears it: a server in a container writes down
// the number that it has in there.
func isServer(root, pid string) bool {
	if _, err := strconv.Atoi(pid); err != nil {
		return false
	}
	name, _ := readText(filepath.Join(root, "proc", pid, "comm"))
	name = strings.TrimSpace(name)
	if strings.HasPrefix(name, "ld-") {
		name = loaded(root, pid)
	}
	return slices.Contains(serverNames, name)
}

// loaded is the program that a process runs by way of the dynamic loader: its first argument that
// bears a server's name, empty when none does.
func loaded(root, pid string) string {
	line, _ := readText(filepath.Join(root, "proc", pid, "cmdline"))
	for argument := range strings.SplitSeq(line, "\x00") {
		if name := filepath.Base(argument); slices.Contains(serverNames, name) {
			return name
		}
	}
	return ""
}

// ServerProcess is the number of the process that the file of its number names, as this process sees it or
// the server in its container, else of the only server on this machine; of several the one that calls its
// machine so. 0 where nothing leads to one, with words that follow "because".
func ServerProcess(root string, wanted Server) (pid int, because string) {
	isHere := func(pid string) bool {
		name := HostnameOf(root, pid)
		return wanted.Hostname == "" || name == "" || sameHost(name, wanted.Hostname)
	}
	if named := pidIn(wanted.PIDFile); isServer(root, named) && isHere(named) {
		pid, _ = strconv.Atoi(named)
		return pid, ""
	}
	entries, err := os.ReadDir(filepath.Join(root, "proc"))
	if err != nil {
		return 0, "the processes can't be listed"
	}
	var found []string
	for _, entry := range entries {
		if isServer(root, entry.Name()) {
			found = append(found, entry.Name())
		}
	}
	found = onlyIfAny(found, func(pid string) bool { return namesItself(root, pid, wanted.PIDFile) })
	found = onlyIfAny(found, func(pid string) bool {
		name := HostnameOf(root, pid)
		return name != "" && wanted.Hostname != "" && sameHost(name, wanted.Hostname)
	})
	switch len(found) {
	case 0:
		return 0, "no process is called mysqld or mariadbd"
	case 1:
		pid, _ = strconv.Atoi(found[0])
		return pid, ""
	}
	return 0, "several processes are called mysqld or mariadbd"
}

// onlyIfAny are those that fit, all of them where none does.
func onlyIfAny(all []string, fits func(string) bool) []string {
	some := slices.DeleteFunc(slices.Clone(all), func(each string) bool { return !fits(each) })
	if len(some) == 0 {
		return all
	}
	return some
}

// namesItself is whether the file at path, as a process in a container sees it, holds the number that the
// process has in there.
func namesItself(root, pid, path string) bool {
	folder := filepath.Join(root, "proc", pid)
	numbers := numbersOf(folder)
	if path == "" || len(numbers) == 0 {
		return false
	}
	inside := filepath.Join(folder, "root")
	return pidIn(filepath.Join(inside, within(inside, path))) == numbers[len(numbers)-1]
}
