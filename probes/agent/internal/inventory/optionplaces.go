package inventory

import (
	"path/filepath"
	"slices"
	"strings"
)

// start is what a server's command line and environment say of its option files.
type start struct {
	// none: it reads no option file at all.
	none bool
	// only is the one file that it reads, extra one that it reads besides the usual ones.
	only, extra string
	suffix      string
	// variables is its environment; nil where this account may not see it.
	variables map[string]string
	mariadb   bool
	// program is the path that it was started by.
	program string
	// ours: it is a throwaway server of Leadline's own.
	ours bool
}

// startOf reads how the server in folder, its place in /proc, was started.
func startOf(folder string) start {
	line, _ := readText(filepath.Join(folder, "cmdline"))
	arguments := strings.Split(strings.TrimRight(line, "\x00"), "\x00")
	at := slices.IndexFunc(arguments, func(argument string) bool {
		return slices.Contains(serverNames, filepath.Base(argument))
	})
	found := start{variables: environment(folder), ours: strings.Contains(line, "/.leadline-")}
	found.suffix = found.variables["MYSQL_GROUP_SUFFIX"]
	if at < 0 {
		return found
	}
	found.program = arguments[at]
	found.mariadb = filepath.Base(found.program) == "mariadbd"
	for _, argument := range arguments[at+1:] {
		if !found.takes(argument) {
			break
		}
	}
	return found
}

// takes notes one argument; false for the first that is not about option files, where servers stop
// looking for more.
func (s *start) takes(argument string) bool {
	name, value, _ := strings.Cut(argument, "=")
	switch name {
	case "--no-defaults":
		s.none = true
	case "--defaults-file":
		s.only = value
	case "--defaults-extra-file":
		s.extra = value
	case "--defaults-group-suffix":
		s.suffix = value
	case "--login-path", "--no-login-paths":
	default:
		return false
	}
	return true
}

func environment(folder string) map[string]string {
	content, ok := readText(filepath.Join(folder, "environ"))
	if !ok {
		return nil
	}
	variables := map[string]string{}
	for each := range strings.SplitSeq(content, "\x00") {
		if name, value, ok := strings.Cut(each, "="); ok {
			variables[name] = value
		}
	}
	return variables
}

// wanted is a file to be read; asked: somebody named it, so its absence is worth a word; required:
// the command line did, so that the server does not start without it.
type wanted struct {
	path            string
	asked, required bool
}

// places are the files that the server reads, in its order.
func (s *start) places() []wanted {
	if s.only != "" {
		return []wanted{{s.only, true, true}}
	}
	folders := []string{"/etc", "/etc/mysql"}
	if strings.HasPrefix(s.program, "/usr/local/mysql/") {
		folders = append(folders, "/usr/local/mysql/etc")
	}
	if home := s.home(); home != "" {
		// A folder that is named twice is read once, in its later place.
		folders = slices.DeleteFunc(folders, func(folder string) bool { return folder == home })
		folders = append(folders, home)
	}
	var found []wanted
	for _, folder := range folders {
		found = append(found, wanted{path: filepath.Join(folder, "my.cnf")})
	}
	if s.extra != "" {
		found = append(found, wanted{s.extra, true, true})
	}
	if s.variables == nil {
		return append(found, wanted{path: "~/.my.cnf"})
	}
	if users := s.variables["HOME"]; users != "" {
		found = append(found, wanted{path: filepath.Join(users, ".my.cnf")})
	}
	return found
}

func (s *start) home() string {
	home := s.variables["MYSQL_HOME"]
	if own := s.variables["MARIADB_HOME"]; own != "" && s.mariadb {
		home = own
	}
	if home == "" {
		return ""
	}
	return filepath.Clean(home)
}
