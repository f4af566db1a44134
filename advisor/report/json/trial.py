"""A trial as one JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from advisor.report.json.written import range_json, written
from advisor.runs.trial.events import TrialPlanned
from advisor.store.codec import plain
from advisor.trial.agreement import agreement
from advisor.trial.looked import like_load_of, trial_outcome
from advisor.trial.record import TrialPair, TrialRecord
from advisor.trial.steps.looks import followed
from probes.trial.block import TrialBlock

SCHEMA = "leadline.trial/1"


def to_json(record: TrialRecord, run_id: int) -> str:
    """What was tried, what came, how sure it is, and what became of it; ends with a newline.

    ``times`` is the time per statement with the new value over that with the old one: below 1 is
    better. Its interval holds however often it was looked at. ``verdict`` is null where the trial
    was cut off.
    """
    outcome = trial_outcome(record)
    return written(
        {
            "schema": SCHEMA,
            "run": run_id,
            "asked": plain(asdict(record.asked)),
            "design": plain(asdict(record.design)),
            "limits": plain(asdict(record.limits)),
            "way_back": record.way_back.value,
            "verdict": None if record.verdict is None else record.verdict.value,
            "ended": None if record.ended is None else record.ended.value,
            "broken": None if record.broken is None else record.broken.value,
            "guard": None if record.passed is None else plain(asdict(record.passed)),
            "passings": [plain(asdict(each)) for each in record.passings],
            "detail": record.detail,
            "stays": list(record.stays),
            "back_ms": record.back_ms,
            "persisted": record.persisted,
            "stepped": None if record.stepped is None else _stepped(record),
            "times": range_json(outcome.times),
            "p95_times": range_json(outcome.late),
            "commits_times": range_json(outcome.commits),
            "old_us": outcome.old_us,
            "new_us": outcome.new_us,
            "pairs": [_pair(each) for each in record.pairs],
        }
    )


def _stepped(record: TrialRecord) -> dict[str, Any] | None:
    if record.stepped is None:
        return None
    stepped, forecast = record.stepped, record.asked.forecast
    found = like_load_of(stepped)
    agreed = None if forecast is None or found.unlike else trial_outcome(record).gain
    return {
        "restart": stepped.restart,
        "follows": stepped.follows.value,
        "kept": stepped.kept or None,
        "looks": [
            {
                "value": look.value,
                "rest_s": look.rest_s,
                "pages_per_statement": [followed(each, stepped.follows) for each in look.stretches],
                "p95_us": [each.p95_us for each in look.stretches],
            }
            for look in stepped.looks
        ],
        "unlike": None if found.unlike is None else found.unlike.value,
        "forecast": None if forecast is None else agreement(agreed, forecast).value,
    }


def planned_json(planned: TrialPlanned) -> str:
    """What a trial would do, before it starts; ends with a newline."""
    return written(
        {
            "schema": SCHEMA,
            "asked": plain(asdict(planned.asked)),
            "design": plain(asdict(planned.design)),
            "limits": plain(asdict(planned.limits)),
            "way_back": planned.way_back.value,
            "difference": planned.difference,
            "seconds_to_see": None if planned.minutes is None else plain(asdict(planned.minutes)),
        }
    )


def _pair(pair: TrialPair) -> dict[str, Any]:
    return {
        "first": pair.first.value,
        "left_out": None if pair.left_out is None else pair.left_out.value,
        "old": _block(pair.old),
        "new": _block(pair.new),
    }


def _block(block: TrialBlock) -> dict[str, Any]:
    return {
        "seconds": block.seconds,
        "statements": {
            name: {"count": work.count, "seconds": work.seconds}
            for name, work in block.kinds.items()
        },
        "p95_us": block.p95_us,
        "commits": block.commits,
        "row_lock_waits": block.row_lock_waits,
        "row_lock_ms": block.row_lock_ms,
        "checkpoint_age": block.checkpoint_age,
        "dirty_pages": block.dirty_pages,
    }
