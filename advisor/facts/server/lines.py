"""What was set on purpose, and where: the lines of option files and persisted values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.option_files import FileLine, FileLines, OptionLine, file_lines
from advisor.facts.server.variables import users_server
from advisor.variables.catalogue import fate, value_refused, word_fates
from advisor.variables.entry import Fate
from advisor.variables.option_values import Fault, Refused
from advisor.variables.sheets import SHEETS
from probes import figures
from probes.inventory.facts import COMMAND_LINE, DYNAMIC, MySQLFacts
from probes.inventory.option_files import takes_capitals
from probes.version import ServerVersion

_BY_THE_SERVER = frozenset({"", "COMPILED", "AUTO"})
_YES, _NO = {"ON", "1", "YES", "TRUE"}, {"OFF", "0", "NO", "FALSE"}


@dataclass(frozen=True, slots=True)
class Lines:
    """Everything that was set on purpose.

    ``written`` stands in an option file or is persisted, so it can be taken out; ``running`` was
    set while the server ran; ``started`` was given on the command line. ``absent`` stands in an
    option file, and this server has no such variable. ``others`` stands there too, and Leadline has
    no sheet of it: an option without a variable, a plugin's, or a name that no server has.
    ``origins``: the server reported where each value comes from, so nothing of ``running`` and
    ``started`` is missing. ``files_read``: the option files were read, all to their end.
    ``refused`` stands in an option file with a value that this version does not start with; it is
    in none of the others. ``stops``: the next start is known to end at a line of the files.
    ``cut_short``: only the files show it, and one of them was not read to its end.
    """

    written: tuple[OptionLine, ...]
    running: tuple[OptionLine, ...] = ()
    started: tuple[OptionLine, ...] = ()
    absent: tuple[OptionLine, ...] = ()
    others: tuple[OptionLine, ...] = ()
    origins: bool = True
    files_read: bool = False
    refused: tuple[OptionLine, ...] = ()
    stops: bool = False
    cut_short: bool = False

    def value(self, name: str) -> str | None:
        """What a name was set to at the start or in writing; None when it was not."""
        stated = (*self.written, *self.started)
        return next((line.value for line in stated if line.name == name), None)


def lines_of(mysql: MySQLFacts, files: FileLines | None = None) -> Lines:
    """Sort a server's variables by where each was set; ``files`` tell the lines themselves.

    Where the server does not report it, the files alone show it.
    """
    every = {} if files is None else files.by_name()
    broken = {name for name, lines in every.items() if any(line.ends for line in lines)}
    by_name = {name: lines for name, lines in every.items() if name not in broken}
    of_files = Lines(
        (),
        absent=_sorted(
            in_file(lines) for name, lines in by_name.items() if _is_absent(name, lines, mysql)
        ),
        others=_sorted(
            in_file(lines)
            for name, lines in by_name.items()
            if name not in SHEETS and name not in mysql.variables
        ),
        files_read=files is not None and not files.unread,
        refused=_sorted(in_file(every[name]) for name in broken),
        stops=files is not None and files.stops,
    )
    if not reports_origins(mysql):
        shown = (lines for name, lines in by_name.items() if name in mysql.variables)
        cut_short = files is not None and bool(files.missed or files.ends)
        written = _sorted(map(in_file, shown))
        return replace(of_files, written=written, origins=False, cut_short=cut_short)
    edited = frozenset[str]() if files is None else files.edited
    stated = [
        _placed(OptionLine(variable.name, variable.value, variable.origin), by_name)
        for variable in mysql.variables.values()
        if variable.origin not in _BY_THE_SERVER
        # A line that was taken out since the start is none to be taken out.
        and (variable.origin not in edited or variable.name in by_name)
        # One that ends the next start says nothing of the value that came from its file.
        and (variable.name not in broken or every[variable.name][-1].origin != variable.origin)
    ]
    kept = [line for line in stated if line.origin not in {DYNAMIC, COMMAND_LINE}]
    return replace(
        of_files,
        written=_sorted(kept),
        running=_sorted(
            line for line in stated if line.origin == DYNAMIC and _is_global(mysql, line.name)
        ),
        started=_sorted(line for line in stated if line.origin == COMMAND_LINE),
    )


def _is_absent(name: str, lines: list[FileLine], mysql: MySQLFacts) -> bool:
    return name in SHEETS and name not in mysql.variables and lines[-1].meant is not None


def in_file(lines: list[FileLine]) -> OptionLine:
    """The last of a name's lines, which counts, with those before it."""
    *earlier, last = lines
    return replace(last, earlier=tuple(earlier))


