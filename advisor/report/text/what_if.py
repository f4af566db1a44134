"""A forecast of a live server as text: the sentences, then each number of connections."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from advisor.forecasts.what_if import WhatIf
from advisor.model.network.forecast import Step
from advisor.model.network.response_time import ResponseTimes
from advisor.report.text.forecast import BAND
from advisor.report.text.table import plain_table
from advisor.wording.forecasts.forecast import EXTRAPOLATED
from advisor.wording.forecasts.places import bare
from advisor.wording.forecasts.what_if import change_said, notes, sentences
from advisor.wording.measured.cells import short
from probes.figures import duration_us, percent

PRESENT = "> what the server has today, or would have then"


def renderable(found: WhatIf) -> RenderableType:
    """The whole forecast for a rich console."""
    said = change_said(found)
    extrapolated = any(step.extrapolated for step in found.after.steps)
    dim = [BAND, PRESENT, *([EXTRAPOLATED] if extrapolated else [])]
    return Group(
        *([Text(f"With {said}:"), Text("")] if said else []),
        *(Text(sentence) for sentence in sentences(found)),
        Text(""),
        _table(found),
        *(Text(f"- {note}") for note in notes(found)),
        *(Text(note, style="dim") for note in dim),
    )


def _table(found: WhatIf) -> Table:
    table = plain_table()
    columns = ("connections", "today/s", "mean time", "then/s", "expected", "mean time", "p95")
    for column in columns:
        table.add_column(column, justify="right")
    for column in ("most of its time in", "limited by"):
        table.add_column(column)
    present = {found.now.threads, found.then.threads}
    rows = zip(found.today.steps, found.after.steps, found.times_after, strict=True)
    for now, then, late in rows:
        mark = "> " if now.threads in present else ""
        table.add_row(*_cells(now, then, late, mark))
    return table


def _cells(now: Step, then: Step, late: ResponseTimes | None, mark: str) -> list[str]:
    expected, longest = then.rate_per_s, then.longest
    limited = then.limited_by
    return [
        f"{mark}{now.threads}",
        short(now.rate_per_s.value),
        duration_us(now.latency_us),
        short(expected.value) + ("*" if then.extrapolated else ""),
        f"{short(expected.low)}–{short(expected.high)}",
        duration_us(then.latency_us),
        "" if late is None else duration_us(late.every.p95_us.value),
        f"{bare(longest.place)} ({percent(longest.whole)})",
        "" if limited is None else bare(limited),
    ]
