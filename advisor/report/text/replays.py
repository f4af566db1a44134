"""How far the model's forecasts lie from published measurements, as a table and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from rich.console import Group, RenderableType
from rich.text import Text

from advisor.forecasts.own_runs import OwnReplay
from advisor.forecasts.published import Bound, Replay, together
from advisor.report.text.table import plain_table
from advisor.wording.advice.variables import said
from probes.figures import THIN, counted, rate


def renderable(
    found: Sequence[Replay], plain: Sequence[Replay], bound: Bound, own: Sequence[OwnReplay]
) -> RenderableType:
    """The errors of each case by connections; ``plain`` are those without the cost of a read.

    ``own`` are of the user's own runs.
    """
    table = plain_table()
    table.add_column("error in % by connections", no_wrap=True)
    for point in found[0].points:
        table.add_column(str(point.threads), justify="right")
    for each in found:
        errors = (f"{100 * p.error:+.0f}{'' if p.inside else '*'}" for p in each.points)
        table.add_row(each.name, *errors)
    return Group(
        *(Text(sentence) for sentence in _sentences(found, plain)),
        Text(""),
        table,
        Text("* the measurement lies outside of the forecast's band", style="dim"),
        Text(""),
        *(Text(sentence) for sentence in _bound(bound)),
        *(Text(sentence) for sentence in own_sentences(own)),
    )


def own_sentences(own: Sequence[OwnReplay]) -> list[str]:
    """What was forecast of the user's own servers, and what was measured then, a line each."""
    if not own:
        return []
    median_error = median(abs(each.held.error) for each in own)
    inside = sum(each.held.inside for each in own) / len(own)
    return [
        "",
        f"Own runs: {counted(len(own), 'change')}, {_exact(median_error)} median error, "
        f"{_exact(inside)} within the band.",
        *map(_own, own),
    ]


def _own(each: OwnReplay) -> str:
    held = each.held
    changes = [
        f"{name} {said(name, now)} to {said(name, then)}" for name, now, then in each.changed
    ]
    return (
        f"- {each.target}, run {each.after}: measured were "
        f"{rate(held.measured_per_s, 'queries')}, forecast from run {each.before} "
        f"{held.forecast_per_s.said(rate)}{'' if held.inside else ', disproved'}; "
        f"{', '.join(changes)}."
    )


def _sentences(found: Sequence[Replay], plain: Sequence[Replay]) -> list[str]:
    whole, bare = together(found), together(plain)
    return [
        f"{_figures(whole)}.",
        f"That is {len(found)} curves of MySQL on a flash card, {len(whole.points)} points, each "
        "forecast from the same server on memory and from the card alone. "
        f"{'It is' if whole.passes else 'It is not'} within what docs/model.md allows.",
        f"Without the CPU cost of a blocking read: {_figures(bare)}.",
    ]


def _figures(replay: Replay) -> str:
    return (
        f"{_exact(replay.median)} median error, {_exact(replay.percentile(90))} at the 90th "
        f"percentile, {_exact(replay.covered)} of the points within the band"
    )


def _exact(share: float) -> str:
    """Next to a bar a rounded figure would not say on which side it is."""
    return f"{100 * share:.1f}{THIN}%"


def _bound(bound: Bound) -> list[str]:
    return [
        f"{rate(bound.bound_per_s, 'updates')} at most by LRU flushing, MySQL 5.6.11 with its "
        "author's fix. Measured: "
        + ", ".join(
            f"{rate(each.measured_per_s)} with {each.threads} clients "
            f"(forecast {100 * each.error:+.0f}{THIN}%)"
            for each in bound.points
        )
        + f": {_exact(bound.median)} median error, which {'is' if bound.passes else 'is not'} "
        "within what docs/model.md allows.",
    ]
