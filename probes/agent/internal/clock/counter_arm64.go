package clock

// counterSource is the kernel's name for the processor's counter.
const counterSource = "arch_sys_counter"

// ticks reads the processor's virtual counter.
func ticks() uint64
