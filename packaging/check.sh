#!/bin/sh
# Every check that is no test, in one go; the first that fails ends it.
set -eu
cd "$(dirname "$0")/.."
BIN=$PWD/.venv/bin
GO=$("$BIN/python" packaging/build_agent.py --go)
GOROOT_BIN=$("$GO" env GOROOT)/bin

echo "ruff format"
"$BIN/ruff" format --check .
echo "ruff check"
"$BIN/ruff" check .
echo "mypy"
"$BIN/mypy"
echo "import contracts"
"$BIN/lint-imports"

cd probes/agent
export GOTOOLCHAIN=local GOFLAGS=-mod=readonly GOWORK=off
# staticcheck calls `go` by its name.
PATH=$GOROOT_BIN:$PATH
echo "gofmt"
gofmt=$GOROOT_BIN/gofmt
unformatted=$("$gofmt" -l .)
[ -z "$unformatted" ] || { echo "not formatted: $unformatted" >&2; exit 1; }
for processor in amd64 arm64; do
    echo "go vet ($processor)"
    GOARCH=$processor "$GO" vet ./...
    echo "staticcheck ($processor)"
    GOARCH=$processor "$BIN/staticcheck" ./...
done
echo "All checks passed."
