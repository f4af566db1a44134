"""A directory on a target that does not outlive the way to it.

Only a shell is needed there. It holds the directory until its standard input closes, which a cut
connection or a killed Leadline does too, and then removes it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from probes.cancel import CancelToken
from probes.errors import DirectoryUnusable, TargetError
from probes.sandbox.place import PREFIX, remove
from probes.targets.target import Stream, Target

# Root makes nothing where another account may rename a folder on the way: it would put a link in
# its place. The path stands in the waiting shell's command line, so that whoever cleans up sees it
# in use. It is written in one line: the first line of a longer one would be another directory's.
_KEEP = r"""
umask 077
cd -- "$1" || exit 1
at=$(pwd -P)
while [ "$(id -u)" = 0 ]; do
    case $(stat -c '%u:%g %A' -- "$at") in
    0:*" d"????[!w]??[!w]? | "0:0 d"???????[!w]? | 0:*" d"????????[tT]) ;;
    *) printf '!%s\n' "$at"; exit 1 ;;
    esac
    [ "$at" != / ] || break
    at=$(dirname -- "$at")
done
made=$(mktemp -d "$(pwd -P)/$2XXXXXXXX") || exit 1
case $made in *"
"*) rmdir -- "$made"; exit 1;; esac
exec sh -c "$3" "$made"
"""
# A server in it may take its guard three seconds to end, and makes files until then.
_WAIT = r"""
trap '' HUP INT TERM PIPE
printf '%s\n' "$0"
while read -r _; do :; done
tries=0
until rm -rf -- "$0" || [ "$tries" -ge 40 ]; do tries=$((tries + 1)); sleep 0.2; done
"""

_OPEN_TO_OTHERS = "!"
_POLL_S = 0.25
_READY_S = 15.0


@contextmanager
def kept_directory(target: Target, directory: str, token: CancelToken) -> Iterator[str]:
    """A fresh directory of mode 0700 in ``directory``, gone with all that is in it afterwards.

    Links on the way are resolved. Raises DirectoryUnusable, TargetError and Cancelled.
    """
    argv = ["sh", "-c", _KEEP, "sh", directory, PREFIX, _WAIT]
    made = ""
    try:
        # Not to be closed by a cancel: what works in it is stopped first.
        with target.stream(argv, token=CancelToken()) as stream:
            line = _first_line(stream, token)
            if line.startswith(_OPEN_TO_OTHERS):
                raise _open_to_others(line.removeprefix(_OPEN_TO_OTHERS), target)
            made = line if line.startswith("/") else ""
            if not made:
                raise DirectoryUnusable(
                    f"No directory can be made in {directory} on {target.name}.",
                    "Choose one that exists, that this account may write to, and whose path has "
                    "no line break.",
                )
            yield made
    finally:
        # Where the connection is cut, the waiting shell does it.
        if made:
            with suppress(TargetError):
                remove(target, made)


def _open_to_others(folder: str, target: Target) -> DirectoryUnusable:
    return DirectoryUnusable(
        f"Another account may rename what lies in {folder} on {target.name}: it could put a link "
        "in the place of what root writes there.",
        "Choose a folder that is root's up to the top, or run Leadline as the folder's owner.",
    )


def _first_line(stream: Stream, token: CancelToken) -> str:
    deadline = time.monotonic() + _READY_S
    while time.monotonic() < deadline:
        line = stream.read_line(_POLL_S)
        token.check()
        if line != b"":
            return (line or b"").decode("utf-8", "surrogateescape")
    return ""
