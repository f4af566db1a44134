"""Runs fio's psync engine: one thread per job, one pread each, like the agent's."""

from __future__ import annotations

import json
from pathlib import Path

from outcome import Measured
from process import run

NAME = "fio"


def measure(
    file: Path, *, block_bytes: int, threads: int, seconds: float, setting: str, number: int
) -> Measured:
    """Read at random from a file that is there, past the page cache.

    fio would read the same offsets in every run without --randrepeat=0, and keep a map of what
    it has read without --norandommap.
    """
    finished = run(
        [
            "fio",
            "--name=read",
            f"--filename={file}",
            "--rw=randread",
            "--ioengine=psync",
            "--direct=1",
            f"--bs={block_bytes}",
            f"--size={file.stat().st_size}",
            f"--numjobs={threads}",
            "--thread",
            "--group_reporting",
            "--randrepeat=0",
            "--norandommap",
            "--time_based",
            f"--runtime={seconds}",
            "--ramp_time=0.3",
            "--output-format=json",
        ]
    )
    # A note about the runtime may come before the document.
    job = json.loads(finished.output[finished.output.index("{") :])["jobs"][0]
    read = job["read"]
    # job_runtime adds up the threads' milliseconds; usr_cpu and sys_cpu are percents of it.
    us_per_percent = job["job_runtime"] * 10 / read["total_ios"]
    return Measured(
        program=NAME,
        setting=setting,
        round=number,
        rate_per_s=read["iops"],
        user_us=job["usr_cpu"] * us_per_percent,
        system_us=job["sys_cpu"] * us_per_percent,
        p50_us=read["clat_ns"]["percentile"]["50.000000"] / 1000,
        p95_us=read["clat_ns"]["percentile"]["95.000000"] / 1000,
    )
