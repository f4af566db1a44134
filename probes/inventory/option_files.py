"""The server's option files: what stands in them for the server itself, as it reads it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from probes.boundary.malformed import Malformed
from probes.boundary.numbers import finite, whole
from probes.version import Flavour, ServerVersion, dotted

_MOST_LINES = 10**7
"""No option file is so long: the agent reads a megabyte of each at most."""

_LONGEST_LINE = 4094
"""Servers read no more of a line, and Python makes no number of more digits than 4,300."""

_PREFIXES = ("loose", "skip", "disable", "enable", "maximum")
_SAYS = {"skip": "OFF", "disable": "OFF", "enable": "ON"}


class Ending(StrEnum):
    """Why a server ends its start at a line of an option file; seen on five servers, each alike.

    NO_FOLDER: an ``!includedir`` of what is no folder. An ``!include`` of a file that is not there
    ends no start. NO_FILE: the command line names it, and it is not there.
    """

    BYTE_ORDER_MARK = "byte_order_mark"
    NO_GROUP = "no_group"
    OPEN_GROUP = "open_group"
    NO_PATH = "no_path"
    NO_FOLDER = "no_folder"
    NO_FILE = "no_file"


@dataclass(frozen=True, slots=True)
class OptionFile:
    """A file, in the server's order; ``because`` says why it was not read, or not to its end.

    ``age_s`` is how long ago it was written to; ``folder``: it was found by its place in a folder.
    ``ends`` is why servers end their start at ``line`` of it, ``passed``: they ignore it as well;
    older agents report neither.
    """

    path: str
    age_s: float | None = None
    folder: bool = False
    because: str = ""
    ends: Ending | None = None
    line: int = 0
    passed: bool = False


@dataclass(frozen=True, slots=True)
class OptionFileLine:
    """A line of a server's group. ``written`` is the name as it stands there.

    It is "" where the line is no option. ``value`` has no quotes and escapes; None without an "=".
    ``text`` is the line without its comment, "" where the value is hidden, or where a line that is
    no option may be anything.
    """

    file: str
    number: int
    group: str
    written: str
    value: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class OptionFiles:
    """All of them, in the server's order.

    ``none``: the server was set to read none. ``because`` says why they could not be looked for.
    ``suffix`` is what the server adds to the names of its groups to read those, too.
    """

    files: tuple[OptionFile, ...] = ()
    lines: tuple[OptionFileLine, ...] = ()
    none: bool = False
    suffix: str = ""
    because: str = ""


@dataclass(frozen=True, slots=True)
class OptionName:
    """What a server makes of a name that is written in a file.

    ``loose``: unknown, it is ignored. ``says`` is ON or OFF where the name itself says so.
    ``maximum``: the line bounds what sessions may set, and sets nothing.
    """

    name: str
    loose: bool = False
    says: str = ""
    maximum: bool = False


def understood(written: str, known: Container[str]) -> OptionName:
    """Read a name as servers do: a prefix counts where the whole is no name of theirs.

    ``known`` are the names that the server has; dashes and underscores are one to it.
    """
    name, prefixes = written.replace("-", "_"), []
    while name not in known:
        prefix, _, rest = name.partition("_")
        if prefix not in _PREFIXES or not rest:
            break
        prefixes.append(prefix)
        name = rest
    if name not in known and prefixes != ["loose"]:
        # Nobody knows what "skip_" before an unknown name means: it is a part of it.
        name = written.replace("-", "_")
        loose = name.startswith("loose_")
        return OptionName(name.removeprefix("loose_"), loose)
    says = next((_SAYS[prefix] for prefix in prefixes if prefix in _SAYS), "")
    return OptionName(name, "loose" in prefixes, says, "maximum" in prefixes)


def takes_capitals(version: ServerVersion) -> bool | None:
    """Whether a name is the same in capitals; None where nobody tried.

    No MySQL takes them. Of MariaDB 10.5.23 and 11.4.5 refuse them, 10.11.19 and 11.8.9 take them.
    """
    if not version.is_mariadb:
        return False
    if version.before(Flavour.MARIADB, 10, 6):
        return False
    *series, release = version.numbers
    if series == [11, 4]:
        return False if release <= 5 else None
    newer = version.at_least(Flavour.MARIADB, 11, 8, 9)
    return True if newer or (series == [10, 11] and release >= 19) else None


SERVERS_GROUP = re.compile(
    r"server|mysql_cluster|client-server|galera|(mysqld|mariadb|mariadbd)(-\d+(\.\d+)?)?"
)
"""A group that some server reads, of whichever version."""


def groups_of(version: ServerVersion, suffix: str = "") -> frozenset[str]:
    """The groups that a server reads; measured with --help on eleven servers."""
    major, series = version.numbers[0], dotted(version.numbers[:2])
    groups = {"mysqld", "server", f"mysqld-{series}"}
    if version.is_mariadb:
        groups |= {"mariadb", f"mariadb-{series}", "client-server", "galera"}
        if version.at_least(Flavour.MARIADB, 10, 4):
            groups |= {"mariadbd", f"mariadbd-{series}"}
        if version.at_least(Flavour.MARIADB, 11, 8, 9):
            groups |= {f"mariadb-{major}", f"mariadbd-{major}"}
    elif version.at_least(Flavour.MYSQL, 8):
        groups.add("mysql_cluster")
    return frozenset(groups | {group + suffix for group in groups})


def lines_for(found: OptionFiles, version: ServerVersion) -> tuple[OptionFileLine, ...]:
    """Give the lines that this version reads, in its order, with those that are no options."""
    groups = groups_of(version, found.suffix)
    passed = {file.path for file in found.files if _is_passed(file, version)}
    return tuple(line for line in found.lines if line.group in groups and line.file not in passed)


def _is_passed(file: OptionFile, version: ServerVersion) -> bool:
    """Old servers take a file's name in a folder from its first dot on for its ending."""
    name = posixpath.basename(file.path)
    return file.folder and version.before(Flavour.MYSQL, 8) and name.count(".") > 1


