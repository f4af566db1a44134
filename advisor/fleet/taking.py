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
from advisor.fleet.judged_row import row_judged
from advisor.fleet.server_row import ANSWER, ServerRow, kept_row
from advisor.run import COLLECTED_AT, RunKind
from advisor.runs.collected import keeping, name_of, read_checked
from advisor.store.rows.runs import IDLE
from advisor.store.store import Store
from probes.collection.archive import ENDING, SQL_ENDING
from probes.errors import LeadlineError, UsageError
from probes.inventory.facts import RawInventory
from probes.inventory.read import read

_Of = tuple[str, str]
"""What a collection is known by: its target, and when it was made."""

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
    of: _Of
    raw: RawInventory
    row: ServerRow | None
    """None of one whose row is known."""


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
    is not kept twice, and judged again only where another version judged it. Raises StoreError.
    """
    store.require_writable()
    known = _known(store)
    rows = {of: row for of, run_id in known.items() if (row := kept_row(store, run_id)) is not None}
    for file, found in _judged(files, processes or os.cpu_count() or 1, frozenset(rows)):
        if isinstance(found, LeadlineError):
            yield RefusedArchive(file, found)
            continue
        again = found.of in known
        row = rows[found.of] if found.row is None else found.row
        if not again:
            known[found.of] = _kept(store, found, row)
        yield TakenServer(file, replace(row, run_id=known[found.of]), again)


def _known(store: Store) -> dict[_Of, int]:
    """The runs of the collections that are kept."""
    return {
        (run.target, taken_at): run.id
        for run in store.runs()
        if run.kind is RunKind.WATCH
        and (taken_at := store.conditions(run.id).get(COLLECTED_AT, ""))
    }


def _kept(store: Store, found: _JudgedArchive, row: ServerRow) -> int:
    with keeping(store, found.of[0], found.raw) as recorder:
        row = replace(row, run_id=recorder.run_id)
        store.add_answers(row.run_id, {ANSWER: row.written()})
        if row.idle:
            recorder.set(IDLE, "yes")
    return row.run_id


def _judged(
    files: Sequence[Path], processes: int, known: frozenset[_Of]
) -> Iterator[tuple[Path, _JudgedArchive | LeadlineError]]:
    """Each archive with what came of it, as they get ready."""
    processes = min(processes, len(files))
    if processes == 1:
        yield from ((file, judged_archive(file, known)) for file in files)
        return
    with ExitStack() as held:
        ends: dict[Any, list[Path]] = {}
        for at in range(processes):
            share = list(files[at::processes])
            ends[held.enter_context(_at_work(share, known))] = share
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
def _at_work(files: Sequence[Path], known: frozenset[_Of]) -> Iterator[Any]:
    """A process that judges ``files`` one by one, and the end where what came of each arrives."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_judge_all, args=(files, known, sending), daemon=True)
    process.start()
    sending.close()
    try:
        yield receiving
    finally:
        receiving.close()
        process.terminate()
        process.join()


def _judge_all(files: Sequence[Path], known: frozenset[_Of], sending: Any) -> None:
    # Ctrl-C reaches all of a terminal's processes: the one that started this ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for file in files:
        sending.send(judged_archive(file, known))


def judged_archive(file: Path, known: frozenset[_Of]) -> _JudgedArchive | LeadlineError:
    """Read one archive, and judge it unless its row is known.

    Its fault is a value, since it comes from another process.
    """
    try:
        collected = read_checked(file)
        of = name_of(collected, file), collected.raw.taken_at
        if of in known:
            return _JudgedArchive(of, collected.raw, None)
        case = Case(of[0], read(collected.raw), ())
        return _JudgedArchive(of, collected.raw, row_judged(case))
    except LeadlineError as error:
        return error
