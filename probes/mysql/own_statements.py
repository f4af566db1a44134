"""What of a server's counters Leadline's own questions make, which are no part of its load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST, whole
from probes.mysql.answers import Answering

OWN = "own"
"""Where a kept sample of the status has them, beside its values: by the counters' names."""


class OwnStatements:
    """A server that is asked, and how often it was: an ``Answering`` that counts."""

    def __init__(self, session: Answering) -> None:
        self._session = session
        self._asked: Counter[str] = Counter()

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[dict[str, object]]:
        """The rows of one statement, columns by name; raises MySQLError."""
        self._count(sql)
        return self._session.rows(sql, params)

    def one(self, sql: str) -> dict[str, object]:
        """The first row of a statement that always has one; raises MySQLError."""
        self._count(sql)
        return self._session.one(sql)

    @property
    def round_trip_us(self) -> float | None:
        """How long a statement takes that does nothing; None where nobody measured it."""
        return self._session.round_trip_us

    @property
    def protection(self) -> str:
        """How the connection is protected, in words: "TLS, verified", "unix socket"."""
        return self._session.protection

    @property
    def over_socket(self) -> bool:
        """Whether the server was asked over its socket, and so on its own machine."""
        return self._session.over_socket

    @property
    def counted(self) -> dict[str, int]:
        """What the server has counted of these statements so far, by the counters' names."""
        return dict(self._asked)

    def _count(self, sql: str) -> None:
        self._asked.update(("Questions", "Queries"))
        if sql.startswith("SELECT"):
            self._asked["Com_select"] += 1


def own_of(sample: Mapping[str, Any]) -> dict[str, int]:
    """What a kept sample's counters hold of Leadline's own statements; raises Malformed.

    Nothing in older runs, where nobody counted these.
    """
    own = sample.get(OWN, {})
    if not isinstance(own, dict):
        raise Malformed("what a sample holds of Leadline's own is no object")
    return {name: whole(each, f"Leadline's own {name}", 0, LARGEST) for name, each in own.items()}
