"""A comparison of drives as a document: who wins where, curves over each other, what to mind."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence

from advisor.compare.comparison import LETTERS, Comparison, lettered
from advisor.compare.matching import Matched, MatchedLevel
from advisor.compare.photo import photo
from advisor.compare.ratio import METHOD, Estimate
from advisor.compare.roles import Entry, RoleComparison, of_other_points
from advisor.forecasts.under import UnderServer
from advisor.model.curves.ratio import ratio_text
from advisor.report.curve_axis import AxisRow, axis, level
from advisor.report.document.blocks import (
    GAP,
    Block,
    Document,
    Graph,
    Heading,
    Item,
    Items,
    Paragraph,
    ParagraphRole,
    Style,
    Table,
    TableRow,
    TextSpan,
    Verbatim,
    items,
    pairs,
    plain,
    quiet,
    table,
    text,
)
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.hiding import names_compared, redaction, telling, without_names
from advisor.report.document.sections import holding, section
from advisor.report.sections.client.glossary import glossary
from advisor.report.sections.curves import CurveFigure, figure_of
from advisor.report.sections.forecasts import drives_under, under_first
from advisor.report.sections.under import under_graph
from advisor.wording.measured.cells import LEGEND, MARKS, short
from advisor.wording.measured.comparison import (
    LEVEL_LEGEND,
    UNDER_MYSQL,
    figure_text,
    in_labs,
    lead,
    level_text,
    levels_shown,
    no_level,
    rounded,
    saying,
    spread,
    verdict,
)
from probes._version import __version__
from probes.figures import UNKNOWN, duration_us, price
from probes.kinds.words import capital, title
from probes.points import Point

_FIRST_TEXT = frozenset({0})
_WITHOUT = "Figures without an interval are shown without one."

MOST_COLUMNS = 4
"""Up to this many drives have intervals and verdicts: more columns are too narrow for them."""


def comparison_document(
    found: Comparison, cover: Cover = NO_COVER, under: UnderServer | None = None
) -> Document:
    """The comparison; with ``under`` also what the drives would do for a server."""
    count = len(found.contenders)
    document = Document(
        title=f"{count} drives compared",
        cover=cover,
        facts=(
            *((LETTERS[at], each.name) for at, each in enumerate(found.contenders)),
            redaction(cover),
        ),
        notice="",
        blocks=tuple(_blocks(found, under)),
        last=f"Compared by Leadline {__version__}. {METHOD}. {_WITHOUT}",
    )
    names: dict[str, str] = {}
    if cover.anonymous:
        server = {} if under is None else telling({under.live.case.target: "server"})
        names = {**names_compared(found.contenders), **server}
    held = holding(document)
    return without_names(held, names) if names else held


def compared(found: Comparison) -> tuple[Block, ...]:
    """The same as a terminal has it."""
    return (*_blocks(found, None, commands=False), GAP, text(f"{METHOD}. {_WITHOUT}"))


def _blocks(
    found: Comparison, under: UnderServer | None, *, commands: bool = True
) -> Iterator[Block]:
    drawn = [(each, _figure(found, each)) for each in found.matched if each.levels]
    for_buyer = tuple(_for_buyer(found, under, drawn))
    yield from for_buyer
    if commands:
        yield from section("glossary", glossary(for_buyer))
    yield from section("curves", _curves(found, drawn), new_page=True)
    if commands:
        yield from section("reproduce", _reproduce(found))


def _for_buyer(
    found: Comparison, under: UnderServer | None, drawn: Sequence[tuple[Matched, CurveFigure]]
) -> Iterator[Block]:
    """What is read to choose."""
    yield from section("summary", _summary(found, under, drawn), new_page=True)
    yield from section("roles", _roles(found), new_page=True)
    if under is not None:
        yield from section("under", drives_under(under, under_graph(under)))
    yield from section("conditions", _conditions(found))


def _summary(
    found: Comparison, under: UnderServer | None, drawn: Sequence[tuple[Matched, CurveFigure]]
) -> Iterator[Block]:
    """Which drive, by how much and for what price; what speaks against it; the first curves.

    What a server gains of it comes first: a drive that wins alone may bring its queries nothing.
    """
    if under is not None:
        yield from under_first(under)
    role = ParagraphRole.LEAD if under is None else ParagraphRole.TEXT
    yield text(lead(found), role)
    yield _drives(found)
    if worked := in_labs(found):
        yield Heading(2, UNDER_MYSQL)
        yield from items(worked)
    if minded := _minded(found):
        yield Heading(2, "Not comparable without minding this")
        yield Items(tuple(minded))
    if not found.roles and not found.matched:
        yield text("They have nothing in common that could be compared.")
    first = next((each for each in drawn if each[1].plots), None)
    if first is not None:
        yield Heading(2, first[1].title)
        yield Graph(first[1].names, first[1].plots)


def _name(found: Comparison, at: int) -> str:
    return lettered(at, found.contenders[at].name)


def _drives(found: Comparison) -> Table:
    rows = []
    for at, each in enumerate(found.contenders):
        paid = found.prices[at]
        cells = [
            (TextSpan(LETTERS[at], Style.STRONG),),
            plain(each.name),
            quiet(each.source),
        ]
        if found.priced:
            cells.append(plain(UNKNOWN if paid is None else f"{paid:,.12g}"))
        rows.append(TableRow(tuple(cells)))
    heads = ("", "drive", "where it is from", *(("price",) if found.priced else ()))
    return Table(heads, tuple(rows), frozenset({0, 1, 2}), roomy=True)


def _minded(found: Comparison) -> list[Item]:
    reasons = [Item(plain(reason.sentence)) for reason in found.reasons]
    reasons += [
        Item((TextSpan(f"{each.name}: ", Style.STRONG), TextSpan(" ".join(each.caveats))))
        for each in found.contenders
        if each.caveats
    ]
    return reasons


def _few(found: Comparison) -> bool:
    return len(found.contenders) <= MOST_COLUMNS


def _roles(found: Comparison) -> Iterator[Block]:
    if not found.roles:
        return
    few = _few(found)

    def best_cell(role: RoleComparison, entry: Entry, _at: int) -> str:
        within = spread(entry.figure, saying(role)) if few else ""
        return f"{figure_text(role, entry)}{within}{level_text(role, entry)}"

    best = _by_role(found, best_cell, found.roles, strong=True)
    verdicts = [plain(verdict(role)) for role in found.roles]
    if few:
        rows = zip(best.rows, verdicts, strict=True)
        beside = tuple(TableRow((*row.cells, each)) for row, each in rows)
        best = Table((*best.heads, "best"), beside, frozenset({0, len(best.heads)}))
    yield best
    levels = f"   {LEVEL_LEGEND}" if levels_shown(found.roles) else ""
    yield Paragraph(quiet(f"{LEGEND}{levels}"))
    if not few:
        yield Heading(2, "Who ties with whom")
        yield Table(
            ("role", "by 95 % intervals"),
            tuple(
                TableRow((plain(role.title), each))
                for role, each in zip(found.roles, verdicts, strict=True)
            ),
            frozenset({0, 1}),
            roomy=True,
        )
    for heading, tail in _TAILS:
        tails = _by_role(found, tail, of_other_points(found.roles))
        if any(cell != plain(UNKNOWN) for each in tails.rows for cell in each.cells[1:]):
            yield Heading(2, heading)
            yield tails
    if found.priced:
        yield Heading(2, "Price per 1,000 operations a second")
        yield _by_role(found, lambda role, _entry, at: _price(found, role, at), found.roles)


def _by_role(
    found: Comparison,
    cell_text: Callable[[RoleComparison, Entry, int], str],
    roles: Iterable[RoleComparison],
    *,
    strong: bool = False,
) -> Table:
    """A row for each of ``roles``, a column for each drive; ``strong`` is the winner's figure."""
    rows = []
    for role in roles:
        cells = [
            (
                TextSpan(
                    UNKNOWN if entry is None else cell_text(role, entry, at),
                    Style.STRONG if strong and at == role.winner else Style.PLAIN,
                ),
            )
            for at, entry in enumerate(role.entries)
        ]
        rows.append(TableRow((plain(role.title), *cells)))
    letters = LETTERS[: len(found.contenders)]
    return Table(("role", *letters), tuple(rows), _FIRST_TEXT)


