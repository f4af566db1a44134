package tracefs

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Field is where a value lies in an event, or in the header of a page. The zero Field is none.
type Field struct {
	Offset, Size int
	Signed       bool
}

// Format describes the events of one kind: kernels differ in what they tell, and where.
type Format struct {
	ID     int
	Fields map[string]Field
}

// ParseFormat reads the file format of a kind of event.
func ParseFormat(text string) (*Format, error) {
	found := &Format{ID: -1, Fields: parseFields(text)}
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, "ID:"); ok {
			if id, err := strconv.ParseUint(strings.TrimSpace(value), 10, 16); err == nil {
				found.ID = int(id)
			}
		}
	}
	if found.ID < 0 || len(found.Fields) == 0 {
		return nil, fmt.Errorf("the kernel describes an event in an unknown way")
	}
	return found, nil
}

// parseFields reads lines such as "field:unsigned int common_pid;	offset:4;	size:4;	signed:1;".
func parseFields(text string) map[string]Field {
	const largest = 1 << 20
	found := map[string]Field{}
	for line := range strings.Lines(text) {
		words := map[string]string{}
		for part := range strings.SplitSeq(line, ";") {
			if name, value, ok := strings.Cut(strings.TrimSpace(part), ":"); ok {
				words[name] = strings.TrimSpace(value)
			}
		}
		offset, err := strconv.Atoi(words["offset"])
		if err != nil || offset < 0 || offset > largest {
			continue
		}
		size, err := strconv.Atoi(words["size"])
		if err != nil || size < 0 || size > largest {
			continue
		}
		if name := declared(words["field"]); name != "" {
			found[name] = Field{offset, size, words["signed"] == "1"}
		}
	}
	return found
}

// declared is the name in a declaration of C: "char rwbs[8]", "const char * buf".
func declared(declaration string) string {
	declaration, _, _ = strings.Cut(declaration, "[")
	words := strings.Fields(strings.ReplaceAll(declaration, "*", " "))
	if len(words) < 2 {
		return ""
	}
	return words[len(words)-1]
}

// Number is the field's value in an event; 0 where the event is too short, or the field no number.
func (f Field) Number(event []byte) uint64 {
	if f.Size == 0 || f.Offset+f.Size > len(event) {
		return 0
	}
	part := event[f.Offset : f.Offset+f.Size]
	switch f.Size {
	case 8:
		return binary.LittleEndian.Uint64(part)
	case 4:
		value := binary.LittleEndian.Uint32(part)
		if f.Signed {
			return uint64(int64(int32(value)))
		}
		return uint64(value)
	case 2:
		return uint64(binary.LittleEndian.Uint16(part))
	case 1:
		return uint64(part[0])
	}
	return 0
}

// Text is the field's bytes up to the first zero.
func (f Field) Text(event []byte) []byte {
	if f.Size == 0 || f.Offset+f.Size > len(event) {
		return nil
	}
	part := event[f.Offset : f.Offset+f.Size]
	for at, letter := range part {
		if letter == 0 {
			return part[:at]
		}
	}
	return part
}

// Kind is the number of an event's format; every event begins with it.
func Kind(event []byte) uint16 {
	if len(event) < 2 {
		return 0
	}
	return binary.LittleEndian.Uint16(event)
}
