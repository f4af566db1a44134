package inventory

import (
	"regexp"
	"strings"
)

// hidden stands for a value that never leaves this machine.
const hidden = "<hidden>"

// secretName tells names whose values are, or hold, a secret; one that is hidden for nothing costs
// nothing, so it is wide: servers also take the beginning of a name for the name.
var secretName = regexp.MustCompile(
	`pass|pwd|secret|token|credential|auth|filekey|private_?key|provider_opt|init_connect|init_(replica|slave)`)

// secretValue tells values that look like holding one, whatever their name is.
var secretValue = regexp.MustCompile(`(?i)pass|pwd|secret|token|identified|://[^/\s]*@`)

// optionName is what an option's name looks like; another line may be anything, and stays here.
var optionName = regexp.MustCompile(`^[a-z][a-z0-9_.-]{0,79}$`)

func isSecret(name, value string) bool {
	plain := strings.ReplaceAll(strings.ToLower(name), "-", "_")
	return value != "" && (secretName.MatchString(plain) || secretValue.MatchString(value))
}
