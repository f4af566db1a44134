"""A load like that of a watched server: from its figures to transactions, keys and think time.

First by arithmetic, then by steps: a throwaway server works, and what a query took there says which
way the keys and the think time have to go.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from advisor.lab.watched import PerQuery, WatchedLoad, worked
from probes.errors import UsageError
from probes.lab.turn import LoadTurn
from probes.lab.variant import Hot, Keys, LabLoad, LoadKind, Mix
from probes.mysql.lookup_table import ROW_BYTES

NEAR = 0.15
"""How far a figure of the lab may be from the watch's and still be near (our choice)."""

NOTHING = 0.002
"""Fewer page reads or writes per query are none (our choice)."""

RANGE_ROWS = 100
"""Rows of a range, where longer ones are not needed to read as many (our choice: sysbench's)."""

SENT_ROW_BYTES = 130
"""What a row of the lab's table takes on its way to the client."""

EXPLICIT = 0.02
"""From this many ends of transactions per statement on, transactions have several (our choice)."""

PAGE_BYTES = 16 << 10
POOL_SHARE = 0.9
"""Of a buffer pool holds the tables' pages, at most: the rest is undo, the dictionary, free."""

MOST_DATA, UNKNOWN_DATA = 8, 4
"""How many times the pool the lab's rows take at most, and where the server's size is not known."""

LEAST_DATA_BYTES, LEAST_REDO_BYTES = 16 << 20, 16 << 20

CROWD = 4
"""Clients for each query at work, at most: queries do not tell whether few or many clients think
(our choice)."""

HOT_SHARE, MOST_HOT = 0.4, 0.55
"""Of the pool that the hot keys' pages take at first, and at most: with more, what is read beside
them throws them out (our choices)."""

LEAST_HOT, MOST_THINK_US = 0.005, 30_000_000
ONE_STEP = 4.0
"""No knob changes by more within one step."""

LEAST_MOVE, FLATTEST = 0.1, (0.5, 1.5)
"""What two tries tell of a power: from this change of the knob on, and no further than that."""


_DEPTH, LEAST_DEPTH = "innodb_lru_scan_depth", 100
"""The least that a server takes."""

FIGURES = tuple(each.name for each in fields(PerQuery))


def scale(watched: WatchedLoad, pool_bytes: int) -> float:
    """How large the lab's server is beside the watched one, by its pool; 1 where nobody knows."""
    return pool_bytes / watched.pool_bytes if watched.pool_bytes else 1.0


def redo_bytes(watched: WatchedLoad, pool_bytes: int) -> int:
    """A redo log as large beside the pool as the watched server's; 0 where that is not known."""
    wanted = int(watched.redo_bytes * min(1.0, scale(watched, pool_bytes)))
    return max(LEAST_REDO_BYTES, wanted >> 20 << 20) if watched.redo_bytes else 0


def lines(watched: WatchedLoad, pool_bytes: int) -> dict[str, str]:
    """The watched server's own settings; what other versions lack is ignored there.

    A server keeps as many pages free as the scan's depth: of a smaller pool, fewer.
    """
    found = {f"loose_{name}": value for name, value in watched.lines.items()}
    depth = watched.lines.get(_DEPTH, "")
    if depth.isdecimal():
        scaled = round(int(depth) * min(1.0, scale(watched, pool_bytes)))
        found[f"loose_{_DEPTH}"] = str(max(LEAST_DEPTH, scaled))
    return found


def connections(watched: WatchedLoad) -> int:
    """How many clients the lab has."""
    crowd = max(CROWD, math.ceil(CROWD * watched.at_work))
    return max(1, math.ceil(watched.at_work), min(round(watched.connections), crowd))


def load_like(watched: WatchedLoad, pool_bytes: int, data_bytes: int = 0) -> LabLoad:
    """The first load, by arithmetic alone; ``data_bytes`` is what the rows take, 0 to choose.

    Raises UsageError where the server's statements were not counted.
    """
    mix, per_s = _mix(watched)
    queries = watched.queries_per_s / per_s
    missed = (watched.per_query.page_reads or 0.0) * queries
    share = min(0.98, missed / max(1e-9, _touched(mix)))
    held_bytes = POOL_SHARE * pool_bytes
    data = data_bytes or _data_bytes(watched, pool_bytes, share)
    load = LabLoad(LoadKind.MIX, Keys.UNIFORM, data, mix=mix)
    if data > held_bytes:
        few = HOT_SHARE * held_bytes / data
        cached = (held_bytes - few * data) / (data * (1 - few))
        cold = min(1.0, max(share, 0.5 * NOTHING) / max(1e-3, 1 - cached))
        load = replace(load, keys=Keys.HOT, hot=Hot(1 - cold, few))
    if watched.at_work:
        load = replace(load, think_us=_think_us(watched, 1e6 * watched.at_work / per_s))
    return load


