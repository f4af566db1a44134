package trace

import "leadline/agent/internal/tracefs"

const (
	// bufferBytes are what a processor's buffer may hold, and what all of them together may.
	bufferBytes     = 2 << 20
	leastBuffer     = 256 << 10
	allBuffersBytes = 64 << 20
)

// openPart makes an instance for a part of the trace, or tells why it can't be had.
func (t *Trace) openPart(kind string, open func(*tracefs.Instance) (*part, error)) {
	instance, err := t.base.Create(kind)
	if err != nil {
		t.miss("trace."+kind, err.Error())
		return
	}
	opened, err := t.prepare(instance, open)
	if err != nil {
		instance.Remove()
		t.miss("trace."+kind, err.Error())
		return
	}
	t.parts = append(t.parts, opened)
}

func (t *Trace) prepare(instance *tracefs.Instance, open func(*tracefs.Instance) (*part, error)) (*part, error) {
	if err := instance.Size(bufferBytes, leastBuffer, allBuffersBytes); err != nil {
		return nil, err
	}
	// Before 4.1 there is only one that is alike on all processors.
	if instance.Put("trace_clock", "mono") != nil {
		if err := instance.Put("trace_clock", "global"); err != nil {
			return nil, err
		}
		t.series.exact = false
	}
	stream, err := instance.Open()
	if err != nil {
		return nil, err
	}
	opened, err := open(instance)
	if err != nil {
		stream.Close()
		return nil, err
	}
	opened.instance, opened.stream = instance, stream
	return opened, nil
}

func (t *Trace) openBlocks(instance *tracefs.Instance) (*part, error) {
	var devices []uint64
	for _, device := range t.request.Devices {
		devices = append(devices, device)
	}
	var err error
	if t.blocks, err = newBlocks(instance, devices, t.series); err != nil {
		t.blocks = nil
		return nil, err
	}
	return &part{see: t.blocks.see, forget: t.blocks.forget}, nil
}

func (t *Trace) openCalls(instance *tracefs.Instance) (*part, error) {
	t.files = newFiles("/", t.request.PID, t.request.Directories)
	made, err := newCalls(instance, t.files, uint64(t.request.PageBytes), t.series)
	if err != nil {
		return nil, err
	}
	if t.threads, err = keepTo(instance, t.request.PID, made.events); err != nil {
		return nil, err
	}
	if !t.threads.exact {
		made.mine = t.threads.has
	}
	for _, event := range made.events {
		if err := instance.Put("events/"+event+"/enable", "1"); err != nil {
			return nil, err
		}
	}
	t.calls, t.pages = made, newPages(made)
	return &part{see: made.see, forget: made.forget}, nil
}

// openPages goes on with reads of pages, of which there are so many a second, while calls are recorded in
// slices.
func (t *Trace) openPages(perS float64) {
	instance, err := t.base.Create("pages")
	if err != nil {
		t.pages.because = err.Error()
		return
	}
	opened, err := t.prepare(instance, func(instance *tracefs.Instance) (*part, error) {
		return t.pages.open(instance, t.request.PID, perS)
	})
	if err != nil {
		instance.Remove()
		t.pages.because = err.Error()
		return
	}
	t.read(true)
	t.pages.goOn(opened, t.now())
}
