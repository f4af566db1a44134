"""What a running server says of its settings, held against the catalogue."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from dataclasses import dataclass

import pymysql

from advisor.variables.catalogue import span
from advisor.variables.defaults import Machine, default
from advisor.variables.entry import Span, ValueKind
from advisor.variables.sheets import SHEETS, Sheet
from probes.version import Flavour
from tests.servers.eleven import RunningServer

_ENDLESS = 2**62
_READ_ONLY = 1238
_CAPPED = {"innodb_io_capacity", "innodb_io_capacity_max", "innodb_max_dirty_pages_pct_lwm"}
"""Where another setting cuts the value before its own bounds do."""


@dataclass(frozen=True)
class Bounds:
    """What a server allows; None where it does not tell."""

    low: float | None = None
    high: float | None = None
    step: int | None = None
    words: frozenset[str] = frozenset()
    dynamic: bool | None = None


def this_machine() -> Machine:
    """What a server sees that is started here; it raises its soft limit of files as it needs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(len(os.sched_getaffinity(0)), memory, min(hard, max(soft, 40_000)))


def differences(server: RunningServer) -> list[str]:
    """Every point where the server and the catalogue disagree, a line each."""
    shown = server.variables()
    bounds = _bounds(server)
    found = []
    for sheet in SHEETS.values():
        known = span(server.version, sheet.name)
        value = shown.get(sheet.name)
        if known is None or value is None:
            if (known is None) != (value is None) and not _may_differ(sheet, server):
                found.append(f"{sheet.name}: catalogue {known}, server {value}")
            continue
        found += [
            f"{sheet.name}: {difference}"
            for difference in (
                *_default(server, sheet.name, value),
                *_against(known, sheet.kind, bounds.get(sheet.name, Bounds())),
            )
        ]
    return found


def _may_differ(sheet: Sheet, server: RunningServer) -> bool:
    """Whether builds of one version differ in whether they have it."""
    return any(each.optional and each.flavour is server.version.flavour for each in sheet.spans)


def _default(server: RunningServer, name: str, value: str) -> Iterator[str]:
    expected = default(server.version, name, this_machine())
    if expected is not None and not _same(expected, value):
        yield f"default {expected!r}, server {value!r}"


def _same(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


def _against(known: Span, kind: ValueKind, bounds: Bounds) -> Iterator[str]:
    if bounds.dynamic is not None and known.dynamic is not bounds.dynamic:
        yield f"dynamic {known.dynamic}, server {bounds.dynamic}"
    if kind in {ValueKind.NUMBER, ValueKind.SIZE}:
        # MySQL leaves out what follows the point of a bound.
        if bounds.low is not None and bounds.low not in {known.low, int(known.low or 0)}:
            yield f"lowest {known.low}, server {bounds.low}"
        if bounds.high is not None and known.high != bounds.high:
            yield f"highest {known.high}, server {bounds.high}"
        if bounds.step is not None and (known.step or 1) != (bounds.step or 1):
            yield f"step {known.step}, server {bounds.step}"
    if kind is ValueKind.WORD and bounds.words and bounds.words != set(known.words):
        yield f"words {known.words}, server {sorted(bounds.words)}"


def _bounds(server: RunningServer) -> dict[str, Bounds]:
    if server.version.is_mariadb:
        return _told_by_mariadb(server)
    if server.version.at_least(Flavour.MYSQL, 8):
        return _told_by_mysql(server)
    return {name: _tried(server, name) for name in server.variables() if name in SHEETS}


def _told_by_mariadb(server: RunningServer) -> dict[str, Bounds]:
    rows = server.sql("SELECT * FROM information_schema.SYSTEM_VARIABLES")
    found = {}
    for row in rows:
        low, high, step = (
            row[f"NUMERIC_{part}"] for part in ("MIN_VALUE", "MAX_VALUE", "BLOCK_SIZE")
        )
        words = str(row["ENUM_VALUE_LIST"] or "")
        found[str(row["VARIABLE_NAME"]).lower()] = Bounds(
            _number(low),
            _number(high),
            None if step is None else int(str(step)),
            frozenset(words.split(",")) if words else frozenset(),
            row["READ_ONLY"] == "NO",
        )
    return found


def _told_by_mysql(server: RunningServer) -> dict[str, Bounds]:
    rows = server.sql("SELECT * FROM performance_schema.variables_info")
    found = {}
    for row in rows:
        name = str(row["VARIABLE_NAME"]).lower()
        if name in SHEETS:
            low, high = (_number(row[f"{part}_VALUE"]) for part in ("MIN", "MAX"))
            dynamic = _is_dynamic(server, name)
            found[name] = Bounds(low, high, dynamic=dynamic) if high else Bounds(dynamic=dynamic)
    return found


def _number(told: object) -> float | None:
    """A bound as it was told: whole numbers stay exact beyond what a float holds."""
    text = str(told or "")
    if not text:
        return 0 if told == 0 else None
    return float(text) if "." in text else int(text)


def _is_dynamic(server: RunningServer, name: str) -> bool | None:
    """Whether the server lets the setting be set; None where it does not have it at all."""
    try:
        server.sql(f"SET GLOBAL {name} = @@GLOBAL.{name}")
    except pymysql.MySQLError as error:
        return bool(error.args[0] != _READ_ONLY)
    return True


def _tried(server: RunningServer, name: str) -> Bounds:
    """Bounds of a server that tells none: what it makes of values outside of the catalogue's."""
    known = span(server.version, name)
    dynamic = _is_dynamic(server, name)
    if known is None or not dynamic or known.low is None or name in _CAPPED:
        return Bounds(dynamic=dynamic)
    low = _after(server, name, known.low - 1) if known.low > 0 else None
    high = None
    if known.high is not None and known.high < _ENDLESS:
        high = _after(server, name, known.high + 1)
    return Bounds(low, high, dynamic=dynamic)


def _after(server: RunningServer, name: str, value: float) -> float | None:
    """Set a value, read it back, and put the old one back; None when it was refused."""
    old = server.variables()[name]
    try:
        server.sql(f"SET GLOBAL {name} = {value:.0f}")
        return float(server.variables()[name])
    except pymysql.MySQLError:
        return None
    finally:
        server.sql(f"SET GLOBAL {name} = {old}")