def _mix(watched: WatchedLoad) -> tuple[Mix, float]:
    """What a transaction does, and how many there are a second."""
    selects = watched.rate("Com_select")
    inserted, deleted = watched.rate("Com_insert"), watched.rate("Com_delete")
    updated, replaced = watched.rate("Com_update"), watched.rate("Com_replace")
    statements = selects + inserted + deleted + updated + replaced
    if statements <= 0:
        raise UsageError(f"{watched.source} does not know which statements the server carried out.")
    ends = watched.rate("Com_commit") + watched.rate("Com_rollback")
    begin = ends >= EXPLICIT * statements
    per_s = ends if begin else statements
    rows = watched.rate("Innodb_rows_read") or sum(
        watched.rate(f"Handler_read_{how}") for how in ("key", "next", "prev")
    )
    along = max(0.0, rows - updated - deleted - selects)
    ranges, length = along / (RANGE_ROWS - 1), RANGE_ROWS
    if ranges > selects > 0:
        ranges, length = selects, min(100_000, round(rows / selects))
    points = selects - ranges
    distinct = min(ranges, watched.rate("Created_tmp_tables"))
    ordered = max(
        0.0,
        min(ranges - distinct, watched.rate("Sort_scan") + watched.rate("Sort_range") - distinct),
    )
    plain = ranges - distinct - ordered
    sent = watched.rate("Bytes_sent") / SENT_ROW_BYTES - points
    unsent = (length * ranges - sent) / length if watched.rate("Bytes_sent") else 0.0
    sums = min(plain, max(0.0, unsent))
    mix = Mix(
        points=points / per_s,
        ranges=(plain - sums) / per_s,
        sums=sums / per_s,
        sorted=ordered / per_s,
        distinct=distinct / per_s,
        # How many change an indexed column nobody counts; page writes tell in the end.
        index_updates=0.5 * updated / per_s,
        updates=0.5 * updated / per_s,
        # A row that is deleted and put back is two statements.
        replaced=((inserted + deleted) / 2 + replaced) / per_s,
        range_rows=max(1, length),
        begin=begin,
    )
    return mix, per_s


def _touched(mix: Mix) -> float:
    """How many pages of the table a transaction asks for that a small pool may not hold."""
    of_a_range = 1 + mix.range_rows * ROW_BYTES / PAGE_BYTES
    ranges = mix.ranges + mix.sums + mix.sorted + mix.distinct
    return mix.points + ranges * of_a_range + mix.updates + 3 * (mix.index_updates + mix.replaced)


def _data_bytes(watched: WatchedLoad, pool_bytes: int, share: float) -> int:
    """As much beside the pool as the server has, and enough for its misses."""
    like = watched.data_bytes * scale(watched, pool_bytes) if watched.data_bytes else 0.0
    like = like or UNKNOWN_DATA * pool_bytes
    needed = 1.2 * POOL_SHARE * pool_bytes / (1 - share) if share > NOTHING else 0.0
    most = MOST_DATA * pool_bytes
    return max(LEAST_DATA_BYTES, int(min(most, max(like, needed))))


def _think_us(watched: WatchedLoad, takes_us: float) -> int:
    """How long each client waits, so that as many are at work where a transaction takes so long."""
    clients = connections(watched)
    if watched.at_work <= 0 or clients <= watched.at_work:
        return 0
    return min(MOST_THINK_US, round(takes_us * (clients / watched.at_work - 1)))


@dataclass(frozen=True, slots=True)
class FitStep:
    """A load, and what a query took with it; ``takes_us`` is how long a transaction took."""

    load: LabLoad
    per_query: PerQuery
    takes_us: float


