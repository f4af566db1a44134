"""The command lines of fio (fio(1))."""

from __future__ import annotations

from collections.abc import Sequence

from probes.engines.tool import seconds_of
from probes.plans.plan import FileSet, Step
from probes.points import Buffers, Probe, Setting

LOG = "rate"
LOG_FILE = f"{LOG}_iops.log"
LOG_MS = 200
"""The distance of samples, as with the agent."""

HUGE_PAGE_BYTES = 2 << 20

REDO_FILE = "redo"
REDO_BYTES = 64 << 20
"""The size of the log file that redo appends go round in, as with the agent."""

_MODES = {
    Probe.RANDOM_READ: "randread",
    Probe.RANDOM_WRITE: "randwrite",
    Probe.REDO_SYNC: "write",
    Probe.STEADY_WRITE: "write",
}
_SYNCS = {"fdatasync": "--fdatasync=1", "fsync": "--fsync=1", "o_dsync": "--sync=dsync"}
_PRIORITIES = {
    "idle": ("--prioclass=3",),
    "low": ("--prioclass=2", "--prio=7"),
    "": (),
}


def names(index: int, files: FileSet) -> str:
    """The files of a set, as fio lists them."""
    return ":".join(f"set{index}.{number}" for number in range(files.files))


def fill(program: str, index: int, files: FileSet, *, direct: bool) -> list[str]:
    """Write a set in full, in order, and sync it."""
    content = ["--zero_buffers"] if files.content == "zeros" else ["--refill_buffers"]
    return [*_whole(program, index, files, direct), "--rw=write", "--end_fsync=1", *content]


def read_back(program: str, index: int, files: FileSet, *, direct: bool) -> list[str]:
    """Read a set once in full, so that caches below are in one state."""
    return [*_whole(program, index, files, direct), "--rw=read"]


def fill_redo(program: str) -> list[str]:
    """Write the redo log's file before its first use."""
    return [
        *_job(program, REDO_FILE, REDO_BYTES),
        f"--size={REDO_BYTES}",
        "--bs=1M",
        "--rw=write",
        "--end_fsync=1",
        "--refill_buffers",
    ]


def measure(
    program: str,
    step: Step,
    index: int | None,
    files: FileSet | None,
    *,
    direct: bool,
    low: str,
    buffers: Buffers = Buffers.ORDINARY,
) -> list[str]:
    """One step: as many threads as it asks for, a pread or pwrite each, like the agent's.

    Of huge pages fio knows those alone that were set aside; ``huge_pages`` is how many.
    """
    setting = step.setting
    if files is None or index is None:
        where = [*_job(program, REDO_FILE, REDO_BYTES), f"--size={REDO_BYTES}", "--direct=0"]
        where.append(_SYNCS[setting.options["sync"]])
    else:
        where = [*_job(program, names(index, files), files.bytes_per_file)]
        where.append(f"--direct={int(direct)}")
    return [
        *where,
        f"--rw={_MODES[setting.probe]}",
        f"--bs={setting.block_size_bytes}",
        f"--numjobs={setting.threads}",
        "--thread",
        "--group_reporting",
        "--randrepeat=0",
        "--norandommap",
        f"--runtime={round(seconds_of(step) * 1000)}ms",
        f"--write_iops_log={LOG}",
        f"--log_avg_msec={LOG_MS}",
        "--per_job_logs=0",
        *_extent(step, files),
        *_memory(buffers),
        *_PRIORITIES[low],
        "--output-format=json+",
    ]


def huge_pages(threads: int) -> int:
    """How many huge pages fio takes for that many threads: it rounds up twice, to two each."""
    return 2 * threads


def _memory(buffers: Buffers) -> Sequence[str]:
    if buffers is Buffers.ORDINARY:
        return ()
    return ("--mem=mmaphuge", f"--hugepage-size={HUGE_PAGE_BYTES}")


def _extent(step: Step, files: FileSet | None) -> Sequence[str]:
    """Whether it ends by time alone, and which part of the file each thread has."""
    setting = step.setting
    if setting.probe is not Probe.STEADY_WRITE or files is None:
        return ["--time_based", f"--ramp_time={round(step.warmup_s * 1000)}ms"]
    share = _share(setting, files)
    extent = [f"--size={share}", f"--offset_increment={share}"]
    if not step.byte_limit:
        return [*extent, "--time_based"]
    each = max(setting.block_size_bytes, step.byte_limit // setting.threads)
    return [*extent, f"--io_size={each}"]


def _share(setting: Setting, files: FileSet) -> int:
    """A thread's part of the file, in whole blocks."""
    block = setting.block_size_bytes
    return max(block, files.bytes_per_file // setting.threads // block * block)


def _whole(program: str, index: int, files: FileSet, direct: bool) -> list[str]:
    return [
        *_job(program, names(index, files), files.bytes_per_file),
        f"--size={files.total_bytes}",
        "--bs=1M",
        "--file_service_type=sequential",
        f"--direct={int(direct)}",
    ]


def _job(program: str, filename: str, file_bytes: int) -> list[str]:
    return [
        program,
        "--name=leadline",
        f"--filename={filename}",
        f"--filesize={file_bytes}",
        "--ioengine=psync",
    ]
