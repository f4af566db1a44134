"""A comparison as pictures, rows and sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from advisor.compare.comparison import Comparison
from advisor.compare.contender import Contender
from advisor.compare.matching import Matched
from advisor.compare.roles import Entry, RoleComparison, RoleOutcome, Unit, of_other_points
from advisor.wording.measured.comparison import figure_text, verdict
from advisor.wording.measured.doubts import sentence
from app.presenters.charts.axes import thread_axis
from app.presenters.charts.curves import Picture, Series
from app.presenters.texts.phrases import beside_server
from app.runtime.translation import tr, tr_n
from probes.figures import UNKNOWN, duration_us, is_narrow, percent, price, ranged, rate
from probes.kinds.table import PROBES
from probes.kinds.words import capital, title
from probes.points import Curve


@dataclass(frozen=True, slots=True)
class Cell:
    """A contender's figure in a role; ``best`` marks the winner's."""

    text: str
    tip: str = ""
    best: bool = False
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class RoleRow:
    """One role: a cell for each contender, then who is best and by how much.

    ``tails`` are their 99th and 99.9th percentiles; () where another role shows them.
    ``prices`` are what 1,000 operations per second cost; () where no price is known.
    """

    title: str
    cells: tuple[Cell, ...]
    verdict: str
    decided: bool
    unit: Unit
    tails: tuple[Cell, ...] = ()
    prices: tuple[Cell, ...] = ()


def pictures_of(comparison: Comparison) -> list[tuple[str, str, Picture]]:
    """Key, title and picture of each kind of curve that at least two contenders have.

    Kinds with the most levels in common come first; a curve's index is its contender's.
    """
    ranked = sorted(comparison.matched, key=lambda one: (-min(len(one.levels), 2), _rank(one)))
    return [
        (f"kind-{comparison.matched.index(one)}", kind_title(one), _picture(comparison, one))
        for one in ranked
        if one.levels
    ]


def _rank(one: Matched) -> int:
    return list(PROBES).index(one.kind.probe)


def kind_title(one: Matched) -> str:
    """What the curves of a kind have in common: ``Random read 16 KiB``."""
    return capital(title(one.setting, files=tr("many files") if one.kind.many_files else ""))


def _picture(comparison: Comparison, one: Matched) -> Picture:
    axis = thread_axis(one.kind.probe)
    series = tuple(
        Series(_name(contender, curve), index, axis, curve.points, (contender.name, index))
        for index, (contender, curve) in enumerate(
            zip(comparison.contenders, one.curves, strict=True)
        )
        if curve is not None
    )
    planned = sorted({axis.place(point.setting) for each in series for point in each.points})
    part = one.setting.options.get("part", "")
    return Picture(one.kind.probe, axis, series, tuple(planned), part)


def _name(contender: Contender, curve: Curve) -> str:
    return beside_server(f"{contender.name},") if curve.beside_server else contender.name


def role_rows(comparison: Comparison) -> list[RoleRow]:
    """The roles with their figures and verdicts; tails of the same points are shown once."""
    with_tails = {role.name for role in of_other_points(comparison.roles)}
    found = []
    for role in comparison.roles:
        row = _role_row(role)
        tails = tuple(map(_tail, role.entries))
        if role.name in with_tails and any(cell.text for cell in tails):
            row = replace(row, tails=tails)
        if comparison.priced:
            costs = (comparison.price_per_thousand(role, at) for at in range(len(role.entries)))
            row = replace(row, prices=tuple(map(_price, costs)))
        found.append(row)
    return found


def _price(cost: float | None) -> Cell:
    if cost is None:
        return Cell(UNKNOWN)
    return Cell(price(cost), tr("What 1,000 operations a second cost, in the unit of the prices."))


def _tail(entry: Entry | None) -> Cell:
    if entry is None:
        return Cell("")
    latency = entry.point.latency
    known = [each for each in (latency.p99_us, latency.p999_us) if math.isfinite(each)]
    return Cell(" · ".join(map(duration_us, known)), tr("The slowest 1 % and 0.1 % take longer."))


def _role_row(role: RoleComparison) -> RoleRow:
    cells = tuple(
        _cell(role, entry, index == role.winner) for index, entry in enumerate(role.entries)
    )
    decided = role.outcome is RoleOutcome.WON or len(role.groups) > 1
    return RoleRow(role.title, cells, verdict(role), decided, role.unit)


def _cell(role: RoleComparison, entry: Entry | None, best: bool) -> Cell:
    if entry is None:
        return Cell(UNKNOWN, tr("Nothing was measured for this role."))
    figure = entry.figure
    say = rate if role.unit is Unit.PER_S else duration_us
    _, low, high = ranged(figure.value, figure.low, figure.high, say)
    tip = tr_n("Measured with 1 thread", "Measured with {n} threads", entry.point.setting.threads)
    if is_narrow(figure.value, figure.low, figure.high):
        tip = f"{tip}, ± {percent(figure.spread)}"
    elif not math.isnan(figure.spread):
        tip = f"{tip}, {tr('{low} to {high}', low=low, high=high)}"
    if entry.point.beside_server:
        tip = beside_server(f"{tip},")
    if entry.doubtful:
        reasons = "; ".join(map(sentence, entry.point.doubts))
        tip = tr("{measured}; doubtful: {reasons}", measured=tip, reasons=reasons)
    return Cell(figure_text(role, entry), f"{tip}.", best, entry.doubtful)
