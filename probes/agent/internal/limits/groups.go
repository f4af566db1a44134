package limits

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// smallest is the least room that one of this process's control groups, or a parent of one, leaves
// in what controller counts; membership is what the kernel says of the process.
func smallest(
	root, membership, controller string, room func(directory string) (int64, bool),
) (least int64, limited bool) {
	for line := range strings.Lines(membership) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		base := root
		if fields[1] == controller {
			base = filepath.Join(root, controller)
		} else if fields[1] != "" {
			continue
		}
		for group := fields[2]; ; group = filepath.Dir(group) {
			left, ok := room(filepath.Join(base, group))
			if ok && (!limited || left < least) {
				least, limited = left, true
			}
			if group == "/" || group == "." {
				break
			}
		}
	}
	return least, limited
}

// number is false for "max" and for a file that can't be read.
func number(path string) (int64, bool) {
	content, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	value, err := strconv.ParseInt(strings.TrimSpace(string(content)), 10, 64)
	return value, err == nil
}
