package inventory

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestBtrfsDevicesAreAllThatItSpreadsOver(t *testing.T) {
	root := t.TempDir()
	members := filepath.Join(root, "sys/fs/btrfs/0b5c/devices")
	for name, number := range map[string]string{"sdb": "8:16\n", "sdc": "8:32\n"} {
		device := filepath.Join(members, name)
		if err := os.MkdirAll(device, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(device, "dev"), []byte(number), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	source := filepath.Join(root, "sdc")
	if err := os.WriteFile(source, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if found := btrfsDevices(root, source); !slices.Equal(found, []string{"8:16", "8:32"}) {
		t.Fatalf("found %v", found)
	}
	if found := btrfsDevices(root, filepath.Join(root, "gone")); len(found) != 0 {
		t.Fatalf("found %v for a source that is none", found)
	}
}
