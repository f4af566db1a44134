"""Finding a server that was not named, by its socket in the usual places."""

from __future__ import annotations

from probes.errors import TargetUnreachable
from probes.targets.target import SocketAddress, Target

_PLACES = (
    "/run/mysqld/mysqld.sock",
    "/var/run/mysqld/mysqld.sock",
    "/var/lib/mysql/mysql.sock",
    "/run/mysql/mysql.sock",
    "/tmp/mysql.sock",  # noqa: S108 - MySQL's own default
)
_LOOK = 'for place in "$@"; do [ -S "$place" ] && printf "%s\\n" "$place"; done; true'
_ANSWER_LIMIT_S = 3.0


def find_socket(target: Target) -> str | None:
    """The socket of a MySQL server that runs on ``target``; None when there is none.

    Behind SSH the agent is brought there when a socket is found. Raises TargetError.
    """
    result = target.run(["sh", "-c", _LOOK, "sh", *_PLACES])
    for place in result.stdout.decode("utf-8", "surrogateescape").splitlines():
        if _answers(target, place):
            return place
    return None


def _answers(target: Target, place: str) -> bool:
    """Whether somebody listens: a server that was killed leaves its socket behind."""
    try:
        target.open_socket(SocketAddress(unix_path=place), _ANSWER_LIMIT_S).carrier.close()
    except TargetUnreachable:
        return False
    return True
