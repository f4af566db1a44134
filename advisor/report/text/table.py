"""The look of every table in the terminal: a rule under its head, and nothing around it."""

from __future__ import annotations

from rich import box
from rich.table import Table

NARROW, WIDE = 1, 2
"""How many spaces lie between two columns."""


def plain_table(gap: int = NARROW) -> Table:
    """An empty table; its columns are added by whoever fills it."""
    return Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, gap, 0, 0), show_edge=False)
