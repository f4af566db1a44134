r"""Names and values of a server's settings and counters, in every form that clients print.

The client's table, ``-B`` (tabs), ``\G`` and ``--vertical``, CSV, JSON, ``-H`` and ``-X``, rows of
the information schema, what phpMyAdmin and Adminer show, and lines that somebody typed.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from probes.texts.reading import names

DATA_BYTES = "innodb_data_bytes"
"""What the query for the size of the data names its one column."""

_MOST_FAILED = 20
"""Brackets that begin no JSON: each is read to its end, and beyond some of them a text is none."""

_BRACKET = re.compile(r"[\[{]")

_CELL = re.compile(r"\s\|\s")
_BORDER = re.compile(r"\+[-=+]+|[|]?\s*:?-{3,}[-|: ]*|[=*-]{8,}")
_NAME_HEAD = frozenset({"variable_name", "variable", "name"})
_VALUE_HEADS = ("variable_value", "global_value", "value", "session_value")
_SOURCE_HEADS = ("variable_source", "global_value_origin")
_PATH_HEADS = ("variable_path", "global_value_path")
_NEXT_ROW = re.compile(r"^\s*\*{8,}\s*\d+\. row\s*\*{8,}")
_FIELD = re.compile(r"^\s*([A-Za-z_@][\w@.()* +,'-]{0,120}?): ?(.*)$")
_TYPED = re.compile(
    r"^[\s*\u2022-]*`?(?P<name>(?:@@(?:global\.|GLOBAL\.)?)?[A-Za-z][\w-]{1,70})`?"
    r"(?P<between>\s*[=:]\s*|\t[\t ]*|\s+)(?P<value>.*)$"
)
_WORD = re.compile(
    r"[+-]?[\d.,]+\s?[kKMGTPE]?i?[bB]?|ON|OFF|on|off|YES|NO|O_\w+|[A-Z][A-Z_-]+|/\S*"
)
_BLANK_NAME = re.compile(
    r"^\s*(?P<name>[A-Za-z]\w+(?: \w+){1,9})\s*(?:\t\s*| {2,})(?P<value>\S.*)$"
)
_CLOCK = re.compile(
    r"^\s*(?:TS (?P<epoch>\d{9,11}(?:\.\d{1,9})?)\b.*"
    r"|(?:#\s*)?(?P<date>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)"
    r"|(?P<day>(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]* .{10,40}\d{4}))\s*$"
)


@dataclass(frozen=True, slots=True)
class NameValue:
    """A name and its value as they stand there; ``begins``: a table, or a moment, begins with it.

    ``listed``: it stood in a table, so that any name may be one; ``clock`` is the line of a time
    that stood before it, "" for none. ``origin`` is [source, path] where the row says it.
    """

    name: str
    value: str
    begins: bool = False
    listed: bool = True
    clock: str = ""
    origin: tuple[str, str] = ("", "")


@dataclass(slots=True)
class _Reader:
    """What is known while the lines pass; ``heads`` are those of the table that is being read."""

    heads: Sequence[str] = ()
    begins: bool = True
    clock: str = ""
    pending: str = ""
    one_row: Sequence[str] = ()

    def row(self, name: str, value: str, *, listed: bool, **more: tuple[str, str]) -> NameValue:
        made = NameValue(name.strip(), value.strip(), self.begins, listed, self.clock, **more)
        self.begins, self.clock = False, ""
        return made

    def take(self, line: str) -> Iterator[NameValue]:
        """The rows that a line gives: mostly one, or none."""
        if _BORDER.fullmatch(line.strip()):
            return
        if _NEXT_ROW.match(line) or not line.strip():
            self.pending = ""
            return
        if (clock := _CLOCK.match(line)) is not None:
            self.begins, self.clock, self.heads = True, clock[0].strip(), ()
            return
        cells = _cells(line)
        if cells is None and (self.one_row or _is_column(line.strip())):
            # Batch mode prints one column without any tab.
            cells = [line.strip()]
        if cells is not None and self._is_head(cells):
            return
        if self.one_row and cells is not None and len(cells) == len(self.one_row):
            for name, value in zip(self.one_row, cells, strict=True):
                yield self.row(name, value, listed=True)
            self.one_row = ()
        elif cells is not None and (self.heads or line.lstrip().startswith("|")):
            yield from self._listed(cells)
        else:
            yield from self._loose(line)

    def _is_head(self, cells: Sequence[str]) -> bool:
        plain = [cell.strip().strip("`\"'").lower() for cell in cells]
        if plain[0] in _NAME_HEAD and any(each in plain for each in _VALUE_HEADS):
            self.heads, self.begins = plain, True
            return True
        if plain[0] in _NAME_HEAD and any(each in plain for each in _SOURCE_HEADS):
            self.heads = plain
            return True
        if all(map(_is_column, plain)):
            self.one_row = plain
            return True
        return False

    def _listed(self, cells: Sequence[str]) -> Iterator[NameValue]:
        if len(cells) < 2:
            return
        if len(self.heads) > 2:
            by_head = dict(zip(self.heads, cells, strict=False))
            value = next((by_head[each] for each in _VALUE_HEADS if each in by_head), None)
            source = next((by_head[each] for each in _SOURCE_HEADS if each in by_head), "")
            path = next((by_head[each] for each in _PATH_HEADS if each in by_head), "")
            origin = (source.strip(), "" if path.strip() == "NULL" else path.strip())
            yield self.row(cells[0], "\0" if value is None else value, listed=True, origin=origin)
            return
        yield self.row(cells[0], " | ".join(cells[1:]), listed=True)

    def _loose(self, line: str) -> Iterator[NameValue]:
        field = _FIELD.match(line)
        if field is not None:
            head = field[1].strip().lower()
            if head in _NAME_HEAD and not self.pending:
                self.pending = field[2].strip()
                return
            if head in _VALUE_HEADS and self.pending:
                yield self.row(self.pending, field[2], listed=True)
                self.pending = ""
                return
        typed = _TYPED.match(line)
        if typed is not None and _is_typed(typed):
            yield self.row(typed["name"], _plain_value(typed).strip("`\"'"), listed=False)
            return
        blank = _BLANK_NAME.match(line)
        if blank is not None and (names.variable(blank["name"]) or names.counter(blank["name"])):
            # A page has what the name means beside the value.
            value = re.split(r"\t| {3,}", blank["value"])[0]
            yield self.row(blank["name"], value, listed=False)


def rows(lines: Sequence[str]) -> Iterator[NameValue]:
    """All names and values in the order of the text."""
    text = "\n".join(lines)
    if text.lstrip()[:1] in ("[", "{") and (found := list(_of_json(text))):
        yield from found
        return
    if (delimiter := _delimiter(lines)) is not None:
        yield from _of_csv(lines, delimiter)
        return
    reader = _Reader()
    for line in lines:
        yield from reader.take(line)


def _cells(line: str) -> list[str] | None:
    """The cells of a table's line, or of one with tabs; None for any other."""
    inside = line.strip()
    if inside.startswith("|"):
        inside = inside[1:].removesuffix("|")
        return [cell.strip() for cell in _CELL.split(f" {inside} ")]
    return line.split("\t") if "\t" in line.lstrip() else None


