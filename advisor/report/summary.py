"""The figures of a case in a few sentences: what the drive gives, what the server makes of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from statistics import median

from advisor.case import Case
from advisor.model.huge_pages_gain import huge_pages_gain
from advisor.model.knee import knee
from advisor.report.flush_sentences import flush_sentences
from advisor.report.watch_rows import work_sentences
from probes.events import CanaryBeat
from probes.figures import counted, duration_us, percent, rate, seconds, size, with_range
from probes.points import PAGE_BYTES, Curve, LimitedBy, Point, Probe, Trust
from probes.words import BESIDE_SERVER

NOTHING = "Nothing was measured."


def sentences(case: Case) -> list[str]:
    """One sentence for each thing that was seen or measured and may be trusted.

    The server's own work comes first, then the drive.
    """
    watched = case.inventory.watched
    seen = [] if watched is None else list(work_sentences(watched))
    said = [
        _reads(case),
        _huge_pages(case),
        _writes(case),
        _redo(case),
        _flush(case),
        *flush_sentences(case),
        *(_lookups(case, kind) for kind in ("cached", "uncached", "existing", "own")),
    ]
    measured = [sentence for sentence in said if sentence]
    if measured or (seen and not case.points):
        return seen + measured
    return [*seen, "Nothing was measured that can be trusted." if case.points else NOTHING]


def _reads(case: Case) -> str:
    curve = _nearest_page(case.curves(Probe.RANDOM_READ))
    if curve is None:
        return ""
    bend = knee(curve)
    text = (
        f"The drive gives {_said(bend.peak, 'random reads', curve)}"
        f" at {_threads(bend.peak)}{_within(bend.peak)}"
    )
    if bend.peak.limited_by is not LimitedBy.NOTHING:
        text += f"{_limit(bend.peak)}."
    elif bend.reached:
        text += f"; from {_threads(bend.point)} on, more threads only wait."
    else:
        text += ", and more threads would still bring more."
    single = curve.points[0]
    if single.setting.threads == 1 and len(curve.points) > 1 and single.latency.p50_us > 0:
        text += f" A single thread waits {duration_us(single.latency.p50_us)} for a read."
    return text


def _huge_pages(case: Case) -> str:
    """What the other kind of memory would give; "" where both were not measured."""
    beside = [point for point in case.points if point.engine == case.engine]
    gain = huge_pages_gain(beside)
    if gain is None:
        return ""
    if gain.ratio.alike:
        return f"Huge pages of memory make no difference to {gain.threads} reads in flight."
    return (
        f"Into huge pages of memory it gives {gain.text} ({rate(gain.huge_per_s)} instead of "
        f"{rate(gain.ordinary_per_s)} into ordinary ones)."
    )


def _writes(case: Case) -> str:
    curve = _nearest_page(case.curves(Probe.RANDOM_WRITE))
    if curve is None:
        return ""
    peak = curve.peak
    return (
        f"It takes {_said(peak, 'random writes', curve)} at {_threads(peak)}"
        f"{_within(peak)}{_limit(peak)}."
    )


def _redo(case: Case) -> str:
    curves_found = case.curves(Probe.REDO_SYNC)
    first = [curve.points[0] for curve in curves_found]
    found = [
        point
        for point in first
        if point.setting.threads == 1
        and not {"log", "binlog"} & point.setting.options.keys()
        and not math.isnan(point.latency.p50_us)
    ]
    if not found:
        return ""
    # The servers' own way comes first; what another would give is for the rules to say.
    usual = [point for point in found if point.setting.options.get("sync") == "fdatasync"]
    best = min(usual or found, key=lambda point: point.latency.p50_us)
    sync = best.setting.options.get("sync", "sync")
    text = (
        f"One writer's append of {size(best.setting.block_size_bytes)} is safe on it"
        f" after {duration_us(best.latency.p50_us)} ({sync}, median): {_said(best, 'commits')}"
        " one after the other"
    )
    peak = next(curve.peak for curve in curves_found if best in curve.points)
    if peak.setting.threads == 1:
        return f"{text}."
    return f"{text}; {peak.setting.threads} that share their syncs reach {_said(peak, 'commits')}."


def _flush(case: Case) -> str:
    found = case.curves(Probe.PAGE_FLUSH)
    peaks = {
        curve.setting.options.get("doublewrite", ""): curve.peak
        for curve in found
        if curve.setting.block_size_bytes == PAGE_BYTES
        and "batch_pages" not in curve.setting.options
    }
    said = [
        f"{_said(peaks[mode], 'pages')} {words}"
        for mode, words in (("off", "without doublewrite"), ("on", "with doublewrite"))
        if mode in peaks
    ]
    return f"Flushing {size(PAGE_BYTES)} pages, it takes {' and '.join(said)}." if said else ""


def _lookups(case: Case, working_set: str) -> str:
    found = case.curves(Probe.POINT_SELECT, working_set=working_set)
    if not found:
        return ""
    peak = found[0].peak
    where = {
        "cached": "from memory",
        "uncached": "with most rows on the drive",
        "existing": "from its own table",
        "own": "from a table made for the probe",
    }[working_set]
    return (
        f"The server answers {_said(peak, 'primary-key lookups')} {where}"
        f" at {counted(peak.setting.threads, 'connection')}"
        f"{_within(peak)}."
    )


def _nearest_page(found: Sequence[Curve]) -> Curve | None:
    """The curve whose block is nearest to a page, of one file rather than of many."""
    return min(
        found,
        key=lambda curve: (
            abs(curve.setting.block_size_bytes - PAGE_BYTES),
            curve.setting.files,
        ),
        default=None,
    )


def _within(point: Point) -> str:
    """What most of them took, where that is known."""
    p95_us = point.latency.p95_us
    return "" if math.isnan(p95_us) else f", {percent(0.95)} of them within {duration_us(p95_us)}"


def _limit(point: Point) -> str:
    """What other than the drive held a point back, after a semicolon; "" where nothing did."""
    match point.limited_by:
        case LimitedBy.CPU:
            return "; the CPUs limited, not the drive"
        case LimitedBy.PROBER:
            return "; the prober limited, not the drive"
        case LimitedBy.NOTHING:
            return ""


def _said(point: Point, what: str, of: Curve | None = None) -> str:
    """The rate; ``at least`` where something else held it back, in doubt with what it may be.

    ``of`` is a curve whose size of blocks is told with it.
    """
    doubted = point.trust is not Trust.OK
    ends = point.bounds_per_s if doubted else (point.rate_per_s, point.rate_per_s)
    said = with_range(point.rate_per_s, *ends, partial(rate, what=what), rate)
    if point.limited_by is not LimitedBy.NOTHING and point.setting.probe is not Probe.POINT_SELECT:
        said = f"at least {said}"
    beside = f" {BESIDE_SERVER}" if point.beside_server else ""
    blocks = "" if of is None else f" of {_block(of)}"
    return f"{said}{blocks}{beside}"


def _block(curve: Curve) -> str:
    return size(curve.setting.block_size_bytes)


def _threads(point: Point) -> str:
    return counted(point.setting.threads, "thread")


def canary_sentence(beats: Sequence[CanaryBeat]) -> str:
    """Its slowest reads of each second against those before; "" where nobody looked."""
    slowest = [beat.latency_us for beat in beats if math.isfinite(beat.latency_us)]
    if not slowest:
        return ""
    last = beats[-1]
    return (
        f"The server was watched for {seconds(len(beats))}: a read took"
        f" {duration_us(last.baseline_us)} before; the slowest of each second took"
        f" {duration_us(median(slowest))} in the middle and {duration_us(max(slowest))} at most."
        f" At most {max(beat.threads_running for beat in beats)} threads ran, and"
        f" {max(beat.row_lock_waits for beat in beats)} waited for row locks."
    )
