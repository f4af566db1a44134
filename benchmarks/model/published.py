"""The model held against published tables, and against one's own later runs: how far it is off.

Each published case is a server on a flash card, forecast from the same server on memory and the
card alone. Nothing is fitted to the curve that is forecast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import median

import numpy as np

from advisor.case import Case
from advisor.compare.contender import Contender
from advisor.compare.reference import library
from advisor.forecasts.advised import to_turn
from advisor.forecasts.knobs.knobs import turnable, turned
from advisor.forecasts.server.inputs import drive_rates, server_rates
from advisor.forecasts.server.live import Live, live
from advisor.forecasts.what_if import Forecaster
from advisor.model.network.forecast import DRAWS, forecast
from advisor.model.network.scenario import Scenario
from advisor.run import RunKind, RunState, Voice
from advisor.store.cases import load_case
from advisor.store.store import Store
from benchmarks.shared.report import Bar, bars_table, table
from probes.errors import StoreError, UsageError
from probes.points import Curve, Probe
from probes.statistics.ranges import Range
from probes.statistics.repeats import curves

READS_PER_QUERY = 26 / 30
"""Of 30 GB of rows, read by uniformly chosen keys, 4 GB are in the pool."""

MEDIAN, NINTH_TENTH, COVERAGE = 0.06, 0.18, 0.8
"""What the errors of all points may be at most, and how many must lie within their band."""

BOUND = 0.1
"""How far updates with many clients may lie from the bound of LRU flushing, in the median."""

_DRIVE = "callaghan-flash-2010"
_CASES = (
    ("5084forever", "5084forever", 16384),
    ("5147dev", "5147dev", 16384),
    ("5147orig", "5147orig", 16384),
    ("554m3", "554m3-1", 16384),
    ("5147dev-8k", "5147dev", 8192),
)
"""Label on flash, label on memory, page size."""

_UPDATES = "callaghan-updates-2013-mysql5.6-fixed-iobound-1table"
_INSTANCES, _SCAN_DEPTH, _MANY_CLIENTS = 4, 4000, 8

LATEST = 200
"""One's own runs that are looked through."""
SAME_MIX = 0.05
"""Shares of reading statements that differ by more are another load (our choice)."""


@dataclass(frozen=True, slots=True)
class Held:
    """The forecast of one measured figure; both are operations per second."""

    threads: int
    """Connections, in the forecast as in the measurement."""
    measured_per_s: float
    forecast_per_s: Range

    @property
    def error(self) -> float:
        """How far the forecast is above (below 0: below) the measurement, as a share of it."""
        return self.forecast_per_s.value / self.measured_per_s - 1

    @property
    def inside(self) -> bool:
        """Whether the measurement lies in the forecast's band."""
        return self.measured_per_s in self.forecast_per_s


@dataclass(frozen=True, slots=True)
class Replay:
    """A case with all of its points, or a number of cases with theirs."""

    name: str
    points: tuple[Held, ...]

    @property
    def covered(self) -> float:
        """The share of points within their band."""
        return sum(point.inside for point in self.points) / len(self.points)

    def percentile(self, percent: float) -> float:
        """A percentile of the errors' sizes."""
        return float(np.percentile([abs(point.error) for point in self.points], percent))


@dataclass(frozen=True, slots=True)
class OwnReplay:
    """What a run's watch forecast of a later one's settings, and what was measured then.

    ``changed`` are settings by name with their values before and after; rates are queries per
    second with the later run's connections.
    """

    target: str
    before: int | None
    after: int | None
    changed: tuple[tuple[str, str, str], ...]
    held: Held


def replays(*, blocked_read: bool = True, draws: int = DRAWS) -> list[Replay]:
    """All five cases; ``blocked_read`` is False without the CPU cost of a blocking read."""
    return [_replay(*case, blocked_read, draws) for case in _CASES]


def together(found: Sequence[Replay]) -> Replay:
    """All points of all cases."""
    return Replay("all", tuple(point for each in found for point in each.points))


def flushing_bound() -> Replay:
    """MySQL 5.6.11 with its author's fix, on data beyond memory: the bound is the forecast.

    Each change of a row that is not in the pool needs a free page, and most pages at the end of the
    LRU list are dirty: the server can change no more rows per second than it cleans pages there.
    MySQL's page cleaner looks once a second at innodb_lru_scan_depth pages of each instance.
    """
    (updates,) = (
        each
        for each in curves(_reference(_UPDATES).points)
        if each.setting.probe is Probe.PK_UPDATE
    )
    bound = Range.exact(float(_INSTANCES * _SCAN_DEPTH))
    points = (
        Held(point.setting.threads, point.rate_per_s, bound)
        for point in updates.points
        if point.setting.threads >= _MANY_CLIENTS
    )
    return Replay("LRU flushing", tuple(points))


def bars(whole: Replay, bound: Replay) -> list[Bar]:
    """What docs/model.md allows."""
    return [
        Bar("published points: median error", whole.percentile(50), MEDIAN),
        Bar("published points: error at the 90th percentile", whole.percentile(90), NINTH_TENTH),
        Bar("published points within their band", whole.covered, COVERAGE, at_least=True),
        Bar("updates by LRU flushing: median error", bound.percentile(50), BOUND),
    ]


