package probe

import (
	"time"

	"leadline/agent/internal/events"
)

const heartbeat = time.Second

// stayAlive says so every second for as long as the process lasts.
func stayAlive(writer *events.Writer) {
	for range time.Tick(heartbeat) {
		writer.Write(events.Plain{Event: "alive"})
	}
}
