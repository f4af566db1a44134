package inventory

import (
	"fmt"
	"strings"
)

// longestLine is what a server reads at once: it takes the rest of a longer line for a new one.
const longestLine = 4094

// space is what servers take for white space around names and values.
const space = " \t\n\v\f\r"

// ending is why a server ends its start at a line of an option file.
type ending string

const (
	byteOrderMark ending = "byte_order_mark"
	noGroup       ending = "no_group"
	openGroup     ending = "open_group"
	noPath        ending = "no_path"
	noFolder      ending = "no_folder"
	// noFile: the command line names the file, and it is not there.
	noFile ending = "no_file"
)

// stop is a line at which a server ends its start, in words that follow "because".
type stop struct {
	ends    ending
	line    int
	because string
}

func (s *stop) Error() string {
	return s.because
}

// entry is one line that says something: an option, or what a "!include" names.
type entry struct {
	line  int
	group string
	// name is as it is written, value without quotes and escapes; hasValue: there was an "=".
	name, value string
	hasValue    bool
	// text is the line without what is around it and without its comment.
	text string
	// include is the path of a !include, folder that of a !includedir.
	include, folder string
}

// parseOptions reads an option file as MySQL and MariaDB do. What comes after a line that a server
// refuses is not read; the error says which line that is, in words that follow "because".
func parseOptions(content string) ([]entry, error) {
	var entries []entry
	group, number := "", 0
	var long error
	if strings.HasPrefix(content, "\uFEFF") {
		return nil, &stop{byteOrderMark, 1, "it starts with a byte order mark, and servers refuse it"}
	}
	for raw := range strings.Lines(content) {
		number++
		if len(raw) > longestLine {
			long = fmt.Errorf("line %d of it is longer than a server reads at once", number)
			continue
		}
		raw, _, _ = strings.Cut(raw, "\x00")
		text := strings.Trim(raw, space)
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
		case text[0] == '!':
			found := directive(strings.TrimLeft(raw, space))
			if found == nil {
				continue
			}
			if found.include == "" && found.folder == "" {
				return entries, &stop{noPath, number, fmt.Sprintf("the include in line %d of it names nothing", number)}
			}
			found.line = number
			entries = append(entries, *found)
		case text[0] == '[':
			name, _, closed := strings.Cut(text[1:], "]")
			if !closed {
				return entries, &stop{openGroup, number, fmt.Sprintf("the group in line %d of it has no end", number)}
			}
			group = strings.TrimRight(name, space)
		case group == "":
			return entries, &stop{noGroup, number, fmt.Sprintf("line %d of it stands before any group", number)}
		default:
			found := option(withoutComment(text))
			found.line, found.group = number, group
			entries = append(entries, found)
		}
	}
	return entries, long
}

// directive reads a line that starts with "!"; nil for one that servers pass over, an empty entry
// for an include without a path.
func directive(text string) *entry {
	text = strings.TrimLeft(text[1:], space)
	end := strings.IndexAny(text, space)
	if end < 0 {
		return nil
	}
	path := strings.Trim(text[end:], space)
	switch text[:end] {
	case "include":
		return &entry{include: path}
	case "includedir":
		return &entry{folder: path}
	}
	return nil
}

// withoutComment cuts a line at the first "#" outside quotes.
func withoutComment(text string) string {
	var quote byte
	escaped := false
	for at := range len(text) {
		letter := text[at]
		if (letter == '\'' || letter == '"') && !escaped {
			switch quote {
			case 0:
				quote = letter
			case letter:
				quote = 0
			}
		}
		if quote == 0 && letter == '#' {
			return strings.TrimRight(text[:at], space)
		}
		escaped = quote != 0 && letter == '\\' && !escaped
	}
	return text
}

func option(text string) entry {
	name, value, hasValue := strings.Cut(text, "=")
	return entry{
		name:     strings.TrimRight(name, space),
		value:    unescaped(unquoted(strings.Trim(value, space))),
		hasValue: hasValue,
		text:     text,
	}
}

func unquoted(value string) string {
	if last := len(value) - 1; last > 0 && (value[0] == '"' || value[0] == '\'') && value[last] == value[0] {
		return value[1:last]
	}
	return value
}

// escapes are the letters that mean another one after a backslash.
var escapes = map[byte]byte{
	'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 's': ' ', '"': '"', '\'': '\'', '\\': '\\',
}

func unescaped(value string) string {
	var plain strings.Builder
	for at := 0; at < len(value); at++ {
		if value[at] != '\\' || at == len(value)-1 {
			plain.WriteByte(value[at])
			continue
		}
		at++
		if meant, known := escapes[value[at]]; known {
			plain.WriteByte(meant)
			continue
		}
		plain.WriteByte('\\')
		plain.WriteByte(value[at])
	}
	return plain.String()
}
