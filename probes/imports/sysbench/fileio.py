"""sysbench's fileio test: random reads and writes, and writes that are synced one by one."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from probes.errors import ImportRefused
from probes.figures import counted, duration_us
from probes.imports.figures import block_bytes, count, figure, size_bytes
from probes.imports.imported import ImportNotes
from probes.imports.little import NOT_ASKED, Busy, Loop
from probes.imports.points import (
    BUFFERED,
    EACH_SYNCED,
    NAN,
    NO_GROUP,
    NO_LATENCY,
    Figures,
    make_point,
)
from probes.imports.sysbench.run import COARSE, SysbenchRun, interval_of, standstills
from probes.kinds.words import capital
from probes.points import Latency, Point, Probe, Setting

ENGINE = "sysbench"

RESULT = re.compile(
    r"^[ \t]*(?:File operations:|Operations performed:\s+\d+ [Rr]ead"
    r"|read:\s+IOPS=[\d.]+ [\d.]+ MiB/s)",
    re.MULTILINE,
)
"""What only the result of a fileio test has."""

_COUNTED = re.compile(
    r"^[ \t]*Operations performed:\s+(\d{1,18}) [Rr]eads?, (\d{1,18}) [Ww]rites?, (\d{1,18}) Other",
    re.MULTILINE,
)
_RATES = {
    what: re.compile(
        rf"^[ \t]*(?:{what}s/s:\s+|{what}:\s+IOPS=)([\d.]{{1,20}})(?:\s|$)", re.MULTILINE
    )
    for what in ("read", "write", "fsync")
}
_REPORT = re.compile(
    r"^\[\s*\d{1,9}s\s*\] reads: ([\d.]{1,20}) MiB/s writes: ([\d.]{1,20}) MiB/s", re.MULTILINE
)
_BLOCK = re.compile(r"^[ \t]*Block size (\S{1,20})", re.MULTILINE)
_FILES = re.compile(r"^[ \t]*(\d{1,9}) files?, \S{1,20} each", re.MULTILINE)
_TOTAL = re.compile(r"^[ \t]*(\S{1,20}) total file size", re.MULTILINE)
_FLAGS = re.compile(r"^[ \t]*Extra file open flags: ?(.{0,60})$", re.MULTILINE)
_EVERY = re.compile(r"calling fsync\(\) each (\d{1,12}) requests")
_EACH_WRITE = "Calling fsync() after each write operation"
_IO_MODE = re.compile(r"^[ \t]*Using (.{1,40}) I/O mode", re.MULTILINE)
_MODE = re.compile(r"^[ \t]*Doing (.{1,60}?) test", re.MULTILINE)
_RATIO = re.compile(r"Read/Write ratio for combined random IO test: ([\d.]{1,10})")
_SYNCS = {0: "none", 1: "every request"}
_MERGED = "Merging requests up to"

_O_DIRECT = {"0.4": (0x4000, 0x10000), "0.5": (3, 3)}
"""How old versions print --file-extra-flags=direct: 0.4 as open(2)'s bits (x86 and Arm), 0.5 by a
number of its own."""

FSYNC_100 = (
    "sysbench called fsync after every 100 requests, as it does unless --file-fsync-freq=0 is "
    "given."
)
MIXED_LATENCY = "sysbench reports one latency for reads and writes together: both points have it."
SYNCED_LATENCY = "sysbench counts syncs as events: its latency mixes those of writes and of syncs."
DIRECT_UNKNOWN = "The file does not say whether sysbench bypassed the page cache."
ASYNC = (
    "sysbench used asynchronous I/O, up to --file-async-backlog requests per thread (128 unless "
    "given); the rate is not one of its threads alone."
)


@dataclass(frozen=True, slots=True)
class _Test:
    """The header of a run."""

    run: SysbenchRun
    mode: str
    block_bytes: int
    files: int
    direct: bool | None
    io_mode: str

    @property
    def every(self) -> int:
        """After how many requests a sync came; 0 never."""
        if _EACH_WRITE in self.run.text:
            return 1
        found = _EVERY.search(self.run.text)
        return count(found[1], "the requests between syncs") if found else 0

    @property
    def within(self) -> bool:
        """Whether a write's own time holds its sync: that of its file, with --file-fsync-all."""
        return _EACH_WRITE in self.run.text

    @property
    def syncs_all(self) -> bool:
        """Whether each request was followed by a sync of every file, of which there are many."""
        return self.every == 1 and not self.within and self.files > 1


