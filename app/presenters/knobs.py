"""What can be turned at a live server on the what-if page: each with its stops, as now first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from advisor.forecasts.live import Live
from advisor.model.closed_network import MOST_CUSTOMERS
from advisor.model.scenario import MOST_DRIVES
from app.runtime.translation import tr, tr_later
from probes import figures
from probes.figures import duration_us, percent, size
from probes.points import Probe

AS_NOW = ""
"""The value of a stop that changes nothing."""

_MIB = 1 << 20
_NETWORK_US = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
_THINK_US = (0, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
_DURABLE = (("1", tr_later("1: synced at commit")), ("2", tr_later("2: synced each second")))
_BINLOG = (("1", tr_later("1: synced at commit")), ("0", tr_later("0: left to the system")))
_SWITCH = (("on", tr_later("on")), ("off", tr_later("off")))


@dataclass(frozen=True, slots=True)
class Knob:
    """One thing to turn: ``stops`` are values as `turned` takes them, and what to call each.

    ``start`` is the stop of today, whose value is ``AS_NOW``. A knob is a slider, or with
    ``choice`` a list.
    """

    name: str
    title: str
    stops: tuple[tuple[str, str], ...]
    start: int
    choice: bool = False


def knobs(live: Live) -> tuple[Knob, ...]:
    """What can be turned at this server, the most usual first."""
    return tuple(each for each in _knobs(live) if len(each.stops) > 1)


def _knobs(live: Live) -> Iterator[Knob]:
    settings, server = live.settings, live.server
    if settings.pool_bytes:
        yield _pool(settings.pool_bytes, settings.data_bytes)
    yield _slider("connections", tr("Connections"), _connections(server.connections), figures.count)
    yield _slider(
        "drives", tr("Drives in a stripe"), (1.0, range(2, MOST_DRIVES + 1)), figures.count
    )
    if server.commits.value > 0 and settings.redo_us is not None:
        synced = 0 if settings.redo_synced else 1
        yield _list("flush_log_at_trx_commit", "flush_log_at_trx_commit", _DURABLE, synced)
        if settings.binlog_on:
            synced = 0 if settings.binlog_every == 1 else 1
            yield _list("sync_binlog", "sync_binlog", _BINLOG, synced)
    if server.pages.value > 0:
        yield _list("doublewrite", tr("Doublewrite"), _SWITCH, 0 if settings.twice else 1)
    if settings.io_capacity and settings.written_per_s:
        now = settings.io_capacity
        others = (round(now * 2 ** (step / 2)) for step in range(-4, 9) if step)
        yield _slider("io_capacity", "io_capacity", (now, others), figures.count)
    more = [tr("{time} more", time=duration_us(each)) for each in _NETWORK_US]
    yield _times("network", tr("Network round trip"), _NETWORK_US, more)
    whole = [duration_us(each) for each in _THINK_US]
    yield _times("think_time", tr("Clients' think time"), _THINK_US, whole)
    yield _page_size(live)
    if settings.reading_share < 1:
        yield _reads(settings.reading_share)


def _pool(now: float, data_bytes: float | None) -> Knob:
    most = max(16 * now, 1.2 * (data_bytes or 0.0))
    steps = (now * 2 ** (step / 4) for step in range(-12, 64) if step)
    others = (max(round(each / _MIB), 8) * _MIB for each in steps if each <= most)
    return _slider("buffer_pool", tr("Buffer pool"), (now, others), size)


def _connections(now: int) -> tuple[float, Iterable[float]]:
    steps = (round(now * 2 ** (step / 4)) for step in range(-8, 21))
    return float(now), (each for each in steps if 1 <= each <= MOST_CUSTOMERS)


def _slider(
    name: str, title: str, found: tuple[float, Iterable[float]], say: Callable[[float], str]
) -> Knob:
    now, others = found
    values = sorted({now, *(float(each) for each in others)})
    stops = tuple((AS_NOW if each == now else f"{each:.0f}", say(each)) for each in values)
    return Knob(name, title, stops, values.index(now))


def _times(name: str, title: str, times_us: Sequence[int], said: Sequence[str]) -> Knob:
    told = ((f"{each}us", text) for each, text in zip(times_us, said, strict=True))
    return Knob(name, title, ((AS_NOW, tr("as now")), *told), 0)


def _list(name: str, title: str, choices: Sequence[tuple[str, str]], now: int) -> Knob:
    stops = tuple(
        (AS_NOW if at == now else value, tr(said)) for at, (value, said) in enumerate(choices)
    )
    return Knob(name, title, stops, now, choice=True)


def _page_size(live: Live) -> Knob:
    """Those that the drive was measured with."""
    now = live.settings.page_bytes
    measured = {curve.setting.block_size_bytes for curve in live.case.curves(Probe.RANDOM_READ)}
    sizes = sorted({now, *(each for each in measured if 4096 <= each <= 65536)})
    choices = [(str(each), size(each)) for each in sizes]
    return _list("page_size", tr("Page size"), choices, sizes.index(now))


def _reads(now: float) -> Knob:
    shares = sorted({now, *(step / 20 for step in range(1, 21))})
    stops = ((AS_NOW if each == now else f"{100 * each:.0f}%", percent(each)) for each in shares)
    return Knob("reads", tr("Statements that read"), tuple(stops), shares.index(now))
