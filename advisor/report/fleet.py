"""Many servers as a document: the table, what limits each, its risks, what differs by role."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from advisor.fleet.roles import Difference, by_role, differences, oddities
from advisor.fleet.server_row import ServerRow
from advisor.fleet.summary import named_few, summed
from advisor.report.document.blocks import (
    GAP,
    Block,
    Document,
    Heading,
    Table,
    beside,
    items,
    table,
    text,
)
from advisor.report.document.cover import NO_COVER
from probes._version import __version__
from probes.csv_cells import text_cell
from probes.figures import UNKNOWN, counted, percent, size
from probes.kinds.words import capital

HEADS = (
    "server",
    "version",
    "CPUs",
    "memory",
    "data",
    "limited by",
    "risks",
    "changes",
    "kept",
    "gain",
    "spare",
    "differs in",
)
"""Columns of the table; what each shows, the page says."""

_WORDS = (0, 1, 5, 11)
_MOST_DIFFERENCES = 60

FIELDS = (
    "target", "run_id", "taken_at", "server", "role", "threads", "memory_bytes", "data_bytes",
    "pool_bytes", "drive", "limit", "limited", "risks", "changes", "kept", "gain", "spare",
    "cpu_busy", "drive_busy", "queries_per_s", "judged", "applicable",
)  # fmt: skip
"""What a row has for programs, by its names there; ``differs`` comes with them."""


def fleet_document(rows: Sequence[ServerRow]) -> Document:
    """The table, then each server with something to do, and each role with differences."""
    return Document(
        title=counted(len(rows), "server"),
        cover=NO_COVER,
        facts=(),
        notice="",
        blocks=tuple(_blocks(rows)),
        last=f"Listed by Leadline {__version__}. Gain: the share of a query's time that the plan "
        "saves by forecast, else its best change. Spare: the lesser share of processors and of the "
        "drive's time that was left while the server was watched.",
    )


def fleet_blocks(rows: Sequence[ServerRow]) -> tuple[Block, ...]:
    """The table for a terminal, and a sentence of what it shows."""
    return (fleet_table(rows), GAP, text(summed(rows)))


def fleet_table(rows: Sequence[ServerRow]) -> Table:
    """A line for each server."""
    odd = oddities(rows)
    return table(HEADS, (_cells(row, odd.get(row.target, ())) for row in rows), _WORDS)


def role_blocks(role: str, rows: Sequence[ServerRow]) -> Iterator[Block]:
    """The servers of one role side by side: a line for each difference, a column for each."""
    found = differences(rows)
    yield Heading(2, f"{role}: {counted(len(rows), 'server')}")
    if not found:
        yield text("They have the same version, machine, drive and settings.")
        return
    targets = [row.target for row in rows]
    shown = found[:_MOST_DIFFERENCES]
    lines = ([each.what, *(_marked(each, target) for target in targets)] for each in shown)
    yield table(("", *targets), lines, range(len(targets) + 1))
    if len(found) > len(shown):
        yield beside(f"And {len(found) - len(shown)} more: `--json` has them all.")


def fleet_rows(rows: Sequence[ServerRow]) -> list[dict[str, object]]:
    """The rows as values, by ``FIELDS``."""
    odd = oddities(rows)
    return [
        {name: _plain(getattr(row, name)) for name in FIELDS}
        | {"differs": list(odd.get(row.target, ()))}
        for row in rows
    ]


def fleet_csv(rows: Sequence[ServerRow]) -> str:
    """The same as a table for spreadsheets; no cell begins as a formula would."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    found = fleet_rows(rows)
    writer.writerow((*FIELDS, "differs"))
    for row in found:
        writer.writerow(map(_in_csv, row.values()))
    return made.getvalue()


def _blocks(rows: Sequence[ServerRow]) -> Iterator[Block]:
    yield text(summed(rows))
    yield fleet_table(rows)
    wanting = [row for row in rows if row.risks or row.changes]
    if wanting:
        yield Heading(1, "What to do")
    for row in wanting:
        yield Heading(2, row.target)
        yield text(row.limited)
        yield from items((*(f"Risk: {each}." for each in row.risks), *map(_sentence, row.changes)))
    groups = by_role(rows)
    if groups:
        yield Heading(1, "What differs within a role")
    for role, members in groups.items():
        yield from role_blocks(role, members)


def _cells(row: ServerRow, odd: Sequence[str]) -> tuple[str, ...]:
    return (
        row.target,
        row.server or UNKNOWN,
        UNKNOWN if row.threads is None else str(row.threads),
        UNKNOWN if row.memory_bytes is None else size(row.memory_bytes),
        UNKNOWN if row.data_bytes is None else size(row.data_bytes),
        row.limit or "no load",
        str(len(row.risks)),
        str(len(row.changes)),
        str(len(row.kept)),
        UNKNOWN if row.gain is None else percent(row.gain),
        UNKNOWN if row.spare is None else percent(row.spare),
        named_few(odd),
    )


def _marked(found: Difference, target: str) -> str:
    """A server's value; what is unlike most is marked."""
    value = found.values.get(target, UNKNOWN) or '""'
    return f"{value} *" if found.usual and found.odd(target) else value


def _sentence(change: str) -> str:
    return f"{capital(change)}."


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _in_csv(value: object) -> object:
    shown = "; ".join(map(str, value)) if isinstance(value, list) else value
    if shown is None:
        return ""
    return text_cell(shown) if isinstance(shown, str) else shown
