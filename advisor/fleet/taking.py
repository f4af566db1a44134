"""Taking in a folder of archives: read and judged in as many processes as there are processors."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from advisor.case import Case
from advisor.fleet.server_row import ANSWER, ServerRow, row_of
from advisor.judging.over_draws import judge
from advisor.run import RunKind
from advisor.runs.collected import COLLECTED_AT, keeping, name_of, read_checked
from advisor.store.rows.runs import IDLE
from advisor.store.store import Store
from probes.collection.archive import ENDING, SQL_ENDING
from probes.errors import LeadlineError, UsageError
from probes.inventory.facts import RawInventory
from probes.inventory.read import read

DRAWS = 16
"""Of what the figures may truly be: a quarter of what a report takes, since there are many servers
(our choice)."""

_ENDED = "The process that read it ended before it was done."


@dataclass(frozen=True, slots=True)
class TakenServer:
    """An archive that was judged and kept; ``again``: the same was there before."""

    file: Path
    row: ServerRow
    again: bool = False


@dataclass(frozen=True, slots=True)
class RefusedArchive:
    """An archive of which nothing was kept, and why."""

    file: Path
    error: LeadlineError


@dataclass(frozen=True, slots=True)
class _JudgedArchive:
    name: str
    raw: RawInventory
    row: ServerRow


def archives_in(folder: Path) -> list[Path]:
    """The archives of a folder and of those in it, by name; raises UsageError where none is."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder.", "Name the folder that the archives are in.")
    endings = (ENDING, SQL_ENDING)
    found = sorted(each for each in folder.rglob("*") if each.name.endswith(endings))
    if not found:
        raise UsageError(
            f"No archive is in {folder}.",
            f"Archives of `leadline collect` end in {ENDING} (or {SQL_ENDING}).",
        )
    return found


def take_archives(
    store: Store, files: Sequence[Path], processes: int | None = None
) -> Iterator[TakenServer | RefusedArchive]:
    """Judge and keep archives, each as a watch of the target that it names, as they get ready.

    What can't be read is ``RefusedArchive``, and the others are taken in; one that is there already
    is judged again and not kept twice. Raises StoreError.
    """
    store.require_writable()
    known = _known(store)
    for file, found in _judged(files, processes or os.cpu_count() or 1):
        if isinstance(found, LeadlineError):
            yield RefusedArchive(file, found)
            continue
        of = (found.name, found.raw.taken_at)
        if of in known:
            yield TakenServer(file, replace(found.row, run_id=known[of]), again=True)
            continue
        known[of] = _kept(store, found)
        yield TakenServer(file, replace(found.row, run_id=known[of]))


def _known(store: Store) -> dict[tuple[str, str], int]:
    """The collections that are kept, by target and time."""
    return {
        (run.target, taken_at): run.id
        for run in store.runs()
        if run.kind is RunKind.WATCH
        and (taken_at := store.conditions(run.id).get(COLLECTED_AT, ""))
    }


def _kept(store: Store, found: _JudgedArchive) -> int:
    with keeping(store, found.name, found.raw) as recorder:
        row = replace(found.row, run_id=recorder.run_id)
        store.add_answers(row.run_id, {ANSWER: row.written()})
        if row.idle:
            recorder.set(IDLE, "yes")
    return row.run_id


def _judged(
    files: Sequence[Path], processes: int
) -> Iterator[tuple[Path, _JudgedArchive | LeadlineError]]:
    """Each archive with what came of it, as they get ready."""
    processes = min(processes, len(files))
    if processes == 1:
        yield from ((file, judged_archive(file)) for file in files)
        return
    with ExitStack() as held:
        ends: dict[Any, list[Path]] = {}
        for at in range(processes):
            share = list(files[at::processes])
            ends[held.enter_context(_at_work(share))] = share
        while ends:
            ready: list[Any] = wait(list(ends))
            for end in ready:
                try:
                    found = end.recv()
                except EOFError:
                    # It was ended from outside, as by a kernel without memory.
                    yield from ((file, LeadlineError(_ENDED)) for file in ends.pop(end))
                    continue
                yield ends[end].pop(0), found
                if not ends[end]:
                    del ends[end]


@contextmanager
def _at_work(files: Sequence[Path]) -> Iterator[Any]:
    """A process that judges ``files`` one by one, and the end where what came of each arrives."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_judge_all, args=(files, sending), daemon=True)
    process.start()
    sending.close()
    try:
        yield receiving
    finally:
        receiving.close()
        process.terminate()
        process.join()


def _judge_all(files: Sequence[Path], sending: Any) -> None:
    # Ctrl-C reaches all of a terminal's processes: the one that started this ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for file in files:
        sending.send(judged_archive(file))


def judged_archive(file: Path) -> _JudgedArchive | LeadlineError:
    """Read and judge one archive; its fault is a value, since it comes from another process."""
    try:
        collected = read_checked(file)
        case = Case(name_of(collected, file), read(collected.raw), ())
        return _JudgedArchive(case.target, collected.raw, row_of(case, judge(case, DRAWS)))
    except LeadlineError as error:
        return error
