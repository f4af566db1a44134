package inventory

import (
	"regexp"
	"strings"

	"leadline/agent/internal/secrets"
)

var (
	// optionName is what an option's name looks like.
	optionName = regexp.MustCompile(`^[a-z][a-z0-9_.-]{0,79}$`)
	// inCapitals is a name that somebody wrote in capitals: a key's letters are not so regular.
	inCapitals = regexp.MustCompile(`^([A-Z]+|[A-Z]?[a-z]+)([_.-]([A-Z0-9]+|[A-Z]?[a-z0-9]+))*$`)
	// harmless is a value that is a number, with what people write behind one, or a switch.
	harmless = regexp.MustCompile(`^([+-]?[0-9][0-9.,]{0,20}[ ]?[a-zA-Z%]{0,5}|(?i:on|off|true|false|yes|no))[;,]?$`)
	// marks are what programs that write files leave in them: tags of templates, sides of a merge.
	marks = regexp.MustCompile(`^(\{\{.*\}\}|\{%.*%\}|<%.*%>|\$\{[\w.]+\}|={7}|[<>]{7}( [\w./-]+)?)$`)
	// setting is a name, as it might be meant, and what stands behind it.
	setting  = regexp.MustCompile(`^["'-]{0,3}([a-zA-Z][a-zA-Z0-9]*(?:[_-][a-zA-Z0-9]+)+)["']?[ \t]*[:=]?>?[ \t]*(.*)$`)
	noLetter = regexp.MustCompile(`[^a-z0-9]+`)
)

// isOption says whether a line may be an option: what is none ends a start.
func (e *entry) isOption() bool {
	plain := strings.ToLower(e.name)
	switch {
	case !optionName.MatchString(plain):
		return false
	case plain == e.name:
		return true
	}
	// A word in capitals that stands alone may be anything, a key for one.
	return inCapitals.MatchString(e.name) && (e.hasValue || strings.ContainsAny(e.name, "_-"))
}

// shown is as much of a line that is no option as may leave this machine: it may be anything.
func (e *entry) shown() string {
	plain := noLetter.ReplaceAllString(strings.ToLower(e.text), "_")
	if len(e.text) > 200 || secrets.Hides(plain, e.text) || secrets.Hides("", e.text) {
		return ""
	}
	if marks.MatchString(e.text) {
		return e.text
	}
	found := setting.FindStringSubmatch(e.text)
	switch {
	case found == nil:
		return ""
	// Some names are secret only where they end so: what stands behind one is no part of it.
	case secrets.Hides(noLetter.ReplaceAllString(strings.ToLower(found[1]), "_"), found[2]):
		return ""
	case found[2] == "" || harmless.MatchString(found[2]):
		return e.text
	}
	return found[1] + " " + secrets.Hidden
}
