"""What can be turned at a live server on the what-if page: each with its stops, as now first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.amounts import duration_s, percentage, size_bytes
from advisor.forecasts.server.live import Live
from advisor.model.network.closed_network import MOST_CUSTOMERS
from advisor.model.network.scenario import MOST_DRIVES
from app.runtime.translation import tr
from probes import figures
from probes.errors import UsageError
from probes.figures import duration_us, percent, size
from probes.points import Probe

AS_NOW = ""
"""The value of a stop that changes nothing."""

_MIB = 1 << 20
_MOST_REDO = 512 << 30
_NETWORK_US = (50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
_THINK_US = (0, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
_DURABLE = {1: "1: synced at commit", 2: "2: synced each second"}
_RELAXED = _DURABLE | {2: "0 or 2: synced each second"}
_BINLOG = {1: "1: synced at commit", 0: "0: left to the system"}
_SWITCH = {1: "on", 0: "off"}
_AS_NOW = -1.0
"""Where today's amount is not known, or the others come on top of it: below all of them."""


@dataclass(frozen=True, slots=True)
class Measure:
    """How a knob's values are typed, written so that like ones are alike, and called.

    ``read`` raises UsageError for a text that is no such amount.
    """

    read: Callable[[str], float]
    write: Callable[[float], str]
    say: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Knob:
    """One thing to turn, at ``amounts`` that its measure writes and calls.

    ``start`` is the stop of today. A knob is a slider, or with ``choice`` a list.
    """

    name: str
    title: str
    measure: Measure
    amounts: tuple[float, ...]
    start: int
    choice: bool = False

    @property
    def stops(self) -> tuple[tuple[str, str], ...]:
        """Values as `turned` takes them, ``AS_NOW`` for today's, and what to call each."""
        return tuple((self.value(at), self.text(at)) for at in range(len(self.amounts)))

    def value(self, at: int) -> str:
        """That of one stop: all of them are written a hundred times while one knob is turned."""
        return AS_NOW if at == self.start else self.measure.write(self.amounts[at])

    def text(self, at: int) -> str:
        """What to call one stop."""
        return self.measure.say(self.amounts[at])

    def at(self, value: str) -> tuple[Knob, int]:
        """Where a value stands as it was typed, "64G" as its bytes; the knob has a stop for it.

        Raises UsageError for a text that is no value of it.
        """
        if value == AS_NOW:
            return self, self.start
        amount = self.measure.read(value)
        written = [self.measure.write(each) for each in self.amounts]
        if (text := self.measure.write(amount)) in written:
            return self, written.index(text)
        more = (*self.amounts, amount)
        more = more if self.choice else tuple(sorted(more))
        start = more.index(self.amounts[self.start])
        return replace(self, amounts=more, start=start), more.index(amount)


def knobs(live: Live) -> tuple[Knob, ...]:
    """What can be turned at this server, the most usual first."""
    return tuple(each for each in _knobs(live) if len(each.amounts) > 1)


def _knobs(live: Live) -> Iterator[Knob]:
    settings, server = live.settings, live.server
    if settings.pool_bytes:
        yield _pool(settings.pool_bytes, settings.data_bytes)
    yield _slider("connections", tr("Connections"), _COUNT, *_connections(server.connections))
    drives = range(2, MOST_DRIVES + 1)
    yield _slider("drives", tr("Striped drives"), _COUNT, 1.0, drives)
    if settings.redo is not None and server.pages.value > 0:
        yield _redo_log(settings.redo.capacity)
    if server.commits.value > 0 and settings.redo_us is not None:
        choices, synced = (_DURABLE, 1) if settings.redo_synced else (_RELAXED, 2)
        yield _list("flush_log_at_trx_commit", "innodb_flush_log_at_trx_commit", choices, synced)
        if settings.binlog_on:
            yield _list("sync_binlog", "sync_binlog", _BINLOG, settings.binlog_every)
    if server.pages.value > 0:
        yield _list("doublewrite", tr("Doublewrite"), _SWITCH, 1 if settings.twice else 0)
    if settings.io_capacity and settings.written_per_s:
        now = settings.io_capacity
        others = (round(now * 2 ** (step / 2)) for step in range(-4, 9) if step)
        yield _slider("io_capacity", "innodb_io_capacity", _COUNT, now, others)
    yield _times("network", tr("Network round trip"), _NETWORK_US, _more)
    yield _times("think_time", tr("Think time"), _THINK_US, duration_us)
    yield _page_size(live)
    if settings.reading_share < 1:
        shares = (step / 20 for step in range(1, 21))
        title = tr("Reading statements")
        yield _slider("reads", title, _SHARE, settings.reading_share, shares)


