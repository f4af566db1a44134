"""Facts that the server reports: its version and its variables."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.case import Case
from advisor.facts.fact import NO_SERVER, OURS, Fact, Read, given, why_missing
from advisor.facts.machine.host import day
from advisor.facts.readings import Absent, Reading
from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.sheets import SHEETS
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.facts import MySQLFacts, StatusWindow, figure
from probes.version import ServerVersion

SHOW_VARIABLES = "SHOW GLOBAL VARIABLES"


def users_server(case: Case) -> MySQLFacts | Absent:
    """Give the user's server, or why there is none."""
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(why_missing(case, "mysql", NO_SERVER))
    return Absent(OURS) if mysql.sandbox else mysql


def users_window(case: Case) -> StatusWindow | Absent:
    """Give the status window of the user's server, or why there is none."""
    mysql = users_server(case)
    if isinstance(mysql, Absent):
        return mysql
    if mysql.window is None:
        return Absent(why_missing(case, "mysql.status", "its status counters were not read"))
    return mysql.window


def switch(name: str) -> Read:
    """Read a switch of the server that no sheet describes because nothing is proposed for it."""

    @given(users_server)
    def read(case: Case, mysql: MySQLFacts) -> Reading | Absent:
        text = mysql.value(name)
        if text is None:
            return Absent(why_missing(case, "mysql.variables", f"{mysql.version} has no {name}"))
        return Reading(Standing(name, text), text)

    return read


def _version(case: Case) -> Reading | Absent:
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(why_missing(case, "mysql", NO_SERVER))
    if not mysql.version.is_known:
        return Absent(
            why_missing(case, "mysql.version", f"{mysql.version} is of no family known here")
        )
    return Reading(mysql.version, str(mysql.version))


def _day(case: Case) -> Reading | Absent:
    """The day of the inventory, where that holds a server of the user's."""
    mysql = users_server(case)
    return mysql if isinstance(mysql, Absent) else day(case)


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
        if variable.because:
            return Absent(variable.because)
        standing = Standing(name, variable.value, variable.origin)
        return Reading(standing, _value_text(variable.value, unit))

    return read


def _default(mysql: MySQLFacts, name: str, unit: str) -> Reading | Absent:
    known = span(mysql.version, name)
    if known is None and name in SETTINGS:
        return Absent(f"{mysql.version} has no {name}")
    if known is None or known.default is None:
        return Absent(OURS)
    text = f"{_value_text(known.default, unit)} (the default of {mysql.version})"
    return Reading(Standing(name, known.default, default=True), text)


def _value_text(value: str, unit: str) -> str:
    if unit == "bytes" and value.isdecimal() and figure(value) is not None:
        return figures.size(int(value))
    if unit in {"pages/s", "pages", "threads", "%"}:
        return f"{figures.setting(value)}{figures.THIN}{unit}"
    return figures.setting(value) or "not set"


MYSQL_VERSION = Fact(
    "mysql.version", ServerVersion, "version", "the server's version", "SELECT @@version", _version
)
MYSQL_DAY = Fact(
    "mysql.day", str, "date", "the day on which the server was looked at", "the inventory", _day
)
VARIABLES: Mapping[str, Fact[Standing]] = {
    sheet.name: Fact(
        f"mysql.variable.{sheet.name}",
        Standing,
        sheet.unit,
        sheet.phrase,
        SHOW_VARIABLES,
        _variable(sheet.name, sheet.unit),
    )
    for sheet in SHEETS.values()
}


def variable(name: str) -> Fact[Standing]:
    """Give a server variable; raises KeyError for one without a sheet."""
    return VARIABLES[name]
