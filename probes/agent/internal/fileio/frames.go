package fileio

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"leadline/agent/internal/plan"
)

// Frames are blocks of memory that a point reads into or writes from.
type Frames struct {
	Each [][]byte
	// Pages is how they lie: the plan's HugePages or OrdinaryPages.
	Pages string
	// Pieces is how many pieces of the machine's memory a block lies in, on average; 0 where this
	// account may not know.
	Pieces float64
	free   func()
}

// Free gives them back.
func (f *Frames) Free() { f.free() }

// Of returns those of one of so many threads, as many for each.
func (f *Frames) Of(thread, threads int) [][]byte {
	var own [][]byte
	for index := thread; index < len(f.Each); index += threads {
		own = append(own, f.Each[index])
	}
	return own
}

// ordinary takes memory that the kernel must not make huge pages of, now or later.
func ordinary(size int) (Buffer, error) { return mapped(size, unix.MADV_NOHUGEPAGE) }

func newOrdinaryFrames(count, blockBytes int) (*Frames, error) {
	memory, err := ordinary(count * blockBytes)
	if err != nil {
		return nil, err
	}
	return inOrder(memory, blockBytes).described(plan.OrdinaryPages), nil
}

// newHugeFrames asks for transparent huge pages, or where those are off for some that were set aside.
// Where neither can be had the frames are ordinary, and say so.
func newHugeFrames(count, blockBytes int) (*Frames, error) {
	size := count * blockBytes
	if !transparent() {
		if memory, err := mapReserved(size); err == nil {
			return inOrder(memory, blockBytes).described(plan.HugePages), nil
		}
	}
	memory, err := NewBuffer(size)
	if err != nil {
		return nil, err
	}
	pages := plan.OrdinaryPages
	if inHugePages(memory) {
		pages = plan.HugePages
	}
	return inOrder(memory, blockBytes).described(pages), nil
}

func inOrder(memory Buffer, blockBytes int) *Frames {
	frames := &Frames{free: memory.Free}
	for begin := 0; begin < len(memory); begin += blockBytes {
		frames.Each = append(frames.Each, memory[begin:begin+blockBytes:begin+blockBytes])
	}
	return frames
}

func (f *Frames) described(pages string) *Frames {
	f.Pages, f.Pieces = pages, pieces(f.Each)
	return f
}

// transparent tells whether the kernel gives transparent huge pages to who asks.
func transparent() bool {
	mode, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	return err == nil && !strings.Contains(string(mode), "[never]")
}
