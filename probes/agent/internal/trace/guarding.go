package trace

import (
	"io"
	"os/exec"
	"syscall"

	"leadline/agent/internal/tracefs"
)

// guarding is a second process that removes the instances of a base when this one ends, however it does.
type guarding struct {
	command *exec.Cmd
	alive   io.Closer
}

// guardTraces starts it. It has a session of its own: what is sent to this process's group does not reach it.
func guardTraces(base tracefs.Base) (*guarding, error) {
	command := exec.Command("/proc/self/exe", "guard", "--remove-traces", string(base), "--")
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	alive, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &guarding{command, alive}, nil
}

// end lets it go; it removes what is still there.
func (g *guarding) end() {
	_ = g.alive.Close()
	_ = g.command.Wait()
}
