"""What stands in the server's option files, line by line, beside what the server made of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.variables import users_server
from advisor.steps import StatedOption
from advisor.variables.catalogue import fate, span, value_refused, word_fates
from advisor.variables.entry import Fate, ValueKind
from advisor.variables.option_values import Fault, Refused, in_digits
from advisor.variables.options import only_shown, option_names
from advisor.variables.sheets import SHEETS
from probes import figures
from probes.inventory.facts import COMMAND_LINE, DYNAMIC, PERSISTED, Inventory, MySQLFacts
from probes.inventory.option_files import (
    Ending,
    OptionFile,
    OptionFileLine,
    OptionFiles,
    OptionName,
    lines_for,
    takes_capitals,
    understood,
)
from probes.redaction import HIDDEN
from probes.version import ServerVersion

ELSEWHERE = "ELSEWHERE"
"""Set, but in no option file, on a server that does not report where: at its start or since."""

_NO_FILES = frozenset({PERSISTED, DYNAMIC, COMMAND_LINE, ELSEWHERE})

NOT_READ = "the server's option files were not read"
EDIT_MARGIN_S = 5.0
"""A file that is this much younger than the server was written to after its start."""

_NO_SETTING = re.compile(
    r"innodb_(status_file|trx|locks?|lock_waits|cmp.*|buffer_page.*|buffer_pool_stats|metrics|mutexes"
    r"|changed_pages|rseg|(sys|ft|tablespaces|session|temp_table|table|index|cached)_.*)"
)
"""Options that switch a table of the information schema on, and others without a variable."""

_SWITCHES = {
    "ON": "ON",
    "TRUE": "ON",
    "1": "ON",
    "OFF": "OFF",
    "FALSE": "OFF",
    "0": "OFF",
}
_MISREAD = {"YES": "ON", "Y": "ON", "ENABLED": "ON", "ENABLE": "ON", "NO": "OFF", "N": "OFF"} | {
    "DISABLED": "OFF",
    "DISABLE": "OFF",
}
"""What people mean by words that are none to a switch."""


@dataclass(frozen=True, slots=True)
class OptionLine(StatedOption):
    """One value that somebody set, and what its line says beside it where its file was read.

    ``value`` is what the server made of it: a line may say ``512M``, or more than it allows. With
    ``loose`` a server that lacks the name ignores it. ``earlier`` are lines of the same name
    that it takes the effect from. ``raw`` is what stands after the "=", None without one;
    ``readable`` where that is no secret and the value. ``other_build``: the server has a variable
    that its version's own lists have not, so that its build or a plugin knows the option.
    """

    loose: bool = False
    earlier: tuple[OptionLine, ...] = ()
    raw: str | None = None
    readable: bool = False
    other_build: bool = False

    def __str__(self) -> str:
        if self.text:
            return one_blank(self.text)
        return f"{self.name} = {self.value}" if self.value else f"{self.name} (empty)"

    @property
    def is_file(self) -> bool:
        """Whether an option file holds it, under a path or, on old servers, without one."""
        return self.origin not in _NO_FILES


@dataclass(frozen=True, slots=True)
class FileLine(OptionLine):
    """A line of an option file that the server reads; ``origin`` is the file.

    ``meant`` is what the line says, in the words that the server would show it in; None where
    nobody can tell. ``shown`` is what the server runs with, None where it has no such variable, and
    ``shown_from`` whence, in the words of ``Variable.origin``. ``edited``: the file was written to
    after the server's start, so the server may not have read the line yet. ``stray``: it is for
    InnoDB, which has no such setting, and ``loose_`` keeps the server quiet about it. ``refused``
    is why this version does not start with it. ``only_shown``: it names a variable that no option
    sets, which ends a start.
    """

    meant: str | None = None
    shown: str | None = None
    shown_from: str = ""
    edited: bool = False
    stray: bool = False
    refused: Refused | None = None
    only_shown: bool = False

    @property
    def ends(self) -> bool:
        """Whether this version's start ends at it."""
        return self.refused is not None or self.only_shown


