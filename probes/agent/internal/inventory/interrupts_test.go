package inventory

import (
	"maps"
	"testing"
)

func TestInterruptsAreThoseOfTheControllerAbove(t *testing.T) {
	const controller = "sys/devices/pci0000:00/0000:00:02.0"
	const disk = controller + "/virtio1/block/vda"
	root := sysfs(t, map[string]string{
		"sys/dev/block/254:0":                 "->" + disk,
		disk + "/dev":                         "254:0",
		controller + "/msi_irqs/35":           "msix",
		controller + "/msi_irqs/36":           "msix",
		controller + "/msi_irqs/37":           "msix",
		"proc/irq/35/smp_affinity_list":       "0-3",
		"proc/irq/36/smp_affinity_list":       "0-3",
		"proc/irq/36/effective_affinity_list": "2",
		"proc/irq/99/effective_affinity_list": "1",
	})
	reader := blockReader{root: root, found: map[string]*device{}}
	reader.add("254:0")
	want := map[string]string{"35": "0-3", "36": "2"}
	if got := reader.found["254:0"].Interrupts; !maps.Equal(got, want) {
		t.Errorf("its interrupts are %v", got)
	}
}

func TestAVirtualDeviceHasNoInterrupts(t *testing.T) {
	root := sysfs(t, map[string]string{
		"sys/dev/block/253:0":                 "->sys/devices/virtual/block/dm-0",
		"sys/devices/virtual/block/dm-0/dev":  "253:0",
		"sys/devices/virtual/block/dm-0/size": "1000",
	})
	reader := blockReader{root: root, found: map[string]*device{}}
	reader.add("253:0")
	if got := reader.found["253:0"].Interrupts; len(got) != 0 {
		t.Errorf("its interrupts are %v", got)
	}
}
