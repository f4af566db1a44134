"""A forecast of a live server as one JSON document: today and then, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.forecasts.slowest_second import Slowest
from advisor.forecasts.what_if import WhatIf
from advisor.model.forecast import Forecast, Step
from advisor.model.response_time import ResponseTimes, Times
from advisor.report.json.forecast import document as columns
from advisor.report.json.written import written
from advisor.report.what_if_sentences import notes, sentences
from probes.ranges import Range

SCHEMA = "leadline.what-if/1"


def document(found: WhatIf) -> dict[str, Any]:
    """The forecast as plain values; docs/model.md says what each is."""
    return {
        "schema": SCHEMA,
        "target": found.live.case.target,
        "run": found.live.case.run_id,
        "changes": [
            {"name": name, "now": now, "then": then} for name, now, then in found.turned.said
        ],
        "now": _step(found.now) | _times(found.times_now),
        "then": _step(found.then) | _times(found.times_then),
        "times": _ends(found.gain, 4),
        "slowest_second": _slowest(found.slowest),
        "today": _columns(found.today, found.times_today),
        "after": _columns(found.after, found.times_after),
        "sentences": sentences(found),
        "notes": notes(found),
    }


def to_json(found: WhatIf) -> str:
    """The document as text, ending with a newline."""
    return written(document(found))


def _step(step: Step) -> dict[str, Any]:
    return {
        "connections": step.threads,
        "at_work": round(step.at_work, 3),
        "rate_per_s": _ends(step.rate_per_s, 1),
        "latency_us": round(step.latency_us, 1),
        "time": {share.place.value: round(share.whole, 4) for share in step.time},
        "limited_by": None if step.limited_by is None else step.limited_by.value,
    }


def _slowest(found: Slowest | None) -> dict[str, Any] | None:
    if found is None:
        return None
    now, then = found.now, found.then_per_s
    return {
        "now_per_s": round(now.per_s, 1),
        "reads_slower": None if now.reads is None else round(now.reads, 3),
        "syncs_slower": None if now.syncs is None else round(now.syncs, 3),
        "then_per_s": None if then is None else _ends(then, 1),
    }


def _times(found: ResponseTimes | None) -> dict[str, Any]:
    """The 95th percentile, and kinds of queries apart; nulls where nobody can tell."""
    if found is None:
        return {"p95_us": None, "committing": None, "others": None}
    return {
        "p95_us": _ends(found.every.p95_us, 1),
        "committing": _kind(found.committing),
        "others": _kind(found.others),
    }


def _kind(times: Times | None) -> dict[str, Any] | None:
    if times is None:
        return None
    return {
        "share": round(times.share, 4),
        "latency_us": round(times.mean_us, 1),
        "p95_us": _ends(times.p95_us, 1),
    }


def _columns(found: Forecast, times: Sequence[ResponseTimes | None]) -> dict[str, Any]:
    return columns(found) | {
        "latency_us": [round(step.latency_us, 1) for step in found.steps],
        "p95_us": [None if each is None else _ends(each.every.p95_us, 1) for each in times],
    }


def _ends(figure: Range, digits: int) -> dict[str, float]:
    return {
        "value": round(figure.value, digits),
        "low": round(figure.low, digits),
        "high": round(figure.high, digits),
    }
