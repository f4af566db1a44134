package clock

// counterSource is the kernel's name for the processor's counter.
const counterSource = "tsc"

// ticks reads the processor's time stamp counter.
func ticks() uint64
