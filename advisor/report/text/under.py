"""Drives under a server as text."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.compare.comparison import LETTERS
from advisor.forecasts.under import UnderServer
from advisor.report.text.forecast import BAND
from advisor.report.text.table import WIDE, plain_table
from advisor.wording.forecasts.under import HEADS, notes, row, sentences
from advisor.wording.measured.cells import verdict


def renderable(found: UnderServer) -> RenderableType:
    """The sentences, a row for each drive, roles, and what to mind."""
    parts: list[RenderableType] = [Text(each) for each in sentences(found)]
    parts += [Text(""), _drives(found), Text(BAND, style="dim")]
    judged = [role for role in found.roles if sum(each is not None for each in role.entries) > 1]
    if judged:
        parts += [Text(""), Text("The drives alone, by role", style="bold cyan")]
        parts += [Text(f"{role.title}: {verdict(role)}") for role in judged]
    minded = [*(each.sentence for each in found.reasons), *notes(found), *found.live.caveats]
    if minded:
        parts += [Text(""), Text("Not comparable without minding this", style="bold cyan")]
        parts += [Text(f"• {each}") for each in minded]
    return Group(*parts)


def _drives(found: UnderServer) -> Table:
    table = plain_table(WIDE)
    for column in ("", "drive", *HEADS):
        table.add_column(column)
    for at, each in enumerate(found.entrants):
        table.add_row(LETTERS[at], Text(each.contender.name), *map(Text, row(found, at)))
    return table
