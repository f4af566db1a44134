"""Facts that the server tells: its version, its variables, its status over a window."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import NO_SERVER, OURS, AnyFact, Fact, Read, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.sheets import SHEETS
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.facts import MySQLFacts, figure

SHOW_VARIABLES = "SHOW GLOBAL VARIABLES"
SHOW_STATUS = "SHOW GLOBAL STATUS, twice, over the status window"

COUNTERS: dict[str, tuple[str, str]] = {
    "Innodb_pages_written": ("pages", "how many pages the server writes"),
    "Innodb_data_reads": ("reads", "how many reads the server sends to its data files"),
    "Innodb_buffer_pool_reads": ("reads", "how many page requests miss the buffer pool"),
    "Innodb_buffer_pool_wait_free": ("waits", "how often a query had to wait for a free page"),
}

GAUGES: dict[str, tuple[str, str]] = {
    "Threads_running": ("threads", "how many connections are at work"),
    "Innodb_buffer_pool_pages_dirty": ("pages", "how many pages are dirty"),
    "Innodb_buffer_pool_pages_total": ("pages", "how many pages the buffer pool has"),
    "Innodb_checkpoint_age": ("bytes", "how much redo waits for its pages to be written"),
    "Innodb_checkpoint_max_age": ("bytes", "how much redo may wait for its pages"),
}


def users_server(case: Case) -> MySQLFacts | Absent:
    """Give the user's server, or why there is none."""
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(why_missing(case, "mysql", NO_SERVER))
    return Absent(OURS) if mysql.sandbox else mysql


def _version(case: Case) -> Reading | Absent:
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(why_missing(case, "mysql", NO_SERVER))
    if not mysql.version.is_known:
        return Absent(
            why_missing(case, "mysql.version", f"{mysql.version} is of no family known here")
        )
    return Reading(mysql.version, str(mysql.version))


def _variable(name: str, unit: str) -> Read:
    def read(case: Case) -> Reading | Absent:
        mysql = case.inventory.mysql
        if mysql is None:
            return Absent(why_missing(case, "mysql", NO_SERVER))
        if mysql.sandbox:
            return _default(mysql, name, unit)
        variable = mysql.variables.get(name)
        if variable is None:
            return Absent(why_missing(case, "mysql.variables", f"{mysql.version} has no {name}"))
        standing = Standing(name, variable.value, origin=variable.origin)
        return Reading(standing, _said(variable.value, unit))

    return read


def _default(mysql: MySQLFacts, name: str, unit: str) -> Reading | Absent:
    known = span(mysql.version, name)
    if known is None and name in SETTINGS:
        return Absent(f"{mysql.version} has no {name}")
    if known is None or known.default is None:
        return Absent(OURS)
    text = f"{_said(known.default, unit)} (the default of {mysql.version})"
    return Reading(Standing(name, known.default, default=True), text)


def _said(value: str, unit: str) -> str:
    if unit == "bytes" and value.isdecimal() and figure(value) is not None:
        return figures.size(int(value))
    if unit in {"pages/s", "pages", "threads", "%"}:
        return f"{figures.setting(value)}{figures.THIN}{unit}"
    return figures.setting(value) or "not set"


def counter(name: str, unit: str) -> Read:
    """Read by how much a counter of the status grew per second of the window."""

    def read(case: Case) -> Reading | Absent:
        return _status(case, name, unit, grows=True)

    return read


def gauge(name: str, unit: str) -> Read:
    """Read a value of the status that goes up and down, as the window's end has it."""

    def read(case: Case) -> Reading | Absent:
        return _status(case, name, unit, grows=False)

    return read


def _status(case: Case, name: str, unit: str, *, grows: bool) -> Reading | Absent:
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(why_missing(case, "mysql", NO_SERVER))
    if mysql.sandbox:
        return Absent(OURS)
    if mysql.window is None:
        return Absent(why_missing(case, "mysql.status", "its status counters were not read"))
    value = mysql.window.per_s(name) if grows else mysql.window.gauge(name)
    if value is None:
        return Absent(f"{mysql.version} did not report {name} over the status window")
    if not grows:
        return Reading(value, f"{figures.count(value)}{figures.THIN}{unit}")
    return Reading(
        value, f"{figures.rate(value, unit)} over {figures.seconds(mysql.window.seconds)}"
    )


FACTS: tuple[AnyFact, ...] = (
    Fact("mysql.version", "version", "the server's version", "SELECT @@version", _version),
    *(
        Fact(
            f"mysql.variable.{sheet.name}",
            sheet.unit,
            sheet.phrase,
            SHOW_VARIABLES,
            _variable(sheet.name, sheet.unit),
        )
        for sheet in SHEETS.values()
    ),
    *(
        Fact(f"mysql.status.{name}", f"{unit}/s", meaning, SHOW_STATUS, counter(name, unit))
        for name, (unit, meaning) in COUNTERS.items()
    ),
    *(
        Fact(f"mysql.status.{name}", unit, meaning, SHOW_STATUS, gauge(name, unit))
        for name, (unit, meaning) in GAUGES.items()
    ),
)
