"""What a user turns: names and values as they are typed, and what each makes of a live server."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from advisor.amounts import duration_s, percentage, size_bytes
from advisor.compare.contender import Contender
from advisor.forecasts.knobs.commits import DURABILITY, durable, other_drive, other_log
from advisor.forecasts.knobs.drive import (
    doublewrite,
    drives,
    io_capacity,
    page_size,
    unmeasured_pages,
)
from advisor.forecasts.knobs.flush_ceiling import flush_ceiling
from advisor.forecasts.knobs.turned import Knob, Turned, switch, switched, whole
from advisor.forecasts.server.live import Live
from advisor.forecasts.server.settings import Settings
from advisor.model.network.closed_network import MOST_CUSTOMERS
from advisor.model.network.own_error import ChangeKind
from advisor.model.network.work import LEAST_US
from advisor.model.server.pool_shape import share_of_misses
from advisor.model.server.redo_log import SOON_S
from probes import figures
from probes.errors import UsageError
from probes.figures import listed, seconds
from probes.statistics.ranges import Range

LOG_FILE_SIZE = "innodb_log_file_size"
"""A server's own name for what ``redo_log`` is in all its files."""

ROOM_POWER = 0.75
"""Page writes of a pool that evicts follow this power of its misses (our choice): a page that is
read needs room, which is a page that is written where all of them are dirty."""

FEW_READS = 0.001
"""Of a thousand queries at most one missed a page: the pool holds all that is asked for."""

REDO_POWER = 0.3
"""Page writes follow this power of how often a smaller log is full (our choice)."""

MOST_OF_CPU = 0.8
"""Of the processor time that is left beside reads and page writes, redo's hand-over takes at most
this part."""


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
    for name, knob in KNOBS.items():
        if name in given:
            found = knob(live, found, given[name])
    if drive is not None:
        found = other_drive(live, found, drive)
    found = flush_ceiling(live, unmeasured_pages(live, found), drive)
    if log is not None:
        found = other_log(live, found, log)
    return durable(live, found, given)


def plain_name(name: str) -> str:
    """What a name stands for here, also one of the server's; UsageError for an unknown one."""
    plain = short_name(name)
    if plain in NO_KNOBS:
        raise UsageError(
            f"{name} can't be forecast: {NO_KNOBS[plain]}.", "Measure it with both values."
        )
    if plain not in KNOBS and plain not in DURABILITY:
        raise UsageError(
            f"'{name}' is no setting that a forecast can change.",
            f"Write NAME=VALUE with one of {', '.join((*KNOBS, *DURABILITY))}.",
        )
    return plain


def short_name(name: str) -> str:
    """A name as forecasts spell it: "buffer_pool" for innodb_buffer_pool_size."""
    plain = name.strip().lower().replace("-", "_").removeprefix("innodb_")
    return {"buffer_pool_size": "buffer_pool", "redo_log_capacity": "redo_log"}.get(plain, plain)


def _pool(live: Live, found: Turned, text: str) -> Turned:
    settings, then = live.settings, size_bytes(text)
    if not settings.pool_bytes:
        raise UsageError("The size of the buffer pool now is not known.", "Check the server again.")
    if then < 1 << 20:
        raise UsageError(f"A buffer pool of {figures.size(then)} is too small.", "Write it as 64G.")
    asked, then = then, settings.pool_of(then)
    if settings.filled_bytes is not None and settings.filled_bytes <= then < settings.pool_bytes:
        return _holds_as_much(settings, found, then)
    if then < settings.pool_bytes and live.server.reads.value < FEW_READS:
        _refuse_less_than_all(settings.data_bytes, then)
    share = share_of_misses(settings.pool_bytes, then, settings.data_bytes, settings.miss_curve)
    larger = then > settings.pool_bytes
    if not larger:
        share = _at_most_all(live, share, then)
    change = replace(
        found.change,
        reads=found.change.reads * share,
        pages=found.change.pages * _part_of(share, share.value**ROOM_POWER),
    ).erring(ChangeKind.POOL_UP if larger else ChangeKind.POOL_DOWN, then / settings.pool_bytes)
    notes = [
        f"Misses fall to {_percent(share)} of today's, {_known_from(live, then)}."
        if larger
        else f"Misses rise to {share.text(figures.times)} of today's: what a smaller pool would "
        "miss shows in no counter."
    ]
    if then != asked:
        notes.append(f"The server rounds {figures.size(asked)} up to that.")
    if settings.memory_bytes and then > settings.memory_bytes:
        notes.append(f"This machine has {figures.size(settings.memory_bytes)} of memory.")
    turned_to = replace(found.settings, pool_bytes=float(then))
    return replace(found, change=change, settings=turned_to).also(
        "buffer pool", figures.size(settings.pool_bytes), figures.size(then), *notes
    )


def _holds_as_much(settings: Settings, found: Turned, then: int) -> Turned:
    """A smaller pool that has room for every page which the server's own ever held."""
    used, now = settings.filled_bytes or 0.0, settings.pool_bytes or 0.0
    turned_to = replace(found.settings, pool_bytes=float(then))
    change = found.change.erring(ChangeKind.POOL_DOWN)
    return replace(found, change=change, settings=turned_to).also(
        "buffer pool",
        figures.size(now),
        figures.size(then),
        f"Misses stay as they are: {figures.size(used)} of the pool were ever used.",
    )


def _refuse_less_than_all(data_bytes: float | None, then: int) -> None:
    """Raise UsageError for a pool that can't hold all, of a server that hardly missed a page."""
    if data_bytes is not None and then >= data_bytes:
        return
    raise UsageError(
        "What a smaller pool would read is not known: hardly any page missed while the server was "
        "watched, so that nothing shows which pages are asked for again.",
        "Make it smaller in steps, and watch its misses: `leadline try`.",
    )


