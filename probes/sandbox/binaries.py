"""Finding a MySQL server's program on a target."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probes.targets.target import Target
from probes.version import ServerVersion

OVERRIDE = "LEADLINE_MYSQLD"
"""An environment variable of this computer: the command that starts the server on the target.

It may hold several words, for a server that needs a loader or options of its own.
"""

_LOOK = r"""
for name in mariadbd mysqld; do
  command -v "$name"
  for folder in /usr/sbin /usr/local/sbin /usr/local/bin /usr/libexec /usr/local/libexec \
      /usr/local/mysql/bin /usr/local/mariadb/bin /opt/*/bin /opt/*/sbin /opt/*/*/bin; do
    [ -x "$folder/$name" ] && echo "$folder/$name"
  done
done
true
"""

_ASK_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class ServerBinary:
    """A server program that answered.

    ``command`` starts it: a loader, where it needs one, and its path. ``options`` are those that
    it can't do without.
    """

    command: tuple[str, ...]
    version: ServerVersion
    options: tuple[str, ...] = ()

    @property
    def needs_initialising(self) -> bool:
        """Whether it will not start on an empty data directory: MySQL since 5.7."""
        return self.version.is_mysql and self.version.numbers >= (5, 7, 0)


def find_binary(target: Target, command: Sequence[str] = ()) -> ServerBinary | None:
    """The first server program that answers ``--version``; None when there is none.

    ``command``, or else the environment's LEADLINE_MYSQLD, names one and no other is tried.
    Otherwise PATH and the usual folders are searched, MariaDB first. Raises TargetError.
    """
    for candidate in _candidates(target, command):
        program, options = _split(candidate)
        version = _ask_version(target, program)
        if version is not None:
            return ServerBinary(program, version, options)
    return None


def _split(command: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The command up to the program's path, and the options behind it."""
    end = len(command)
    while end > 1 and command[end - 1].startswith("-"):
        end -= 1
    return tuple(command[:end]), tuple(command[end:])


def _candidates(target: Target, command: Sequence[str]) -> Iterator[Sequence[str]]:
    named = command or shlex.split(os.environ.get(OVERRIDE, ""))
    if named:
        yield named
        return
    found = target.run(["sh", "-c", _LOOK]).stdout.decode("utf-8", "surrogateescape")
    for path in dict.fromkeys(found.splitlines()):
        yield (path,)


def _ask_version(target: Target, command: Sequence[str]) -> ServerVersion | None:
    """What the program reports: ``mariadbd  Ver 10.11.6-MariaDB for Linux on x86_64``."""
    result = target.run([*command, "--no-defaults", "--version"], timeout_s=_ASK_TIMEOUT_S)
    text = result.stdout.decode("utf-8", "replace")
    match = re.search(r"\bVer (\S+)", text)
    if result.status != 0 or match is None:
        return None
    version = ServerVersion.parse(match[1], text)
    return version if version.is_known else None
