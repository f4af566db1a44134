"""The option files that the script copied, read as servers do: the agent's answer about them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from probes.collection.sections import Section
from probes.inventory.option_files import SERVERS_GROUP, Ending
from probes.mysql.option_files import value_of, without_comment
from probes.redaction import HIDDEN, hides

_DEEPEST_INCLUDE = 10
_MOST_FILES, _MOST_LINES = 200, 5000
_LONGEST_LINE = 4094
_SPACE = " \t\n\v\f\r"
_SERVER = re.compile(r".*/(mysqld|mariadbd)$|^(mysqld|mariadbd)$")
_NAME = re.compile(r"[a-z][a-z0-9_.-]{0,79}")
_CAPITALS = re.compile(r"([A-Z]+|[A-Z]?[a-z]+)([_.-]([A-Z0-9]+|[A-Z]?[a-z0-9]+))*")
_NOT_THERE, _PASSED = "it is not there", "everybody may write to it"


def read_options_of(found: Iterable[Section], named: Iterable[str]) -> dict[str, Any]:
    """What stands in the files for the server itself, in the shape of the agent's answer.

    ``found`` are the sections of its process, ``named`` files that the server says its values come
    from.
    """
    by_kind = [(each.kind, each.about, each) for each in found]
    start = next((each for kind, _, each in by_kind if kind == "@started"), Section(""))
    arguments = start.all("argument")
    programs = [at for at, each in enumerate(arguments) if _SERVER.match(each)]
    suffix = _last(arguments, "--defaults-group-suffix=") or _variable(start, "MYSQL_GROUP_SUFFIX")
    answer: dict[str, Any] = {"suffix": suffix, "files": [], "lines": []}
    if "contained" in start.lines:
        return answer | {"because": "the server runs in a container, whose files were not read"}
    if not programs:
        return answer | {"because": "how the server was started can't be read"}
    if "--no-defaults" in arguments:
        return answer | {"none": True}
    reader = _OptionReader(
        {path: each for kind, path, each in by_kind if kind == "@options"},
        {path: each.lines for kind, path, each in by_kind if kind == "@folder"},
        suffix,
        answer,
    )
    for path, required in _places(start, arguments, arguments[programs[0]]):
        reader.read(path, asked=required, required=required)
    for path in named:
        reader.read(path, asked=True)
    return answer


def _places(start: Section, arguments: Sequence[str], program: str) -> Iterator[tuple[str, bool]]:
    """The files that the server reads, in its order, and whether its command line names them."""
    if only := _last(arguments, "--defaults-file="):
        yield only, True
        return
    own = _variable(start, "MARIADB_HOME") if program.endswith("mariadbd") else ""
    home = (own or _variable(start, "MYSQL_HOME")).rstrip("/")
    folders = ["/etc", "/etc/mysql"]
    if program.startswith("/usr/local/mysql/"):
        folders.append("/usr/local/mysql/etc")
    folders = [each for each in folders if each != home] + ([home] if home else [])
    yield from ((f"{folder}/my.cnf", False) for folder in folders)
    if extra := _last(arguments, "--defaults-extra-file="):
        yield extra, True
    if not start.all("environment"):
        yield "~/.my.cnf", False
    elif users := _variable(start, "HOME"):
        yield posixpath.join(users, ".my.cnf"), False


def _last(arguments: Sequence[str], name: str) -> str:
    return next((each[len(name) :] for each in reversed(arguments) if each.startswith(name)), "")


def _variable(start: Section, name: str) -> str:
    found = (each.partition("=") for each in start.all("environment"))
    return next((value for key, _, value in found if key == name), "")


class _OptionReader:
    """Follows one server's files, and fills the answer with what stands in them."""

    def __init__(
        self,
        files: Mapping[str, Section],
        folders: Mapping[str, list[str]],
        suffix: str,
        answer: dict[str, Any],
    ) -> None:
        self._files, self._folders, self._suffix = files, folders, suffix
        self._found, self._lines = answer["files"], answer["lines"]
        self._open: list[str] = []

    def read(self, path: str, *, asked: bool, required: bool = False, folder: bool = False) -> None:
        """Read a file and what it includes; ``asked``: its absence is worth a word."""
        if path.startswith("~/"):
            because = "the server's environment can't be read, so its home is not known"
            self._found.append({"path": path, "because": because})
            return
        if path in self._open or len(self._open) > _DEEPEST_INCLUDE:
            because = "it includes itself, or too many includes led to it"
            self._found.append({"path": path, "because": because})
            return
        if len(self._found) >= _MOST_FILES or any(each["path"] == path for each in self._found):
            return
        section = self._files.get(path)
        because = _NOT_THERE if section is None else _note(section, "because")
        if because == _NOT_THERE and not asked:
            return
        file: dict[str, Any] = {"path": path, "folder": folder, "because": because}
        self._found.append(file)
        if because:
            file["passed"] = because.startswith((_NOT_THERE, _PASSED)) and not required
            if because == _NOT_THERE and required:
                file["ends"] = Ending.NO_FILE
        if section is None or because:
            return
        if (age := _note(section, "age")).isdecimal():
            file["age_s"] = float(age)
        self._open.append(path)
        self._follow(file, section)
        self._open.pop()

    def _follow(self, file: dict[str, Any], section: Section) -> None:
        def ends(why: Ending, number: int, because: str) -> None:
            file.update(ends=why, line=number, because=because)

        group = ""
        if section.lines and section.lines[0].startswith("\ufeff"):
            ends(
                Ending.BYTE_ORDER_MARK, 1, "it starts with a byte order mark, and servers refuse it"
            )
            return
        for number, raw in enumerate(section.lines, 1):
            text = raw.strip(_SPACE)
            if len(raw) > _LONGEST_LINE:
                file["because"] = f"line {number} of it is longer than a server reads at once"
            elif text.startswith("!"):
                word, _, path = text[1:].strip(_SPACE).replace("\t", " ").partition(" ")
                if word in ("include", "includedir") and not path.strip(_SPACE):
                    ends(
                        Ending.NO_PATH, number, f"the include in line {number} of it names nothing"
                    )
                    return
                self._include(file, number, word, path.strip(_SPACE))
            elif text.startswith("["):
                group, closed, _ = text[1:].partition("]")
                if not closed:
                    ends(Ending.OPEN_GROUP, number, f"the group in line {number} of it has no end")
                    return
                group = group.rstrip(_SPACE)
            elif text and text[0] not in "#;" and not group:
                ends(Ending.NO_GROUP, number, f"line {number} of it stands before any group")
                return
            elif text and text[0] not in "#;":
                self._line(file["path"], number, group, text)

    def _include(self, file: dict[str, Any], number: int, word: str, path: str) -> None:
        path = path.rstrip("/") if path != "/" else path
        if word == "include":
            self.read(path, asked=True)
        elif word == "includedir" and path in self._folders:
            for each in self._folders[path]:
                self.read(each, asked=False, folder=True)
        elif word == "includedir" and path.startswith("/"):
            self._found.append({"path": path, "because": _NOT_THERE})
            if "ends" not in file:
                file.update(ends=Ending.NO_FOLDER, line=number)

    def _line(self, path: str, number: int, group: str, text: str) -> None:
        ours = SERVERS_GROUP.fullmatch(group) or (
            self._suffix and SERVERS_GROUP.fullmatch(group.removesuffix(self._suffix))
        )
        if not ours or len(self._lines) >= _MOST_LINES:
            return
        text = without_comment(text).rstrip(_SPACE)
        name, equals, value = text.partition("=")
        name = name.rstrip(_SPACE)
        line: dict[str, Any] = {"file": path, "line": number, "group": group}
        self._lines.append(line)
        if not _is_option(name, bool(equals)):
            return
        value = value_of(value)
        hidden = value == HIDDEN or hides(name, value)
        line["name"] = name
        if equals:
            line["value"] = HIDDEN if hidden else value
        if not hidden:
            line["text"] = text


def _is_option(name: str, has_value: bool) -> bool:
    if not _NAME.fullmatch(name.lower()):
        return False
    capitals = _CAPITALS.fullmatch(name) and (has_value or "-" in name or "_" in name)
    return name == name.lower() or bool(capitals)


def _note(section: Section, name: str) -> str:
    found = (each.partition(" ") for each in section.notes)
    return next((rest for word, _, rest in found if word == name), "")