class Strange(StrEnum):
    """Why a line is no option of the server's.

    CAPITALS: this version takes no name in capitals, or nobody knows that it does.
    """

    NO_OPTION = "no option"
    CAPITALS = "capitals"
    CAPITALS_UNTRIED = "capitals that nobody tried"


@dataclass(frozen=True, slots=True)
class StrangeLine:
    """A line that is no option; ``text`` is "" where it may be a secret.

    ``edited``: its file was written to after the server's start.
    """

    file: str
    number: int
    text: str
    why: Strange
    edited: bool = False

    @property
    def ends(self) -> bool:
        """Whether a start is known to end at it."""
        return self.why is not Strange.CAPITALS_UNTRIED


@dataclass(frozen=True, slots=True)
class FileEnd:
    """A line of a file at which servers end their start; 0 where the file itself is not there."""

    file: str
    line: int
    why: Ending
    edited: bool = False


@dataclass(frozen=True, slots=True)
class FileLines:
    """The lines that set something, in the order in which the server reads them.

    ``files`` were read to their end, ``edited`` of them written to after the server's start.
    ``unread`` are those that could not be read, each with the reason. ``strange`` are lines that
    are no options, ``ends`` where files end a start.
    """

    lines: tuple[FileLine, ...]
    files: tuple[str, ...] = ()
    edited: frozenset[str] = frozenset()
    unread: tuple[tuple[str, str], ...] = ()
    strange: tuple[StrangeLine, ...] = ()
    ends: tuple[FileEnd, ...] = ()

    @property
    def refused(self) -> tuple[FileLine, ...]:
        """The lines that this version does not start with."""
        return tuple(line for line in self.lines if line.ends)

    @property
    def stops(self) -> bool:
        """Whether the server's next start is known to end at one of them."""
        return bool(self.refused or self.ends or any(line.ends for line in self.strange))

    @property
    def missed(self) -> tuple[tuple[str, str], ...]:
        """The unread files without one in a home that nobody may look for: it may not be there."""
        return tuple(each for each in self.unread if not each[0].startswith("~/"))

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
    read = lines_for(found, mysql.version)
    strange = tuple(line for each in read if (line := _strange(each, mysql, edited)))
    ended = {(line.file, line.number) for line in strange if line.ends}
    ours = (each for each in read if (each.file, each.number) not in ended)
    same = takes_capitals(mysql.version) is not False
    names = ((each, each.written.lower() if same else each.written) for each in ours)
    lines = (_line(each, understood(name, known), mysql, edited) for each, name in names)
    whole = tuple(file.path for file in found.files if not file.because and file.ends is None)
    return FileLines(
        tuple(line for line in lines if line),
        whole,
        edited & set(whole),
        tuple((file.path, file.because) for file in found.files if _is_missed(file)),
        strange,
        tuple(
            FileEnd(file.path, file.line, file.ends, file.path in edited)
            for file in found.files
            if file.ends is not None
        ),
    )


def _is_missed(file: OptionFile) -> bool:
    """Whether something of the server's own may stand in a file that was not read to its end."""
    return bool(file.because) and not file.passed


def _why_strange(line: OptionFileLine, version: ServerVersion) -> Strange | None:
    if not line.written:
        return Strange.NO_OPTION
    # What follows "loose_" may be any name: that it is none ends no start.
    if line.written == line.written.lower() or line.written.startswith(("loose_", "loose-")):
        return None
    takes = takes_capitals(version)
    if takes is None:
        return Strange.CAPITALS_UNTRIED
    return None if takes else Strange.CAPITALS


def _strange(line: OptionFileLine, mysql: MySQLFacts, edited: frozenset[str]) -> StrangeLine | None:
    why = _why_strange(line, mysql.version)
    if why is None:
        return None
    return StrangeLine(line.file, line.number, line.text, why, line.file in edited)


