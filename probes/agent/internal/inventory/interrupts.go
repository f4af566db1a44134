package inventory

import (
	"os"
	"path/filepath"
	"strings"
)

// mostInterrupts bounds how many of a device's interrupts are looked at.
const mostInterrupts = 256

// interrupts are those of the nearest device above directory, a disk's, that has any of its own:
// its controller on the bus. Each comes with the processors that answer it, as a kernel list.
func interrupts(root, directory string) map[string]string {
	devices := filepath.Join(root, "sys/devices")
	for at := directory; len(at) > len(devices); at = filepath.Dir(at) {
		names, err := os.ReadDir(filepath.Join(at, "msi_irqs"))
		if err != nil {
			continue
		}
		return answering(root, names)
	}
	return nil
}

func answering(root string, names []os.DirEntry) map[string]string {
	found := map[string]string{}
	for _, name := range names[:min(len(names), mostInterrupts)] {
		for _, file := range []string{"effective_affinity_list", "smp_affinity_list"} {
			list, ok := readText(filepath.Join(root, "proc/irq", name.Name(), file))
			if ok && strings.TrimSpace(list) != "" {
				found[name.Name()] = strings.TrimSpace(list)
				break
			}
		}
	}
	return found
}