def read_run(run: SysbenchRun, notes: ImportNotes) -> Iterator[Point]:
    """The points of one run. Raises ImportRefused."""
    test = _test(run)
    rates = _rates(run)
    sides = {
        "random read": ("read",),
        "random write": ("write",),
        "random r/w": ("read", "write"),
        "sequential write (creation)": ("write",),
        "sequential rewrite": ("write",),
    }.get(test.mode)
    if sides is None:
        notes.left_out.append(f"A run was left out: no probe of Leadline's does a {test.mode}.")
        return
    if _MERGED in run.text:
        notes.left_out.append("A run was left out: it merged its requests.")
        return
    if test.syncs_all and test.mode.startswith("sequential"):
        notes.left_out.append(f"A run was left out: {_all_synced(test, rates)}")
        return
    finished = [what for what in sides if rates[what] > 0]
    notes.left_out.extend(
        f"A run was left out: it finished no {what}." for what in sides if what not in finished
    )
    if finished:
        _tell_traps(test, rates, notes.warnings, len(sides) > 1)
    for what in finished:
        yield _point(test, what, rates, mixed=len(sides) > 1)


def _all_synced(test: _Test, rates: Mapping[str, float]) -> str:
    """What was measured where every file was synced after each request: no commit does that."""
    sentence = (
        f"each write was followed by a sync of all {counted(test.files, 'file')}, as "
        "--file-fsync-freq=1 asks for"
    )
    mean_us = test.run.latency()[0].mean_us
    events = sum(rates.values())
    if not test.run.old and rates["fsync"] > 0.9 * events and math.isfinite(mean_us):
        sentence += f": one sync takes {duration_us(mean_us)}"
    return f"{sentence}."


def conditions(run: SysbenchRun) -> Mapping[str, str]:
    """What the run's header says beside its points."""
    test = _test(run)
    found = {"io_mode": test.io_mode}
    if test.direct is not None:
        found["direct"] = "yes" if test.direct else "no"
    total = _TOTAL.search(run.text)
    total_bytes = size_bytes(total[1]) if total else None
    if total_bytes:
        found["file_bytes"] = str(total_bytes)
    if "read" not in test.mode:
        each = _SYNCS.get(test.every, f"every {test.every} requests")
        found["fsync"] = f"{each}, all {test.files} files" if test.syncs_all else each
    return found


def reports(run: SysbenchRun, size: int) -> list[float]:
    """Requests per second within each interval of --report-interval."""
    per_mib = (1 << 20) / size
    return [
        (figure(found[1], "a rate") + figure(found[2], "a rate")) * per_mib
        for found in _REPORT.finditer(run.text)
    ]


def _test(run: SysbenchRun) -> _Test:
    mode, block = _MODE.search(run.text), _BLOCK.search(run.text)
    if mode is None or block is None:
        raise ImportRefused(
            "The head of a sysbench run is missing: it names the test and the block size.",
            "Import all that sysbench wrote.",
        )
    files, io_mode = _FILES.search(run.text), _IO_MODE.search(run.text)
    return _Test(
        run=run,
        mode=mode[1],
        block_bytes=block_bytes(size_bytes(block[1]) or 0),
        files=max(1, count(files[1], "the number of files")) if files else 1,
        direct=_direct(run),
        io_mode=io_mode[1] if io_mode else "",
    )


def _direct(run: SysbenchRun) -> bool | None:
    found = _FLAGS.search(run.text)
    if found is None:
        return None
    text = found[1].strip()
    if not text.isdecimal():
        return "directio" in text
    flags = int(text)
    meanings = _O_DIRECT.get(run.version[:3])
    if flags == 0 or meanings is None:
        return False if flags == 0 else None
    return flags == 3 if run.version.startswith("0.5") else any(flags & bit for bit in meanings)


def _rates(run: SysbenchRun) -> dict[str, float]:
    """Reads, writes and syncs per second."""
    counted = _COUNTED.search(run.text)
    if counted is not None:
        if not run.seconds > 0:
            raise ImportRefused("A sysbench run does not say how long it took.")
        # "Requests/sec executed" adds reads and writes: apart, only their counts tell.
        numbers = [count(text, "a number of operations") for text in counted.groups()]
        return {
            what: number / run.seconds
            for what, number in zip(("read", "write", "fsync"), numbers, strict=True)
        }
    found = {what: pattern.search(run.text) for what, pattern in _RATES.items()}
    return {
        what: figure(match[1], f"the {what} rate") if match else 0.0
        for what, match in found.items()
    }


