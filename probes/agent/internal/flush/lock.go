package flush

import (
	"sync/atomic"

	"leadline/agent/internal/futex"
)

// States of a lock (Drepper 2011, "Futexes are tricky").
const (
	free = iota
	held
	wanted
)

// lock is a mutex whose waiting threads sleep in the kernel and keep their processor.
type lock struct{ state atomic.Uint32 }

//go:nosplit
func (l *lock) take() {
	if l.state.CompareAndSwap(free, held) {
		return
	}
	for l.state.Swap(wanted) != free {
		futex.Wait(&l.state, wanted)
	}
}

//go:nosplit
func (l *lock) give() {
	if l.state.Swap(free) == wanted {
		futex.Wake(&l.state, 1)
	}
}
