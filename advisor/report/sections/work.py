"""What a watch saw of the server's own work."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.report.document.blocks import Block, items, table, text
from advisor.wording.watch.cost import cost_sentences
from advisor.wording.watch.file_rows import FILE_COLUMNS, file_rows, file_sentences
from advisor.wording.watch.rows import COLUMNS, rows, unseen, where_time_goes
from probes.figures import seconds
from probes.inventory.facts import Inventory


def work_blocks(inventory: Inventory) -> Iterator[Block]:
    """Rows by kind of file I/O and by file, what could not be seen, what the look cost."""
    watched = inventory.watched
    if watched is None:
        return
    found, by_file = rows(watched), watched.by_file
    files = [] if by_file is None else file_rows(by_file)
    sentences = () if by_file is None else file_sentences(by_file)
    cost = () if watched.own_cost is None else cost_sentences(watched.own_cost)
    notes = (*sentences, *unseen(inventory), *cost)
    if found or files or notes:
        goes = f" {where_time_goes(watched)}" if found else ""
        yield text(f"Watched for {seconds(round(watched.seconds))}.{goes}")
    if found:
        yield table(COLUMNS, found, (0, 1))
    if files:
        yield table(FILE_COLUMNS, files, (0, 1))
    yield from items(notes)
