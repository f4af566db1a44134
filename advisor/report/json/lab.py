"""A lab as one JSON document."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from advisor.lab.design import LabDesign
from advisor.lab.like import scale
from advisor.lab.lines import pool_bytes
from advisor.lab.looked import looked, near
from advisor.lab.outcome import Effect, Level
from advisor.lab.record import Record
from advisor.report.json.written import range_json, written
from advisor.store.codec import plain

SCHEMA = "leadline.lab/1"


def to_json(record: Record, run_id: int) -> str:
    """What was asked, what came, how sure it is; ends with a newline.

    ``resolution`` is the smallest difference that could be seen, as a share; ``low`` and ``high``
    of an effect are its interval. ``like`` says how near the load came to a watched one: what a
    query took there (``watch``) and here, null where none was asked for, or it is not known.
    """
    outcome = looked(record)
    return written(
        {
            "schema": SCHEMA,
            "run": run_id,
            "asked": plain(asdict(record.asked)),
            "servers": plain(record.servers),
            "lines": plain(record.lines),
            "dropped": plain(record.dropped),
            "load": plain(asdict(record.load)),
            "like": _like(record),
            "decided": outcome.decided,
            "ended": None if record.ended is None else record.ended.value,
            "starts": outcome.starts,
            "rounds": outcome.rounds,
            "levels": [_level(record, each) for each in outcome.levels],
        }
    )


def planned_json(design: LabDesign) -> str:
    """What a lab would take, before it starts; ends with a newline."""
    return written(
        {
            "schema": SCHEMA,
            "asked": plain(asdict(design.asked)),
            "beside": design.beside,
            "servers": len(design.asked.entrants),
            "memory_bytes": design.memory_bytes,
            "written_bytes": design.written_bytes,
            "seconds": design.seconds,
            "resolution": design.least_difference,
        }
    )


def _like(record: Record) -> dict[str, Any] | None:
    like = record.asked.like
    if like is None:
        return None
    found = near(record)
    return {
        "source": like.source,
        "scale": scale(like, pool_bytes(record.asked, record.asked.base)),
        "per_query": {
            each.name: {"watch": each.watch, "lab": each.lab, "near": each.near} for each in found
        },
    }


def _level(record: Record, level: Level) -> dict[str, Any]:
    return {
        "connections": level.connections,
        "resolution": level.resolution,
        "twin": range_json(level.twin),
        "base": {
            "transactions_per_s": _figure(level.base_per_s),
            "p95_us": _figure(level.base_p95_us),
            "per_transaction": _costs(level.base_costs),
        },
        "effects": [
            _effect(each) | {"forecast": range_json(record.forecasts.get(each.variant))}
            for each in level.effects
        ],
        "best": list(level.best),
    }


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "variant": effect.variant,
        "verdict": effect.verdict.value,
        "transactions_per_s": _figure(effect.per_s),
        "times": range_json(effect.times),
        "p95_us": _figure(effect.p95_us),
        "p95_times": range_json(effect.late),
        "confirmed": range_json(effect.confirmed),
        "per_transaction": _costs(effect.costs),
    }


def _figure(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _costs(costs: Any) -> dict[str, float]:
    return {cost.value: each for cost, each in costs.items()}
