package fileio

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// hugeKiB says how much of the memory at begin lies in huge pages.
func hugeKiB(t *testing.T, begin uintptr) int {
	t.Helper()
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = maps.Close() }()
	wanted, here := fmt.Sprintf("%x-", begin), false
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		line := lines.Text()
		if first, _, _ := strings.Cut(line, " "); strings.Contains(first, "-") {
			here = strings.HasPrefix(line, wanted)
		}
		var found int
		if _, err := fmt.Sscanf(line, "AnonHugePages: %d kB", &found); here && err == nil {
			return found
		}
	}
	t.Fatalf("no mapping begins at %x", begin)
	return 0
}

func TestABufferIsOnePieceOfMemory(t *testing.T) {
	if mode, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil || strings.Contains(string(mode), "[never]") {
		t.Skip("this kernel gives no huge pages")
	}
	for _, size := range []int{4096, hugeBytes, hugeBytes + 1, 3*hugeBytes - 4096} {
		memory, err := NewBuffer(size)
		if err != nil {
			t.Fatal(err)
		}
		begin := memory.Address(0)
		if len(memory) != size || begin%hugeBytes != 0 {
			t.Errorf("%d bytes at %x for %d", len(memory), begin, size)
		}
		if found := hugeKiB(t, begin); found < int(rounded(size))>>10 {
			t.Errorf("%d KiB of %d bytes are in huge pages", found, size)
		}
		memory.Free()
		if maps, err := os.ReadFile("/proc/self/maps"); err != nil || strings.Contains(string(maps), fmt.Sprintf("\n%x-", begin)) {
			t.Errorf("the buffer of %d bytes is still there, %v", size, err)
		}
	}
}
