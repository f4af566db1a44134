// Package secrets tells what may be a secret, or hold one. It goes by a list that the program
// shares: see the comments in secrets.txt.
package secrets

import (
	_ "embed"
	"regexp"
	"strings"
)

// Hidden stands for a value that never leaves this machine.
const Hidden = "<hidden>"

//go:embed secrets.txt
var list string

var rules = read(list)

// read makes one expression of each section.
func read(list string) map[string]*regexp.Regexp {
	sections := map[string][]string{}
	section := ""
	for line := range strings.Lines(list) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[' && line[len(line)-1] == ']':
			section = line[1 : len(line)-1]
		default:
			sections[section] = append(sections[section], "(?:"+line+")")
		}
	}
	made := map[string]*regexp.Regexp{}
	for name, lines := range sections {
		made[name] = regexp.MustCompile("(?i)" + strings.Join(lines, "|"))
	}
	return made
}

// Hides says whether the value of the setting name must not leave this machine.
func Hides(name, value string) bool {
	if value == "" || rules["values of no secret"].MatchString(value) {
		return false
	}
	plain := strings.ReplaceAll(strings.ToLower(name), "-", "_")
	if rules["names"].MatchString(plain) && !rules["names of no secret"].MatchString(plain) {
		return true
	}
	rest := rules["texts of no secret"].ReplaceAllString(value, " ")
	return rules["texts"].MatchString(rest) || rules["values"].MatchString(rest)
}
