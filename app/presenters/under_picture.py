"""Drives under a watched server as curves: which is the fastest from where on, with bands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from advisor.compare.comparison import LETTERS
from advisor.forecasts.under import Stretch, UnderServer
from advisor.model.forecast import Step
from app.presenters.connection_curves import (
    CurvesPicture,
    Line,
    Mark,
    Reach,
    across,
    band_of,
    rate_of,
    rates_up,
    spot,
    spots,
)
from app.presenters.phrases import workers_said
from app.runtime.translation import tr
from probes.figures import count, rate


def under_picture(found: UnderServer) -> CurvesPicture:
    """Queries per second over connections on each drive that has a forecast."""
    known = {at: each.found for at, each in enumerate(found.entrants) if each.found is not None}
    steps = {at: what.after.steps for at, what in known.items()}
    lines = tuple(
        Line(
            f"{LETTERS[at]}  {found.entrants[at].contender.name}",
            spots(steps[at], rate_of),
            at=spot(what.then, rate_of),
            band=band_of(steps[at]),
            series=at,
            short=LETTERS[at],
        )
        for at, what in known.items()
    )
    marks = []
    for alike in zip(*steps.values(), strict=True):
        by_drive = dict(zip(known, alike, strict=True))
        threads = alike[0].threads
        marks.append(Mark(math.log2(threads), threads, partial(_said, threads, by_drive)))
    here = tr("today: {connections}", connections=workers_said("connection", found.present))
    return CurvesPicture(
        tr("queries/s"),
        tuple(marks),
        lines,
        across(marks),
        rates_up(lines),
        (math.log2(found.present), here, tr("today")),
        tuple(map(_reach, found.stretches, (*found.stretches[1:], None))),
    )


def _reach(each: Stretch, following: Stretch | None) -> Reach:
    """It goes to where the next one begins, so that every border is one line."""
    last = each.last if following is None else following.first
    numbers = {"first": count(each.first), "last": count(each.last)}
    if each.best is None:
        texts = tr("{first} to {last}: too close", **numbers), tr("close"), "?"
    else:
        name = LETTERS[each.best]
        long = tr("{first} to {last}: {name} is the fastest", name=name, **numbers)
        texts = long, tr("{name} is the fastest", name=name), name
    return Reach(math.log2(each.first), math.log2(last), each.best, texts)


def _said(threads: int, by_drive: Mapping[int, Step]) -> str:
    """One line for each drive, the fastest first."""
    ranked = sorted(by_drive.items(), key=lambda pair: -rate_of(pair[1]))
    told = (
        tr(
            "{name}: {rate} ({low} to {high})",
            name=LETTERS[at],
            rate=rate(step.rate_per_s.value),
            low=rate(step.rate_per_s.low),
            high=rate(step.rate_per_s.high),
        )
        for at, step in ranked
    )
    return "\n".join((workers_said("connection", threads), *told))
