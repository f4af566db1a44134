#!/bin/sh
# Every check that is no test, in one go; the first that fails ends it.
set -eu
cd "$(dirname "$0")/.."
BIN=$PWD/.venv/bin
GO=$(command -v go || echo "$BIN/go")
STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.7.0

echo "ruff format"; "$BIN/ruff" format --check .
echo "ruff check"; "$BIN/ruff" check .
echo "mypy"; "$BIN/mypy"
echo "import contracts"; "$BIN/lint-imports"

cd probes/agent
export GOTOOLCHAIN=local
echo "gofmt"
gofmt=$(command -v gofmt || echo "$("$GO" env GOROOT)/bin/gofmt")
unformatted=$("$gofmt" -l .)
[ -z "$unformatted" ] || { echo "not formatted: $unformatted" >&2; exit 1; }
echo "go vet"; "$GO" vet ./...
GOARCH=arm64 "$GO" vet ./...
echo "staticcheck"
[ -x "$BIN/staticcheck" ] || GOBIN="$BIN" "$GO" install "$STATICCHECK"
"$BIN/staticcheck" ./...
echo "All checks passed."