def _line(
    line: OptionFileLine, name: OptionName, mysql: MySQLFacts, edited: frozenset[str]
) -> FileLine | None:
    if name.maximum or not name.name:
        return None
    variable = mysql.variables.get(name.name)
    refused = _refused(line, name, mysql)
    meant = None if refused else _value(line, name)
    shown = None if variable is None else variable.value
    return FileLine(
        name=name.name,
        value=meant if meant is not None else shown or "",
        origin=line.file,
        number=line.number,
        text=line.text or f"{line.written} = {HIDDEN}",
        group=line.group,
        loose=name.loose,
        meant=meant,
        shown=shown,
        shown_from="" if variable is None else variable.origin,
        edited=line.file in edited,
        stray=name.loose and _is_stray(name.name, mysql),
        raw=line.value,
        readable=line.value != HIDDEN and not name.says,
        refused=refused,
        only_shown=not name.loose and only_shown(mysql.version, name.name),
        other_build=variable is not None and _is_elses(name.name, mysql.version),
    )


def _refused(line: OptionFileLine, name: OptionName, mysql: MySQLFacts) -> Refused | None:
    """Why the version does not start with the value; of what is hidden nobody knows.

    A word that the server runs with is none that it refuses, whatever its version's lists say.
    """
    if line.value == HIDDEN or name.says:
        return None
    version, raw = mysql.version, line.value
    why = value_refused(version, name.name, raw, loose=name.loose)
    if why is not None or not raw or fate(version, name.name) is Fate.REFUSED:
        return why
    has = (mysql.value(name.name) or "").lower().split(",")
    fates = tuple(word_fates(version, name.name, raw, loose=name.loose))
    words = [word for word, what in fates if what is Fate.REFUSED and word.lower() not in has]
    rest = [word for word, _ in fates if word not in words]
    instead = "" if "=" in raw else ",".join(rest)
    return Refused(Fault.GONE_WORDS, instead, tuple(words)) if words else None


def _is_elses(name: str, version: ServerVersion) -> bool:
    """Whether a version has no such variable, so that a server that has it is another build."""
    return span(version, name) is None and fate(version, name) in {Fate.REFUSED, Fate.IGNORED}


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


def _value(line: OptionFileLine, name: OptionName) -> str | None:
    if line.value == HIDDEN:
        return None
    value = (line.value or "").strip()
    if name.says:
        denied = {"0": "ON", "1": "OFF"} if name.says == "OFF" else {"0": "OFF"}
        return denied.get(value, name.says)
    sheet = SHEETS.get(name.name)
    if sheet is None:
        return None
    if sheet.kind is ValueKind.SWITCH:
        return _switched(line.value)
    return in_digits(value) if sheet.kind in {ValueKind.NUMBER, ValueKind.SIZE} else value


def _switched(raw: str | None) -> str | None:
    """What is meant by a switch's line; None where nobody can tell."""
    if raw is None:
        return "ON"
    plain = raw.strip().upper().rstrip(";,")
    return _SWITCHES.get(plain) or _MISREAD.get(plain)


def knows_switch(raw: str | None) -> bool:
    """Whether a switch knows what a line says: of other words servers make OFF, or its default."""
    return raw is None or raw.strip().upper() in _SWITCHES


def one_blank(text: str) -> str:
    """A line as it is said in a sentence: columns of blanks are one."""
    return " ".join(text.split())


@given(users_server)
def _option_files(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    found = file_lines(case.inventory)
    if found is None:
        return Absent(why_missing(case, "mysql.option_files", NOT_READ))
    if case.inventory.option_files is not None and case.inventory.option_files.none:
        return Reading(found, "none: the server was started with --no-defaults")
    lines = figures.counted(len(found.lines), "line")
    text = f"{lines} in {figures.counted(len(found.files), 'file')}"
    if found.unread:
        text += f"; {figures.counted(len(found.unread), 'file')} could not be read"
    if stopping := len(found.refused) + len(found.ends) + sum(each.ends for each in found.strange):
        text += (
            f"; {figures.counted(stopping, 'line')} {'ends' if stopping == 1 else 'end'} a start"
        )
    return Reading(found, text)


MYSQL_OPTION_FILES = Fact(
    "mysql.option_files",
    FileLines,
    "lines",
    "what stands in the server's option files",
    "the option files that the server's process names or finds, read by the agent",
    _option_files,
)
