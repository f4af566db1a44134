"""The watch page's sentences and its table: what the server's file I/O is and what it takes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from advisor.run import RunKind
from advisor.wording.advice.limiting import limit_and_more
from advisor.wording.watch.cost import cost_sentences
from advisor.wording.watch.file_rows import file_sentences
from advisor.wording.watch.rows import (
    NOTABLE,
    TRACES,
    amounts,
    by_waiting,
    cut_short,
    unseen,
    where_time_goes,
    why_missing,
    work_sentences,
)
from app.controllers.run import LiveRun, Run
from app.presenters.charts.scales import Scale, logarithmic
from app.presenters.watch.timeline import OTHERS, TONES
from app.runtime.translation import tr
from probes.figures import seconds
from probes.inventory.facts import Inventory, Missing
from probes.kinds.words import capital
from probes.statistics.ranges import Range
from probes.watch.server_series import FILE_IO
from probes.watch.watched import Watched
from probes.watch.words import calls_of

COLUMNS = (
    "Files",
    "Rate",
    "Bytes",
    "Each takes (mean)",
    "",
    "At a time",
    "Background",
)
BOUNDS = COLUMNS.index("")
"""The column in which the range of what each takes is drawn."""

BACKGROUND = len(COLUMNS) - 1
"""The column of what is under way while no thread waits for it; not shown where nothing is."""

LEAST_LEFT_OUT = 3
"""Fewer rows are not left out: a button for them takes as much room."""

WATCH_S = 30.0
LONGER_S = (120.0, 600.0, 3600.0, 8 * 3600.0, 24 * 3600.0)
"""How long a watch may be beside the usual: a short one sees what is now, a day its peak."""

WHAT = (
    "A watch shows what a running server reads, writes and syncs, and how long each call takes. "
    "It adds no load and changes nothing."
)

NO_WATCH = (
    "Settings and counters are known; a watch would add what queries wait for, how long each read, "
    "write and sync takes, and how busy the disks are."
)

NOT_FROM_HERE = "Nobody here knows this server's address, so it can't be watched from here."

GOES_ON = {RunKind.TRIAL: "A trial goes on.", RunKind.LAB: "A lab goes on."}
SEE_IT = {RunKind.TRIAL: "See the trial", RunKind.LAB: "See the lab"}
"""Of what goes on and has a page of its own: what the page of watches says, and offers."""

NO_SERVER = "No MySQL server here lets this account in without a password."
"""A look asks for no more where none is named."""


@dataclass(frozen=True, slots=True)
class CallRow:
    """One operation on one role's files. ``texts`` are by ``COLUMNS``.

    ``bounds`` are log10 of microseconds: low, mean, high; None where it was not timed.
    ``weighty`` is what threads wait for, or what is under way behind them.
    """

    texts: tuple[str, ...]
    tone: str
    bounds: tuple[float, float, float] | None
    weighty: bool = True


@dataclass(frozen=True, slots=True)
class CallTable:
    """All rows, what most time is waited in first; ``scale`` is the axis of their bounds."""

    rows: tuple[CallRow, ...]
    scale: Scale


def call_table(watched: Watched) -> CallTable:
    """The file I/O of a watch."""
    timed = [each.latency_us for each in watched.files if each.latency_us is not None]
    least = min((each.value for each in timed), default=1.0)
    scale = logarithmic(
        (end for each in timed for end in (max(each.low, least / 10), each.high)), "us", 3
    )
    made = []
    for seen in by_waiting(watched):
        per_s, size, each, inside, behind = amounts(seen)
        named = capital(calls_of(seen.role, seen.operation))
        tone = TONES.get(seen.role, OTHERS)
        cells = (named, per_s, size, each, "", inside, behind)
        under_way = max(seen.waiting or 0.0, seen.under_way or 0.0)
        weighty = seen.waiting is None or under_way >= NOTABLE
        made.append(CallRow(cells, tone, _bounds(seen.latency_us, scale), weighty))
    return CallTable(tuple(made), scale)


def telling(table: CallTable) -> CallTable:
    """The rows that are read first; all of them where hardly any is left out."""
    rows = tuple(each for each in table.rows if each.weighty)
    few = len(table.rows) - len(rows) < LEAST_LEFT_OUT or not rows
    return table if few else replace(table, rows=rows)


def _bounds(latency_us: Range | None, scale: Scale) -> tuple[float, float, float] | None:
    if latency_us is None or not latency_us.value > 0:
        return None
    low = math.log10(latency_us.low) if latency_us.low > 0 else scale.low
    return max(low, scale.low), math.log10(latency_us.value), math.log10(latency_us.high)


def headline(
    run: Run | None, watched: Watched | None, busy: LiveRun | None, seen: Run | None
) -> str:
    """The one sentence of the page: of a judged watch (``seen``) the same limit as on Home."""
    if busy is not None and busy is run and busy.inventory is None and busy.kind not in GOES_ON:
        return _watching(busy)
    if watched is None:
        at_work = "" if busy is None else GOES_ON.get(busy.kind, "")
        return tr(at_work or "See what limits the server while it works.")
    if seen is None or seen.case is None or seen.judgement is None or seen.judgement.time is None:
        return where_time_goes(watched)
    return limit_and_more(seen.judgement, seen.case)[0]


def _watching(busy: LiveRun) -> str:
    if busy.stopping:
        return tr("Stopping.")
    if busy.seconds_left:
        left = seconds(busy.seconds_left)
        return tr("Watching the server's own work, {left} left.", left=left)
    return tr("Watching the server's own work.")


def notes(watched: Watched, inventory: Inventory) -> Iterator[str]:
    """What else was seen of the server's work; first, that it was not seen to the end."""
    if ended := cut_short(inventory):
        yield ended
    yield from work_sentences(watched)
    if watched.by_file is not None:
        yield from file_sentences(watched.by_file)


def about_watch(watched: Watched, inventory: Inventory) -> Iterator[str]:
    """What could not be seen and why, and what looking took itself."""
    yield from (each for each in unseen(inventory) if each != cut_short(inventory))
    if watched.own_cost is not None:
        yield from cost_sentences(watched.own_cost)


def why_no_trace(missing: Sequence[Missing]) -> str:
    """Why there are no latencies one by one; "" where nobody asked for them."""
    reasons = (why_missing(missing, f"watch.{one}") for one in TRACES)
    return next((one for one in reasons if one), "")


def why_untimed(missing: Sequence[Missing]) -> str:
    """That nobody times the server's calls on its files, and why, as far as that is known."""
    reason = why_missing(missing, FILE_IO) or why_no_trace(missing)
    if reason:
        return tr("Not by kind of file: {reason}.", reason=reason)
    return tr("Nothing of its files' I/O is known yet.")
