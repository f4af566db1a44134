package limits

import (
	"os"
	"path/filepath"
	"testing"
)

func write(t *testing.T, directory string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(directory, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(directory, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhatAGroupKeepsOfFilesIsFree(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "a"), map[string]string{"memory.max": "1000\n", "memory.current": "900\n",
		"memory.stat": "anon 700\ninactive_file 120\nactive_file 30\n"})
	write(t, filepath.Join(root, "a/b"), map[string]string{"memory.max": "max\n", "memory.current": "900\n"})
	if room, limited := smallest(root, "0::/a/b\n", "memory", groupMemory); !limited || room != 250 {
		t.Errorf("room for %d bytes (%v) instead of 250", room, limited)
	}
}

func TestMemoryOfTheFirstVersionOfGroupsIsKnown(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "memory/job"),
		map[string]string{"memory.limit_in_bytes": "500\n", "memory.usage_in_bytes": "200\n"})
	membership := "4:memory:/job\n3:pids:/x\n0::/\n"
	if room, limited := smallest(root, membership, "memory", groupMemory); !limited || room != 300 {
		t.Errorf("room for %d bytes (%v) instead of 300", room, limited)
	}
}

func TestALittleMemoryIsAlwaysThere(t *testing.T) {
	if lacking := Memory(BytesPerThread); lacking != 0 {
		t.Errorf("one thread lacks %d bytes", lacking)
	}
}
