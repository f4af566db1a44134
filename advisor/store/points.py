"""Points and their samples, each kept as soon as it arrives.

Unknown figures are nan in memory and NULL in the file: SQLite keeps no nan.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from advisor.store.codec import dump_host, dump_plain, known, load_host
from advisor.store.database import Database
from probes.points import EndedBy, Latency, LimitedBy, Point, Probe, Sample, Setting, Trust

_COLUMNS = (
    "run_id, probe, threads, block_size_bytes, files, directory, options, engine, seconds,"
    " operations, rate_per_s, ci95_low_per_s, ci95_high_per_s, mean_us, p50_us, p95_us, p99_us,"
    " p999_us, max_us, histogram, cpu_user_us_per_op, cpu_system_us_per_op, direct, trust,"
    " trust_reasons, ended_by, warmup_s, limited_by, details"
)
_MARKS = ", ".join("?" * len(_COLUMNS.split(",")))


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
    """The points of a run in the order of their arrival."""
    rows = database.rows("SELECT * FROM points WHERE run_id = ? ORDER BY id", (run_id,))
    return [_point(row) for row in rows]


def read_samples(database: Database, point_id: int) -> list[Sample]:
    """The samples that a point was made of."""
    rows = database.rows("SELECT * FROM samples WHERE point_id = ? ORDER BY position", (point_id,))
    return [_sample(row) for row in rows]


def _sample_row(sample: Sample) -> tuple[object, ...]:
    host = None if sample.host is None else dump_host(sample.host)
    return (sample.at_s, sample.rate_per_s, sample.p95_us, sample.p99_us, host)


def _sample(row: sqlite3.Row) -> Sample:
    return Sample(
        at_s=row["at_s"],
        rate_per_s=row["rate_per_s"],
        p95_us=known(row["p95_us"]),
        p99_us=known(row["p99_us"]),
        host=None if row["host"] is None else load_host(row["host"]),
    )


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
        json.dumps(point.trust_reasons, ensure_ascii=False),
        point.ended_by.value,
        point.warmup_s,
        point.limited_by.value,
        dump_plain(point.details),
    )


def _point(row: sqlite3.Row) -> Point:
    return Point(
        setting=Setting(
            probe=Probe(row["probe"]),
            threads=row["threads"],
            block_size_bytes=row["block_size_bytes"],
            files=row["files"],
            directory=row["directory"],
            options=json.loads(row["options"]),
        ),
        engine=row["engine"],
        seconds=known(row["seconds"]),
        operations=row["operations"],
        rate_per_s=row["rate_per_s"],
        ci95_per_s=(known(row["ci95_low_per_s"]), known(row["ci95_high_per_s"])),
        latency=Latency(
            mean_us=known(row["mean_us"]),
            p50_us=known(row["p50_us"]),
            p95_us=known(row["p95_us"]),
            p99_us=known(row["p99_us"]),
            p999_us=known(row["p999_us"]),
            max_us=known(row["max_us"]),
        ),
        histogram=row["histogram"],
        cpu_user_us_per_op=known(row["cpu_user_us_per_op"]),
        cpu_system_us_per_op=known(row["cpu_system_us_per_op"]),
        direct=None if row["direct"] is None else bool(row["direct"]),
        trust=Trust(row["trust"]),
        trust_reasons=tuple(json.loads(row["trust_reasons"])),
        id=row["id"],
        ended_by=EndedBy(row["ended_by"]),
        warmup_s=known(row["warmup_s"]),
        limited_by=LimitedBy(row["limited_by"]),
        details=json.loads(row["details"]),
    )
