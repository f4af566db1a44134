"""Turns of a live server's drive: pages of another size, a stripe, what is flushed and how."""

from __future__ import annotations

from dataclasses import replace

from advisor.amounts import size_bytes
from advisor.forecasts.live import Live
from advisor.forecasts.live_settings import flushed_per_s, requests_per_page
from advisor.forecasts.turned import Turned, switch, whole
from advisor.model.measured_rates import MeasuredRates, measured_rates
from advisor.model.pool_shape import share_of_misses
from advisor.model.scenario import MOST_DRIVES
from probes import figures
from probes.errors import UsageError
from probes.points import Curve, Probe
from probes.ranges import Range

PACED, PRESSED = 0.8, 1.5
"""Between these multiples of io_capacity it is what paces the pages that are flushed. Far more are
flushed for the redo log's end, or to make room in the pool, whatever it is (our choice)."""

_PAGE_SIZES = (4096, 8192, 16384, 32768, 65536)


def page_size(live: Live, found: Turned, text: str) -> Turned:
    """Pages of another size: what the pool holds of them, and how the drive reads them."""
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
        # Between rows that lie together, and rows each alone on its page.
        most = share_of_misses(pool, pool * now / then, data, curve)
        ends = sorted((1.0, most.value, most.low if then < now else most.high))
        reads = Range((1 + most.value) / 2, ends[0], ends[-1])
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


def drives(live: Live, found: Turned, text: str) -> Turned:
    """As many such drives in a stripe."""
    count = whole(text, "drives", MOST_DRIVES)
    return found.changed(replace(found.change, drives=count)).also("drives", "1", str(count))


def doublewrite(live: Live, found: Turned, text: str) -> Turned:
    """Whether each page is flushed twice."""
    twice = switch(text, "doublewrite")
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


def io_capacity(live: Live, found: Turned, text: str) -> Turned:
    """How many pages a second are asked to be flushed."""
    settings, then = live.settings, whole(text, "pages per second", 10**6)
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
