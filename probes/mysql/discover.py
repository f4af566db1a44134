"""Finding a server that was not named, by its socket in the usual places."""

from __future__ import annotations

from probes.targets.target import Target

_PLACES = (
    "/run/mysqld/mysqld.sock",
    "/var/run/mysqld/mysqld.sock",
    "/var/lib/mysql/mysql.sock",
    "/run/mysql/mysql.sock",
    "/tmp/mysql.sock",  # noqa: S108 - MySQL's own default
)
_LOOK = 'for place in "$@"; do [ -S "$place" ] && printf "%s" "$place" && exit; done; exit 1'


def find_socket(target: Target) -> str | None:
    """The socket of a MySQL server on ``target``; None when there is none. Raises TargetError."""
    result = target.run(["sh", "-c", _LOOK, "sh", *_PLACES])
    return result.stdout.decode("utf-8", "surrogateescape") if result.status == 0 else None
