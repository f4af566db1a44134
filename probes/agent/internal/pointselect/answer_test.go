package pointselect

import (
	"bytes"
	"strconv"
	"testing"

	"leadline/agent/internal/plan"
)

// packets frames payloads as a server would.
func packets(payloads ...[]byte) []byte {
	var stream []byte
	for sequence, payload := range payloads {
		stream = append(stream, byte(len(payload)), byte(len(payload)>>8), byte(len(payload)>>16), byte(sequence+1))
		stream = append(stream, payload...)
	}
	return stream
}

var (
	description = append([]byte{3, 'd', 'e', 'f'}, bytes.Repeat([]byte{0}, 40)...)
	oldEOF      = []byte{packetEOF, 0, 0, 2, 0}
	okAtEnd     = []byte{packetEOF, 0, 0, 2, 0, 0, 0}
	textRow     = append([]byte{120}, bytes.Repeat([]byte{'x'}, 120)...)
	binaryRow   = append([]byte{0, 0, 120}, bytes.Repeat([]byte{'x'}, 120)...)
	failure     = append([]byte{packetError, 0x7a, 0x04}, "#42S02Table 'a.b' doesn't exist"...)
)

var streams = map[string]struct {
	stream  []byte
	rows    uint32
	failed  bool
	strange bool
}{
	"a row, old protocol":          {packets([]byte{1}, description, oldEOF, textRow, oldEOF), 1, false, false},
	"no row, old protocol":         {packets([]byte{1}, description, oldEOF, oldEOF), 0, false, false},
	"a row, new protocol":          {packets([]byte{1}, description, binaryRow, okAtEnd), 1, false, false},
	"no row, new protocol":         {packets([]byte{1}, description, okAtEnd), 0, false, false},
	"three columns, two rows":      {packets([]byte{3}, description, description, description, textRow, textRow, okAtEnd), 2, false, false},
	"MariaDB with descriptions":    {packets([]byte{1, 1}, description, binaryRow, okAtEnd), 1, false, false},
	"MariaDB without descriptions": {packets([]byte{1, 0}, binaryRow, okAtEnd), 1, false, false},
	"the same with old EOFs":       {packets([]byte{1, 0}, oldEOF, binaryRow, oldEOF), 1, false, false},
	"an error at once":             {packets(failure), 0, true, false},
	"an error among rows":          {packets([]byte{1}, description, textRow, failure), 1, true, false},
	"nothing but OK":               {packets([]byte{0, 0, 0, 2, 0, 0, 0}), 0, false, false},
	"a file is asked for":          {packets([]byte{0xfb, 'f'}), 0, false, true},
	"an empty packet":              {packets([]byte{}), 0, false, true},
}

func TestAnAnswerIsFollowedToItsEnd(t *testing.T) {
	for name, want := range streams {
		t.Run(name, func(t *testing.T) {
			var got answer
			extra := append(bytes.Clone(want.stream), 1, 2, 3)
			if used := got.feed(extra); used != len(want.stream) {
				t.Errorf("%d bytes used instead of %d", used, len(want.stream))
			}
			if !got.done || got.rows != want.rows || got.failed != want.failed || got.strange != want.strange {
				t.Errorf("the answer is %+v", got)
			}
		})
	}
}

func TestAnAnswerMayComeInPieces(t *testing.T) {
	for name, want := range streams {
		t.Run(name, func(t *testing.T) {
			for cut := range want.stream {
				var got answer
				used := got.feed(want.stream[:cut])
				if got.done {
					t.Fatalf("done after %d of %d bytes", cut, len(want.stream))
				}
				used += got.feed(want.stream[used:])
				if !got.done || used != len(want.stream) || got.rows != want.rows {
					t.Fatalf("cut at %d: %d bytes used, %+v", cut, used, got)
				}
			}
		})
	}
}

func TestAnErrorIsRead(t *testing.T) {
	stream := packets([]byte{1}, description, failure)
	var got answer
	got.feed(stream)
	number, message := serverError(stream[got.failure:])
	if number != 1146 || message != "Table 'a.b' doesn't exist" {
		t.Errorf("error %d: %q", number, message)
	}
	if _, message := serverError([]byte{packetError}); message == "" {
		t.Error("a cut error has no text")
	}
}

func TestKeysAreWrittenAsNumbers(t *testing.T) {
	request := textRequest("SELECT 1 FROM t WHERE id=", ";")
	for _, key := range []int64{0, 7, 10, 99, -1, 1 << 62, -(1 << 62), 1234567890} {
		packet := request.forKey(key)
		want := "SELECT 1 FROM t WHERE id=" + strconv.FormatInt(key, 10) + ";"
		if string(packet[5:]) != want || packet[4] != commandQuery {
			t.Errorf("%q instead of %q", packet[5:], want)
		}
		if length := int(packet[0]) | int(packet[1])<<8 | int(packet[2])<<16; length != len(packet)-headerBytes {
			t.Errorf("a length of %d for %d bytes", length, len(packet)-headerBytes)
		}
	}
}

func TestNamesAreQuoted(t *testing.T) {
	said := statementsFor(plan.SQL, plan.Table{Name: "a`b c", Key: "k", Column: "ü"})
	if want := "SELECT `ü` FROM `a``b c` WHERE `k`="; said.prefix != want {
		t.Errorf("%q instead of %q", said.prefix, want)
	}
}

func TestKeysCoverTheirRangeAlone(t *testing.T) {
	asking := client{random: 1, keys: newKeys(-3, 3, UniformKeys, Hot{})}
	hits := map[int64]int{}
	for range 7000 {
		hits[asking.nextKey()]++
	}
	for key := int64(-3); key <= 3; key++ {
		if hits[key] < 800 || hits[key] > 1200 {
			t.Errorf("%d was drawn %d times instead of about 1000", key, hits[key])
		}
	}
	if len(hits) != 7 {
		t.Errorf("%v was drawn", hits)
	}
}
