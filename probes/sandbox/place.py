"""The private directories that a throwaway server lives in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from probes.errors import DirectoryUnusable, TargetError
from probes.targets.target import Target

PREFIX = ".leadline-"
"""Starts the name of every directory that Leadline makes; the guard removes no other."""

LONGEST_SOCKET_BYTES = 107
"""Linux keeps a unix socket's path in 108 bytes, with a closing zero."""

_MADE = re.compile(rf"/.*{re.escape(PREFIX)}[^/\n]+")
_SOCKET = "mysql.sock"
SHORT_PLACES = ("/run", "/tmp")  # noqa: S108 - a fresh directory of mode 0700 is made in it
"""Where a socket goes when the probe directory has too long a path for one."""


@dataclass(frozen=True, slots=True)
class Place:
    """Absolute paths on the target. ``owned`` are the directories to remove afterwards."""

    directory: str
    socket: str
    owned: tuple[str, ...]

    @property
    def data(self) -> str:
        """The server's data directory."""
        return f"{self.directory}/data"

    @property
    def temporary(self) -> str:
        """The server's directory for temporary files."""
        return f"{self.directory}/temporary"


@contextmanager
def private_place(target: Target, directory: str) -> Iterator[Place]:
    """Make fresh directories of mode 0700 in ``directory``, removed at the end.

    The socket lies beside the data, or in a short path of its own where the path would be too long
    for one. Raises DirectoryUnusable and TargetError.
    """
    owned: list[str] = []
    try:
        home = _make(target, directory)
        owned.append(home)
        socket = f"{home}/{_SOCKET}"
        if len(socket.encode("utf-8", "surrogateescape")) > LONGEST_SOCKET_BYTES:
            owned.append(_make_short(target))
            socket = f"{owned[-1]}/{_SOCKET}"
        yield Place(home, socket, tuple(owned))
    finally:
        # Where the connection is cut, the guard on the target removes them.
        with suppress(TargetError):
            remove(target, *owned)


def remove(target: Target, *directories: str) -> None:
    """Remove directories that Leadline made, with all that is in them. Raises TargetError."""
    ours = [path for path in directories if path.rpartition("/")[2].startswith(PREFIX)]
    if ours:
        target.run(["rm", "-rf", "--", *ours])


def _make(target: Target, directory: str) -> str:
    """A fresh directory in ``directory``, with links on the way resolved."""
    script = 'cd -- "$1" && mktemp -d "$(pwd -P)/$2XXXXXXXX"'
    result = target.run(["sh", "-c", script, "sh", directory, PREFIX])
    made = result.stdout.decode("utf-8", "surrogateescape").rstrip("\n")
    if result.status != 0 or not _MADE.fullmatch(made):
        raise DirectoryUnusable(
            f"No directory can be made in {directory} on {target.name}.",
            "Choose one that exists and that this account may write to.",
            result.stderr.decode("utf-8", "replace"),
        )
    return made


def _make_short(target: Target) -> str:
    for place in SHORT_PLACES:
        with suppress(DirectoryUnusable):
            return _make(target, place)
    raise DirectoryUnusable(
        f"No directory for a socket can be made in {' or '.join(SHORT_PLACES)} on {target.name}.",
        "Choose a probe directory with a shorter path.",
    )