def _at_most_all(live: Live, misses: Range, then: int) -> Range:
    """Misses of a smaller pool, where no query misses more pages than it asks for.

    Of pages that are all asked for alike a pool misses those that it has no room for.
    """
    settings, reads = live.settings, live.server.reads.value
    if not settings.page_requests or not settings.data_bytes or not reads:
        return misses
    lacks = max(0.0, 1 - then / settings.data_bytes)
    most = max(1.0, settings.page_requests * lacks / reads)
    return Range(min(misses.value, most), min(misses.low, most), min(misses.high, most))


def _part_of(factor: Range, likely: float) -> Range:
    """Page writes where what some of them serve becomes ``factor`` of it: ``likely``, up to all.

    Nothing shows which pages were written to make room in the pool, and which for the redo log.
    """
    ends = (1.0, factor.low, factor.high)
    return Range(likely, min(ends), max(ends))


def _redo_log(live: Live, found: Turned, text: str) -> Turned:
    log, then = live.settings.redo, size_bytes(text)
    if log is None:
        raise UsageError(
            "What another redo log would save is not known: its size or its growth was not seen.",
            "Watch the server while it writes.",
        )
    if then < 1 << 20:
        raise UsageError(f"A redo log of {figures.size(then)} is too small.", "Write it as 4G.")
    full = (
        f"The redo log of {figures.size(log.capacity)}, of which changes may fill "
        f"{figures.size(log.usable)}, is full after {seconds(log.held_s)}"
    )
    smaller = replace(log, capacity=min(log.capacity, then))
    if not log.late and smaller.held_s >= SOON_S:
        note = f"{full}: pages have time to collect their changes, now and then."
        return found.also("redo log", figures.size(log.capacity), figures.size(then), note)
    pages = _of_the_log(live, log.capacity / then)
    change = replace(found.change, pages=found.change.pages * pages)
    change = change.erring(ChangeKind.REDO, then / log.capacity)
    return found.changed(change).also(
        "redo log",
        figures.size(log.capacity),
        figures.size(then),
        f"{full}. How many page writes are of the same pages again is known within bounds only.",
    )


def _of_the_log(live: Live, often: float) -> Range:
    """Page writes of a log that is full ``often`` times as often: no more than are changed."""
    written, dirtied = live.settings.written_per_s, live.settings.dirtied_per_s
    room = max(1.0, dirtied / written) if dirtied is not None and written else math.inf
    likely = (1 + often) / 2 if often < 1 else often**REDO_POWER
    return _part_of(Range.exact(min(often, room)), min(likely, room))


def _known_from(live: Live, then: int) -> str:
    curve, pool = live.settings.miss_curve, live.settings.pool_bytes or 0.0
    if curve is None:
        return "by the usual shape of such curves: a watch with a trace (as root) would measure it"
    reach = curve.reach_pages * pool / curve.pool_pages
    if then <= reach:
        return "as the watch's trace saw them"
    return f"as the trace saw them up to {figures.size(reach)}, and by their usual shape beyond"


def _log_writers(live: Live, found: Turned, text: str) -> Turned:
    now, then = live.settings.log_writers, switch(text, "log_writer_threads")
    cpu = live.server.cpu_us
    if now is None:
        raise UsageError(
            "The server has no innodb_log_writer_threads: MySQL has it from 8.0.22 on.",
            "Leave log_writer_threads out.",
        )
    if cpu is None or cpu.value <= LEAST_US:
        raise UsageError(
            "What redo's writer threads take is not known: the processors that the server uses "
            "were not seen.",
            "Watch it from its own machine, where its processes are seen.",
        )
    found = found.also("log_writer_threads", switched(on=now), switched(on=then))
    if now == then:
        return found
    own_us = live.server.likeliest().own_cpu_us
    share = live.settings.hand_over_us.times(live.server.commits.value).times(1 / own_us)
    ends = [min(MOST_OF_CPU, each) for each in (share.value, share.low, share.high)]
    left = Range(1 - ends[0], 1 - ends[2], 1 - ends[1])
    own = Range.exact(1.0) / left if then else left
    return found.changed(replace(found.change, own_cpu=found.change.own_cpu * own))


def _connections(live: Live, found: Turned, text: str) -> Turned:
    count = whole(text, "connections", MOST_CUSTOMERS)
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


def _percent(share: Range) -> str:
    return share.text(figures.percent)


KNOBS: Mapping[str, Knob] = {
    "buffer_pool": _pool,
    "redo_log": _redo_log,
    "page_size": page_size,
    "drives": drives,
    "log_writer_threads": _log_writers,
    "connections": _connections,
    "think_time": _think_time,
    "network": _network,
    "doublewrite": doublewrite,
    "io_capacity": io_capacity,
    "reads": _reads,
}
NO_KNOBS: Mapping[str, str] = {
    "flush_method": "how many syncs and copies it saves was never timed on its own",
    "doublewrite_pages": "how many syncs a larger batch saves was never timed on its own",
    "buffer_pool_instances": "how long queries wait for the mutex of one stands in no curve",
}
"""Settings that a forecast has no place for, and why."""


def turnable(name: str, value: str, log_files: int) -> tuple[str, str] | None:
    """A server's setting as a forecast turns it; None for one that it has no place for."""
    short = short_name(name)
    if short in KNOBS or short in DURABILITY:
        return short, value
    if name == LOG_FILE_SIZE and value.isdecimal():
        return "redo_log", str(int(value) * log_files)
    return None


def left_apart(names: Sequence[str]) -> str:
    """What no forecast has a place for, in a sentence; "" where all has one."""
    return f"What {listed(names)} would bring is not in this forecast." if names else ""
