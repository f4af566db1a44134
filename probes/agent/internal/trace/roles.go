package trace

import (
	"path/filepath"
	"regexp"
	"strings"
)

// Role is what a file of the server's is for.
type Role string

// The roles of files.
const (
	Data        Role = "data"
	Redo        Role = "redo"
	Doublewrite Role = "doublewrite"
	Undo        Role = "undo"
	Binlog      Role = "binlog"
	RelayLog    Role = "relay_log"
	Temp        Role = "temp"
	// System is the system tablespace, ibdata1: dictionary, change buffer, and on some servers undo.
	System Role = "system"
	Other  Role = "other"
)

// isPooled is whether the pages of such a file are kept in the buffer pool.
func isPooled(role Role, path string) bool {
	name := filepath.Base(path)
	inInnoDB := strings.HasPrefix(name, "ibtmp") || strings.HasSuffix(name, ".ibt")
	return role == Data || role == System || role == Undo || role == Temp && inInnoDB
}

// names are tried in this order, on the last part of a path.
var names = []struct {
	pattern *regexp.Regexp
	role    Role
}{
	{regexp.MustCompile(`^(ib_logfile\d+|#?ib_redo\d+(_tmp)?)$`), Redo},
	{regexp.MustCompile(`^(#?ib_.*\.b?dblwr|[ix]b_doublewrite.*)$`), Doublewrite},
	{regexp.MustCompile(`^(ibtmp\d*|temp_\d+\.ibt|#sql.*\.(MA[ID]|MY[ID]))$`), Temp},
	{regexp.MustCompile(`^(undo_?\d+(_trunc\.log)?|.*\.ibu)$`), Undo},
	{regexp.MustCompile(`^ibdata\d*$`), System},
	{regexp.MustCompile(`\.ibd$`), Data},
	{regexp.MustCompile(`relay.*\.(\d{6,}|index)$`), RelayLog},
	{regexp.MustCompile(`^aria_log\.\d+$`), Other},
	{regexp.MustCompile(`\.\d{6,}$`), Binlog},
	{regexp.MustCompile(`bin.*\.index$`), Binlog},
}

const deleted = " (deleted)"

// roleOf judges a file by its name, and by the server's directories (by their roles) where names leave it
// open. The empty role is no file at all: a socket, a pipe.
func roleOf(path string, directories map[string]string) Role {
	if !filepath.IsAbs(path) {
		return ""
	}
	path, unnamed := strings.CutSuffix(path, deleted)
	folder, name := filepath.Split(path)
	role := Other
	for _, known := range names {
		if known.pattern.MatchString(name) {
			role = known.role
			break
		}
	}
	holds := func(role string) bool { return directories[role] != "" && filepath.Clean(folder) == directories[role] }
	switch {
	case role == Binlog && holds("relay_log") && !holds("binlog"):
		return RelayLog
	case role != Other:
		return role
	// What has lost its name is in use by its owner alone.
	case unnamed || holds("tmp") && !holds("data"):
		return Temp
	}
	return Other
}