def _tell_traps(test: _Test, rates: Mapping[str, float], warnings: list[str], mixed: bool) -> None:
    writes = rates["write"] > 0
    if test.every > 1 and writes:
        warnings.append(
            FSYNC_100
            if test.every == 100
            else f"sysbench called fsync after every {test.every} requests."
        )
    if mixed:
        warnings.append(MIXED_LATENCY)
    if writes and rates["fsync"] > 0 and not test.run.old and not test.within:
        warnings.append(SYNCED_LATENCY)
    if test.direct is False and test.every != 1:
        warnings.append(
            "sysbench went through the page cache, as it does unless --file-extra-flags=direct is "
            "given."
        )
    if test.direct is None:
        warnings.append(DIRECT_UNKNOWN)
    if test.io_mode.startswith("async"):
        warnings.append(ASYNC)
    if test.run.coarse:
        warnings.append(COARSE)


def _point(test: _Test, what: str, rates: Mapping[str, float], *, mixed: bool) -> Point:
    run = test.run
    setting = _setting(test, what, rates if mixed else {})
    latency, histogram = run.latency()
    loop = _loop(test, what, rates, latency)
    if setting.probe is Probe.REDO_SYNC and not test.within:
        latency, histogram = _of_commit(test, rates, latency), ""
        loop = replace(loop, beside=())
    share = rates[what] / (rates["read"] + rates["write"])
    reported = reports(run, test.block_bytes)
    seconds = run.seconds
    return make_point(
        setting,
        ENGINE,
        Figures(
            rate_per_s=rates[what],
            seconds=seconds,
            operations=round(rates[what] * seconds) if math.isfinite(seconds) else 0,
            ci95_per_s=interval_of(rates[what], [rate * share for rate in reported]),
            latency=latency,
            histogram=histogram,
            direct=test.direct,
            doubts=[
                *run.doubts(_events_per_s(test, rates), "thread"),
                *standstills(reported),
                *_doubts(test, setting, rates),
            ],
            details={"warm_up_s": run.warm_up_s} if run.warm_up_s else {},
            loop=loop,
        ),
    )


def _events_per_s(test: _Test, rates: Mapping[str, float]) -> float:
    """What sysbench counts as events: syncs too, but not in old versions, nor within a write."""
    apart = test.run.old or test.within
    return rates["read"] + rates["write"] + (0.0 if apart else rates["fsync"])


def _loop(test: _Test, what: str, rates: Mapping[str, float], latency: Latency) -> Loop:
    """One latency stands for all events, so that all of them keep the threads busy."""
    if test.run.held_to_a_rate or test.io_mode.startswith("async"):
        return NOT_ASKED
    untimed = test.run.old and rates["fsync"] > 0
    others = _events_per_s(test, rates) - rates[what]
    return Loop(from_below=not untimed, beside=(Busy(others, latency.mean_us),))


def _of_commit(test: _Test, rates: Mapping[str, float], event: Latency) -> Latency:
    """A commit's latency where its write and its sync are two events; one mean is reported of both.

    Old versions time the write alone.
    """
    events = _events_per_s(test, rates) / rates["write"]
    return replace(NO_LATENCY, mean_us=NAN if test.run.old else event.mean_us * events)


def _doubts(test: _Test, setting: Setting, rates: Mapping[str, float]) -> list[str]:
    """Why a point may not stand for its probe."""
    doubts = []
    redo = setting.probe is Probe.REDO_SYNC
    if test.direct is not True and not redo:
        doubts.append(BUFFERED if test.direct is False else DIRECT_UNKNOWN)
    if test.io_mode.startswith("async"):
        doubts.append(ASYNC)
    if "mmap" in test.io_mode:
        doubts.append("It was measured through a memory map: pages came from the page cache.")
    if redo and test.run.threads > 1:
        doubts.append(NO_GROUP)
    if rates["write"] > 0 and test.syncs_all:
        doubts.append(capital(_all_synced(test, rates)))
    elif setting.probe is Probe.RANDOM_WRITE and test.every == 1:
        doubts.append(EACH_SYNCED)
    return doubts


def _setting(test: _Test, what: str, mixed: Mapping[str, float]) -> Setting:
    """What was measured; ``mixed`` are the rates where reads and writes ran at once."""
    threads = test.run.threads
    if test.mode.startswith("sequential"):
        if test.every == 1:
            options = {"sync": "fsync"}
            return Setting(Probe.REDO_SYNC, threads, test.block_bytes, options=options)
        return Setting(Probe.STEADY_WRITE, threads, test.block_bytes, test.files)
    probe = Probe.RANDOM_READ if what == "read" else Probe.RANDOM_WRITE
    options = {}
    if mixed:
        ratio = _RATIO.search(test.run.text)
        reads, writes = mixed["read"], mixed["write"]
        if ratio:
            reads, writes = figure(ratio[1], "the ratio of reads to writes"), 1.0
        options = {"mix": f"{reads / (reads + writes) * 100:.0f}"}
    return Setting(probe, threads, test.block_bytes, test.files, options=options)