def _slow(us: float) -> str:
    return duration_us(us) if math.isfinite(us) else UNKNOWN


_TAILS: tuple[tuple[str, Callable[[RoleComparison, Entry, int], str]], ...] = (
    ("Slowest 1 % (p99)", lambda _role, entry, _at: _slow(entry.point.latency.p99_us)),
    ("Slowest 0.1 % (p99.9)", lambda _role, entry, _at: _slow(entry.point.latency.p999_us)),
)


def _price(found: Comparison, role: RoleComparison, at: int) -> str:
    cost = found.price_per_thousand(role, at)
    return UNKNOWN if cost is None else price(cost)


def _figure(found: Comparison, one: Matched) -> CurveFigure:
    """The curves of a kind; each drive has the line of its letter, none where it has no curve."""
    along = axis(one.kind.probe)
    rows = [
        AxisRow(
            "" if curve is None else _name(found, at),
            along,
            {}
            if curve is None
            else dict(sorted((level(point.setting), point) for point in curve.points)),
        )
        for at, curve in enumerate(one.curves)
    ]
    files = "many files" if one.kind.many_files else ""
    return figure_of(capital(title(one.setting, files=files)), along, rows)


def _curves(found: Comparison, drawn: Sequence[tuple[Matched, CurveFigure]]) -> Iterator[Block]:
    letters = LETTERS[: len(found.contenders)]
    for one, made in drawn:
        yield Heading(2, made.title)
        if made.plots:
            yield Graph(made.names, made.plots)
        rows = [_level(each, few=_few(found)) for each in one.levels]
        heads = (axis(one.kind.probe), *(f"{letter} /s" for letter in letters))
        if _few(found):
            yield table((*heads, "times the first"), rows, (0, len(heads)))
        else:
            yield table(heads, rows, (0,))
    for one in found.matched:
        if not one.levels:
            yield Heading(2, _figure(found, one).title)
            yield Paragraph(plain(f"{capital(no_level(found))}."))


