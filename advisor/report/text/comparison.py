"""A comparison as text: who is best in which role, curves level by level, what to mind."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.compare.comparison import LETTERS, Comparison
from advisor.compare.matching import Matched, MatchedLevel
from advisor.compare.photo import photo
from advisor.compare.ratio import METHOD, Estimate
from advisor.compare.roles import Entry, RoleComparison, of_other_points
from advisor.model.curves.ratio import ratio_text
from advisor.report.text import many_drives
from advisor.report.text.report import WIDTH, plain_text
from advisor.report.text.table import WIDE, plain_table
from advisor.wording.measured.cells import LEGEND, MARKS, verdict
from advisor.wording.measured.comparison import no_level
from advisor.wording.measured.role_cells import (
    LEVEL_LEGEND,
    figure_said,
    level_said,
    levels_told,
    rounded,
    saying,
    spread,
    tail_text,
)
from probes.figures import UNKNOWN, price
from probes.kinds.words import title
from probes.points import Point


def render(comparison: Comparison, width: int = WIDTH) -> str:
    """The whole comparison as plain text."""
    return plain_text(renderable(comparison), width)


def renderable(comparison: Comparison) -> RenderableType:
    """The whole comparison for a rich console."""
    parts: list[RenderableType] = [_contenders(comparison)]
    many = len(comparison.contenders) > many_drives.MOST_COLUMNS
    if comparison.roles and many:
        parts += _section("By role", many_drives.roles(comparison))
    elif comparison.roles:
        parts += _section("By role", _roles(comparison))
        parts += _section("Slowest 1 % and 0.1 % (p99, p99.9)", _tails(comparison))
    if comparison.priced:
        parts += _section("Price per 1,000 operations a second", _prices(comparison))
    if comparison.matched:
        table = many_drives.curves(comparison, _name) if many else _curves(comparison)
        parts += _section("Level by level", table)
    if not comparison.roles and not comparison.matched:
        parts += [Text(""), Text("They have nothing in common that could be compared.")]
    if _marked(comparison):
        parts.append(Text(LEGEND, style="dim"))
    if levels_told(comparison.roles) and not many:
        parts.append(Text(LEVEL_LEGEND, style="dim"))
    parts += _section("Photo of conditions", _photos(comparison))
    minded = [Text(f"• {sentence}") for sentence in _minded(comparison)]
    if minded:
        parts += _section("Not comparable without minding this", Group(*minded))
    parts += [Text(""), Text(f"{METHOD}. Figures without an interval are shown without one.")]
    return Group(*parts)


def _section(name: str, part: RenderableType) -> list[RenderableType]:
    return [Text(""), Text(name, style="bold cyan"), part]


def _table(*columns: str) -> Table:
    table = plain_table(WIDE)
    for column in columns:
        table.add_column(column)
    return table


def _contenders(comparison: Comparison) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for index, each in enumerate(comparison.contenders):
        table.add_row(Text(LETTERS[index], style="bold"), Text(each.name), Text(each.source))
    return table


def _photos(comparison: Comparison) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for index, each in enumerate(comparison.contenders):
        said = "; ".join(f"{label.lower()} {text}" for label, text in photo(each))
        table.add_row(Text(LETTERS[index], style="bold"), Text(said or "Nothing is known of it."))
    return table


def _by_role(comparison: Comparison) -> Table:
    """A column for the role, and one for each contender."""
    table = _table("role")
    for index in range(len(comparison.contenders)):
        table.add_column(LETTERS[index], justify="right", no_wrap=True)
    return table


def _roles(comparison: Comparison) -> Table:
    table = _by_role(comparison)
    table.add_column("best", style="bold")
    for role in comparison.roles:
        cells = (_cell(role, entry) for entry in role.entries)
        table.add_row(Text(role.title), *cells, Text(verdict(role)))
    return table


def _cell(role: RoleComparison, entry: Entry | None) -> Text:
    if entry is None:
        return Text(UNKNOWN, style="dim")
    within = spread(entry.figure, saying(role))
    return Text(f"{figure_said(role, entry)}{within}{level_said(role, entry)}")


def _tails(comparison: Comparison) -> Table:
    """Both of each contender, once where two roles are of the same points."""
    table = _by_role(comparison)
    for role in of_other_points(comparison.roles):
        table.add_row(Text(role.title), *(_tail(entry) for entry in role.entries))
    return table


def _tail(entry: Entry | None) -> Text:
    told = "" if entry is None else tail_text(entry.point)
    return Text(told or UNKNOWN, style="" if told else "dim")


def _prices(comparison: Comparison) -> Table:
    table = _by_role(comparison)
    for role in comparison.roles:
        costs = [
            comparison.price_per_thousand(role, at) for at in range(len(comparison.contenders))
        ]
        table.add_row(
            Text(role.title), *(UNKNOWN if cost is None else price(cost) for cost in costs)
        )
    return table


def _curves(comparison: Comparison) -> Table:
    table = _table("measured")
    table.add_column("threads", justify="right")
    for index in range(len(comparison.contenders)):
        table.add_column(f"{LETTERS[index]} /s", justify="right", no_wrap=True)
    table.add_column("times the first")
    for each in comparison.matched:
        for row, level in enumerate(each.levels):
            table.add_row("" if row else _name(each), *_level(level))
        if not each.levels:
            nobody = [UNKNOWN] * (1 + len(comparison.contenders))
            table.add_row(_name(each), *nobody, no_level(comparison))
    return table


def _name(matched: Matched) -> str:
    return title(matched.setting, files="many files" if matched.kind.many_files else "")


def _level(level: MatchedLevel) -> Iterator[Text]:
    yield Text(str(level.threads))
    yield from (_rate(point) for point in level.points)
    present = [index for index, point in enumerate(level.points) if point is not None]
    first, *others = present
    said = [
        f"{LETTERS[index]}/{LETTERS[first]} {ratio_text(ratio)}"
        for index in others
        if (ratio := level.ratios[index]) is not None
    ]
    yield Text("  ".join(said))


def _rate(point: Point | None) -> Text:
    if point is None:
        return Text(UNKNOWN, style="dim")
    figure = Estimate(point.rate_per_s, *point.ci95_per_s)
    return Text(f"{rounded(figure)}{MARKS[point.trust]}{spread(figure)}")


def _marked(comparison: Comparison) -> bool:
    return any(
        MARKS[point.trust]
        for each in comparison.matched
        for level in each.levels
        for point in level.points
        if point is not None
    ) or any(entry.doubtful for role in comparison.roles for entry in role.entries if entry)


def _minded(comparison: Comparison) -> Iterator[str]:
    yield from (reason.sentence for reason in comparison.reasons)
    for each in comparison.contenders:
        if each.caveats:
            yield f"{each.name}: {' '.join(each.caveats)}"
