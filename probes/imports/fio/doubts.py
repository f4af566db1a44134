"""What speaks against a result of fio, and what is easily overlooked in it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from probes.figures import THIN, count, counted, percent, took_at_least
from probes.imports.fio.group import FioGroup, ran
from probes.imports.fio.job import FioJob
from probes.imports.fio.latency import Timing

LEAST_SECONDS = 10.0
"""A run that was ended before it shows little (our choice)."""

LEAST_SHARE = 0.5
"""So does one that was ended before this share of its time (our choice)."""

ENDED_SHARE = 0.9
"""A run that was to last for its time and ended before this share of it was ended by something (our
choice)."""

REACHED = 0.1
"""Disks that counted less than this share of the requests did not see them (our choice)."""

_FEW = 1000
"""Fewer requests may all be a filesystem's own."""

_SIGNAL = re.compile(r"terminating on signal \d{1,3}")
_ERROR = re.compile(r"err= *(\d{1,9})\b.{0,300}?error=(\S.{0,200})")
_IO_ERROR = re.compile(r"fio: io_u error on file (\S.{0,300})")
_LONGEST_LINE = 1000
"""Of fio's own messages: its lines about errors have some 200 letters."""

_VERBS = {"read": "read", "write": "wrote"}


def unnamed(group: FioGroup) -> str:
    """Why a job whose options are not known was left out, with what is known nevertheless."""
    sentence = (
        f"Job {group.name} was left out: the file does not name the options of its jobs, as old "
        "versions of fio don't"
    )
    if group.alone:
        sentence += f"; it {_VERBS[group.alone]}, and nobody can say whether in order or at random"
    return f"{sentence}."


def ended_with(errno: int, note: str) -> str:
    """What a job ended with: in fio's own words where ``note`` has them; "" where it ended well."""
    if not errno:
        return ""
    texts, on_file = _error_texts(note)
    text = texts.get(errno, "") or on_file
    return f"ended with an error{f': {text}'.rstrip('.') if text else f' ({errno})'}."


@lru_cache(maxsize=2)
def _error_texts(note: str) -> tuple[Mapping[int, str], str]:
    """What a note says of each error by its number, and of one on a file: many jobs ask for it."""
    lines = [line for line in note.splitlines() if len(line) <= _LONGEST_LINE]
    found = [match for match in map(_ERROR.search, lines) if match]
    on_file = next((match for match in map(_IO_ERROR.match, lines) if match), None)
    return {int(each[1]): each[2].strip() for each in found}, on_file[1].strip() if on_file else ""


@lru_cache(maxsize=2)
def _interrupted(note: str) -> bool:
    return _SIGNAL.search(note) is not None


def doubts(group: FioGroup, job: FioJob, warnings: list[str]) -> list[str]:
    """Why the points of a job may not stand for their probe; remarks go to ``warnings``."""
    found = []
    if group.errno:
        found.append(f"Job {group.name} {ended_with(group.errno, group.note)}")
    found += ended_early(group.seconds, job, group.note, warnings)
    if group.together:
        found.append(f"Job {group.name} ran at the same time as other jobs.")
    if job.held_back:
        found.append(f"Job {group.name} was held back by its option {job.held_back}.")
    found += _threads(group, job)
    warnings.extend(_remarks(group, job))
    return found


def unreached(group: FioGroup, job: FioJob, what: str) -> list[str]:
    """Whether the disks counted far fewer requests than fio: then these did not reach them.

    Writes through the page cache are put together before they do, so that it says nothing of them.
    """
    seen, done = group.disks.get(what, (-1, 0))
    if seen < 0 or done < _FEW or seen >= REACHED * done:
        return []
    if what == "write" and not job.direct and job.sync not in ("o_sync", "o_dsync"):
        return []
    return [f"The disks counted {counted(seen, what)} for {count(done)} of fio's."]


def unknown_times(group: FioGroup, what: str, timing: Timing) -> Iterator[str]:
    """What is not known of the times of one side, and why; ``timing`` is as shown."""
    job = group.job
    if len(group.entries) > 1 and not timing.bins:
        yield (
            f"Percentiles of job {group.name} are the mean of its {len(group.entries)} threads' "
            "percentiles."
        )
    if timing.submission:
        yield (
            f"fio's percentiles of job {group.name} leave out the submission, which took "
            f"{percent(timing.submission)} of the time: they are not known."
        )
    if timing.at_least is not None:
        yield at_least(timing.at_least, f"job {group.name}'s {what}s")
    if math.isnan(timing.latency.mean_us):
        because = "fio was asked not to time requests" if job and job.untimed else "fio gave none"
        yield f"The latency of job {group.name} is not known: {because}."


def at_least(beyond: tuple[float, float], of_what: str) -> str:
    """What is known of times beyond the end of fio's scale."""
    return f"{took_at_least(beyond, of_what)}: fio's scale of latencies ends there."


def ended_early(ran_s: float, job: FioJob, note: str, warnings: list[str]) -> list[str]:
    """Whether something ended a run before its time; ``note`` is what fio said meanwhile.

    That goes to ``warnings``, and is a doubt where too little was left.
    """
    asked_s = job.asked_s
    interrupted = _interrupted(note)
    early = job.time_based and ran_s < ENDED_SHARE * asked_s
    if not ran_s or not (interrupted or early):
        return []
    of = f" of {asked_s:.6g}" if ran_s < asked_s else ""
    how = "was interrupted" if interrupted else "ended"
    sentence = f"fio {how} after {ran_s:.3g}{of}{THIN}s."
    short = ran_s < LEAST_SECONDS or ran_s < LEAST_SHARE * asked_s
    warnings.append(sentence)
    return [sentence] if short else []


def _threads(group: FioGroup, job: FioJob) -> Iterator[str]:
    listed = len(group.entries)
    if listed > 1 and listed != job.jobs:
        yield f"Job {group.name} has {listed} entries, but {job.jobs} threads."
    running = ran(group)
    if listed == 1 and running and abs(running - job.jobs) > max(0.5, 0.1 * job.jobs):
        yield (
            f"Job {group.name} had {job.jobs} threads, but {running:.0f} were reported with it: "
            "another job of the same group may be among them."
        )


def _remarks(group: FioGroup, job: FioJob) -> Iterator[str]:
    if job.depth > 1:
        yield (
            f"Job {group.name} kept {job.depth} requests in flight by {job.io_engine}; each counts "
            "as a thread here, though it costs less CPU than one."
        )
    if job.sync_every:
        yield f"Job {group.name} calls {job.sync_every}."
