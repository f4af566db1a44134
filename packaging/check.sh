#!/bin/sh
# Every check that is no test, in one go: those of Python beside those of Go, each of which keeps a
# processor. Of each the first that fails ends it.
set -eu
cd "$(dirname "$0")/.."
BIN=$PWD/.venv/bin
GO=$("$BIN/python" packaging/build_agent.py --go)
GOROOT_BIN=$("$GO" env GOROOT)/bin

python_checks() {
    echo "ruff format"
    "$BIN/ruff" format --check .
    echo "ruff check"
    "$BIN/ruff" check .
    echo "mypy"
    "$BIN/mypy"
    echo "mypy (as on Windows)"
    "$BIN/mypy" --platform win32 --cache-dir .mypy_cache/win32 app advisor probes
    echo "import contracts"
    "$BIN/lint-imports"
}

go_checks() {
    export GOTOOLCHAIN=local GOFLAGS=-mod=readonly GOWORK=off
    # staticcheck calls `go` by its name.
    PATH=$GOROOT_BIN:$PATH
    echo "gofmt"
    gofmt=$GOROOT_BIN/gofmt
    unformatted=$("$gofmt" -l probes/agent packaging/appimage)
    [ -z "$unformatted" ] || { echo "not formatted: $unformatted" >&2; exit 1; }
    for module in probes/agent packaging/appimage; do
        for processor in amd64 arm64; do
            echo "go vet ($module, $processor)"
            (cd $module && GOARCH=$processor "$GO" vet ./...)
            echo "staticcheck ($module, $processor)"
            (cd $module && GOARCH=$processor "$BIN/staticcheck" ./...)
        done
    done
}

# What Python's checks print comes after Go's, and not between its lines.
printed=$(mktemp)
python_checks >"$printed" 2>&1 &
python=$!
trap 'kill "$python" 2>/dev/null || true; rm -f "$printed"' EXIT
go_checks
fit=yes
wait "$python" || fit=no
cat "$printed"
[ "$fit" = yes ] || exit 1
echo "All checks passed."
