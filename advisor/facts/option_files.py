"""What stands in the server's option files, line by line, beside what the server made of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import AnyFact, Fact, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server import users_server
from advisor.variables.entry import ValueKind
from advisor.variables.options import option_names
from advisor.variables.sheets import SHEETS
from probes import figures
from probes.inventory.facts import Inventory, MySQLFacts
from probes.inventory.option_files import (
    OptionFileLine,
    OptionFiles,
    OptionName,
    lines_for,
    understood,
)
from probes.redaction import HIDDEN

NOT_READ = "the server's option files were not read"
EDIT_MARGIN_S = 5.0
"""A file that is this much younger than the server was written to after its start."""

_SIZE = re.compile(r"([+-]?\d{1,20})([kmgtpe]?)", re.IGNORECASE)
_NO_SETTING = re.compile(
    r"innodb_(status_file|trx|locks?|lock_waits|cmp.*|buffer_page.*|buffer_pool_stats|metrics|mutexes"
    r"|changed_pages|rseg|(sys|ft|tablespaces|session|temp_table|table|index|cached)_.*)"
)
"""Options that switch a table of the information schema on, and others without a variable."""

_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6}
_SWITCHES = {
    "": "ON",
    "ON": "ON",
    "TRUE": "ON",
    "1": "ON",
    "OFF": "OFF",
    "FALSE": "OFF",
    "0": "OFF",
}


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of an option file that the server reads.

    ``value`` is what the line says, in the words that the server would show it in; None where
    nobody can tell. ``shown`` is what the server runs with, None where it has no such variable, and
    ``origin`` whence, in the words of ``Variable.origin``. ``edited``: the file was written to
    after the server's start, so the server may not have read the line yet. ``stray``: it is for
    InnoDB, which has no such setting, and ``loose_`` keeps the server quiet about it.
    """

    name: str
    text: str
    value: str | None
    file: str
    number: int
    group: str = "mysqld"
    loose: bool = False
    shown: str | None = None
    origin: str = ""
    edited: bool = False
    stray: bool = False

    @property
    def place(self) -> str:
        """Where it stands, in words that follow "is set"."""
        return f"in {self.file}, line {self.number}"


@dataclass(frozen=True, slots=True)
class FileLines:
    """The lines that set something, in the order in which the server reads them.

    ``files`` were read to their end, ``edited`` of them written to after the server's start.
    ``unread`` are those that could not be read, each with the reason.
    """

    lines: tuple[FileLine, ...]
    files: tuple[str, ...] = ()
    edited: frozenset[str] = frozenset()
    unread: tuple[tuple[str, str], ...] = ()

    def by_name(self) -> dict[str, list[FileLine]]:
        """Each name's lines; the last one counts."""
        found: dict[str, list[FileLine]] = {}
        for line in self.lines:
            found.setdefault(line.name, []).append(line)
        return found


def file_lines(inventory: Inventory) -> FileLines | None:
    """Hold the option files against the server; None where they were not read."""
    mysql, found = inventory.mysql, inventory.option_files
    if mysql is None or found is None or found.because:
        return None
    known = mysql.variables.keys() | SHEETS.keys() | option_names(mysql.version.flavour)
    edited = _edited(mysql, found)
    lines = (
        _line(each, understood(each.written, known), mysql, edited)
        for each in lines_for(found, mysql.version)
    )
    unread = tuple((file.path, file.because) for file in found.files if file.because)
    whole = tuple(file.path for file in found.files if not file.because)
    return FileLines(tuple(line for line in lines if line), whole, edited & set(whole), unread)


def _line(
    told: OptionFileLine, name: OptionName, mysql: MySQLFacts, edited: frozenset[str]
) -> FileLine | None:
    if name.maximum or not name.name:
        return None
    variable = mysql.variables.get(name.name)
    return FileLine(
        name=name.name,
        text=told.text or f"{told.written} = {HIDDEN}",
        value=_value(told, name),
        file=told.file,
        number=told.number,
        group=told.group,
        loose=name.loose,
        shown=None if variable is None else variable.value,
        origin="" if variable is None else variable.origin,
        edited=told.file in edited,
        stray=name.loose and _is_stray(name.name, mysql),
    )


def _is_stray(name: str, mysql: MySQLFacts) -> bool:
    """Whether no setting of InnoDB's starts so: servers take a name's beginning for the name.

    InnoDB is a part of every server, so its settings are all there.
    """
    ours = [each for each in mysql.variables if each.startswith("innodb_")]
    return bool(
        ours
        and name.startswith("innodb_")
        and name not in SHEETS
        and not _NO_SETTING.fullmatch(name)
        and not any(each.startswith(name) for each in ours)
    )


def _edited(mysql: MySQLFacts, found: OptionFiles) -> frozenset[str]:
    """The files that were written to after the server's start."""
    if mysql.uptime_s is None:
        return frozenset()
    # The files were looked at when the status was first sampled, the uptime is of its end.
    up_s = mysql.uptime_s - (0 if mysql.window is None else mysql.window.seconds)
    young = [file for file in found.files if file.age_s is not None]
    return frozenset(f.path for f in young if (f.age_s or 0) + EDIT_MARGIN_S < up_s)


def _value(told: OptionFileLine, name: OptionName) -> str | None:
    if told.value == HIDDEN:
        return None
    value = (told.value or "").strip()
    if name.says:
        denied = {"0": "ON", "1": "OFF"} if name.says == "OFF" else {"0": "OFF"}
        return denied.get(value, name.says)
    sheet = SHEETS.get(name.name)
    if sheet is None:
        return None
    if sheet.kind is ValueKind.SWITCH:
        return _SWITCHES.get(value.upper())
    if sheet.kind in {ValueKind.NUMBER, ValueKind.SIZE}:
        return in_digits(value)
    return value


def in_digits(value: str) -> str | None:
    """A number as a server shows it: ``512M`` is 536870912; None where it is none."""
    size = _SIZE.fullmatch(value)
    if size is not None:
        return str(int(size[1]) * 1024 ** _POWERS[size[2].lower()])
    try:
        float(value)
    except ValueError:
        return None
    return value


def _option_files(case: Case) -> Reading | Absent:
    mysql = users_server(case)
    if isinstance(mysql, Absent):
        return mysql
    found = file_lines(case.inventory)
    if found is None:
        return Absent(why_missing(case, "mysql.option_files", NOT_READ))
    if case.inventory.option_files is not None and case.inventory.option_files.none:
        return Reading(found, "none: the server was started with --no-defaults")
    lines = figures.counted(len(found.lines), "line")
    text = f"{lines} in {figures.counted(len(found.files), 'file')}"
    if found.unread:
        text += f"; {figures.counted(len(found.unread), 'file')} could not be read"
    return Reading(found, text)


FACTS: tuple[AnyFact, ...] = (
    Fact(
        "mysql.option_files",
        "lines",
        "what stands in the server's option files",
        "the option files that the server's process names or finds, read by the agent",
        _option_files,
    ),
)
