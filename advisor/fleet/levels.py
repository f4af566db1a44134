"""Since when a server works on another level: change points of what its looks found."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from statistics import median

import numpy as np

from advisor.fleet.history import PastLook, SettingChange
from advisor.lab.watched import WatchedLoad
from probes.statistics.change_points import FEWEST, change_points

LEAST_MOVED = 0.1
"""A level that is another by less is not named (our choice)."""

RHYTHM = timedelta(days=3)
SAME_HOUR = 3
"""From so long on, with as many looks at each hour that has one, an hour's usual value is taken off
first: a load by day and none by night is no other level (our choice)."""


class HistoryFigure(StrEnum):
    """What a look found."""

    QUERIES = "queries_per_s"
    TIME = "query_us"
    READS = "page_reads_per_query"
    COMMITS = "commits_per_s"


_READ: Mapping[HistoryFigure, Callable[[WatchedLoad], float | None]] = {
    HistoryFigure.TIME: lambda load: load.per_query.time_us,
    HistoryFigure.QUERIES: lambda load: load.queries_per_s,
    HistoryFigure.READS: lambda load: load.per_query.page_reads,
    HistoryFigure.COMMITS: lambda load: load.commits_per_s,
}


@dataclass(frozen=True, slots=True)
class MovedFigure:
    """A figure's median on the level before, and what it is on the new one at like hours."""

    figure: HistoryFigure
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class NewLevel:
    """From the look of ``run_id`` on a server worked otherwise; ``changed`` was set just before.

    ``moved`` has what matters most first.
    """

    at: str
    run_id: int
    moved: tuple[MovedFigure, ...]
    changed: tuple[SettingChange, ...]


def figure_of(load: WatchedLoad, figure: HistoryFigure) -> float | None:
    """What a look found of a figure; None where it is not known."""
    return _READ[figure](load)


def new_levels(looks: Sequence[PastLook]) -> tuple[NewLevel, ...]:
    """Where the looks at one server, the oldest first, come to another level."""
    busy = [look for look in looks if look.load is not None]
    if len(busy) < 2 * FEWEST:
        return ()
    known = {figure: values for figure in _READ if (values := _values(busy, figure))}
    if not known:
        return ()
    hours = _hours(busy)
    logs = {
        figure: _without_rhythm([math.log(each) for each in values], hours)
        for figure, values in known.items()
    }
    starts = change_points(np.array([*logs.values()]).T)
    ends = [*starts, len(busy)]
    found = []
    for begin, at, end in zip([0, *starts], starts, ends[1:], strict=False):
        before, after = slice(begin, at), slice(at, end)
        moved = tuple(
            one
            for figure, values in known.items()
            if (one := _moved(figure, values[before], logs[figure][before], logs[figure][after]))
        )
        if moved:
            changed = tuple(_changed(looks, busy[at - 1], busy[at]))
            found.append(NewLevel(busy[at].at, busy[at].run_id, moved, changed))
    return tuple(found)


def _values(looks: Sequence[PastLook], figure: HistoryFigure) -> list[float]:
    """A figure of each look; none where one of them has none, or 0, which is no level."""
    found = [look.load and figure_of(look.load, figure) for look in looks]
    known = [each for each in found if each]
    return known if len(known) == len(looks) else []


def _hours(looks: Sequence[PastLook]) -> list[int] | None:
    """The hour of each; None where too little time, or too few of an hour, shows no rhythm."""
    moments = [datetime.fromisoformat(look.at) for look in looks]
    hours = [each.hour for each in moments]
    fewest = min(hours.count(each) for each in set(hours))
    return hours if moments[-1] - moments[0] >= RHYTHM and fewest >= SAME_HOUR else None


def _without_rhythm(values: list[float], hours: list[int] | None) -> list[float]:
    if hours is None:
        return values
    of_hour: dict[int, list[float]] = defaultdict(list)
    for hour, value in zip(hours, values, strict=True):
        of_hour[hour].append(value)
    usual = {hour: median(found) for hour, found in of_hour.items()}
    return [value - usual[hour] for hour, value in zip(hours, values, strict=True)]


def _moved(
    figure: HistoryFigure, values: list[float], old: list[float], new: list[float]
) -> MovedFigure | None:
    """From the median of ``values`` by as much as the logarithms' medians lie apart."""
    times = math.exp(median(new) - median(old))
    before = median(values)
    return MovedFigure(figure, before, before * times) if abs(times - 1) >= LEAST_MOVED else None


def _changed(looks: Sequence[PastLook], last: PastLook, first: PastLook) -> Iterator[SettingChange]:
    """What looks after the ``last`` of the old level, up to the ``first`` new one, found set."""
    between = looks[looks.index(last) + 1 : looks.index(first) + 1]
    for look in between:
        yield from look.changed
