"""Runs fio's psync engine: one thread per job, one pread each, like the agent's."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from outcome import Measured
from pieces import pieces_of
from process import BenchmarkError, run

NAME = "fio"

HUGE_BYTES = 2 << 20
RESERVED = Path("/proc/sys/vm/nr_hugepages")


@contextmanager
def huge_pages(count: int) -> Iterator[None]:
    """Keep ``count`` huge pages for fio's buffers, where the agent's lie in huge pages too.

    A block in scattered pages is a request of many segments. How scattered a program's pages are is
    chance, and on a virtual machine's drive it moved fio's rate by a third from run to run.
    Raises BenchmarkError where they can't be had: without root, or with too little memory.
    """
    try:
        before = RESERVED.read_text()
        RESERVED.write_text(str(int(before) + count))
    except OSError as error:
        raise BenchmarkError(f"fio's buffers need huge pages, which root keeps: {error}") from error
    try:
        if int(RESERVED.read_text()) < int(before) + count:
            raise BenchmarkError(f"{count} huge pages for fio's buffers could not be had")
        yield
    finally:
        RESERVED.write_text(before)


def measure(
    file: Path,
    *,
    block_bytes: int,
    threads: int,
    seconds: float,
    setting: str,
    number: int,
    huge: bool = True,
    laid: list[float] | None = None,
) -> Measured:
    """Read at random from a file that is there, past the page cache.

    fio would read the same offsets in every run without --randrepeat=0, and keep a map of what
    it has read without --norandommap. Its buffers lie in huge pages, or with ``huge`` False where
    malloc puts them, as when a user calls it. ``laid`` is given how many pieces of memory a block
    lies in, where that can be seen.
    """
    command = [
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
        "--ramp_time=300ms",
        "--output-format=json",
    ]

    def look(pid: int) -> None:
        time.sleep(min(1.0, seconds / 2))
        found = pieces_of(pid, block_bytes)
        if laid is not None and found is not None:
            laid.append(found)

    watch = None if laid is None else look
    # fio rounds up twice, to two huge pages a job.
    with huge_pages(2 * threads) if huge else nullcontext():
        huge_memory = ["--mem=shmhuge", f"--hugepage-size={HUGE_BYTES}"] if huge else []
        finished = run([*command, *huge_memory], watch=watch)
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