def read_option_files(answer: Mapping[str, Any] | None) -> OptionFiles | None:
    """Read what the agent reported; None where nothing. Never fails: the rest is left out."""
    if answer is None:
        return None
    return OptionFiles(
        files=tuple(
            OptionFile(
                _text(file, "path"),
                _number(file, "age_s"),
                file.get("folder") is True,
                _text(file, "because"),
                _ending(file),
                _line(file),
                file.get("passed") is True,
            )
            for file in _rows(answer, "files")
        ),
        lines=tuple(
            OptionFileLine(
                _text(line, "file"),
                _line(line),
                _text(line, "group"),
                _text(line, "name"),
                _text(line, "value")[:_LONGEST_LINE] if "value" in line else None,
                _text(line, "text")[:_LONGEST_LINE],
            )
            for line in _rows(answer, "lines")
        ),
        none=answer.get("none") is True,
        suffix=_text(answer, "suffix"),
        because=_text(answer, "because"),
    )


def _ending(file: Mapping[str, Any]) -> Ending | None:
    """Why a start ends there; None for what only a later agent reports."""
    ends = file.get("ends")
    return Ending(ends) if isinstance(ends, str) and ends in list(Ending) else None


def _rows(answer: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    rows = answer.get(name)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _text(row: Mapping[str, Any], name: str) -> str:
    """A text on one line: what can't be shown is shown as unknown."""
    value = row.get(name)
    if not isinstance(value, str):
        return ""
    plain = value.replace("\t", " ")
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in plain)


def _line(row: Mapping[str, Any]) -> int:
    """The number of a line; 0 where it is none."""
    try:
        return whole(row.get("line", 0), "the line", 0, _MOST_LINES)
    except Malformed:
        return 0


def _number(row: Mapping[str, Any], name: str) -> float | None:
    try:
        return finite(row.get(name), name)
    except Malformed:
        return None
