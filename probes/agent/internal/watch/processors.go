package watch

import "bytes"

// ticks are the kernel's counts of what all processors together did, and of context switches.
type ticks struct {
	user, system, iowait, steal, all uint64
	switches                         uint64
}

var switchesLine = []byte("\nctxt ")

// readTicks reads /proc/stat. What guests of this machine take is part of user time there; the
// servicing of interrupts counts as system time.
func readTicks(text []byte) (ticks, bool) {
	end := bytes.IndexByte(text, '\n')
	if end < 0 || !bytes.HasPrefix(text, []byte("cpu ")) {
		return ticks{}, false
	}
	// user nice system idle iowait irq softirq steal
	var field [8]uint64
	if numbers(text[:end], field[:]) < len(field) {
		return ticks{}, false
	}
	found := ticks{
		user:   field[0] + field[1],
		system: field[2] + field[5] + field[6],
		iowait: field[4],
		steal:  field[7],
	}
	for _, part := range field {
		found.all += part
	}
	if at := bytes.Index(text, switchesLine); at >= 0 {
		var one [1]uint64
		numbers(text[at+len(switchesLine):], one[:])
		found.switches = one[0]
	}
	return found, true
}

// shares are of all processors together, 0 to 1.
type shares struct{ user, system, iowait, steal, busy float64 }

// sharesSince is false when no tick has passed.
func (t ticks) sharesSince(earlier ticks) (shares, bool) {
	all := float64(since(t.all, earlier.all))
	if all == 0 {
		return shares{}, false
	}
	found := shares{
		user:   float64(since(t.user, earlier.user)) / all,
		system: float64(since(t.system, earlier.system)) / all,
		iowait: float64(since(t.iowait, earlier.iowait)) / all,
		steal:  float64(since(t.steal, earlier.steal)) / all,
	}
	// What the host took away was not to be had, which is as good as busy.
	found.busy = found.user + found.system + found.steal
	return found, true
}
