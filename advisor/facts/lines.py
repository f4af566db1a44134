"""What was set on purpose, and where: the lines of option files and persisted values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor import wording
from advisor.case import Case
from advisor.facts.fact import NO_SERVER, OURS, Fact, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.variables.sheets import SHEETS
from probes.inventory.facts import MySQLFacts

PERSISTED, DYNAMIC, COMMAND_LINE = "PERSISTED", "DYNAMIC", "COMMAND_LINE"
_BY_THE_SERVER = frozenset({"", "COMPILED", "AUTO"})
_YES, _NO = {"ON", "1", "YES", "TRUE"}, {"OFF", "0", "NO", "FALSE"}


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One value that somebody set; ``origin`` is where, in the words of ``Variable.origin``.

    ``value`` is what the server made of it: a line may say ``512M``, or more than it allows.
    """

    name: str
    value: str
    origin: str

    def __str__(self) -> str:
        return f"{self.name} = {self.value}" if self.value else f"{self.name} (empty)"

    @property
    def is_file(self) -> bool:
        """Whether an option file holds it, under a path or, on old servers, without one."""
        return self.origin not in {PERSISTED, DYNAMIC, COMMAND_LINE}

    @property
    def place(self) -> str:
        """Where it stands, in words that follow "is set"."""
        if self.origin == PERSISTED:
            return "by SET PERSIST"
        if self.origin == COMMAND_LINE:
            return "on the command line"
        return f"in {self.origin}" if "/" in self.origin else "in an option file"


@dataclass(frozen=True, slots=True)
class Lines:
    """Everything that was set on purpose.

    ``written`` stands in an option file or is persisted, so it can be taken out; ``running`` was
    set while the server ran; ``started`` was given on the command line.
    """

    written: tuple[OptionLine, ...]
    running: tuple[OptionLine, ...] = ()
    started: tuple[OptionLine, ...] = ()

    def value(self, name: str) -> str | None:
        """What a name was set to at the start or in writing; None when it was not."""
        stated = (*self.written, *self.started)
        return next((line.value for line in stated if line.name == name), None)


def lines_of(mysql: MySQLFacts) -> Lines:
    """Sort a server's variables by where each was set."""
    stated = [
        OptionLine(variable.name, variable.value, variable.origin)
        for variable in mysql.variables.values()
        if variable.origin not in _BY_THE_SERVER
    ]
    return Lines(
        _sorted(line for line in stated if line.origin not in {DYNAMIC, COMMAND_LINE}),
        _sorted(line for line in stated if line.origin == DYNAMIC and _is_told(mysql, line.name)),
        _sorted(line for line in stated if line.origin == COMMAND_LINE),
    )


def _is_told(mysql: MySQLFacts, name: str) -> bool:
    """Whether DYNAMIC speaks of the global value.

    MySQL tells the origin of the asking session's own value where sessions have one.
    """
    sheet = SHEETS.get(name)
    return mysql.version.is_mariadb or (sheet is not None and not sheet.session)


def same_value(one: str, other: str) -> bool:
    """Whether two texts are one value to the server: 90 and 90.000000, ON and 1, on and ON."""
    first, second = one.strip().upper(), other.strip().upper()
    if first == second or any({first, second} <= words for words in (_YES, _NO)):
        return True
    try:
        return float(first) == float(second)
    except ValueError:
        return False


def _sorted(lines: Iterable[OptionLine]) -> tuple[OptionLine, ...]:
    return tuple(sorted(lines, key=lambda line: line.name))


def tells_origins(mysql: MySQLFacts) -> bool:
    """Whether the server told where its values come from."""
    return any(variable.origin for variable in mysql.variables.values())


def _lines(case: Case) -> Reading | Absent:
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(why_missing(case, "mysql", NO_SERVER))
    if mysql.sandbox:
        return Absent(OURS)
    if not tells_origins(mysql):
        silent = f"{mysql.version} does not tell where a variable was set"
        return Absent(why_missing(case, "mysql.origins", silent))
    lines = lines_of(mysql)
    files = {line.origin for line in lines.written if line.is_file}
    persisted = sum(not line.is_file for line in lines.written)
    text = (
        f"{wording.count(len(lines.written) - persisted)} in {wording.count(len(files))} option "
        f"file{'' if len(files) == 1 else 's'}, {wording.count(persisted)} persisted, "
        f"{wording.count(len(lines.running))} while it runs"
    )
    return Reading(lines, text)


FACTS = (
    Fact(
        "mysql.lines",
        "lines",
        "what was set on purpose, and where",
        "performance_schema.variables_info; information_schema.SYSTEM_VARIABLES on MariaDB",
        _lines,
    ),
)
