"""Points as a table: Leadline's own form for what no program writes (docs/import-csv.md)."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from probes.errors import ImportRefused
from probes.imports.figures import MOST_BLOCK_BYTES, MOST_THREADS, count, figure
from probes.imports.imported import Imported
from probes.imports.little import ASKED_FROM_ABOVE, CLOSED, NOT_ASKED, Busy, Loop
from probes.imports.points import BUFFERED, NAN, Figures, make_point
from probes.kinds.kind import OptionChoice
from probes.kinds.table import CHOICES, PROBES
from probes.points import SERVER_PROBES, Latency, Point, Probe, Setting

KIND = "csv"

HEADER = re.compile(r"^[ \t]*\"?probe\"?[ \t]*[,;\t]", re.MULTILINE)
NEEDED = ("probe", "threads", "rate_per_s")
MOST_ROWS = 20_000
MOST_FIELD = 1_000

_PERCENTILES = ("mean_us", "p50_us", "p95_us", "p99_us", "p999_us", "max_us")
CPU = ("cpu_user_us_per_op", "cpu_system_us_per_op")
_FIGURES = (*_PERCENTILES, "ci95_low_per_s", "ci95_high_per_s", "seconds", "operations", *CPU)
_YES_NO = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}

OPTIONS: Mapping[str, OptionChoice] = {
    name: CHOICES[name]
    for name in (
        *("sync", "log", "binlog", "doublewrite", "part", "flush_per_s"),
        *("protocol", "working_set", "statements", "set", "touch", "mix"),
    )
}
"""The columns that become a setting's options; one without words is any number."""

_BOTH_SIDES = {Probe.RANDOM_READ, Probe.RANDOM_WRITE}

COLUMNS = (*NEEDED, "block_size_bytes", "files", "engine", "direct", *_FIGURES, *OPTIONS)

_CONDITION = re.compile(r"#[ \t]*([A-Za-z][\w ]{0,40}?)[ \t]*[:=][ \t]*(.{1,200})")
_ADVICE = "docs/import-csv.md describes the columns."


@dataclass(frozen=True, slots=True)
class CsvRow:
    """A line of the file; ``cells`` by the column's name, trimmed."""

    line: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        """What the cell says, "" when it is empty or there is no such column."""
        return self.cells.get(column, "")

    def refuse(self, column: str, what: str) -> ImportRefused:
        """The fault of one cell."""
        return ImportRefused(f"Line {self.line}, column {column}: {what}", _ADVICE)

    def number(self, column: str, read: Callable[[object, str], float]) -> float:
        """A cell's figure by ``read``; refused with its place."""
        try:
            return read(self.text(column), column)
        except ImportRefused as error:
            shown = f"“{self.text(column):.40}” is not"
            raise self.refuse(column, f"{shown} a figure that can be.") from error

    def optional(self, column: str) -> float:
        """A cell's figure, nan when it is empty."""
        return self.number(column, figure) if self.text(column) else NAN


def read(text: str, source: str) -> Imported:
    """Read all rows. Raises ImportRefused with the line and the column of the first fault."""
    conditions: dict[str, str] = {}
    settled = [(row, _setting(row)) for row in rows(text, conditions)]
    partners = _partners(settled)
    points = [point(row, setting, partners.get(row.line)) for row, setting in settled]
    engines = {each.engine for each in points}
    if not points:
        raise ImportRefused("The table has no rows.", _ADVICE)
    return Imported(
        source=source,
        kind=KIND,
        engine=engines.pop() if len(engines) == 1 else "",
        conditions=conditions,
        points=tuple(points),
    )


def rows(
    text: str,
    conditions: dict[str, str],
    needed: Sequence[str] = NEEDED,
    columns: Sequence[str] = COLUMNS,
) -> Iterator[CsvRow]:
    """The rows below the header; lines with # are notes, and may give conditions.

    Raises ImportRefused for a header without what is ``needed``, or with what is no column.
    """
    header: list[str] = []
    for line, cells in _cells(text, conditions):
        if not header:
            header = _header(line, cells, needed, columns)
            continue
        if line > MOST_ROWS:
            raise ImportRefused(f"The table has more than {MOST_ROWS} lines.", "Split it.")
        if len(cells) > len(header):
            raise ImportRefused(
                f"Line {line} has {len(cells)} cells, the header {len(header)} columns.", _ADVICE
            )
        yield CsvRow(line, dict(zip(header, (cell.strip() for cell in cells), strict=False)))
    if not header:
        raise ImportRefused("The table has no header.", _ADVICE)


