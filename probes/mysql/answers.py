"""What a MySQL server's answers must be before anything is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from probes.boundary.malformed import shown
from probes.errors import MySQLError

ADVICE = "Name the server itself, not a proxy before it."

_MOST_LETTERS = 4096


class Answering(Protocol):
    """A server that is asked: over a connection, or as its answers were recorded."""

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[dict[str, object]]:
        """The rows of one statement, columns by name; raises MySQLError."""

    def one(self, sql: str) -> dict[str, object]:
        """The first row of a statement that always has one; raises MySQLError."""

    @property
    def round_trip_us(self) -> float | None:
        """How long a statement takes that does nothing; None where nobody measured it."""

    @property
    def protection(self) -> str:
        """How the connection is protected, in words: "TLS, verified", "unix socket"."""

    @property
    def over_socket(self) -> bool:
        """Whether the server was asked over its socket, and so on its own machine."""


class Row(dict[str, object]):
    """One row, columns by name; raises MySQLError for one that was not sent."""

    def __missing__(self, name: str) -> object:
        raise MySQLError(f"The MySQL server's answer lacks the column {name}.", ADVICE)


def plain(value: object) -> str:
    """A value as text, "" for NULL."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def pairs(rows: Iterable[Mapping[str, object]]) -> dict[str, str]:
    """What SHOW VARIABLES and SHOW STATUS give, by name."""
    return {plain(row["Variable_name"]): plain(row["Value"]) for row in rows}


def line(value: object, name: str) -> str:
    """A name, path or version: one line of text; raises MySQLError, which calls it ``name``."""
    text = plain(value)
    if len(text) > _MOST_LETTERS or not text.isprintable():
        raise MySQLError(f"The MySQL server gives {shown(text)} for {name}.", ADVICE)
    return text
