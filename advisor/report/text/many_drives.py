"""A comparison of so many drives that a column for each does not fit: a row for each instead."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.compare.comparison import LETTERS, Comparison
from advisor.compare.groups import standing
from advisor.compare.matching import Matched
from advisor.compare.roles import RoleComparison
from advisor.wording.measured.cells import MARKS, short
from advisor.wording.measured.comparison import no_level
from advisor.wording.measured.role_cells import figure_said
from probes.figures import UNKNOWN, duration_us
from probes.points import Point

MOST_COLUMNS = 4
"""So many drives have a column each within the width of a terminal."""


def roles(comparison: Comparison) -> RenderableType:
    """Role by role who ties with whom, then each drive's figure, the best first."""
    parts: list[RenderableType] = []
    letters = list(LETTERS)
    for role in comparison.roles:
        said = standing(role.groups, letters) or "not compared"
        parts += [Text(f"{role.title}: {said}", style="bold"), _ranked(comparison, role)]
    return Group(*parts)


def _ranked(comparison: Comparison, role: RoleComparison) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for column in range(5):
        table.add_column(justify="left" if column < 2 else "right")
    order = [at for group in role.groups for at in group.members]
    left = [at for at, entry in enumerate(role.entries) if entry is not None and at not in order]
    for at in (*order, *left):
        entry = role.entries[at]
        if entry is not None:
            table.add_row(
                Text(f"  {LETTERS[at]}"),
                Text(comparison.contenders[at].name),
                Text(figure_said(role, entry)),
                *(Text(text) for text in _tails(entry.point)),
            )
    return table


def _tails(point: Point) -> Iterator[str]:
    for name, value in (("p99", point.latency.p99_us), ("p99.9", point.latency.p999_us)):
        yield f"{name} {duration_us(value)}" if math.isfinite(value) else ""


def curves(comparison: Comparison, name: Callable[[Matched], str]) -> Table:
    """The rates level by level, as short as can be; ``name`` says what curves are called."""
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column()
    for _ in range(1 + len(comparison.contenders)):
        table.add_column(justify="right", no_wrap=True)
    table.add_row("", "thr", *LETTERS[: len(comparison.contenders)], style="bold")
    for each in comparison.matched:
        for row, level in enumerate(each.levels):
            rates = (_rate(point) for point in level.points)
            table.add_row("" if row else name(each), str(level.threads), *rates)
        if not each.levels:
            table.add_row(f"{name(each)}: {no_level(comparison)}")
    return table


def _rate(point: Point | None) -> Text:
    if point is None:
        return Text(UNKNOWN, style="dim")
    return Text(f"{short(point.rate_per_s)}{MARKS[point.trust]}")
