#!/bin/sh
# Builds all packages of the last commit twice, from two clones in two folders, at two times and with
# two umasks, and compares their checksums. The packages are left in dist/.
set -eu
cd "$(dirname "$0")/.."
python=$PWD/.venv/bin/python
place=$(mktemp -d "${TMPDIR:-/var/tmp}/leadline-twice-XXXXXX")
trap 'rm -rf "$place"' EXIT INT TERM
for copy in one "another/of the same"; do
    git clone -q . "$place/$copy"
    echo "reproduce: building in $place/$copy at $(date -u +%T)"
    (
        cd "$place/$copy"
        [ "$copy" = one ] || umask 077
        PYTHONPATH=$PWD "$python" packaging/package.py --untried "$@"
    )
done
diff "$place/one/dist/SHA256SUMS" "$place/another/of the same/dist/SHA256SUMS"
rm -rf dist
cp -r "$place/one/dist" dist
echo "reproduce: both builds are the same, byte for byte:"
cat dist/SHA256SUMS