def _is_column(name: str) -> bool:
    """Whether a select of variables, or the query for the data's size, names its column so."""
    return name == DATA_BYTES or (name.startswith("@@") and " " not in name)


def _plain_value(typed: re.Match[str]) -> str:
    """What was typed without the mark that ends a line."""
    return typed["value"].strip().rstrip(";,").rstrip()


def _is_typed(typed: re.Match[str]) -> bool:
    """Whether a line says a value of a name, and is no sentence about it."""
    name, value = typed["name"], _plain_value(typed)
    known = names.variable(name) or names.is_counter_as_written(name)
    if not known:
        return False
    if typed["between"].strip() or "\t" in typed["between"] or len(typed["between"]) > 1:
        return len(value.split()) <= 6
    return bool(_WORD.fullmatch(value))


def _delimiter(lines: Sequence[str]) -> str | None:
    """What parts the cells of CSV with a head that is known; None where the text is none."""
    for line in lines[:50]:
        plain = line.strip().strip("\ufeff").lower().replace('"', "").replace("'", "")
        for delimiter in ",;":
            cells = [cell.strip() for cell in plain.split(delimiter)]
            if cells[0] in _NAME_HEAD and any(each in cells for each in _VALUE_HEADS):
                return delimiter
    quoted = [line for line in lines if line.strip()][:20]
    if len(quoted) > 2 and all(re.match(r'^"\w+"[,;]"', line) for line in quoted):
        return quoted[0].split('"')[2][0]
    return None


def _of_csv(lines: Sequence[str], delimiter: str) -> Iterator[NameValue]:
    reader = _Reader()
    parsed = csv.reader(lines, delimiter=delimiter)
    while True:
        try:
            cells = next(parsed)
        except StopIteration:
            return
        except csv.Error:
            continue
        if len(cells) >= 2 and not reader._is_head(cells):
            yield from reader._listed(cells)


def _of_json(text: str) -> Iterator[NameValue]:
    """Rows of JSON: of objects that name both, of pairs, or of one object with names as its keys.

    MySQL Shell prints a document a line, or many behind each other.
    """
    decoder = json.JSONDecoder()
    reader, at, failed = _Reader(), 0, 0
    while failed < _MOST_FAILED and (match := _BRACKET.search(text, at)):
        try:
            document, at = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            at, failed = match.start() + 1, failed + 1
            continue
        yield from _of_document(document, reader)


def _of_document(document: object, reader: _Reader, depth: int = 0) -> Iterator[NameValue]:
    if depth > 6:
        return
    if isinstance(document, Mapping):
        by_head = {str(name).lower(): value for name, value in document.items()}
        name = next((by_head[each] for each in _NAME_HEAD if each in by_head), None)
        value = next((by_head[each] for each in _VALUE_HEADS if each in by_head), None)
        named = any(each in by_head for each in _VALUE_HEADS)
        if named and isinstance(name, str) and _is_plain(value):
            yield reader.row(name, _text(value), listed=True)
            return
        plain = {str(key): each for key, each in document.items() if _is_plain(each)}
        if sum(map(_is_known, plain)) * 2 > len(document):
            # Two objects of one text are two tables.
            reader.begins = True
            for key, each in plain.items():
                yield reader.row(key, _text(each), listed=True)
            return
        for each in document.values():
            if not _is_plain(each):
                reader.begins = True
                yield from _of_document(each, reader, depth + 1)
    elif isinstance(document, list):
        pair = len(document) == 2 and isinstance(document[0], str) and _is_plain(document[1])
        if pair and _is_known(document[0]):
            yield reader.row(document[0], _text(document[1]), listed=True)
            return
        for each in document:
            yield from _of_document(each, reader, depth + 1)


def _is_known(name: str) -> bool:
    return bool(names.variable(name) or names.counter(name))


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    return "" if value is None else str(value)
