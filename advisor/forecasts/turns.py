"""What a user turns: names and values as they are typed, and what each makes of a live server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from advisor.amounts import duration_s, percentage, size_bytes
from advisor.compare.contender import Contender
from advisor.forecasts.inputs import drive_rates, redo_rates
from advisor.forecasts.live import (
    Live,
    Settings,
    commit_times,
    commit_us,
    flushed_per_s,
    requests_per_page,
)
from advisor.model.change import NO_CHANGE, Change
from advisor.model.closed_network import MOST_CUSTOMERS
from advisor.model.measured_rates import MeasuredRates, measured_rates
from advisor.model.pool_shape import reads_of_denser_pages, share_of_misses
from advisor.model.redo_log import SOON_S
from advisor.model.scenario import MOST_DRIVES
from advisor.workload.flush_load import PACED
from advisor.workload.query_time import RELAXED
from probes import figures
from probes.errors import UsageError
from probes.figures import seconds
from probes.points import Curve, Probe
from probes.ranges import Range
from probes.repeats import curves

PRESSED = 1.5
"""Up to this multiple of io_capacity, from ``PACED`` on, it is what paces the pages that are
flushed. Far more are flushed for the redo log's end, or to make room in the pool, whatever it is
(our choice)."""

_PAGE_SIZES = (4096, 8192, 16384, 32768, 65536)


@dataclass(frozen=True, slots=True)
class Turned:
    """A change of a live server, with how many connections it then has; None as many as now.

    ``said`` has what is turned as words, from and to; ``notes`` are sentences on what it rests on.
    """

    settings: Settings
    """As they would be, as far as other turns look at them."""
    change: Change = NO_CHANGE
    connections: int | None = None
    said: tuple[tuple[str, str, str], ...] = field(default=())
    notes: tuple[str, ...] = field(default=())

    def also(self, name: str, now: str, then: str, *notes: str) -> Turned:
        """The same with one more thing said."""
        return replace(self, said=(*self.said, (name, now, then)), notes=(*self.notes, *notes))

    def changed(self, change: Change) -> Turned:
        """The same with another change."""
        return replace(self, change=change)


Turn = Callable[[Live, Turned, str], Turned]


def turned(
    live: Live,
    wanted: Mapping[str, str],
    drive: Contender | None = None,
    log: Contender | None = None,
) -> Turned:
    """What these values make of a live server, on another drive or with another redo log.

    Raises UsageError for a name that nobody knows, a value that is none, or figures that are
    missing.
    """
    found = Turned(live.settings)
    given = {plain_name(name): value for name, value in wanted.items()}
    for name, turn in TURNS.items():
        if name in given:
            found = turn(live, found, given[name])
    if drive is not None:
        found = _other_drive(live, found, drive)
    if log is not None:
        found = _other_log(live, found, log)
    return _durable(live, found, given)


def plain_name(name: str) -> str:
    """What a name stands for here, also one of the server's; UsageError for an unknown one."""
    plain = short_name(name)
    if plain not in TURNS and plain not in DURABILITY:
        raise UsageError(
            f"'{name}' is nothing that a forecast can turn.",
            f"Write NAME=VALUE with one of {', '.join((*TURNS, *DURABILITY))}.",
        )
    return plain


def short_name(name: str) -> str:
    """A name as forecasts spell it: "buffer_pool" for innodb_buffer_pool_size."""
    plain = name.strip().lower().removeprefix("innodb_").replace("-", "_")
    return {"buffer_pool_size": "buffer_pool", "redo_log_capacity": "redo_log"}.get(plain, plain)


