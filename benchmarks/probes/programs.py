"""The programs that are compared: the agent, fio's psync engine, sysbench; each run as a row."""

from __future__ import annotations

import json
import mmap
import os
import platform
import re
import resource
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from io import FileIO
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.probes.outcome import Measured
from benchmarks.shared.agent import Event
from benchmarks.shared.process import BenchmarkError, Finished, run
from probes.statistics.histogram import read_histogram

AGENT, FIO, SYSBENCH = "agent", "fio", "sysbench"

_HUGE_BYTES = 2 << 20
_RESERVED = Path("/proc/sys/vm/nr_hugepages")
_CHUNK_BYTES = 1 << 20
_PREAD = {"x86_64": 17, "aarch64": 67}
_FRAME = (1 << 55) - 1
_LOOKS = 20


def of_agent(point: Event, setting: str, number: int, program: str = AGENT) -> Measured:
    """A point of the agent's."""
    times = read_histogram(point["histogram"])
    return Measured(
        program,
        setting,
        number,
        point["rate_per_s"],
        point["cpu_user_us_per_op"],
        point["cpu_system_us_per_op"],
        *(times.at(percent) / 1000 for percent in (50, 95)),
    )


def fio_job(*options: str, **named: Any) -> dict[str, Any]:
    """What fio's psync engine tells of one job: a thread each, a call each, like the agent's.

    Raises BenchmarkError.
    """
    command = ["fio", "--name=job", "--ioengine=psync", "--thread", "--output-format=json"]
    said = run([*command, *options], **named).output
    # A note about the runtime may come before the document.
    job: dict[str, Any] = json.loads(said[said.index("{") :])["jobs"][0]
    return job


def of_fio(job: dict[str, Any], kind: str, setting: str, number: int) -> Measured:
    """A job's reads or writes."""
    done = job[kind]
    # job_runtime adds up the threads' milliseconds; usr_cpu and sys_cpu are percents of it.
    us_per_percent = job["job_runtime"] * 10 / done["total_ios"]
    half, late = (done["clat_ns"]["percentile"][f"{each}.000000"] / 1000 for each in (50, 95))
    user_us, system_us = (job[each] * us_per_percent for each in ("usr_cpu", "sys_cpu"))
    return Measured(FIO, setting, number, done["iops"], user_us, system_us, half, late)


def fio_reads(
    file: Path,
    block_bytes: int,
    threads: int,
    seconds: float,
    *,
    huge: bool = True,
    laid: list[float] | None = None,
) -> dict[str, Any]:
    """Read at random from a file that is there, past the page cache; the job.

    fio would read the same offsets in every run without --randrepeat=0, and keep a map of what
    it has read without --norandommap. Its buffers lie in huge pages, or with ``huge`` False where
    malloc puts them, as when a user calls it. ``laid`` is given how many pieces of memory a block
    lies in, where that can be seen. Raises BenchmarkError.
    """
    options = [f"--filename={file}", "--rw=randread", "--direct=1", f"--bs={block_bytes}"]
    options += [f"--size={file.stat().st_size}", f"--numjobs={threads}", "--group_reporting"]
    options += ["--randrepeat=0", "--norandommap", "--time_based", f"--runtime={seconds}"]
    options += ["--ramp_time=300ms"]

    def look(pid: int) -> None:
        if laid is not None:
            time.sleep(min(1.0, seconds / 2))
            laid.extend(_pieces_of(pid, block_bytes))

    # fio rounds up twice, to two huge pages a job.
    with _huge_pages(2 * threads) if huge else nullcontext():
        memory = ["--mem=shmhuge", f"--hugepage-size={_HUGE_BYTES}"] if huge else []
        return fio_job(*options, *memory, watch=look)


