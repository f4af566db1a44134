"""Cleaning up after a throwaway server whose Leadline and guard were both killed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from probes.cancel import CancelToken
from probes.sandbox.place import PREFIX, SHORT_PLACES, SandboxPlace, remove
from probes.targets.target import Target

LOCK = "owner.json"
"""Written into the directory once its server runs: says whose it is, and that it once was alive."""

GRACE_S = 120
"""How long a directory without a lock is taken for one that is just being made."""

_ENDING_S = 5.0
_STEP_S = 0.2

_LIST = r"""
now=$(date +%s)
for directory in "$1"/"$2"????????; do
  [ -d "$directory" ] && [ -O "$directory" ] && [ ! -L "$directory" ] || continue
  changed=$(stat -c %Y -- "$directory") || continue
  locked=no; [ -f "$directory/$3" ] && locked=yes
  printf '%s %s %s\0' "$locked" "$((now - changed))" "$directory"
done
"""

_ENTRY = re.compile(r"(yes|no) (-?\d{1,12}) (/.*)", re.DOTALL)
_PID = re.compile(rb"\d{1,10}")

# The name comes over standard input: as an argument it would be found in grep's own command line.
_USERS = r"""grep -l -a -F -f - /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3"""


@dataclass(frozen=True, slots=True)
class _Found:
    directory: str
    locked: bool
    age_s: int


def write_lock(target: Target, place: SandboxPlace, server_pid: int) -> None:
    """Mark the directory as one whose server has started: with no process left it is a leftover."""
    lock = json.dumps({"directory": place.directory, "server_pid": server_pid})
    for directory in place.owned:
        path = f"{directory}/{LOCK}"
        target.run(["sh", "-c", 'cat > "$1"', "sh", path], stdin=lock.encode())


def clean_leftovers(
    target: Target, directory: str, token: CancelToken | None = None
) -> tuple[str, ...]:
    """Remove what killed sandboxes left in ``directory``, ending servers that still run in it.

    Only directories of this account with Leadline's prefix are looked at, and none that a living
    guard holds. Returns those removed. Raises TargetError and Cancelled.
    """
    token = token or CancelToken()
    removed = []
    for place in dict.fromkeys((directory, *SHORT_PLACES)):
        for found in _list(target, place):
            if _is_left(target, found, token):
                remove(target, found.directory)
                removed.append(found.directory)
    return tuple(removed)


def _list(target: Target, place: str) -> Iterator[_Found]:
    result = target.run(["sh", "-c", _LIST, "sh", place, PREFIX, LOCK])
    for entry in result.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        # A login may add words of its own to what a command writes.
        found = _ENTRY.fullmatch(entry)
        if found is not None:
            yield _Found(found[3], found[1] == "yes", int(found[2]))


def _is_left(target: Target, found: _Found, token: CancelToken) -> bool:
    """Whether nobody holds the directory any more; a server without its guard is ended."""
    users = {pid: _command(target, pid) for pid in _users(target, found.directory)}
    if any("guard" in command[:2] for command in users.values()):
        return False
    servers = [pid for pid, command in users.items() if _serves(command, found.directory)]
    if not servers:
        return not users and (found.locked or found.age_s > GRACE_S)
    _end(target, servers, token)
    return True


def _users(target: Target, directory: str) -> list[int]:
    """Processes in whose command line the directory stands."""
    result = target.run(["sh", "-c", _USERS], stdin=directory.encode("utf-8", "surrogateescape"))
    return [int(pid) for pid in result.stdout.split() if _PID.fullmatch(pid)]


def _command(target: Target, pid: int) -> list[str]:
    text = target.run(["cat", f"/proc/{pid}/cmdline"]).stdout
    return text.decode("utf-8", "surrogateescape").split("\0")


def _serves(command: list[str], directory: str) -> bool:
    return any(word.startswith(f"--datadir={directory}/") for word in command)


def _end(target: Target, pids: list[int], token: CancelToken) -> None:
    def signal(name: str) -> bool:
        """Send it; whether somebody was there to get it."""
        words = [name, *(str(pid) for pid in pids)]
        return target.run(["sh", "-c", 'kill "$@"', "sh", *words]).status == 0

    signal("-TERM")
    waited_s = 0.0
    while waited_s < _ENDING_S and signal("-0"):
        token.wait(_STEP_S)
        waited_s += _STEP_S
    signal("-KILL")
