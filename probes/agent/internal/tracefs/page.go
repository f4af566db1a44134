package tracefs

import (
	"encoding/binary"
	"fmt"
)

// Layout is where things lie in a page of the buffer.
type Layout struct {
	time, commit Field
	data         Field
}

// largestPage is more than any kernel has.
const largestPage = 1 << 20

// ParseLayout reads events/header_page.
func ParseLayout(text string) (Layout, error) {
	fields := parseFields(text)
	found := Layout{fields["timestamp"], fields["commit"], fields["data"]}
	short := found.time.Size != 8 || found.commit.Size != 4 && found.commit.Size != 8 || found.data.Size == 0
	overlap := found.time.Offset+found.time.Size > found.data.Offset || found.commit.Offset+found.commit.Size > found.data.Offset
	if short || overlap || found.PageBytes() > largestPage {
		return Layout{}, fmt.Errorf("the kernel lays its buffer out in an unknown way")
	}
	return found, nil
}

// PageBytes is how large a page is.
func (l Layout) PageBytes() int { return l.data.Offset + l.data.Size }

// Of the commit field, the kernel keeps the lower bits for the length and the highest for whether events
// were lost before this page.
const (
	commitMask = 1<<27 - 1
	missed     = 1 << 31
)

// Page walks through the events of one page.
type Page struct {
	// Missed is whether events were lost before this page.
	Missed bool
	// Time of the latest event, in nanoseconds of the trace's clock.
	Time uint64
	rest []byte
}

// Open begins with the first event of a page.
func (l Layout) Open(page []byte) Page {
	if len(page) < l.data.Offset {
		return Page{}
	}
	commit := l.commit.Number(page)
	data := page[l.data.Offset:]
	return Page{
		Missed: commit&missed != 0,
		Time:   l.time.Number(page),
		rest:   data[:min(len(data), int(commit&commitMask))],
	}
}

// Kinds of entries; a smaller number is the length of an event in words.
const (
	longEvent  = 0
	padding    = 29
	timeExtend = 30
	timeStamp  = 31

	header    = 4
	timeBits  = 27
	stampTops = 31 << 59
)

// Next returns the next event, without its header, and false at the end; Time is its time then.
func (p *Page) Next() ([]byte, bool) {
	for len(p.rest) >= header {
		word := binary.LittleEndian.Uint32(p.rest)
		kind, delta := word&31, uint64(word>>5)
		first := uint64(0)
		if len(p.rest) >= 2*header {
			first = uint64(binary.LittleEndian.Uint32(p.rest[header:]))
		}
		length, body := 0, header
		switch kind {
		case padding:
			if delta == 0 {
				p.rest = nil
				return nil, false
			}
			p.Time += delta
			length, body = header+int(first), -1
		case timeExtend:
			p.Time += first<<timeBits + delta
			length, body = 2*header, -1
		case timeStamp:
			// The upper bits do not fit in; they are as before.
			p.Time = p.Time&stampTops | first<<timeBits + delta
			length, body = 2*header, -1
		case longEvent:
			p.Time += delta
			length, body = header+int(first), 2*header
		default:
			p.Time += delta
			length = header + int(kind)*4
		}
		if length < max(header, body) || length > len(p.rest) {
			// It can't be decided where the next one begins.
			p.rest = nil
			return nil, false
		}
		event := p.rest
		p.rest = p.rest[length:]
		if body > 0 {
			return event[body:length], true
		}
	}
	return nil, false
}
