package events

import (
	"encoding/json"
	"io"
	"runtime"
)

// TellVersion reports what a program is and which protocol it speaks; it returns the exit status.
func TellVersion(out io.Writer, version string, protocol int) int {
	err := json.NewEncoder(out).Encode(struct {
		Version  string `json:"version"`
		Protocol int    `json:"protocol"`
		OS       string `json:"os"`
		Arch     string `json:"arch"`
	}{version, protocol, runtime.GOOS, runtime.GOARCH})
	if err != nil {
		return 1
	}
	return 0
}
