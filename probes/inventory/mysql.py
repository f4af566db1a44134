"""What a MySQL server told of itself, read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.inventory.facts import Missing, MySQLFacts, StatusWindow, Variable
from probes.version import ServerVersion

_ORIGINS = {"COMPILE-TIME": "COMPILED", "COMMAND-LINE": "COMMAND_LINE", "SQL": "DYNAMIC"}
"""MariaDB's words for an origin, said in MySQL's."""

_MOST_BYTES = 8 << 20
"""Of one answer; the longest, of all variables, has some 100 KB."""

_NO_FILES = frozenset({"PERSISTED", "COMPILED", "COMMAND_LINE", "DYNAMIC", "AUTO"})


@dataclass(frozen=True, slots=True)
class MySQLReading:
    """The server's facts, None when it was not asked, and what could not be told."""

    facts: MySQLFacts | None
    missing: tuple[Missing, ...] = ()


def read_mysql(answers: Mapping[str, str]) -> MySQLReading:
    """Read the answers whose names start with ``mysql.``; raises Malformed on damaged JSON."""
    if "mysql.version" not in answers:
        return MySQLReading(None)
    version = read_version(answers)
    window = _window(answers)
    facts = MySQLFacts(
        version=version,
        variables=_variables(answers),
        window=window,
        uptime_s=None if window is None else window.gauge("Uptime"),
        innodb_status=answers.get("mysql.innodb_status"),
        connection=answers.get("mysql.connection", ""),
        round_trip_us=_number(answers.get("mysql.round_trip_us")),
        innodb_files_bytes=_size(answers, "mysql.sizes", "innodb_files_bytes"),
        metrics=_metrics(answers),
        oldest_transaction_s=_figure(answers, "mysql.transactions", "oldest_s"),
        performance_schema_bytes=_size(answers, "mysql.performance_schema", "memory_bytes"),
    )
    return MySQLReading(facts, _unknown(version))


_RDS_BASE = "/rdsdbbin/"
"""Where Amazon RDS has its servers' programs."""


def read_version(answers: Mapping[str, str]) -> ServerVersion:
    """The version. Aurora and RDS are told by variables: their version text looks like MySQL's."""
    said, variables = _object(answers, "mysql.version"), _object(answers, "mysql.variables")
    version = ServerVersion.parse(
        str(said.get("version", "")), str(said.get("comment", "")), variables
    )
    if not version.is_known:
        return version
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
        name: Variable(name, str(value), _origin(origins.get(name)))
        for name, value in _object(answers, "mysql.variables").items()
    }


def _origin(told: object) -> str:
    """One word, or the option file: ``told`` is [source, path]."""
    if not isinstance(told, list) or len(told) != 2:
        return ""
    source, path = (str(part) if part else "" for part in told)
    source = _ORIGINS.get(source.upper(), source.upper())
    return path if path and source not in _NO_FILES else source


def _window(answers: Mapping[str, str]) -> StatusWindow | None:
    """Both samples; with one alone the window has no length."""
    after = _object(answers, "mysql.status.after")
    before = _object(answers, "mysql.status.before") or after
    if not after:
        return None
    return StatusWindow(
        seconds=float(after["at_s"]) - float(before["at_s"]),
        before={str(name): str(value) for name, value in before["values"].items()},
        after={str(name): str(value) for name, value in after["values"].items()},
    )


def _metrics(answers: Mapping[str, str]) -> dict[str, float]:
    return {name: float(value) for name, value in _object(answers, "mysql.innodb_metrics").items()}


def _size(answers: Mapping[str, str], name: str, key: str) -> int | None:
    figure = _figure(answers, name, key)
    return None if figure is None else int(figure)


def _figure(answers: Mapping[str, str], name: str, key: str) -> float | None:
    figure = _object(answers, name).get(key)
    return None if figure is None else float(figure)


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)


def _object(answers: Mapping[str, str], name: str) -> dict[str, Any]:
    text = answers.get(name)
    if text is None:
        return {}
    try:
        return decode_object(text, _MOST_BYTES)
    except Malformed as error:
        raise Malformed(f"of {name}, {error}") from error
