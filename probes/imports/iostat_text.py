"""The text of iostat -x, of any version and with any of its options, also pasted from a terminal.

Columns are found by their heads. The device stands in the first column or in the last (``-h``,
``--pretty``), where a report is several tables, one below the other; long ago ``-h`` gave it a line
of its own. What a terminal put around it (an indentation, a prompt, ``^C``) is no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from probes.errors import ImportRefused
from probes.imports.iostat_report import IostatReport, is_value, values

HEADER = re.compile(
    r"^.{0,80}?\bDevice:?[ \t].{1,900}[ \t]%?util[ \t\r]*$"
    r"|^.{0,400}?(?<![\w%])(?:r/s|%util)[ \t].{0,400}\bDevice:?[ \t\r]*$",
    re.MULTILINE,
)
"""The heads of the columns; %util comes with -x alone."""

PLAIN = re.compile(
    r"^.{0,80}?\bDevice:?[ \t]+tps[ \t]|^.{0,80}?(?<!\w)tps[ \t].{0,400}\bDevice:?[ \t\r]*$",
    re.MULTILINE,
)
"""The heads without -x; with -x and -s they begin alike."""

LONGEST_LINE = 10_000

_LINE = re.compile(r"[^\n]+")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T ]\d{1,2}:\d{2}:\d{2}.{0,12}")
_FORMATS = (
    "%m/%d/%y %H:%M:%S",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%d.%m.%Y %H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%m/%d/%y %I:%M:%S %p",
)
_DEVICE = ("Device", "Device:")
_INTERRUPTED = "^C"
_GROUP_LAST = re.compile(r"\S {2,}\S+$")
"""A group's name stands one blank further to the right."""


@dataclass(slots=True)
class _Reader:
    """What is known while the lines pass.

    ``heads`` are of the table that is being read; ``loose`` once a line stood in it that is none of
    its rows: other lines may follow. ``name`` is a device whose figures come on the next line.
    """

    lead: str
    report: IostatReport = field(default_factory=IostatReport)
    heads: list[str] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    loose: bool = False
    name: str = ""

    def take(self, line: str) -> IostatReport | None:
        """Read a line; the report that it ends, None where it goes on."""
        line, indented = self._bare(line)
        words = line.split()
        if not words:
            return None
        if _DATE.fullmatch(line.strip()):
            return self._begin(IostatReport(at=time_of(line.strip())))
        if words[0] == "avg-cpu:":
            ended = self._begin(IostatReport()) if self.report.cpu or self.report.devices else None
            self.heads = words
            return ended
        if _DEVICE[0] in (words[0], words[-1]) or _DEVICE[1] in (words[0], words[-1]):
            return self._table(words)
        if self.heads and self.heads[0] == "avg-cpu:":
            self._processors(words)
        elif self.heads:
            self._row(words, indented)
        return None

    def _bare(self, line: str) -> tuple[str, bool]:
        """The line without what stands before all of them, and whether its name is a group's."""
        line = line.rstrip().removeprefix(_INTERRUPTED)
        if self.lead and line.startswith(self.lead):
            line = line[len(self.lead) :]
        elif self.lead.strip() and line.strip() == self.lead.strip():
            line = ""
        elif self.lead:
            line = line.lstrip()
        line = line.removeprefix(_INTERRUPTED)
        last = bool(self.heads) and self.heads[-1] in _DEVICE
        return line, _GROUP_LAST.search(line) is not None if last else line[:1] == " "

    def _begin(self, report: IostatReport) -> IostatReport:
        ended, self.report = self.report, report
        self.heads, self.seen, self.loose, self.name = [], set(), False, ""
        return ended

    def _table(self, words: list[str]) -> IostatReport | None:
        """A report's next table has other columns; one with the same begins another report."""
        columns = set(words) - set(_DEVICE)
        ended = self._begin(IostatReport()) if self.seen & columns else None
        self.heads, self.loose, self.name = words, False, ""
        self.seen |= columns
        return ended

    def _processors(self, words: Sequence[str]) -> None:
        heads, self.heads = self.heads[1:], []
        if not any(map(is_value, words)):
            return
        if len(words) != len(heads):
            raise _changed(len(words), len(heads))
        self.report.cpu = _figures(heads, words)

    def _row(self, words: Sequence[str], indented: bool) -> None:
        first = self.heads[0] in _DEVICE
        heads = self.heads[1:] if first else self.heads[:-1]
        cells = words[1:] if first else words[:-1]
        name, self.name = self.name, ""
        if name and len(words) == len(heads) and all(map(is_value, words)):
            cells, indented = words, False
        else:
            name = words[0] if first else words[-1]
        known = sum(map(is_value, cells))
        if len(cells) == len(heads) and 2 * known >= len(heads):
            row = self.report.devices.setdefault(name[:100], {})
            row.update(_figures(heads, cells))
            if indented:
                self.report.groups.add(name[:100])
        elif len(words) == 1 and not is_value(words[0]):
            self.name = words[0]
        elif cells and known == len(cells) and not self.loose:
            raise _changed(len(cells), len(heads))
        else:
            self.loose = True


def text_reports(text: str, most_lines: int) -> Iterator[IostatReport]:
    """A report begins at its time, at its processors, or at a table that it has already.

    Raises ImportRefused where a row is cut off.
    """
    reader = _Reader(_lead(text))
    for total, match in enumerate(_LINE.finditer(text), 1):
        if total > most_lines or len(match[0]) > LONGEST_LINE:
            raise ImportRefused(
                "The file is longer or wider than reports of iostat are.", "Split it."
            )
        ended = reader.take(match[0])
        if ended is not None:
            yield ended
    yield reader.report


def time_of(text: str) -> datetime | None:
    """Only distances count, so that the zone does not matter."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        pass
    for form in _FORMATS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return None


def _lead(text: str) -> str:
    """What stands before every line where it was pasted: blanks, or a mark of quotation."""
    found = HEADER.search(text)
    head = found[0].rstrip() if found else ""
    if head.endswith(_DEVICE):
        # The heads are set to the right, so that blanks before them tell nothing.
        return re.split(r"[\w%]", head, maxsplit=1)[0].rstrip()
    return head.partition(_DEVICE[0])[0]


def _figures(heads: Sequence[str], words: Sequence[str]) -> dict[str, float]:
    return {
        name: value
        for head, word in zip(heads, words, strict=True)
        for name, value in values(head, word).items()
    }


def _changed(figures: int, columns: int) -> ImportRefused:
    return ImportRefused(
        f"A line of iostat has {figures} figures for {columns} columns.",
        "The file is cut off or was changed: import it as iostat wrote it.",
    )
