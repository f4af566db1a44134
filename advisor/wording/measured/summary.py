"""The figures of a case in a few sentences: what the drive gives, what the server makes of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median

from advisor.case import Case
from advisor.model.curves.huge_pages_gain import huge_pages_gain
from advisor.model.curves.knee import knee
from advisor.wording.measured.flushing import flush_sentences
from advisor.wording.measured.loads import any_sentences, load_sentences
from advisor.wording.measured.points import limit, rate_text, threads, within
from advisor.wording.watch.of_limit import ALL, Focus
from advisor.wording.watch.rows import work_sentences
from probes.events import CanaryBeat
from probes.figures import counted, duration_us, rate, seconds, size
from probes.kinds.redo import RedoOptions
from probes.points import PAGE_BYTES, Curve, LimitedBy, Point, Probe

NOTHING = "Nothing was measured."


def sentences(case: Case, focus: Focus = ALL) -> list[str]:
    """One sentence for each thing that was seen or measured and may be trusted.

    The server's own work comes first, what is in ``focus`` of it before the rest, then the drive.
    """
    watched = case.inventory.watched
    seen = list(_averaged(case)) if watched is None else list(work_sentences(watched, focus))
    drive = {
        Probe.RANDOM_READ: _reads(case),
        Probe.RANDOM_WRITE: _writes(case),
        Probe.REDO_SYNC: _redo(case),
        Probe.PAGE_FLUSH: _flush(case),
    }
    found = [
        drive[Probe.RANDOM_READ],
        _huge_pages(case),
        drive[Probe.RANDOM_WRITE],
        drive[Probe.REDO_SYNC],
        drive[Probe.PAGE_FLUSH],
        *flush_sentences(case),
        *(_lookups(case, kind) for kind in ("cached", "uncached", "existing", "own")),
        *load_sentences(case),
        *any_sentences(
            case, {Probe.MIXED, *(probe for probe, sentence in drive.items() if not sentence)}
        ),
    ]
    measured = [sentence for sentence in found if sentence] or list(any_sentences(case, {*Probe}))
    if measured or (seen and not case.points):
        return seen + measured
    return [*seen, "Nothing was measured that can be trusted." if case.points else NOTHING]


def _averaged(case: Case) -> Iterator[str]:
    """What counters of days say of a server that nobody watched."""
    mysql = case.inventory.mysql
    window = None if mysql is None else mysql.window
    if window is None or not window.averaged or window.seconds <= 0:
        return
    asked = window.per_s("Questions")
    statements = "" if asked is None else f", {rate(asked, 'statements')}"
    span = seconds(round(window.seconds))
    yield f"Its counters are a mean over {span}{statements}: the load of now is not in them."


def _reads(case: Case) -> str:
    curve = _nearest_page(case.curves(Probe.RANDOM_READ))
    if curve is None:
        return ""
    bend = knee(curve)
    text = (
        f"The drive gives {rate_text(bend.peak, 'random reads', curve)}"
        f" at {threads(bend.peak)}{within(bend.peak)}"
    )
    if bend.peak.limited_by is not LimitedBy.NOTHING:
        text += f"{limit(bend.peak)}."
    elif bend.reached:
        text += f"; from {threads(bend.point)} on, more threads only wait."
    elif len(curve.points) > 1:
        text += ", and more threads would still bring more."
    else:
        text += "."
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
        f"It takes {rate_text(peak, 'random writes', curve)} at {threads(peak)}"
        f"{within(peak)}{limit(peak)}."
    )


def _redo(case: Case) -> str:
    curves_found = case.curves(Probe.REDO_SYNC)
    first = [curve.points[0] for curve in curves_found]
    plain = [point for point in first if RedoOptions.of(point.setting).plain]
    found = [point for point in plain if point.setting.threads == 1] or plain
    if not found:
        return ""
    # The servers' own way comes first; what another would give is for the rules to say.
    usual = [point for point in found if RedoOptions.of(point.setting).sync == "fdatasync"]
    best = min(usual or found, key=_soonest)
    peak = next(curve.peak for curve in curves_found if best in curve.points)
    text = _one_writer(best) if best.setting.threads == 1 else _writers(best)
    if peak.setting.threads == best.setting.threads:
        return f"{text}."
    return (
        f"{text}; {peak.setting.threads} that share their syncs reach {rate_text(peak, 'commits')}."
    )


def _soonest(point: Point) -> tuple[bool, float]:
    """What a commit takes, for the shortest; a median goes before a mean, a time before none."""
    took_us = [point.latency.p50_us, point.latency.mean_us, 1e6 / point.rate_per_s]
    at = next(index for index, each in enumerate(took_us) if not math.isnan(each))
    return at > 0, took_us[at]


def _one_writer(point: Point) -> str:
    sync = RedoOptions.of(point.setting).sync or "sync"
    appends = size(point.setting.block_size_bytes)
    commits = f"{rate_text(point, 'commits')} one after the other"
    for us, which in ((point.latency.p50_us, "median"), (point.latency.mean_us, "mean")):
        if not math.isnan(us):
            return (
                f"One writer's append of {appends} is safe on it after {duration_us(us)}"
                f" ({sync}, {which}): {commits}"
            )
    return f"One writer makes appends of {appends} safe on it ({sync}): {commits}"


def _writers(point: Point) -> str:
    sync = RedoOptions.of(point.setting).sync or "sync"
    return (
        f"{counted(point.setting.threads, 'writer')} make appends of "
        f"{size(point.setting.block_size_bytes)} safe on it ({sync}): {rate_text(point, 'commits')}"
    )


def _flush(case: Case) -> str:
    found = case.curves(Probe.PAGE_FLUSH)
    peaks = {
        curve.setting.options.get("doublewrite", ""): curve.peak
        for curve in found
        if curve.setting.block_size_bytes == PAGE_BYTES
        and "batch_pages" not in curve.setting.options
    }
    modes = {"off": "without doublewrite", "on": "with doublewrite"}
    if not modes.keys() & peaks.keys():
        modes = {"legacy": "with the doublewrite of before 8.0.20"}
    parts = [
        f"{rate_text(peaks[mode], 'pages')} {words}"
        for mode, words in modes.items()
        if mode in peaks
    ]
    return f"Flushing {size(PAGE_BYTES)} pages, it takes {' and '.join(parts)}." if parts else ""


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
        f"The server answers {rate_text(peak, 'primary-key lookups')} {where}"
        f" at {counted(peak.setting.threads, 'connection')}"
        f"{within(peak)}."
    )


def _nearest_page(found: Sequence[Curve]) -> Curve | None:
    """The curve whose block is nearest to a page, of one file rather than of many, and plain."""
    return min(
        found,
        key=lambda curve: (
            abs(curve.setting.block_size_bytes - PAGE_BYTES),
            curve.setting.files,
            len(curve.setting.options),
        ),
        default=None,
    )


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
