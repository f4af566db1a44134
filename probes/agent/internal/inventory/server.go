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
	// Files are those of its folder in /proc, by their names there.
	Files map[string]string `json:"files"`
	// Groups are the limits of its control groups and of those above them, by their paths.
	Groups map[string]string `json:"groups"`
	// Options is nil for a throwaway server of Leadline's own.
	Options *options `json:"options,omitempty"`
}

// serverNames are what a server's process is called; the kernel cuts names at 15 letters.
var serverNames = []string{"mysqld", "mariadbd"}

// findServer looks for the process that pidFile names, else for the only server on this machine; nil
// where neither leads to one. Its option files are read, and those in optionFiles.
func findServer(root, pidFile string, optionFiles []string) *server {
	number, _ := ServerProcess(root, pidFile)
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
	found.Options = findOptions(root, pid, optionFiles)
	return found
}

func pidIn(pidFile string) string {
	if pidFile == "" {
		return ""
	}
	content, _ := readText(pidFile)
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

// ServerProcess is the number of the process that pidFile names, else of the only server on this
// machine; 0 where neither leads to one, with words that follow "because".
func ServerProcess(root, pidFile string) (pid int, because string) {
	if named := pidIn(pidFile); isServer(root, named) {
		pid, _ = strconv.Atoi(named)
		return pid, ""
	}
	entries, err := os.ReadDir(filepath.Join(root, "proc"))
	if err != nil {
		return 0, "the processes can't be listed"
	}
	for _, entry := range entries {
		if !isServer(root, entry.Name()) {
			continue
		}
		if pid != 0 {
			return 0, "several processes are called mysqld or mariadbd"
		}
		pid, _ = strconv.Atoi(entry.Name())
	}
	if pid == 0 {
		return 0, "no process is called mysqld or mariadbd"
	}
	return pid, ""
}