def _level(each: MatchedLevel, *, few: bool) -> Iterator[str]:
    """A number of threads, each drive's rate; of a few also how many times the first's it is."""
    yield str(each.threads)
    yield from (_rate(point, few=few) for point in each.points)
    if few:
        present = [at for at, point in enumerate(each.points) if point is not None]
        yield "  ".join(
            f"{LETTERS[at]}/{LETTERS[present[0]]} {ratio_text(times)}"
            for at in present[1:]
            if (times := each.ratios[at]) is not None
        )


def _rate(point: Point | None, *, few: bool) -> str:
    if point is None:
        return UNKNOWN
    if not few:
        return f"{short(point.rate_per_s)}{MARKS[point.trust]}"
    known = Estimate(point.rate_per_s, *point.ci95_per_s)
    return f"{rounded(known)}{MARKS[point.trust]}{spread(known)}"


def _conditions(found: Comparison) -> Iterator[Block]:
    """Of few drives side by side, of more below each other."""
    known = [[(label.lower(), what) for label, what in photo(each)] for each in found.contenders]
    if _few(found) and all(known):
        columns = [dict(rows) for rows in known]
        heads = ("", *(_name(found, at) for at in range(len(columns))))
        labels = dict.fromkeys(
            label for rows in sorted(known, key=len, reverse=True) for label, _ in rows
        )
        cells = ((label, *(each.get(label, "") for each in columns)) for label in labels)
        yield table(heads, cells, range(len(heads)))
        return
    for at, rows in enumerate(known):
        yield Heading(2, _name(found, at))
        yield from pairs(rows)
        if not rows:
            yield Paragraph(plain("Nothing is known of it."))


def _reproduce(found: Comparison) -> Iterator[Block]:
    prices = [
        f"--price {shlex.quote(f'{each.key}={paid:.12g}')}"
        for each, paid in zip(found.contenders, found.prices, strict=True)
        if paid is not None
    ]
    keys = [shlex.quote(each.key) for each in found.contenders]
    yield Paragraph(plain("compare again, where the runs are stored"), ParagraphRole.LABEL)
    yield Verbatim(" ".join(("leadline compare", *keys, *prices)))
    yield Paragraph(
        plain("measure drives again, in turn and under equal conditions"), ParagraphRole.LABEL
    )
    found_in = [each.conditions.get("directory", "") for each in found.contenders]
    places = [shlex.quote(each) for each in dict.fromkeys(found_in) if each]
    if len(places) < 2:
        places = ["DIRECTORY", "DIRECTORY..."]
    yield Verbatim(" ".join(("leadline bench", *places)))
