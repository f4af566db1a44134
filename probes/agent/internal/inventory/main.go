// Package inventory reads raw facts about a host; it judges nothing.
package inventory

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// probeRole is the directory that points are measured in: this machine's own, whatever the server sees.
const probeRole = "probe"

// answer is the whole report.
type answer struct {
	Version  string             `json:"version"`
	Arch     string             `json:"arch"`
	Hostname string             `json:"hostname"`
	Files    map[string]string  `json:"files"`
	Paths    map[string]*place  `json:"paths"`
	Block    map[string]*device `json:"block"`
	Server   *server            `json:"server,omitempty"`
}

// Main reports on this host, on the directories in arguments (--path ROLE=DIR), and on the process of
// the server whose file of its process number they name (--server-pid-file=FILE), and its machine's name
// (--server-hostname=NAME), with its option files and those that they add (--option-file=FILE).
func Main(version string, arguments []string, out, failures io.Writer) int {
	wanted, arguments := ServerAsked(arguments)
	optionFiles, arguments := optionFilesAsked(arguments)
	asked, err := AskedPaths(arguments)
	if err != nil {
		fmt.Fprintln(failures, "inventory:", err)
		return 2
	}
	hostname, err := os.Hostname()
	if err != nil {
		hostname = ""
	}
	found := &answer{
		Version:  version,
		Arch:     runtime.GOARCH,
		Hostname: hostname,
		Files:    hostFiles("/"),
		Paths:    map[string]*place{},
		Block:    map[string]*device{},
	}
	devices := blockReader{root: "/", found: found.Block}
	own := OwnView("/")
	servers := own
	if wanted != nil {
		if found.Server = findServer("/", *wanted, optionFiles); found.Server != nil {
			// Of a container that can't be looked into nothing is told: its view is empty then.
			servers, _ = ViewOf("/", found.Server.PID)
		}
	}
	for role, path := range asked {
		servers := servers
		if role == probeRole {
			servers = own
		}
		place := lookFor(own, servers, path)
		found.Paths[role] = place
		devices.add(place.Device)
		devices.add(place.SourceDevice)
		place.Devices = btrfsDevices("/", place.MountSource)
		for _, device := range place.Devices {
			devices.add(device)
		}
	}
	if err := json.NewEncoder(out).Encode(found); err != nil {
		return 1
	}
	return 0
}

// Server is what leads to a server's process: the file of its number (which may be empty), as it sees it, and
// what it calls its machine.
type Server struct{ PIDFile, Hostname string }

// ServerAsked takes --server-pid-file=FILE and --server-hostname=NAME out of arguments; nil without the first.
func ServerAsked(arguments []string) (wanted *Server, rest []string) {
	hostname := ""
	for _, argument := range arguments {
		if value, ok := strings.CutPrefix(argument, "--server-pid-file="); ok {
			wanted = &Server{PIDFile: value}
		} else if value, ok := strings.CutPrefix(argument, "--server-hostname="); ok {
			hostname = value
		} else {
			rest = append(rest, argument)
		}
	}
	if wanted != nil {
		wanted.Hostname = hostname
	}
	return wanted, rest
}

// optionFilesAsked takes every --option-file=FILE out of arguments.
func optionFilesAsked(arguments []string) (files, rest []string) {
	for _, argument := range arguments {
		if value, ok := strings.CutPrefix(argument, "--option-file="); ok {
			files = append(files, value)
		} else {
			rest = append(rest, argument)
		}
	}
	return files, rest
}

// AskedPaths reads directories by their roles (--path ROLE=DIR).
func AskedPaths(arguments []string) (map[string]string, error) {
	asked := map[string]string{}
	for len(arguments) > 0 {
		value, ok := strings.CutPrefix(arguments[0], "--path=")
		if !ok {
			if arguments[0] != "--path" || len(arguments) < 2 {
				return nil, fmt.Errorf("unexpected argument %q", arguments[0])
			}
			arguments = arguments[1:]
			value = arguments[0]
		}
		role, path, ok := strings.Cut(value, "=")
		if !ok || role == "" || path == "" {
			return nil, fmt.Errorf("--path takes ROLE=DIR, not %q", value)
		}
		asked[role] = path
		arguments = arguments[1:]
	}
	return asked, nil
}