def _pool(live: Live, found: Turned, text: str) -> Turned:
    settings, then = live.settings, size_bytes(text)
    if not settings.pool_bytes:
        raise UsageError("The size of the buffer pool now is not known.", "Check the server again.")
    if then < 1 << 20:
        raise UsageError(f"A buffer pool of {figures.size(then)} is too small.", "Write it as 64G.")
    share = share_of_misses(settings.pool_bytes, then, settings.data_bytes, settings.miss_curve)
    change = replace(
        found.change,
        reads=found.change.reads * share,
        pages=found.change.pages * _part_of(share),
    )
    notes = [
        f"Misses fall to {_percent(share)} of today's, {_known_from(live, then)}."
        if then > settings.pool_bytes
        else f"Misses rise to {share.said(figures.times)} of today's: what a smaller pool would "
        "miss shows in no counter."
    ]
    if then < settings.pool_bytes and not live.server.reads.value:
        notes.append("None missed while it was watched: what a smaller pool takes is not known.")
    if settings.memory_bytes and then > settings.memory_bytes:
        notes.append(f"This machine has {figures.size(settings.memory_bytes)} of memory.")
    return found.changed(change).also(
        "buffer pool", figures.size(settings.pool_bytes), figures.size(then), *notes
    )


def _part_of(factor: Range) -> Range:
    """Page writes where what some of them serve becomes ``factor`` of it: half way, up to all.

    Nobody tells which pages were written to make room in the pool, and which for the redo log.
    """
    ends = (1.0, factor.low, factor.high)
    return Range((1 + factor.value) / 2, min(ends), max(ends))


def _redo_log(live: Live, found: Turned, text: str) -> Turned:
    log, then = live.settings.redo, size_bytes(text)
    if log is None:
        raise UsageError(
            "What another redo log would save is not known: its size or its growth was not seen.",
            "Watch the server while it writes.",
        )
    if then < 1 << 20:
        raise UsageError(f"A redo log of {figures.size(then)} is too small.", "Write it as 4G.")
    full = f"The redo log of {figures.size(log.capacity)} is full after {seconds(log.held_s)}"
    smaller = replace(log, capacity=min(log.capacity, then))
    if not log.late and smaller.held_s >= SOON_S:
        note = f"{full}: pages have time to collect their changes, now and then."
        return found.also("redo log", figures.size(log.capacity), figures.size(then), note)
    pages = _part_of(Range.exact(log.capacity / then))
    change = replace(found.change, pages=found.change.pages * pages)
    return found.changed(change).also(
        "redo log",
        figures.size(log.capacity),
        figures.size(then),
        f"{full}. How many page writes are of the same pages again is known within bounds only.",
    )


def _known_from(live: Live, then: int) -> str:
    curve, pool = live.settings.miss_curve, live.settings.pool_bytes or 0.0
    if curve is None:
        return "by the usual shape of such curves: a watch with a trace (as root) would measure it"
    reach = curve.reach_pages * pool / curve.pool_pages
    if then <= reach:
        return "as the watch's trace saw them"
    return f"as the trace saw them up to {figures.size(reach)}, and by their usual shape beyond"


def _page_size(live: Live, found: Turned, text: str) -> Turned:
    then = size_bytes(text)
    if then not in _PAGE_SIZES:
        raise UsageError(
            f"InnoDB has no pages of {figures.size(then)}.",
            "Write 4k, 8k, 16k, 32k or 64k.",
        )
    now, pool = live.settings.page_bytes, live.settings.pool_bytes
    data, curve = live.settings.data_bytes, live.settings.miss_curve
    reads = Range.exact(1.0)
    if pool and then != now:
        reads = reads_of_denser_pages(pool, now / then, data, curve)
    change = replace(found.change, reads=found.change.reads * reads)
    own = _own_curve(live, then)
    if own is not None and then != now:
        change = replace(change, drive=own)
    settings = replace(found.settings, page_bytes=then)
    return replace(found.changed(change), settings=settings).also(
        "page size",
        figures.size(now),
        figures.size(then),
        "How many more useful rows the pool holds in smaller pages is known within bounds only.",
    )


def _own_curve(live: Live, block_bytes: int) -> MeasuredRates | None:
    found: list[Curve] = live.case.curves(Probe.RANDOM_READ, block_size_bytes=block_bytes)
    return measured_rates(max(found, key=lambda each: len(each.points))) if found else None


