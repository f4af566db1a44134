"""What a watch saw, as a section of the text report."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from advisor.report.text.table import plain_table
from advisor.wording.watch.cost import cost_sentences
from advisor.wording.watch.file_rows import FILE_COLUMNS, file_rows, file_sentences
from advisor.wording.watch.rows import COLUMNS, rows, unseen, work_title
from probes.inventory.facts import Inventory
from probes.watch.by_file import ByFile
from probes.watch.watched import Watched


def watch_section(watched: Watched, inventory: Inventory) -> tuple[str, list[RenderableType]]:
    """Title and parts: rows by kind of file I/O and by file, what could not be seen, the cost."""
    parts: list[RenderableType] = []
    found = rows(watched)
    if found:
        table = plain_table()
        for name in COLUMNS[:2]:
            table.add_column(name, no_wrap=True)
        for name in COLUMNS[2:]:
            table.add_column(name, justify="right")
        for row in found:
            table.add_row(*row)
        parts.append(table)
    if watched.by_file is not None:
        parts += _by_file(watched.by_file)
    parts += [Text(f"• {sentence}") for sentence in unseen(inventory)]
    if watched.own_cost is not None:
        parts += [Text(f"• {sentence}") for sentence in cost_sentences(watched.own_cost)]
    return work_title(watched), parts


def _by_file(seen: ByFile) -> list[RenderableType]:
    """The files that most time goes to."""
    found = file_rows(seen)
    parts: list[RenderableType] = []
    if found:
        table = plain_table()
        table.add_column(FILE_COLUMNS[0], overflow="fold")
        table.add_column(FILE_COLUMNS[1], no_wrap=True)
        for name in FILE_COLUMNS[2:]:
            table.add_column(name, justify="right")
        for row in found:
            table.add_row(*(Text(cell) for cell in row))
        parts.append(table)
    return [*parts, *(Text(f"• {sentence}") for sentence in file_sentences(seen))]
