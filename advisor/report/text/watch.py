"""What a watch saw, as a section of the text report."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from advisor.report.text.table import plain_table
from advisor.report.watch_cost import cost_sentences
from advisor.report.watch_rows import COLUMNS, rows, unseen, work_title
from probes.inventory.facts import Inventory
from probes.watch.watched import Watched


def watch_section(watched: Watched, inventory: Inventory) -> tuple[str, list[RenderableType]]:
    """Title and parts: a row for each kind of file I/O, what could not be seen, what it cost."""
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
    parts += [Text(f"• {sentence}") for sentence in unseen(inventory)]
    if watched.own_cost is not None:
        parts += [Text(f"• {sentence}") for sentence in cost_sentences(watched.own_cost)]
    return work_title(watched), parts
