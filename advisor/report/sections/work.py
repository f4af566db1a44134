"""What a watch saw of the server's own work, as a section of a client's report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.report.document.blocks import Block, Paragraph, Table, TableRow, items, plain
from advisor.wording.watch.cost import cost_sentences
from advisor.wording.watch.rows import COLUMNS, Cells, rows, unseen, where_time_goes
from probes.figures import seconds
from probes.inventory.facts import Inventory

TEXTS = frozenset({0, 1})
"""Which of the columns hold words."""


@dataclass(frozen=True, slots=True)
class OwnWork:
    """A sentence that says what was looked at, a row for each operation, and what else to know."""

    said: str
    rows: tuple[Cells, ...]
    notes: tuple[str, ...]


def own_work(inventory: Inventory) -> OwnWork | None:
    """What was seen; None where nobody watched, or no operation was timed or counted."""
    watched = inventory.watched
    found = () if watched is None else tuple(rows(watched))
    if watched is None or not found:
        return None
    cost = () if watched.own_cost is None else cost_sentences(watched.own_cost)
    said = f"Watched for {seconds(round(watched.seconds))}. {where_time_goes(watched)}"
    return OwnWork(said, found, (*unseen(inventory), *cost))


def work_blocks(inventory: Inventory) -> Iterator[Block]:
    """The same as a table with its sentences."""
    seen = own_work(inventory)
    if seen is None:
        return
    yield Paragraph(plain(seen.said))
    yield Table(COLUMNS, tuple(TableRow(tuple(map(plain, row))) for row in seen.rows), TEXTS)
    yield from items(seen.notes)
