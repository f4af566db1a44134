"""The blocks that a report's text is made of: sections, items, labelled rows."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

INDENT = (0, 0, 0, 3)


def section(title: str, parts: list[RenderableType]) -> list[RenderableType]:
    """A title over its parts; nothing at all where there are none."""
    return [Text(""), Text(title, style="bold cyan"), *parts] if parts else []


def item(title: str, sentence: str) -> list[RenderableType]:
    """A title with a bullet, and a sentence below it."""
    return [Text.assemble("• ", (title, "bold")), Padding(Text(sentence), INDENT)]


def labelled(rows: Iterable[tuple[str, str]]) -> Table:
    """Labels in a column, and what they stand for in the next; a label "" continues the last."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    # A statement or an address that is longer than a line must not lose its end.
    table.add_column(overflow="fold")
    for label, value in rows:
        table.add_row(label, Text(value))
    return table
