package load

import (
	"sync/atomic"

	"leadline/agent/internal/futex"
)

// gate holds threads back until all are there. They wait in the kernel.
type gate struct{ state atomic.Uint32 }

//go:nosplit
func (g *gate) wait() {
	for g.state.Load() == 0 {
		futex.Wait(&g.state, 0)
	}
}

func (g *gate) open() {
	g.state.Store(1)
	futex.Wake(&g.state, futex.All)
}