def _cells(text: str, conditions: dict[str, str]) -> Iterator[tuple[int, list[str]]]:
    lines = (match[0] for match in re.finditer(r"[^\n]*\n?", text) if match[0])
    reader = csv.reader(_noted(lines, conditions), strict=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ImportRefused(f"Line {reader.line_num} is no CSV: {error}.", _ADVICE) from error
        if any(cell.strip() for cell in cells):
            yield reader.line_num, cells


def _noted(lines: Iterator[str], conditions: dict[str, str]) -> Iterator[str]:
    """Notes become empty lines, so that later lines keep their numbers."""
    for line in lines:
        if not line.lstrip().startswith("#"):
            if len(line) > MOST_FIELD * len(COLUMNS):
                raise ImportRefused("A line of the table is far too long.", _ADVICE)
            yield line
            continue
        noted = _CONDITION.match(line.strip())
        if noted and len(conditions) < 100:
            conditions[noted[1].strip().lower().replace(" ", "_")] = noted[2].strip()
        yield "\n"


def _header(
    line: int, cells: list[str], needed: Sequence[str], columns: Sequence[str]
) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    if len(names) == 1 and re.search(r"[;\t]", names[0]):
        raise ImportRefused(
            f"Line {line}: the columns are not separated by commas.",
            "Save the table as CSV with commas, and points in its figures.",
        )
    missing = [name for name in needed if name not in names]
    if missing:
        raise ImportRefused(f"Line {line}: the header lacks {', '.join(missing)}.", _ADVICE)
    for position, name in enumerate(names):
        if name not in columns:
            raise ImportRefused(
                f"Line {line}, column {position + 1}: there is no column “{name:.40}”.", _ADVICE
            )
        if name in names[:position]:
            raise ImportRefused(f"Line {line}: the column {name} comes twice.", _ADVICE)
    return names


def _partners(settled: Sequence[tuple[CsvRow, Setting]]) -> dict[int, CsvRow]:
    """By its line, the row of the other side where reads and writes ran at once."""
    sides: dict[object, list[tuple[CsvRow, Probe]]] = {}
    for row, setting in settled:
        if "mix" in setting.options:
            key = (setting.threads, *setting.curve_key[1:])
            sides.setdefault(key, []).append((row, setting.probe))
    found: dict[int, CsvRow] = {}
    for pair in sides.values():
        if {probe for _, probe in pair} == _BOTH_SIDES and len(pair) == 2:
            (one, _), (other, _) = pair
            found |= {one.line: other, other.line: one}
    return found


def _loop(row: CsvRow, setting: Setting, partner: CsvRow | None) -> Loop:
    """What the threads of a row did, as its probe has it.

    A page flush reports the time of a whole batch, a part of a mixed load has workers of its own,
    and of a transaction nobody knows whether the clients thought meanwhile.
    """
    if setting.probe in (Probe.PAGE_FLUSH, Probe.MIXED):
        return NOT_ASKED
    if setting.probe is Probe.OLTP or ("mix" in setting.options and partner is None):
        return ASKED_FROM_ABOVE
    if partner is None:
        return CLOSED
    rate = partner.number("rate_per_s", figure)
    return Loop(from_below=True, beside=(Busy(rate, partner.optional("mean_us")),))


def point(row: CsvRow, setting: Setting, partner: CsvRow | None = None) -> Point:
    """The figures of a row as a point of the setting; ``partner`` ran in the same threads.

    Raises ImportRefused.
    """
    direct = _direct(row)
    low, high = row.optional("ci95_low_per_s"), row.optional("ci95_high_per_s")
    rate = row.number("rate_per_s", figure)
    if low > rate or high < rate:
        raise row.refuse("rate_per_s", "it lies outside its own interval.")
    latency = Latency(**{name: row.optional(name) for name in _PERCENTILES})
    cached = direct is False and setting.probe in (Probe.RANDOM_READ, Probe.RANDOM_WRITE)
    figures = Figures(
        rate_per_s=rate,
        seconds=row.optional("seconds"),
        operations=int(row.number("operations", count)) if row.text("operations") else 0,
        ci95_per_s=(low, high),
        latency=latency,
        cpu_us_per_op=(row.optional(CPU[0]), row.optional(CPU[1])),
        direct=direct,
        doubts=[BUFFERED] if cached else [],
        loop=_loop(row, setting, partner),
    )
    return make_point(setting, row.text("engine")[:100] or KIND, figures)


def threads_of(row: CsvRow) -> int:
    """How many threads a row has. Raises ImportRefused."""
    threads = int(row.number("threads", lambda value, what: count(value, what, MOST_THREADS)))
    if threads < 1:
        raise row.refuse("threads", "there is at least one.")
    return threads


def _setting(row: CsvRow) -> Setting:
    try:
        probe = Probe(row.text("probe"))
    except ValueError as error:
        known = ", ".join(Probe)
        raise row.refuse("probe", f"“{row.text('probe'):.40}” is none of {known}.") from error
    threads = threads_of(row)
    block = 0
    if probe not in SERVER_PROBES:
        block = int(
            row.number("block_size_bytes", lambda value, what: count(value, what, MOST_BLOCK_BYTES))
        )
        if block < 1:
            raise row.refuse("block_size_bytes", "it must be more than 0.")
    elif row.text("block_size_bytes") not in ("", "0"):
        raise row.refuse("block_size_bytes", f"{probe} has none: leave it empty.")
    files = int(row.number("files", count)) if row.text("files") else 1
    return Setting(probe, threads, block, max(1, files), options=_options(row, probe))


def _options(row: CsvRow, probe: Probe) -> dict[str, str]:
    options = {}
    for name, declared in OPTIONS.items():
        value, allowed = row.text(name), declared.words
        if not value or value == declared.usual:
            continue
        if allowed and value not in allowed:
            raise row.refuse(name, f"“{value:.40}” is none of {', '.join(allowed)}.")
        if not allowed and value != "max":
            value = str(int(row.number(name, count)))
        options[name] = value
    for name in PROBES[probe].needs:
        if name not in options:
            raise row.refuse(name, f"a {probe} needs it.")
    return options


def _direct(row: CsvRow) -> bool | None:
    word = row.text("direct").lower()
    if word and word not in _YES_NO:
        raise row.refuse("direct", f"“{word:.40}” is neither yes nor no.")
    return _YES_NO.get(word)
