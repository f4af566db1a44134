"""Points and their samples, each kept as soon as it arrives.

Unknown figures are nan in memory and NULL in the file: SQLite keeps no nan.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, fields, replace

from advisor.store.codec import dump_host, dump_plain, load, load_host
from advisor.store.database import Database
from advisor.store.typed import build
from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import finite, whole
from probes.doubts import stated
from probes.points import Latency, Point, Sample, Trust

_COLUMNS = (
    "run_id, probe, threads, block_size_bytes, files, directory, options, engine, seconds,"
    " operations, rate_per_s, ci95_low_per_s, ci95_high_per_s, mean_us, p50_us, p95_us, p99_us,"
    " p999_us, max_us, histogram, cpu_user_us_per_op, cpu_system_us_per_op, direct, trust,"
    " doubts, ended_by, warmup_s, limited_by, details"
)
_MARKS = ", ".join("?" * len(_COLUMNS.split(",")))

_OF_SETTING = ("probe", "threads", "block_size_bytes", "files", "directory")
_AS_KEPT = (
    *("id", "engine", "seconds", "operations", "rate_per_s", "histogram", "cpu_user_us_per_op"),
    *("cpu_system_us_per_op", "trust", "ended_by", "warmup_s", "limited_by"),
)

_OLD_REJECTED_FOR = "rejected_for"
"""The detail of a point in which older programs kept the sentences that rejected it."""

_OF_SAMPLE = ("at_s", "rate_per_s", "p95_us", "p99_us")

_RANGES = {
    "threads": (1, 1 << 20),
    "block_size_bytes": (0, 1 << 40),
    "files": (0, 1 << 20),
}


def add(database: Database, run_id: int, point: Point, samples: Sequence[Sample]) -> Point:
    """Keep a point with its samples in one transaction; returns it with its id."""
    with database.transaction():
        return insert(database, run_id, point, samples)


def insert(database: Database, run_id: int, point: Point, samples: Sequence[Sample]) -> Point:
    """The same within a transaction of the caller's."""
    point_id = database.execute(
        f"INSERT INTO points ({_COLUMNS}) VALUES ({_MARKS})",  # noqa: S608 - both are constants
        _row(run_id, point),
    )
    database.execute_many(
        "INSERT INTO samples (point_id, position, at_s, rate_per_s, p95_us, p99_us, host)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(point_id, position, *_sample_row(each)) for position, each in enumerate(samples)],
    )
    return replace(point, id=point_id)


def read_all(database: Database, run_id: int) -> list[Point]:
    """The points of a run in the order of their arrival; raises Malformed."""
    rows = database.rows("SELECT * FROM points WHERE run_id = ? ORDER BY id", (run_id,))
    return [_point(row) for row in rows]


def read_samples(database: Database, point_id: int) -> list[Sample]:
    """The samples that a point was made of; raises Malformed."""
    rows = database.rows("SELECT * FROM samples WHERE point_id = ? ORDER BY position", (point_id,))
    return [_sample(row) for row in rows]


def run_of(database: Database, point_id: int) -> int:
    """The run that a point belongs to; 0 when there is no such point."""
    rows = database.rows("SELECT run_id FROM points WHERE id = ?", (point_id,))
    return int(rows[0][0]) if rows else 0


def _sample_row(sample: Sample) -> tuple[object, ...]:
    host = None if sample.host is None else dump_host(sample.host)
    return (sample.at_s, sample.rate_per_s, sample.p95_us, sample.p99_us, host)


def _sample(row: sqlite3.Row) -> Sample:
    sample = build(Sample, {name: row[name] for name in _OF_SAMPLE}, "a sample", unknown=True)
    return sample if row["host"] is None else replace(sample, host=load_host(row["host"]))


def _row(run_id: int, point: Point) -> tuple[object, ...]:
    setting, latency = point.setting, point.latency
    return (
        run_id,
        setting.probe.value,
        setting.threads,
        setting.block_size_bytes,
        setting.files,
        setting.directory,
        json.dumps(dict(setting.options), ensure_ascii=False, sort_keys=True),
        point.engine,
        point.seconds,
        point.operations,
        point.rate_per_s,
        *point.ci95_per_s,
        latency.mean_us,
        latency.p50_us,
        latency.p95_us,
        latency.p99_us,
        latency.p999_us,
        latency.max_us,
        point.histogram,
        point.cpu_user_us_per_op,
        point.cpu_system_us_per_op,
        point.direct,
        point.trust.value,
        dump_plain([asdict(each) for each in point.doubts]),
        point.ended_by.value,
        point.warmup_s,
        point.limited_by.value,
        dump_plain(point.details),
    )


def _list(kept: object) -> list[object]:
    found = load(kept)
    if not isinstance(found, list):
        raise Malformed(f"doubts are {shown(found)}, where a list is due")
    return found


def _doubt(kept: object, trust: str, details: object) -> object:
    """A doubt as it is kept; of an older program's sentence what it is now.

    Those reject a rejected point that its details name, or all of them.
    """
    if not isinstance(kept, str):
        return kept
    named = details.get(_OLD_REJECTED_FOR) if isinstance(details, dict) else None
    rejects = trust == Trust.REJECTED and (not named or kept in named)
    return asdict(stated(kept, rejects=rejects))


def _point(row: sqlite3.Row) -> Point:
    details = load(row["details"])
    kept = {name: row[name] for name in _AS_KEPT}
    setting = {name: row[name] for name in _OF_SETTING}
    point = build(
        Point,
        kept
        | {
            "setting": setting | {"options": load(row["options"])},
            "ci95_per_s": [row["ci95_low_per_s"], row["ci95_high_per_s"]],
            "latency": {each.name: row[each.name] for each in fields(Latency)},
            "direct": None if row["direct"] is None else bool(row["direct"]),
            "doubts": [_doubt(each, row["trust"], details) for each in _list(row["doubts"])],
            "details": details,
        },
        f"point {row['id']}",
        unknown=True,
    )
    finite(point.rate_per_s, "rate_per_s", low=0.0)
    for name, (least, most) in _RANGES.items():
        whole(getattr(point.setting, name), name, low=least, high=most)
    return point
