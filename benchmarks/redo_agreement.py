"""Whether the agent and fio find the same time of a commit: appends that are synced one by one."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import agent
import fio
from outcome import Bar, Measured, Outcome, median_ratio
from process import run

BLOCK_BYTES = 4096
LOG_BYTES = 64 << 20
SECONDS = 2.0
ROUNDS = 9
LIMIT = 0.05
SETTING = "4096 B, fdatasync"


def compare(rounds: int = ROUNDS, directory: str = "/var/tmp") -> Outcome:
    """Interleave the two programs, the first one turning with each round."""
    rows: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=directory) as folder:
        log = Path(folder) / "log"
        _fio_fill(log)
        for number in range(rounds):
            programs = [_agent, _fio] if number % 2 else [_fio, _agent]
            rows += [program(log, number) for program in programs]
    names = (agent.NAME, fio.NAME)
    latency = median_ratio(rows, SETTING, names, lambda row: row.p50_us or 0)
    rate = median_ratio(rows, SETTING, names, lambda row: row.rate_per_s)
    name = f"difference of the median latency of a commit (agent/fio {latency:.3f})"
    return Outcome(
        name="redo_agreement",
        title="Agreement with fio on a commit",
        method=(
            f"One writer, {BLOCK_BYTES} B in order through the page cache into a file of "
            f"{LOG_BYTES >> 20} MiB that is there, fdatasync after each, {SECONDS:.0f} s per run; "
            f"{rounds} interleaved pairs; the medians over all runs are compared. fio measures "
            "write and sync apart: its median here is that of the sync and the mean of the write."
        ),
        rows=rows,
        bars=[Bar(name, abs(latency - 1), LIMIT)],
        notes=[f"The rate of commits was {rate:.3f} times fio's."],
    )


def _agent(log: Path, number: int) -> Measured:
    point = {
        "id": "p",
        "probe": "redo_sync",
        "directory": str(log.parent),
        "block_size_bytes": BLOCK_BYTES,
        "sync": "fdatasync",
        "threads": 1,
        "seconds": SECONDS,
        "warmup_seconds": 0.3,
        "seed": number,
    }
    plan: dict[str, object] = {"file_sets": [], "points": [point]}
    return agent.measure(plan, settings=[SETTING], number=number)[0]


def _fio_fill(log: Path) -> None:
    run([*_command(log), "--bs=1M", "--end_fsync=1", "--refill_buffers", "--output-format=json"])


def _fio(log: Path, number: int) -> Measured:
    finished = run(
        [
            *_command(log),
            f"--bs={BLOCK_BYTES}",
            "--fdatasync=1",
            "--time_based",
            f"--runtime={SECONDS:.0f}s",
            "--ramp_time=300ms",
            "--output-format=json",
        ]
    )
    job = json.loads(finished.output[finished.output.index("{") :])["jobs"][0]
    write, sync = job["write"], job["sync"]["lat_ns"]
    us_per_percent = job["job_runtime"] * 10 / write["total_ios"]
    median_ns = sync["percentile"]["50.000000"] + write["clat_ns"]["mean"]
    return Measured(
        program=fio.NAME,
        setting=SETTING,
        round=number,
        rate_per_s=write["iops"],
        user_us=job["usr_cpu"] * us_per_percent,
        system_us=job["sys_cpu"] * us_per_percent,
        p50_us=median_ns / 1000,
    )


def _command(log: Path) -> list[str]:
    return [
        "fio",
        "--name=redo",
        f"--filename={log}",
        f"--size={LOG_BYTES}",
        "--rw=write",
        "--ioengine=psync",
        "--thread",
    ]