@contextmanager
def _huge_pages(count: int) -> Iterator[None]:
    """Keep ``count`` huge pages for fio's buffers, where the agent's lie in huge pages too.

    A block in scattered pages is a request of many segments. How scattered a program's pages are is
    chance, and on a virtual machine's drive it moved fio's rate by a third from run to run.
    Raises BenchmarkError where they can't be had: without root, or with too little memory.
    """
    try:
        before = _RESERVED.read_text()
        _RESERVED.write_text(str(int(before) + count))
    except OSError as error:
        raise BenchmarkError(f"fio's buffers need huge pages, which root keeps: {error}") from error
    try:
        if int(_RESERVED.read_text()) < int(before) + count:
            raise BenchmarkError(f"{count} huge pages for fio's buffers could not be had")
        yield
    finally:
        _RESERVED.write_text(before)


def sysbench(
    arguments: list[str], seconds: float, setting: str, number: int, cwd: Path | None = None
) -> Measured:
    """Run a test for a while. What it costs to start is measured apart and taken off."""
    idle = _sysbench_start(tuple(arguments), cwd)
    done = run(["sysbench", *arguments, f"--time={seconds:.0f}", "run"], cwd=cwd)
    found = re.search(r"total number of events:\s+(\d+)", done.output)
    if found is None:
        raise BenchmarkError(f"sysbench counts no events: {done.output[-500:]}")
    operations = int(found[1])
    user_us, system_us = (
        max(0.0, spent) * 1e6 / operations
        for spent in (done.user_s - idle.user_s, done.system_s - idle.system_s)
    )
    return Measured(SYSBENCH, setting, number, operations / seconds, user_us, system_us)


@cache
def _sysbench_start(arguments: tuple[str, ...], cwd: Path | None) -> Finished:
    """One operation alone: options, threads and connections."""
    return run(["sysbench", *arguments, "--time=0", "--events=1", "run"], cwd=cwd)


@contextmanager
def noise_file(file: Path, size_bytes: int) -> Iterator[Path]:
    """A file of incompressible bytes, read once past the page cache, and removed in the end.

    A cache below the file system would else answer second reads faster than first ones.
    """
    try:
        with file.open("wb") as out:
            for _ in range(size_bytes // _CHUNK_BYTES):
                out.write(os.urandom(_CHUNK_BYTES))
            out.flush()
            os.fsync(out.fileno())
        descriptor = os.open(file, os.O_RDONLY | os.O_DIRECT)
        # O_DIRECT wants memory that begins at a page.
        with mmap.mmap(-1, _CHUNK_BYTES) as memory:
            try:
                while os.readv(descriptor, [memory]):
                    continue
            finally:
                os.close(descriptor)
        yield file
    finally:
        file.unlink(missing_ok=True)


def _pieces_of(pid: int, block_bytes: int) -> list[float]:
    """In how many pieces of the machine's memory a block lies, on average; none where not seen.

    A thread that waits in pread tells the address of its block; root alone may look.
    """
    addresses: set[int] = set()
    for _ in range(_LOOKS):
        addresses |= _blocks(pid)
        time.sleep(0.005)
    try:
        with FileIO(f"/proc/{pid}/pagemap") as pagemap:
            found = [_pieces(pagemap, address, block_bytes) for address in addresses]
    except OSError:
        return []
    known = [count for count in found if count]
    return [mean(known)] if known else []


def _blocks(pid: int) -> set[int]:
    wanted, found = str(_PREAD.get(platform.machine(), -1)), set()
    for task in Path(f"/proc/{pid}/task").glob("*/syscall"):
        try:
            words = task.read_text().split()
        except OSError:
            continue
        if words[0] == wanted:
            found.add(int(words[2], 16))
    return found


def _pieces(pagemap: FileIO, address: int, block_bytes: int) -> int:
    page = resource.getpagesize()
    first, last = address // page, (address + block_bytes - 1) // page
    pagemap.seek(first * 8)
    count = last - first + 1
    numbers = [each & _FRAME for each in struct.unpack(f"={count}Q", pagemap.read(8 * count))]
    return (
        1 + sum(after != before + 1 for before, after in pairwise(numbers)) if all(numbers) else 0
    )