def _drives(live: Live, found: Turned, text: str) -> Turned:
    count = _whole(text, "drives", MOST_DRIVES)
    return found.changed(replace(found.change, drives=count)).also("drives", "1", str(count))


def _connections(live: Live, found: Turned, text: str) -> Turned:
    count = _whole(text, "connections", MOST_CUSTOMERS)
    now = figures.count(live.server.connections)
    return replace(found, connections=count).also("connections", now, figures.count(count))


def _think_time(live: Live, found: Turned, text: str) -> Turned:
    think_us = duration_s(text) * 1e6
    change = replace(found.change, think_us=think_us)
    return found.changed(change).also("think time", "as now", figures.duration_us(think_us))


def _network(live: Live, found: Turned, text: str) -> Turned:
    network_us = duration_s(text) * 1e6
    change = replace(found.change, network_us=network_us)
    on_top = f"{figures.duration_us(network_us)} more"
    return found.changed(change).also("network round trip", "as now", on_top)


def _doublewrite(live: Live, found: Turned, text: str) -> Turned:
    twice = _switch(text, "doublewrite")
    settings = live.settings
    now = requests_per_page(settings, twice=settings.twice)
    then = requests_per_page(settings, twice=twice)
    change = replace(found.change, requests=then / now)
    before, after = (flushed_per_s(settings, twice=each) for each in (settings.twice, twice))
    can = None if before is None or after is None else after / before
    change = replace(change, flushable=can)
    notes = () if twice else ("Without doublewrite a torn page can't be repaired.",)
    return found.changed(change).also(
        "doublewrite", "on" if settings.twice else "off", "on" if twice else "off", *notes
    )


def _io_capacity(live: Live, found: Turned, text: str) -> Turned:
    settings, then = live.settings, _whole(text, "pages per second", 10**6)
    now, written = settings.io_capacity, settings.written_per_s
    if not now or not written:
        raise UsageError(
            "What io_capacity paces is not known: the server flushed nothing while it was watched.",
            "Watch it while it writes.",
        )
    if written > PRESSED * now:
        likely = 1.0
        known = ", far more than io_capacity asks for: for the redo log, or for room in the pool."
    elif written >= PACED * now:
        # Of a larger one as much as is dirtied is written, which nobody counts: half way to it.
        likely = (then / now) ** 0.5 if then > now else then / now
        known = ": io_capacity paces it."
    else:
        likely = min(1.0, then / written)
        known = ": io_capacity hardly paces it, and what more of it writes is not known."
    most = max(likely, then / written if then > now else 1.0)
    pages = Range(likely, min(likely, 1.0), most)
    change = replace(found.change, pages=found.change.pages * pages)
    note = f"The server flushes {figures.rate(written, 'pages')}{known}"
    return found.changed(change).also("io_capacity", figures.count(now), figures.count(then), note)


def _reads(live: Live, found: Turned, text: str) -> Turned:
    now, then = live.settings.reading_share, percentage(text)
    if now >= 1 and then < 1:
        raise UsageError(
            "The server only read while it was watched: what its changes take is not known.",
            "Watch it while it writes.",
        )
    factor = (1 - then) / (1 - now) if now < 1 else 1.0
    change = replace(found.change, commits=factor, pages=found.change.pages.times(factor or 1e-9))
    return found.changed(change).also(
        "statements that read", figures.percent(now), figures.percent(then)
    )


