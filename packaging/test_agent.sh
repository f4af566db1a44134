#!/bin/sh
# The agent's own tests, with Go's race detector where a C compiler is there (cgo needs one). They wait for
# what happens, not for a time: the limit only ends what hangs, on the busiest machine. Vet is of check.sh.
set -eu
cd "$(dirname "$0")/.."
GO=$(.venv/bin/python packaging/build_agent.py --go)
export GOTOOLCHAIN=local GOFLAGS=-mod=readonly GOWORK=off
cd probes/agent
# Each program with the race detector, of which these tests start a hundred, would sleep for a second at its end.
export GORACE="${GORACE:-atexit_sleep_ms=100}"
if command -v gcc >/dev/null 2>&1; then
    CGO_ENABLED=1 exec "$GO" test -vet=off -race -timeout 60m ./...
fi
echo "Leadline: no gcc here, so the agent's tests run without the race detector" >&2
exec "$GO" test -vet=off -timeout 60m ./...
