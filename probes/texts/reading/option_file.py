"""Option files that somebody sent, read as the server would, in the form that the agent reports.

An excerpt of a mail names no group: its lines are taken for the server's. In a file that has groups
a line before the first one ends the server's start, as it does on the machine.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from probes.inventory.option_files import SERVERS_GROUP, Ending
from probes.mysql.option_files import value_of, without_comment
from probes.texts.reading import names
from probes.texts.reading.pieces import OptionsPiece

GROUP = re.compile(
    r"^[ \t]*\[(?:mysqld|mariadb|mariadbd|server|client|client-server|mysql|galera|mysqld_safe"
    r"|mysqldump|mysqld\d{1,4}|mysql_cluster|isamchk|myisamchk|sst|safe_mysqld)"
    r"(?:[-_.]\w[\w.]{0,30})?\][ \t]*(?:#.*)?$"
)
_FILE_NAME = re.compile(r"(?i).*(?:\.cnf|my\.ini|\.cnf\.\w{1,10}|mysqld?\.conf)$")
_OPTION = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,79}")
_END = re.compile(
    r"^\s*(?:[+|]|mysql>|MariaDB |\*{8,}|Variable_name\b|\S+@\S+[:~].*[$#]|[$#] \w+ "
    r"|={10,}|-{10,}|Filesystem\s|Device:?\s|avg-cpu)"
)
_LEFT_OUT = re.compile(r"\W*(?:\.{2,}|\u2026|snip|cut)\W*", re.IGNORECASE)
"""Where somebody left lines out."""

_EXCERPT_LINES = 2
_ASSUMED = "mysqld"


def is_option_file(name: str, lines: Sequence[str]) -> bool:
    """Whether a whole text is an option file: by its name, or by what its first line says."""
    if _FILE_NAME.fullmatch(name):
        return True
    for line in lines:
        text = line.strip()
        if text and text[0] not in "#;":
            return bool(GROUP.match(text)) or text.startswith(("!include ", "!includedir "))
    return False


def apart(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines of option files within a text, and all others; each with blanks for the rest.

    A group opens one; a prompt, a table or a report ends it. Nothing is inside where none opens.
    """
    inside: list[str] = []
    outside: list[str] = []
    opened = False
    for line in lines:
        opened = bool(GROUP.match(line)) or (opened and not _END.match(line))
        inside.append(line if opened else "")
        outside.append("" if opened else line)
    return (inside if any(inside) else []), outside


@dataclass(slots=True)
class _Reading:
    path: str
    group: str
    grouped: bool
    lines: list[dict[str, object]] = field(default_factory=list)
    file: dict[str, object] = field(default_factory=dict)
    others: list[dict[str, object]] = field(default_factory=list)

    def ends(self, why: Ending, number: int, because: str) -> None:
        if "ends" not in self.file:
            self.file |= {"ends": why.value, "line": number, "because": because}


def read_options(
    name: str, lines: Sequence[str], age_s: float | None = None, sent: Sequence[str] = ()
) -> OptionsPiece:
    """Read an option file; ``sent`` are the names of all texts: what it includes may be there."""
    grouped = any(GROUP.match(line) or line.lstrip().startswith("[") for line in lines)
    reading = _Reading(name, "" if grouped else _ASSUMED, grouped, file={"path": name})
    if age_s is not None:
        reading.file["age_s"] = age_s
    for number, line in enumerate(lines, 1):
        if not _take(reading, number, line.strip(" \t\v\f"), sent):
            break
    return OptionsPiece((reading.file, *reading.others), tuple(reading.lines), not grouped)


def _take(reading: _Reading, number: int, text: str, sent: Sequence[str]) -> bool:
    """Read one line; False where a server reads no further."""
    if not text or text[0] in "#;":
        return True
    if text[0] == "!":
        reading.others += _included(text, sent)
        return True
    if text[0] == "[":
        group, closed, _ = text[1:].partition("]")
        if not closed:
            reading.ends(Ending.OPEN_GROUP, number, f"the group in line {number} of it has no end")
            return False
        reading.group = group.rstrip()
        return True
    if not reading.group:
        reading.ends(Ending.NO_GROUP, number, f"line {number} of it stands before any group")
        return False
    if SERVERS_GROUP.fullmatch(reading.group) and not _LEFT_OUT.fullmatch(text):
        line = _line(reading, number, without_comment(text).rstrip())
        if "name" in line or reading.grouped:
            reading.lines.append(line)
    return True


def _line(reading: _Reading, number: int, text: str) -> dict[str, object]:
    name, equals, value = text.partition("=")
    made: dict[str, object] = {"file": reading.path, "line": number, "group": reading.group}
    if not _OPTION.fullmatch(name.rstrip()):
        # It may be anything, a secret for one: its number is enough.
        return made
    made |= {"name": name.rstrip(), "text": text}
    return made | {"value": value_of(value)} if equals else made


def _included(text: str, sent: Sequence[str]) -> Iterator[dict[str, object]]:
    """What is included and was not sent; a folder's files are known by its name in theirs."""
    word, _, place = text[1:].strip().partition(" ")
    path = place.strip()
    if word not in ("include", "includedir") or not path:
        return
    wanted = posixpath.basename(path.rstrip("/"))
    parts = [each.replace("\\", "/").split("/") for each in sent]
    if any(wanted in each for each in parts):
        return
    what = "folder" if word == "includedir" else "file"
    yield {"path": path, "because": f"the {what} was not among the texts"}


def is_excerpt(lines: Sequence[str]) -> bool:
    """Whether lines without a group are options: most of them a known name, with an "=" or alone.

    A dash in a name is what only option files have.
    """
    written = [line.strip() for line in lines if line.strip() and line.strip()[0] not in "#;"]
    known = [line for line in written if _is_option(line)]
    sure = [line for line in known if "=" in line]
    return len(sure) >= _EXCERPT_LINES and len(known) * 2 > len(written)


def _is_option(line: str) -> bool:
    name, equals, _ = line.partition("=")
    name = name.strip()
    plain = name.removeprefix("loose_").removeprefix("loose-")
    bare = re.sub(r"^(?:skip|disable|enable)[-_]", "", plain)
    return bool(_OPTION.fullmatch(name)) and bool(
        names.variable(plain) or names.variable(bare) or (not equals and bare != plain)
    )
