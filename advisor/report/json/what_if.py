"""A forecast of a live server as one JSON document: today and then, side by side."""

from __future__ import annotations

from typing import Any

from advisor.forecasts.server.slowest_second import Slowest
from advisor.forecasts.wanting import is_narrow, wanting
from advisor.forecasts.what_if import WhatIf
from advisor.model.network.forecast import ForecastStep
from advisor.model.network.response_time import ResponseTimes, Times
from advisor.report.json.forecast import columns, ends
from advisor.report.json.written import written
from advisor.wording.forecasts.what_if import notes, sentences

SCHEMA = "leadline.what-if/1"


def document(found: WhatIf) -> dict[str, Any]:
    """The forecast as plain values; docs/model.md says what each is."""
    return {
        "schema": SCHEMA,
        "target": found.live.case.target,
        "run": found.live.case.run_id,
        "changes": [
            {"name": name, "now": now, "then": then} for name, now, then in found.turned.words
        ],
        "now": _step(found.now) | _times(found.times_now),
        "then": _step(found.then) | _times(found.times_then),
        "times": ends(found.gain, 4),
        "wanting": [] if is_narrow(found) else [each.value for each in wanting(found)],
        "slowest_second": _slowest(found.slowest),
        "today": columns(found.today, found.times_today),
        "after": columns(found.after, found.times_after),
        "sentences": sentences(found),
        "notes": notes(found),
    }


def to_json(found: WhatIf) -> str:
    """The document as text, ending with a newline."""
    return written(document(found))


def _step(step: ForecastStep) -> dict[str, Any]:
    return {
        "connections": step.threads,
        "at_work": round(step.at_work, 3),
        "rate_per_s": ends(step.rate_per_s, 1),
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
        "then_per_s": None if then is None else ends(then, 1),
    }


def _times(found: ResponseTimes | None) -> dict[str, Any]:
    """The 95th percentile, and kinds of queries apart; nulls where nobody can tell."""
    if found is None:
        return {"p95_us": None, "committing": None, "others": None}
    return {
        "p95_us": ends(found.every.p95_us, 1),
        "committing": _kind(found.committing),
        "others": _kind(found.others),
    }


def _kind(times: Times | None) -> dict[str, Any] | None:
    if times is None:
        return None
    return {
        "share": round(times.share, 4),
        "latency_us": round(times.mean_us, 1),
        "p95_us": ends(times.p95_us, 1),
    }
