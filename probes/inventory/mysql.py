"""What a MySQL server reported, read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import finite, finite_from_text
from probes.inventory.facts import (
    COMMAND_LINE,
    DYNAMIC,
    LARGEST_FIGURE,
    PERSISTED,
    Missing,
    MySQLFacts,
    StatusWindow,
    Variable,
    figure,
)
from probes.mysql.own_statements import own_of
from probes.variable_sheets import numbers
from probes.version import ServerVersion

_ORIGINS = {"COMPILE-TIME": "COMPILED", "COMMAND-LINE": "COMMAND_LINE", "SQL": "DYNAMIC"}
"""MariaDB's words for an origin, said in MySQL's."""

_MOST_BYTES = 8 << 20
"""Of one answer; the longest, of all variables, has some 100 KB."""

_NO_FILES = frozenset({PERSISTED, "COMPILED", COMMAND_LINE, DYNAMIC, "AUTO"})


@dataclass(frozen=True, slots=True)
class MySQLReading:
    """The server's facts, None when it was not asked, and what could not be found out."""

    facts: MySQLFacts | None
    missing: tuple[Missing, ...] = ()


def read_mysql(answers: Mapping[str, str]) -> MySQLReading:
    """Read the answers whose names start with ``mysql.``; raises Malformed on damaged JSON."""
    if "mysql.version" not in answers:
        return MySQLReading(None)
    version = read_version(answers)
    reader = _AnswerReader(answers)
    window = reader.window()
    variables = _variables(answers)
    facts = MySQLFacts(
        version=version,
        variables=variables,
        window=window,
        uptime_s=None if window is None else window.gauge("Uptime"),
        innodb_status=answers.get("mysql.innodb_status"),
        connection=answers.get("mysql.connection", ""),
        round_trip_us=reader.round_trip_us(),
        innodb_files_bytes=reader.size("mysql.sizes", "innodb_files_bytes"),
        innodb_files=reader.size("mysql.sizes", "innodb_files"),
        metrics=reader.metrics(),
        oldest_transaction_s=reader.figure("mysql.transactions", "oldest_s"),
        performance_schema_bytes=reader.size("mysql.performance_schema", "memory_bytes"),
    )
    unread = (
        Missing(f"mysql.variable.{each.name}", each.because)
        for each in variables.values()
        if each.because
    )
    return MySQLReading(facts, (*reader.missing, *_unknown(version), *unread))


@dataclass(slots=True)
class _AnswerReader:
    """The figures of the answers; one that can't be is a missing fact, and the others stand."""

    answers: Mapping[str, str]
    missing: list[Missing] = field(default_factory=list)

    def round_trip_us(self) -> float | None:
        return self._figure("mysql.round_trip_us", self.answers.get("mysql.round_trip_us"))

    def size(self, name: str, key: str) -> int | None:
        figure = self.figure(name, key)
        return None if figure is None else int(figure)

    def figure(self, name: str, key: str) -> float | None:
        return self._figure(name, _object(self.answers, name).get(key))

    def metrics(self) -> dict[str, float]:
        counters = _object(self.answers, "mysql.innodb_metrics")
        figures = {
            name: self._figure(f"mysql.innodb_metrics.{name}", value, low=-LARGEST_FIGURE)
            for name, value in counters.items()
        }
        return {name: value for name, value in figures.items() if value is not None}

    def window(self) -> StatusWindow | None:
        """Both samples; with one alone the window has no length."""
        after = _object(self.answers, "mysql.status.after")
        before = _object(self.answers, "mysql.status.before") or after
        if not after:
            return None
        try:
            begun_s, ended_s = (_number(each.get("at_s"), 0.0) for each in (before, after))
            averaged = after.get("averaged") is True
            return StatusWindow(ended_s - begun_s, _texts(before), _texts(after), averaged)
        except Malformed as error:
            self._damaged("mysql.status", error)
            return None

    def _figure(self, name: str, value: object, low: float = 0.0) -> float | None:
        try:
            return None if value is None else _number(value, low)
        except Malformed as error:
            self._damaged(name, error)
            return None

    def _damaged(self, name: str, error: Malformed) -> None:
        self.missing.append(Missing(name, f"what the server says of it is damaged: {error}"))


def _number(value: object, low: float) -> float:
    """A figure as JSON has it, or as text; raises Malformed for what nothing can be reckoned of."""
    if isinstance(value, str):
        return finite_from_text(value.strip(), "it", low, LARGEST_FIGURE)
    return finite(value, "it", low, LARGEST_FIGURE)


def _texts(sample: Mapping[str, Any]) -> dict[str, str]:
    values = sample.get("values")
    if not isinstance(values, dict):
        raise Malformed(f"its values are {shown(values)}")
    return {key: str(value) for key, value in values.items()} | dict(_without_own(sample, values))


def _without_own(
    sample: Mapping[str, Any], values: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    """The counters that hold Leadline's own statements, without these."""
    for name, own in own_of(sample).items():
        counted = figure(str(values.get(name)))
        if counted is not None:
            yield name, f"{max(0.0, counted - own):.0f}"


_RDS_BASE = "/rdsdbbin/"
"""Where Amazon RDS has its servers' programs."""


def read_version(answers: Mapping[str, str]) -> ServerVersion:
    """The version. Aurora and RDS are known by variables: their version text looks like MySQL's.

    Of a server that is known from texts, who runs it may stand in these.
    """
    row, variables = _object(answers, "mysql.version"), _object(answers, "mysql.variables")
    version = ServerVersion.parse(
        str(row.get("version", "")), str(row.get("comment", "")), variables
    )
    if not version.is_known:
        return version
    if isinstance(vendor := row.get("vendor"), str):
        return replace(version, vendor=vendor)
    if "aurora_version" in variables:
        return replace(version, vendor="Aurora")
    if str(variables.get("basedir", "")).startswith(_RDS_BASE):
        return replace(version, vendor="Amazon RDS")
    return version


def _unknown(version: ServerVersion) -> tuple[Missing, ...]:
    if version.is_known:
        return ()
    because = f'the server calls itself "{version.text}", which is neither MySQL nor MariaDB'
    return (Missing("mysql.version", because),)


def _variables(answers: Mapping[str, str]) -> dict[str, Variable]:
    origins = _object(answers, "mysql.origins")
    return {
        name: Variable(name, str(value), _origin(origins.get(name)), _unread(name, str(value)))
        for name, value in _object(answers, "mysql.variables").items()
    }


def _unread(name: str, value: str) -> str:
    """Why nothing is read of a value, "" where it is one that the variable can have."""
    if name in numbers():
        try:
            finite_from_text(value, name, -LARGEST_FIGURE, LARGEST_FIGURE)
        except Malformed as error:
            return f"the server says that {error}"
    return ""


def _origin(value: object) -> str:
    """One word, or the option file: ``value`` is [source, path]."""
    if not isinstance(value, list) or len(value) != 2:
        return ""
    source, path = (str(part) if part else "" for part in value)
    source = _ORIGINS.get(source.upper(), source.upper())
    return path if path and source not in _NO_FILES else source


def _object(answers: Mapping[str, str], name: str) -> dict[str, Any]:
    text = answers.get(name)
    if text is None:
        return {}
    try:
        return decode_object(text, _MOST_BYTES)
    except Malformed as error:
        raise Malformed(f"of {name}, {error}") from error