def lines(home: Path) -> tuple[list[str], list[Bar]]:
    """All errors as lines of Markdown, and the bars; ``home`` is where one's own runs are."""
    found, bound = replays(), flushing_bound()
    plain = together(replays(blocked_read=False))
    met = bars(together(found), bound)
    cells = [
        (each.name, *(f"{100 * p.error:+.0f}{'' if p.inside else '*'}" for p in each.points))
        for each in found
    ]
    threads = [point.threads for point in found[0].points]
    updates = ", ".join(
        f"{each.measured_per_s:,.0f} with {each.threads} clients ({100 * each.error:+.0f} %)"
        for each in bound.points
    )
    return [
        *bars_table(met),
        "",
        *table(("error in % by connections; * is outside of its band", *map(str, threads)), cells),
        "",
        f"Without the CPU cost of a blocking read: {plain.percentile(50):.1%} median error, "
        f"{plain.percentile(90):.1%} at the 90th percentile, {plain.covered:.1%} within the band.",
        f"{bound.points[0].forecast_per_s.value:,.0f} updates/s at most by LRU flushing (MySQL "
        f"5.6.11 with its author's fix); measured (error of the bound): {updates}.",
        *own_lines([*own_replays(_watched(home))]),
    ], met


@cache
def _replay(name: str, in_memory: str, page_bytes: int, blocked_read: bool, draws: int) -> Replay:
    scenario = Scenario(
        in_memory=server_rates(_reference(f"callaghan-memory-2010-{in_memory}")),
        drive=drive_rates(_reference(_DRIVE), page_bytes),
        reads_per_query=Range.exact(READS_PER_QUERY),
    )
    if not blocked_read:
        scenario = replace(scenario, read_cpu_us=Range.exact(0.0))
    measured = _lookups(_reference(f"{_DRIVE}-{name}")).points
    steps = forecast(scenario, [point.setting.threads for point in measured], draws).steps
    pairs = zip(steps, measured, strict=True)
    return Replay(
        name, tuple(Held(step.threads, one.rate_per_s, step.rate_per_s) for step, one in pairs)
    )


def _lookups(contender: Contender) -> Curve:
    found = curves(contender.points)
    return next(each for each in found if each.setting.probe is Probe.POINT_SELECT)


@cache
def _reference(key: str) -> Contender:
    return next(each for each in library() if each.key == key)


def own_replays(cases: Iterable[Case]) -> Iterator[OwnReplay]:
    """Replay what is known of each target; ``cases`` are in the order of their time.

    Of two neighbours under load the first is forecast with the settings of the second. They count
    where some of these can be turned, and the load is of the same kind.
    """
    by_target: dict[str, list[Live]] = {}
    for case in cases:
        try:
            by_target.setdefault(case.target, []).append(live(case))
        except UsageError:
            continue  # It was not watched under load: there is nothing to hold a forecast against.
    for found in by_target.values():
        yield from filter(None, (_own(before, after) for before, after in pairwise(found)))


def own_lines(own: Sequence[OwnReplay]) -> list[str]:
    """What was forecast of one's own servers, and what was measured then, a line each."""
    if not own:
        return []
    error = median(abs(each.held.error) for each in own)
    inside = sum(each.held.inside for each in own) / len(own)
    said = [
        f"- {each.target}, run {each.after}: measured were {each.held.measured_per_s:,.0f} "
        f"queries/s, forecast from run {each.before} {each.held.forecast_per_s.value:,.0f} "
        f"({each.held.forecast_per_s.low:,.0f} to {each.held.forecast_per_s.high:,.0f})"
        f"{'' if each.held.inside else ', disproved'}; "
        f"{', '.join(f'{name} {now} to {then}' for name, now, then in each.changed)}."
        for each in own
    ]
    return ["", f"{len(own)} own changes: {error:.1%} median error, {inside:.1%} inside.", *said]


def _watched(home: Path) -> Iterator[Case]:
    """The latest runs that were done, oldest first; what can't be read is left out."""
    if not home.is_file():
        return
    with Store.open(home) as store:
        done = [run for run in store.runs() if run.state is RunState.DONE]
        for run in reversed([each for each in done if each.kind is not RunKind.IMPORT][:LATEST]):
            try:
                yield load_case(store, Voice(run.id))
            except StoreError as error:
                print(error.sentence)


def _own(before: Live, after: Live) -> OwnReplay | None:
    changed = tuple(_changed(before, after))
    wanted, _ = to_turn(before, [(name, then) for name, _, then in changed])
    mixes = after.settings.reading_share - before.settings.reading_share
    if not wanted or abs(mixes) > SAME_MIX:
        return None
    if "buffer_pool" in wanted and not before.server.reads.value:
        return None  # Nothing missed: what another pool would miss was never seen.
    connections = after.server.connections
    wanted["connections"] = str(connections)
    found = Forecaster(before).ask(turned(before, wanted), [connections])
    held = Held(connections, after.server.rate_per_s.value, found.then.rate_per_s)
    return OwnReplay(before.case.target, before.case.run_id, after.case.run_id, changed, held)


def _changed(before: Live, after: Live) -> Iterator[tuple[str, str, str]]:
    """Settings that a forecast has a place for, whose values differ."""
    first, second = before.case.inventory.mysql, after.case.inventory.mysql
    if first is None or second is None:
        return
    for name, then in sorted(second.variables.items()):
        now = first.variables.get(name)
        if now is not None and now.value != then.value and turnable(name, then.value, 1):
            yield name, now.value, then.value