def _count(text: str) -> float:
    """A whole number, also with commas, or a switch as one; raises UsageError."""
    plain = text.strip().lower().replace(",", "")
    plain = _WORDS.get(plain, plain)
    if not (plain.isdecimal() and len(plain) < 12):
        fault = tr("'{text}' is not a whole number.", text=text.strip())
        raise UsageError(fault, tr("Write it as 64."))
    return float(plain)


_WORDS = {"on": "1", "off": "0"}
_COUNT = Measure(_count, lambda each: f"{each:.0f}", figures.count)
_BYTES = Measure(size_bytes, lambda each: f"{each:.0f}", size)
_SHARE = Measure(percentage, lambda each: f"{100 * each:.12g}%", percent)


def _pool(now: float, data_bytes: float | None) -> Knob:
    most = max(16 * now, 1.2 * (data_bytes or 0.0))
    steps = (now * 2 ** (step / 4) for step in range(-12, 64) if step)
    others = (max(round(each / _MIB), 8) * _MIB for each in steps if each <= most)
    return _slider("buffer_pool", tr("Buffer pool"), _BYTES, now, others)


def _redo_log(now: float) -> Knob:
    steps = (now * 2 ** (step / 2) for step in range(-4, 15) if step)
    others = (max(round(each / _MIB), 4) * _MIB for each in steps if each <= _MOST_REDO)
    return _slider("redo_log", tr("Redo log"), _BYTES, now, others)


def _connections(now: int) -> tuple[float, Iterable[float]]:
    steps = (round(now * 2 ** (step / 4)) for step in range(-8, 21))
    return float(now), (each for each in steps if 1 <= each <= MOST_CUSTOMERS)


def _slider(name: str, title: str, measure: Measure, now: float, others: Iterable[float]) -> Knob:
    amounts = tuple(sorted({now, *(float(each) for each in others)}))
    return Knob(name, title, measure, amounts, amounts.index(now))


def _times(name: str, title: str, times_us: Sequence[int], say: Callable[[float], str]) -> Knob:
    measure = Measure(
        lambda text: duration_s(text) * 1e6,
        lambda each: f"{round(each, 3):.15g}us",
        lambda each: tr("as now") if each == _AS_NOW else say(each),
    )
    return _slider(name, title, measure, _AS_NOW, times_us)


def _more(us: float) -> str:
    return tr("{time} more", time=duration_us(us))


def _list(name: str, title: str, choices: Mapping[int, str], now: int) -> Knob:
    """Whole numbers with their names, today's among them; one without a name is its own."""

    def say(each: float) -> str:
        return choices[int(each)] if each in choices else f"{each:.0f}"

    amounts = tuple(map(float, dict.fromkeys((*choices, now))))
    return Knob(
        name, title, replace(_COUNT, say=say), amounts, amounts.index(float(now)), choice=True
    )


def _page_size(live: Live) -> Knob:
    """Those that the drive was measured with."""
    now = live.settings.page_bytes
    measured = {curve.setting.block_size_bytes for curve in live.case.curves(Probe.RANDOM_READ)}
    sizes = sorted({now, *(each for each in measured if 4096 <= each <= 65536)})
    amounts = tuple(map(float, sizes))
    return Knob("page_size", tr("Page size"), _BYTES, amounts, sizes.index(now), choice=True)
