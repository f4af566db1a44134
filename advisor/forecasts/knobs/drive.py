"""Turns of a live server's drive: pages of another size, a stripe, what is flushed and how."""

from __future__ import annotations

import math
from dataclasses import replace

from advisor.amounts import size_bytes
from advisor.forecasts.knobs.turned import Turned, switch, switched, whole
from advisor.forecasts.server.live import Live
from advisor.forecasts.server.settings import requests_per_page
from advisor.model.curves.measured_rates import MeasuredRates, measured_rates
from advisor.model.network.own_error import ChangeKind
from advisor.model.network.scenario import MOST_DRIVES
from advisor.model.server.pool_shape import reads_of_denser_pages
from advisor.workload.flushing.load import PACED
from probes import figures
from probes.errors import UsageError
from probes.points import Curve, Probe
from probes.statistics.ranges import Range

PRESSED = 1.5
"""Up to this multiple of io_capacity, from ``PACED`` on, it is what paces the pages that are
flushed. Far more are flushed for the redo log's end, or to make room in the pool, whatever it is
(our choice)."""

CACHED = 0.01
"""Of a query: with fewer reads it is what is flushed that another page size would change (our
choice)."""

_DETECT_ONLY = "DETECT_ONLY"

_PAGE_SIZES = (4096, 8192, 16384, 32768, 65536)


def page_size(live: Live, found: Turned, text: str) -> Turned:
    """Pages of another size: what the pool holds of them, and how the drive reads them."""
    then = size_bytes(text)
    if then not in _PAGE_SIZES:
        raise UsageError(
            f"InnoDB has no pages of {figures.size(then)}.",
            "Write 4k, 8k, 16k, 32k or 64k.",
        )
    now = live.settings.page_bytes
    if then != now and live.server.pages.value > 0 and live.server.reads.value < CACHED:
        raise UsageError(
            "What other pages would save here is not known: hardly any are read, and how many "
            "bytes less the same changes flush is in no figure.",
            "Measure it: leadline lab --ask page-size.",
        )
    change = replace(
        found.change, reads=found.change.reads * _share_of_reads(live, found, now / then)
    )
    own = _own_curve(live, then)
    if own is not None and then != now:
        change = replace(change, drive=own)
    change = change.erring(ChangeKind.PAGE_SIZE, now / then)
    notes = [
        "How many more useful rows the pool holds in smaller pages is known within bounds only."
    ]
    written = live.settings.written_per_s
    if written and then != now:
        notes.append(
            f"It flushes {figures.rate(written, 'pages')}, {figures.throughput(written * now)}; as "
            f"many of {figures.size(then)} are {figures.throughput(written * then)}."
        )
    settings = replace(found.settings, page_bytes=then)
    return replace(found, change=change, settings=settings).also(
        "page size", figures.size(now), figures.size(then), *notes
    )


def _share_of_reads(live: Live, found: Turned, more: float) -> Range:
    """What is left of the misses in a pool, turned or not, with ``more`` times as many pages."""
    settings, pool = live.settings, found.settings.pool_bytes
    if not settings.pool_bytes or not pool:
        return Range.exact(1.0)
    known = (settings.data_bytes, settings.miss_curve, settings.pool_bytes)
    return reads_of_denser_pages(pool, more, *known)


def unmeasured_pages(live: Live, found: Turned) -> Turned:
    """Pages of another size, where no drive was measured with such: today's curve stands in."""
    now, then = live.settings.page_bytes, found.settings.page_bytes
    if then == now or found.change.drive is not None or not live.server.reads.value:
        return found
    note = (
        f"Reads of {figures.size(then)} were not measured on this drive: those of "
        f"{figures.size(now)} stand in. `leadline probe storage --block-sizes {then // 1024}k` "
        "measures them."
    )
    change = replace(found.change, stands_in=True)
    return replace(found, change=change, notes=(*found.notes, note))


def _own_curve(live: Live, block_bytes: int) -> MeasuredRates | None:
    found: list[Curve] = live.case.curves(Probe.RANDOM_READ, block_size_bytes=block_bytes)
    return measured_rates(max(found, key=lambda each: len(each.points))) if found else None


def drives(live: Live, found: Turned, text: str) -> Turned:
    """As many such drives in a stripe."""
    count = whole(text, "drives", MOST_DRIVES)
    return found.changed(replace(found.change, drives=count)).also("drives", "1", str(count))


def doublewrite(live: Live, found: Turned, text: str) -> Turned:
    """Whether each page is flushed twice."""
    if text.strip().upper() == _DETECT_ONLY:
        raise UsageError(
            f"doublewrite={_DETECT_ONLY} can't be forecast: what it writes beside the pages, each "
            "of which goes out once, was not measured.",
            "Try doublewrite=off: that is the most that it brings.",
        )
    twice = switch(text, "doublewrite")
    settings = live.settings
    now = requests_per_page(settings, twice=settings.twice)
    then = requests_per_page(settings, twice=twice)
    change = replace(found.change, requests=then / now)
    if twice != settings.twice:
        change = change.erring(ChangeKind.DOUBLEWRITE)
    notes = () if twice else ("Without doublewrite a torn page can't be repaired.",)
    changed = replace(found, change=change, settings=replace(found.settings, twice=twice))
    return changed.also("doublewrite", switched(on=settings.twice), switched(on=twice), *notes)


def io_capacity(live: Live, found: Turned, text: str) -> Turned:
    """How many pages a second are asked to be flushed."""
    settings, then = live.settings, whole(text, "pages per second", 10**6)
    now, written = settings.io_capacity, settings.written_per_s
    if not now or not written:
        raise UsageError(
            "What io_capacity paces is not known: the server flushed nothing while it was watched.",
            "Watch it while it writes.",
        )
    dirtied = settings.dirtied_per_s
    room = max(1.0, dirtied / written) if dirtied is not None else math.inf
    if written > PRESSED * now:
        likely = 1.0
        known = ", far more than io_capacity asks for: for the redo log, or for room in the pool."
    elif written >= PACED * now:
        # Of a larger one as much as is dirtied is written, at most: half way to it.
        likely = min(then / now, room) ** 0.5 if then > now else then / now
        known = ": io_capacity paces it."
    else:
        likely = min(1.0, then / written)
        known = ": io_capacity hardly paces it, and what more of it writes is not known."
    asked = then / written if then > now else 1.0
    most = max(likely, min(asked, room))
    note = f"The server flushes {figures.rate(written, 'pages')}{known}"
    if dirtied is not None and room < asked:
        note += f" Pages are changed {figures.rate(dirtied, 'times')} at most."
    pages = Range(likely, min(likely, 1.0), most)
    change = replace(found.change, pages=found.change.pages * pages)
    change = change.erring(ChangeKind.IO_CAPACITY, then / now)
    return found.changed(change).also("io_capacity", figures.count(now), figures.count(then), note)