def _placed(line: OptionLine, by_name: dict[str, list[FileLine]]) -> OptionLine:
    """Add what the file says, where it is the file that the server names."""
    lines = by_name.get(line.name, [])
    if not line.is_file or not lines or ("/" in line.origin and lines[-1].origin != line.origin):
        return line
    written = in_file(lines)
    # What was written after the start is not what the server runs with: it will be.
    anew = lines[-1].edited and not same_value(written.value, line.value)
    return written if anew else replace(written, value=line.value)


def _is_global(mysql: MySQLFacts, name: str) -> bool:
    """Whether DYNAMIC is the origin of the global value.

    MySQL reports the origin of the asking session's own value where sessions have one.
    """
    sheet = SHEETS.get(name)
    return mysql.version.is_mariadb or (sheet is not None and not sheet.session)


def fate_of(line: OptionLine, version: ServerVersion) -> Fate:
    """Tell what becomes of a line in a version, by its name and by its value.

    A name that it would refuse, ``loose_`` lets pass. Of another build's options nobody knows.
    """
    what = _fate_of_name(line, version)
    if what is Fate.REFUSED or (what is Fate.UNKNOWN and line.other_build):
        return what
    stops = refused_value(line, version) is not None or refused_words(line, version)
    return Fate.REFUSED if stops else what


def _fate_of_name(line: OptionLine, version: ServerVersion) -> Fate:
    if line.other_build:
        return Fate.UNKNOWN
    what = fate(version, line.name)
    return Fate.IGNORED if what is Fate.REFUSED and line.loose else what


def refused_value(line: OptionLine, version: ServerVersion) -> tuple[OptionLine, Refused] | None:
    """Give the first of a name's lines at whose value a version ends its start, and why.

    A line before it of the same name ends the start as well, and so does a name in capitals.
    """
    if line.other_build:
        return None
    for each in (*line.earlier, line):
        why = value_refused(version, each.name, each.raw, loose=each.loose)
        if why is not None and each.readable:
            return each, why
        if _in_capitals(each) and takes_capitals(version) is False:
            return each, Refused(Fault.CAPITALS)
    return None


def _in_capitals(line: OptionLine) -> bool:
    written = line.text.partition("=")[0].strip()
    return written != written.lower() and not line.loose


def refused_words(line: OptionLine, version: ServerVersion) -> tuple[str, ...]:
    """Give the words of a line's value that a version refuses, where it takes the name.

    A line before it of the same name ends the start as well.
    """
    if line.other_build or fate(version, line.name) in {Fate.REFUSED, Fate.UNKNOWN}:
        return ()
    every = (pair for each in (*line.earlier, line) for pair in _words(each, version))
    return tuple(dict.fromkeys(word for word, what in every if what is Fate.REFUSED))


def is_untried(line: OptionLine, version: ServerVersion) -> bool:
    """Whether nobody knows that a version starts with a line: with its name, or with its value."""
    if is_name_untried(line, version):
        return True
    takes = fate_of(line, version) in {Fate.TAKEN, Fate.DEPRECATED}
    return takes and any(what is Fate.UNKNOWN for _, what in _words(line, version))


def is_name_untried(line: OptionLine, version: ServerVersion) -> bool:
    """Whether nobody knows what a version does with a line's name; with ``loose_`` it starts."""
    if line.loose:
        return False
    if _in_capitals(line) and takes_capitals(version) is None:
        return True
    return line.other_build or fate(version, line.name) is Fate.UNKNOWN


def _words(line: OptionLine, version: ServerVersion) -> Iterator[tuple[str, Fate]]:
    """Give the words of a line's value, as it has them, each with what becomes of it."""
    value = line.value if not line.text else line.text.partition("=")[2]
    if line.text and "=" not in line.text:
        return  # the name alone says on, or with a prefix off
    yield from word_fates(version, line.name, value, loose=line.loose)


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


def reports_origins(mysql: MySQLFacts) -> bool:
    """Whether the server reported where its values come from."""
    return any(variable.origin for variable in mysql.variables.values())


@given(users_server)
def _lines(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    files = file_lines(case.inventory)
    if files is None and not reports_origins(mysql):
        silent = f"{mysql.version} does not report where a variable was set"
        return Absent(why_missing(case, "mysql.origins", silent))
    lines = lines_of(mysql, files)
    held = [line for line in (*lines.written, *lines.absent) if line.is_file]
    persisted = sum(not line.is_file for line in lines.written)
    text = (
        f"{figures.count(len(held))} in "
        f"{figures.counted(len({line.origin for line in held}), 'option file')}"
    )
    if lines.origins:
        running = figures.count(len(lines.running))
        text += f", {figures.count(persisted)} persisted, {running} while it runs"
    return Reading(lines, text)


MYSQL_LINES = Fact(
    "mysql.lines",
    Lines,
    "lines",
    "what was set on purpose, and where",
    "performance_schema.variables_info; information_schema.SYSTEM_VARIABLES on MariaDB; "
    "the option files",
    _lines,
)
