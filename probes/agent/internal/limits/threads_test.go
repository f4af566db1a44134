package limits

import (
	"os"
	"path/filepath"
	"testing"
)

func group(t *testing.T, directory, most, current string) {
	t.Helper()
	if err := os.MkdirAll(directory, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"pids.max": most, "pids.current": current} {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheTightestGroupCounts(t *testing.T) {
	root := t.TempDir()
	group(t, filepath.Join(root, "a"), "100", "40")
	group(t, filepath.Join(root, "a/b"), "max", "3")
	group(t, filepath.Join(root, "a/b/c"), "80", "10")
	if room, limited := smallest(root, "0::/a/b/c\n", "pids", groupThreads); !limited || room != 60 {
		t.Errorf("room for %d (%v) instead of 60", room, limited)
	}
	if _, limited := smallest(root, "0::/elsewhere\n", "pids", groupThreads); limited {
		t.Error("a group without limits limits")
	}
}

func TestTheFirstVersionOfGroupsIsKnown(t *testing.T) {
	root := t.TempDir()
	group(t, filepath.Join(root, "pids/job"), "50", "20")
	membership := "4:memory:/x\n3:pids:/job\n0::/\n"
	if room, limited := smallest(root, membership, "pids", groupThreads); !limited || room != 30 {
		t.Errorf("room for %d (%v) instead of 30", room, limited)
	}
}

func TestOneThreadIsAlwaysAllowed(t *testing.T) {
	if got := Threads(1); got != 1 {
		t.Errorf("%d threads instead of 1", got)
	}
}
