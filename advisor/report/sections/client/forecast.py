"""The forecast as a picture: where the time goes today, and queries today and after the plan."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.forecasts.what_if import WhatIf
from advisor.outcomes import Judgement
from advisor.plan.change_plan import ChangePlan
from advisor.report.document.blocks import Bar, Bars, Block, beside, table, text
from advisor.report.sections.forecasts import BAND
from advisor.report.sections.under import today_graph
from advisor.wording.advice import plan as words
from advisor.wording.advice.gains import share_text
from advisor.wording.advice.waits import WAITS
from probes.figures import duration_us, rate

MOST_BARS = 5
_HEADS = ("connections", "today/s", "after the plan/s", "a query today", "then")


def where_time_goes(judgement: Judgement) -> Iterator[Bars]:
    """The longest waits of running queries; nothing where no load was watched."""
    if judgement.time is not None and judgement.time.longest:
        bars = tuple(
            Bar(WAITS[wait], share.value, share.low, share.high, share_text(share))
            for wait, share in judgement.time.longest[:MOST_BARS]
        )
        yield Bars("Where the time of running queries goes today", bars)


def plan_forecast(plan: ChangePlan, found: WhatIf) -> Iterator[Block]:
    """The forecast as curves, and the same as a table; in sentences it stands on the first page."""
    if beside_it := words.beside_it(plan):
        yield text(beside_it)
    yield today_graph(found)
    present = {found.now.threads, found.then.threads}
    # Every other doubling is enough beside the picture.
    steps = [
        (now, then)
        for now, then in zip(found.today.steps, found.after.steps, strict=True)
        if now.threads in present or now.threads.bit_length() % 2
    ]
    rows = (
        (
            str(now.threads),
            rate(now.rate_per_s.value),
            then.rate_per_s.text(rate),
            duration_us(now.latency_us),
            duration_us(then.latency_us),
        )
        for now, then in steps
    )
    yield table(_HEADS, rows)
    yield beside(BAND)