def _durable(live: Live, found: Turned, given: Mapping[str, str]) -> Turned:
    """Commits that wait for other syncs, or for those of another log."""
    settings = live.settings
    redo, binlog = settings.redo_synced, settings.binlog_synced
    if "flush_log_at_trx_commit" in given:
        value = given["flush_log_at_trx_commit"].strip()
        if value not in {"0", "1", "2"}:
            raise UsageError(f"'{value}' is no innodb_flush_log_at_trx_commit.", "Write 0, 1 or 2.")
        now, redo = ("1" if redo else "0 or 2"), value not in RELAXED
        lost = () if redo else ("The last second of commits can be lost in a crash.",)
        found = found.also("flush_log_at_trx_commit", now, value, *lost)
    if "sync_binlog" in given:
        count = _whole(given["sync_binlog"], "commits per sync", 10**9, least=0)
        now, binlog = ("1" if binlog else "0 or more than 1"), count == 1
        beside = () if settings.binlog_on else ("The binary log is off: nothing changes.",)
        found = found.also("sync_binlog", now, str(count), *beside)
    same = (redo, binlog) == (settings.redo_synced, settings.binlog_synced)
    if same and found.settings.redo_us == settings.redo_us:
        return found
    if live.server.commits.value <= 0:
        note = "No commits were counted while it was watched: what they wait for changes nothing."
        return replace(found, notes=(*found.notes, note))
    sync_us = commit_us(found.settings, redo, binlog)
    if sync_us is None:
        raise UsageError(
            "What a sync takes is not known: nobody timed one of this server's.",
            "Measure commits on its drive with `leadline probe redo`.",
        )
    log = found.change.log or live.server.log
    times = commit_times(found.settings, redo, binlog)
    return found.changed(replace(found.change, sync_us=sync_us, sync_times=times, log=log))


def _other_drive(live: Live, found: Turned, drive: Contender) -> Turned:
    change = replace(found.change, drive=drive_rates(drive, found.settings.page_bytes))
    can = _flushable(drive, found.settings.page_bytes)
    now = live.server.flushed_per_s
    change = replace(change, flushable=None if can is None or now is None else can / now)
    found = found.changed(change).also("drive", "as now", drive.name)
    if live.settings.redo_apart or live.server.sync_us is None or not live.server.commits.value:
        return found
    try:
        return _log_of(live, found, redo_rates(drive))
    except UsageError:
        note = f"{drive.name} has no commits: the log's syncs are taken to stay as they are."
        return replace(found, notes=(*found.notes, note))


def _other_log(live: Live, found: Turned, log: Contender) -> Turned:
    return _log_of(live, found.also("redo log", "as now", log.name), redo_rates(log))


def _log_of(live: Live, found: Turned, curve: MeasuredRates) -> Turned:
    sync_us = Range.exact(1e6 / float(curve.up_to(1)[0]))
    settings = replace(
        found.settings, redo_us=sync_us, binlog_us=None, redo_times=None, binlog_times=None
    )
    return replace(found, settings=settings, change=replace(found.change, log=curve))


def _flushable(drive: Contender, page_bytes: int) -> Range | None:
    flushed = [
        point
        for curve in curves(drive.usable)
        for point in curve.points
        if point.setting.probe is Probe.PAGE_FLUSH
        and point.setting.block_size_bytes == page_bytes
        and point.setting.options.get("doublewrite") == "on"
    ]
    best = max(flushed, key=lambda point: point.rate_per_s, default=None)
    return None if best is None else Range(best.rate_per_s, *best.bounds_per_s)


def _percent(share: Range) -> str:
    return share.said(figures.percent)


def _whole(text: str, what: str, most: int, least: int = 1) -> int:
    plain = text.strip().replace(",", "")
    if not (plain.isdecimal() and len(plain) < 12 and least <= int(plain) <= most):
        raise UsageError(
            f"'{text.strip()}' is not a valid number of {what}.",
            f"Write a whole number from {least} to {most:,}.",
        )
    return int(plain)


def _switch(text: str, name: str) -> bool:
    plain = text.strip().lower()
    if plain not in {"on", "off", "1", "0"}:
        raise UsageError(f"'{text.strip()}' is no value of {name}.", "Write on or off.")
    return plain in {"on", "1"}


TURNS: Mapping[str, Turn] = {
    "buffer_pool": _pool,
    "redo_log": _redo_log,
    "page_size": _page_size,
    "drives": _drives,
    "connections": _connections,
    "think_time": _think_time,
    "network": _network,
    "doublewrite": _doublewrite,
    "io_capacity": _io_capacity,
    "reads": _reads,
}
DURABILITY = ("flush_log_at_trx_commit", "sync_binlog")
"""Those that say what a commit waits for, together."""
