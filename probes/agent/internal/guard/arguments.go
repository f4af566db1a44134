// Package guard runs a command for as long as somebody listens, and then tidies up.
package guard

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"leadline/agent/internal/tracefs"
)

// ownPrefix begins the name of every directory that Leadline makes; nothing else is ever removed.
const ownPrefix = ".leadline-"

type task struct {
	directory string
	remove    []string
	traces    []tracefs.Base
	command   []string
}

func parse(arguments []string) (*task, error) {
	asked := &task{}
	for len(arguments) > 0 {
		option := arguments[0]
		if option == "--" {
			asked.command = arguments[1:]
			return asked, nil
		}
		if len(arguments) < 2 {
			return nil, fmt.Errorf("guard: %s needs a value", option)
		}
		value := filepath.Clean(arguments[1])
		switch option {
		case "--chdir":
			asked.directory = value
		case "--remove":
			if err := mayRemove(value); err != nil {
				return nil, err
			}
			asked.remove = append(asked.remove, value)
		case "--remove-traces":
			base, err := tracefs.ParseBase(value)
			if err != nil {
				return nil, fmt.Errorf("guard: %w", err)
			}
			asked.traces = append(asked.traces, base)
		default:
			return nil, fmt.Errorf("guard: unexpected argument %q", option)
		}
		arguments = arguments[2:]
	}
	return nil, errors.New("guard: -- is missing")
}

func mayRemove(path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("guard: --remove takes an absolute path, not %q", path)
	}
	if !strings.HasPrefix(filepath.Base(path), ownPrefix) {
		return fmt.Errorf("guard: %q was not made by Leadline and stays", path)
	}
	return nil
}
