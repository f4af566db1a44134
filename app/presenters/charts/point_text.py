"""A point in words: what a hover shows, what stands in a table, what limited it."""

from __future__ import annotations

import math
from functools import partial

from advisor.wording.measured.cells import half_width, rate_cell
from advisor.wording.measured.doubts import sentence
from app.runtime.translation import tr, tr_n
from probes.figures import (
    THIN,
    UNKNOWN,
    duration_us,
    is_narrow,
    percent,
    ranged,
    rate,
    seconds,
    throughput,
    times,
)
from probes.kinds.words import LIMITED_BY, unit
from probes.points import EndedBy, Point, Trust
from probes.statistics.repeats import repeats_in
from probes.trust.server_load import server_load

TRUSTS = {
    Trust.OK: "ok",
    Trust.DOUBTFUL: "doubtful",
    Trust.REJECTED: "rejected",
}

EVEN = 0.1
"""The two sides of an interval count as equal where they differ by no more of its width."""


def spread(point: Point) -> str:
    """The interval beside its rate: ``± 2.1 %``, or ``9.2 to 168 k/s``.

    The latter where it is wide, or where its sides differ.
    """
    ends = point.interval_per_s
    if ends is None or point.rate_per_s <= 0:
        return UNKNOWN
    low, high = ends
    even = abs(low + high - 2 * point.rate_per_s) <= EVEN * (high - low)
    if not (even and is_narrow(point.rate_per_s, low, high)):
        _, least, most = ranged(point.rate_per_s, low, high, rate)
        return tr("{low} to {high}", low=least, high=most)
    return f"±\u202f{percent(half_width(point))}"


def ended_text(point: Point) -> str:
    """What ended a point: ``within ±2.1 % after 1.20 s``; "" where it is unknown."""
    took = seconds(point.seconds)
    match point.ended_by:
        case EndedBy.INTERVAL:
            return tr("within {spread} after {time}", spread=spread(point), time=took)
        case EndedBy.TIME:
            return tr("its time was up after {time}", time=took)
        case EndedBy.BYTES:
            return tr("every byte of its share was done after {time}", time=took)
        case _:
            return ""


def remarks(point: Point) -> str:
    """Why a point is doubted, then what ended and limited it, and beside what it was; or ""."""
    return f"{doubt_text(point)} {circumstances(point)}".strip()


def doubt_text(point: Point) -> str:
    """``Doubtful: …``, or ``Rejected: …``; "" where nothing is wrong with a point."""
    return "" if point.trust is Trust.OK else trust_text(point)


def circumstances(point: Point) -> str:
    """What ended and limited a point, and beside what it was measured; or ""."""
    parts = (ended_text(point), LIMITED_BY[point.limited_by])
    sentences = [_sentence(part) for part in parts if part]
    if point.beside_server:
        sentences.append(tr("Measured beside the server's own load: an idle drive gives more."))
    if repeats := repeats_in(point):
        sentences.append(
            tr(
                "Measured {count} times: the figures are of all, the samples of one of them.",
                count=len(repeats),
            )
        )
    return " ".join(sentences)


def trust_text(point: Point) -> str:
    """``Ok.``, or what is wrong with a point."""
    reasons = " ".join(_sentence(sentence(doubt)) for doubt in point.doubts)
    word = TRUSTS[point.trust]
    return _sentence(f"{word}: {reasons}" if reasons else word)


def _sentence(text: str) -> str:
    """With a capital and a full stop, whatever it came with."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def point_rows(point: Point) -> list[tuple[str, str]]:
    """What a hover over a point shows, label by label."""
    latency = point.latency
    rows = [
        (tr("Rate"), rate_cell(point, partial(rate, what=unit(point.setting)))),
        (tr("{share} interval", share=f"95{THIN}%"), spread(point)),
        ("p50", duration_us(latency.p50_us)),
        ("p95", duration_us(latency.p95_us)),
        ("p99", duration_us(latency.p99_us)),
    ]
    if not math.isnan(point.cpu_us_per_op):
        rows.append((tr("CPU per operation"), duration_us(point.cpu_us_per_op)))
    rows += _details(point)
    if point.operations:
        took = seconds(point.seconds)
        measured = tr_n(
            "1 operation in {time}", "{n} operations in {time}", point.operations, time=took
        )
        rows.append((tr("Measured"), measured))
    rows.append((tr("Beside"), load_text(point)))
    rows += [(tr("Ended"), ended_text(point)), (tr("Limit"), LIMITED_BY[point.limited_by])]
    rows.append((tr("Trust"), trust_text(point)))
    return [(label, text) for label, text in rows if text]


def load_text(point: Point) -> str:
    """What the advised server itself moved meanwhile; "" where the drive was idle."""
    load = server_load(point)
    if load is None:
        return ""
    moved = throughput(load.bytes_per_s)
    return tr(
        "the server's own load: {moved}, {share} of the drive's bytes",
        moved=moved,
        share=percent(load.share),
    )


def _details(point: Point) -> list[tuple[str, str]]:
    """What single probes add."""
    rows = []
    grouped = point.details.get("commits_per_sync")
    if isinstance(grouped, int | float) and grouped > 1:
        rows.append((tr("Commits per sync"), times(grouped).removesuffix("×")))
    parts = [
        f"{caption} {duration_us(value)}"
        for name, caption in (
            ("doublewrite_us", tr("doublewrite")),
            ("pages_us", tr("pages")),
            ("sync_us", tr("sync")),
        )
        if isinstance(value := point.details.get(name), int | float) and value > 0
    ]
    if parts:
        rows.append((tr("A batch"), ", ".join(parts)))
    return rows
