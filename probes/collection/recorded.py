"""A server as its answers were recorded, which is asked like one over a connection."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST, finite_from_text
from probes.collection.questions import (
    CONNECTION,
    FILES,
    MACHINE_S,
    SAMPLED,
    SERVER_S,
    VARIABLES,
    WAY,
)
from probes.errors import MySQLError
from probes.mysql.answers import Row

_DASHES = "-" * 14
_ERROR = re.compile(r"ERROR (\d{4,5})(?: \([0-9A-Z]{5}\))?(?: at line (\d{1,9}))?: (.*)")
_COMMENT = re.compile(r"/\*[+!]?.*?\*/")
_ESCAPED = re.compile(r"\\(.)")
_PLAIN = {"n": "\n", "t": "\t", "0": "\0", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer: rows, columns by name, or the error; ``at_s`` is when it came."""

    sql: str
    rows: tuple[Row, ...]
    error: tuple[int, str] | None
    at_s: float


class RecordedServer:
    """The answers of one archive, each given once, in the order in which they came.

    Stands for a session with a server. ``first_ends`` is the last line of the first statement in
    what the client was given, 0 where that began with it. ``now_s`` is when the latest given answer
    came, in seconds by a clock of the recording.
    """

    round_trip_us = None
    """Nobody measured it."""

    def __init__(self, text: str, first_ends: int = 0) -> None:
        exchanges = list(_exchanges(text, first_ends))
        self._answers: dict[str, deque[Exchange]] = defaultdict(deque)
        for each in exchanges:
            conditional = each.sql.startswith(f"{VARIABLES} WHERE")
            self._answers[VARIABLES if conditional else each.sql].append(each)
        self.over_socket = self._over_socket()
        self.protection = "unix socket" if self.over_socket else ""
        self.now_s = exchanges[0].at_s if exchanges else 0.0

    def _over_socket(self) -> bool:
        """Whether the client came over the server's socket, as far as that is sure."""
        way, seen = (
            next((row for each in self._answers[_normal(sql)] for row in each.rows), Row())
            for sql in (WAY, CONNECTION)
        )
        alone = seen.get("host") == "localhost" and seen.get("no_names") not in ("0", None)
        return way.get("way") == "Socket" or alone

    @property
    def samples(self) -> int:
        """How often the status was sampled."""
        return len(self._answers[_normal(SAMPLED)])

    def clock(self) -> float:
        """When the latest given answer came."""
        return self.now_s

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[dict[str, object]]:
        """The next recorded answer; raises MySQLError, also where the question was not asked."""
        answers = self._answers[_normal(sql)]
        if not answers:
            raise MySQLError("The archive holds no answer to that question.")
        exchange = answers.popleft()
        self.now_s = exchange.at_s
        if exchange.error is not None:
            raise _fault(*exchange.error)
        return list(exchange.rows)

    def one(self, sql: str) -> dict[str, object]:
        """The first row of an answer; raises MySQLError."""
        rows = self.rows(sql)
        if not rows:
            raise MySQLError(f"The archive holds an empty answer to {sql}.")
        return rows[0]


def _normal(sql: str) -> str:
    """A statement as clients send it or not: without comments, whatever its white space."""
    return " ".join(_COMMENT.sub(" ", sql).split()).removesuffix(";")


def _exchanges(text: str, first_ends: int) -> Iterator[Exchange]:
    """Each statement with its answer; the time is that of the first mark behind it.

    Files are asked for right behind a sample's mark, and the next comes a second later: theirs is
    the mark before.
    """
    waiting: list[_Statement] = []
    clock = _Clock()
    files, before_s = {*map(_normal, FILES)}, 0.0
    for each in _with_errors(list(_echoed(text)), first_ends):
        at_s = clock.read(each)
        if at_s is None:
            waiting.append(each)
            continue
        for one in waiting:
            yield _exchange(one, before_s if before_s and one.sql in files else at_s)
        waiting.clear()
        before_s = at_s
    yield from (_exchange(one, clock.latest_s) for one in waiting)


@dataclass(slots=True)
class _Statement:
    """A statement as the client repeats it, on a number of lines, and what is printed behind it."""

    sql: str
    lines: int
    answer: list[str]
    error: tuple[int, str] | None = None


def _with_errors(statements: list[_Statement], first_ends: int) -> list[_Statement]:
    """Give each error to its statement, by the line that it names.

    Clients print an error behind its statement, or before it, with others that failed. Some repeat
    the comments before a statement as lines of it.
    """
    first_line = first_ends - statements[0].lines + 1 if first_ends and statements else 1
    by_line = [each for each in statements for _ in range(each.lines)]
    for each in statements:
        errors = [found for line in each.answer if (found := _ERROR.match(line))]
        each.answer = [line for line in each.answer if not _ERROR.match(line)]
        for code, line, text in (found.groups() for found in errors):
            at = int(line or 0) - first_line
            failed = by_line[at] if 0 <= at < len(by_line) else each
            failed.error = (int(code), text)
    return statements


class _Clock:
    """Reads marks: by the server's clock where that has parts of seconds, else the machine's."""

    def __init__(self) -> None:
        self.latest_s = 0.0

    def read(self, statement: _Statement) -> float | None:
        """The time of a mark in seconds; None where the statement is none."""
        if f"AS {SERVER_S}" not in statement.sql:
            return None
        names, values = ([*(line.split("\t") for line in statement.answer), [], []])[:2]
        named = dict(zip(names, values, strict=False))
        server, machine = named.get(SERVER_S, ""), named.get(MACHINE_S, "")
        try:
            exact = "." in server or machine in ("", "0")
            at_s = finite_from_text(server if exact else machine, "a time", 0, LARGEST)
        except Malformed:
            return self.latest_s
        self.latest_s = max(self.latest_s, at_s)
        return self.latest_s


def _echoed(text: str) -> Iterator[_Statement]:
    """Statements as the client repeats them between dashes, and the lines that follow each."""
    inside: list[str] | None = None
    latest: _Statement | None = None
    for line in text.split("\n"):
        if line != _DASHES:
            if inside is not None:
                inside.append(line)
            elif latest is not None and (line or latest.answer):
                latest.answer.append(line)
        elif inside is None:
            inside = []
        else:
            if latest is not None:
                yield latest
            latest = _Statement(_normal("\n".join(inside)), len(inside), [])
            inside = None
    if latest is not None:
        yield latest


def _exchange(statement: _Statement, at_s: float) -> Exchange:
    if statement.error is not None or not statement.answer:
        return Exchange(statement.sql, (), statement.error, at_s)
    names = statement.answer[0].split("\t")
    fields = (line.split("\t") for line in statement.answer[1:])
    rows = (
        Row((name, _plain(name, field)) for name, field in zip(names, each, strict=True))
        for each in fields
        if len(each) == len(names)
    )
    return Exchange(statement.sql, tuple(rows), None, at_s)


def _plain(name: str, field: str) -> str | None:
    """A field without the client's escapes. It writes NULL for none, and a setting may be that."""
    if field == "NULL" and name != "Value":
        return None
    if "\\" not in field:
        return field
    return _ESCAPED.sub(lambda found: _PLAIN.get(found[1], found[0]), field)


def _fault(*error: int | str) -> MySQLError:
    """What a client would have raised; loaded with the first, since few archives have one."""
    import pymysql  # noqa: PLC0415

    from probes.mysql.transport.faults import while_asking  # noqa: PLC0415

    return while_asking(pymysql.MySQLError(*error), "the collected server")