def refined(watched: WatchedLoad, tried: Sequence[FitStep], pool_bytes: int) -> LabLoad:
    """The next load to try, by the last one's misses and page writes."""
    last = tried[-1]
    load, wanted = last.load, watched.per_query
    if math.isfinite(last.takes_us) and watched.at_work:
        load = replace(load, think_us=_think_us(watched, last.takes_us))
    if load.keys is not Keys.HOT:
        return load
    cold, few = 1 - load.hot.share, load.hot.keys
    missed = _step(
        wanted.page_reads,
        [(1 - each.load.hot.share, each.per_query.page_reads) for each in tried],
    )
    cold = min(1.0, max(1e-4, cold * missed))
    most = MOST_HOT * POOL_SHARE * pool_bytes / load.data_bytes
    written = _step(
        wanted.page_writes, [(each.load.hot.keys, each.per_query.page_writes) for each in tried]
    )
    few, before = min(most, max(LEAST_HOT, few * written)), few
    if few == before and load.mix.updates + load.mix.index_updates:
        load = replace(load, mix=_indexed(load.mix, written))
    return replace(load, hot=Hot(1 - cold, few))


def _step(wanted: float | None, came: Sequence[tuple[float, float | None]]) -> float:
    """By what a knob is multiplied, by the knob and the figure of each try.

    The figure is taken for a power of the knob: that of the last two tries, within bounds.
    """
    knob, got = came[-1]
    if wanted is None or got is None or max(wanted, got) < NOTHING:
        return 1.0
    power = 1.0
    if len(came) > 1:
        before, had = came[-2]
        if had and got and abs(math.log(knob / before)) > LEAST_MOVE:
            power = math.log(got / had) / math.log(knob / before)
    needed: float = (wanted / max(got, 1e-9)) ** (1 / min(FLATTEST[1], max(FLATTEST[0], power)))
    return min(ONE_STEP, max(1 / ONE_STEP, needed))


def _indexed(mix: Mix, times: float) -> Mix:
    """More or fewer of the updates change an indexed column."""
    both = mix.updates + mix.index_updates
    indexed = min(both, max(0.0, max(mix.index_updates, 0.1 * both) * times))
    return replace(mix, index_updates=indexed, updates=both - indexed)


def best_of(watched: WatchedLoad, tried: Sequence[FitStep]) -> FitStep:
    """The one that came nearest."""
    return min(tried, key=lambda each: _distance(watched.per_query, each.per_query))


def _distance(wanted: PerQuery, got: PerQuery) -> float:
    pairs = ((wanted.page_reads, got.page_reads), (wanted.page_writes, got.page_writes))
    return max(
        0.0 if each is None or came is None else abs(math.log((each + NOTHING) / (came + NOTHING)))
        for each, came in pairs
    )


def reached(watched: WatchedLoad, tried: FitStep) -> bool:
    """Whether page reads and page writes are near enough to end."""
    return _distance(watched.per_query, tried.per_query) < math.log1p(NEAR / 2)


LIKE_WARM_S, MOST_WARM_TURNS = 4.0, 6
"""A server that has just started writes no pages for a while: turns of so long until it does."""


def writes_by_now(watched: WatchedLoad, turn: LoadTurn) -> bool:
    """Whether a server has come to write pages about as the watched one does."""
    wanted, got = watched.per_query.page_writes, worked([turn]).page_writes
    return wanted is None or got is None or got >= wanted / 2 or wanted < NOTHING


@dataclass(frozen=True, slots=True)
class Nearness:
    """One figure of the watch beside the lab's; None is not known.

    ``name`` is a field of ``PerQuery``. ``near``: the lab's is within ``NEAR`` of the watch's, or
    both are nothing; None where one of them is not known.
    """

    name: str
    watch: float | None
    lab: float | None

    @property
    def times(self) -> float | None:
        """How many times the watch's the lab's is."""
        return (
            None
            if self.watch is None or self.lab is None or not self.watch
            else self.lab / self.watch
        )

    @property
    def near(self) -> bool | None:
        """Whether it is near."""
        if self.watch is None or self.lab is None:
            return None
        if max(self.watch, self.lab) < NOTHING:
            return True
        return self.times is not None and 1 / (1 + NEAR) <= self.times <= 1 + NEAR


def nearness(watched: WatchedLoad, lab: PerQuery) -> Iterator[Nearness]:
    """How near each figure comes, in the order of ``PerQuery``."""
    for name in FIGURES:
        yield Nearness(name, getattr(watched.per_query, name), getattr(lab, name))
