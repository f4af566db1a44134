"""Case files: one server in one file, judged elsewhere by the rules that are there.

A ``.leadline`` file is a small database with the run that speaks for a server, the run that has its
curves where that is another, and what trials and labs have found there. It holds no secret, not how
the target is reached, and no text of InnoDB's status. Whoever opens it reads a copy: the file never
changes.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from tempfile import TemporaryDirectory

from advisor.run import RunKind, Voice, voice_of
from advisor.store.damage import DamagedError
from advisor.store.database import CorruptError, FileFault, OverLimitError
from advisor.store.private_files import FILE_MODE
from advisor.store.schema.migrations import NewerError
from advisor.store.store import Store
from advisor.target_names import CASE_SUFFIX
from advisor.whole_file import check_replaceable, replace_whole
from probes.errors import LeadlineError, UsageError
from probes.points import Point

_MOST = 1e15
"""Above any rate per second and any time in microseconds; neither is infinity below it."""

MOST_TRIED = 200
"""Trials and labs that go along, the latest."""

_RIGHTS = "Give your account the right to read it."
_SMALLER = "No run of Leadline's comes to that: have it exported again with `leadline case export`."

_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What rules and findings trip over when a case is not what it seems to be."""


def export(store: Store, voice: Voice, path: Path) -> None:
    """Write what a server is known by to ``path``, in place of an older file; all or nothing.

    A run that is judged takes the target's trials, labs and pins along: what was advised with them
    is advised there, too.

    The file is this account's alone: who sends it decides who reads it.

    Raises UsageError for a name that is no case file's and for an import, which no rule can judge;
    StoreError when there is no such run; LeadlineError when the file can't be written.
    """
    if path.suffix != CASE_SUFFIX:
        raise UsageError(
            f"{path} is not a valid name for a case file.",
            f"End it in {CASE_SUFFIX}: commands know it by that.",
        )
    if store.run(voice.run_id).kind is RunKind.IMPORT:
        raise UsageError(f"Run {voice.run_id} was imported: there is nothing to judge in it.")
    try:
        # First: a fault of the folder is reported for the file that was asked for.
        check_replaceable(path)
        # SQLite opens by name, and others may rename in that folder: it writes where they can't.
        with TemporaryDirectory(prefix="leadline-") as folder:
            whole = Path(folder) / path.name
            _write_whole(store, voice, whole, path)
            replace_whole(path, whole.read_bytes(), FILE_MODE)
    except OSError as error:
        raise LeadlineError(
            f"{path} can't be written ({error.strerror}).", "Choose another folder."
        ) from error


def _write_whole(store: Store, voice: Voice, whole: Path, wanted: Path) -> None:
    try:
        store.export_runs(_run_ids(store, voice), whole)
    except FileFault as error:
        if error.path != whole:
            raise
        raise LeadlineError(
            f"{wanted} was not written: {whole.parent.parent}, where it is made, {error.what}.",
            "Make room there, or name another folder for temporary files (TMPDIR).",
            error.details,
        ) from error


def _run_ids(store: Store, voice: Voice) -> tuple[int, ...]:
    """The runs that go along: of a lab or a trial, which no rule judges, it alone."""
    run = store.run(voice.run_id)
    if run.kind.has_answer:
        return voice.ids
    found = (*store.trials_of(run.target), *store.labs_of(run.target))
    latest = sorted((run_id for run_id, _ in found), reverse=True)[:MOST_TRIED]
    return (*voice.ids, *latest)


@contextmanager
def opened(
    path: Path, tell: Callable[[str], object] = lambda _warning: None
) -> Iterator[tuple[Store, Voice]]:
    """A copy of a case file and what its server is known by; raises UsageError where it is none.

    ``tell`` gets what the file's reader should know: that secrets were found in it, and hidden.

    The file is somebody else's: nothing in it is evaluated before it is seen to be a case. What
    rules and findings trip over while it is open is the file's fault, too.
    """
    try:
        if not path.is_file():
            raise UsageError(f"No such file: {path}.", "`leadline case export` makes case files.")
        with Store.open_copy(path) as store:
            yield store, _checked(store, path)
            for warning in store.warnings:
                tell(warning)
    except OSError as error:
        raise UsageError(f"{path} can't be read ({error.strerror}).", _RIGHTS) from error
    except FileFault as error:
        raise UsageError(f"{path} {error.what}.", _RIGHTS, error.details) from error
    except OverLimitError as error:
        raise UsageError(f"{path} {error.what}.", _SMALLER, error.details) from error
    except NewerError as error:
        raise UsageError(
            f"{path} was written by a newer Leadline.", "Update Leadline to read it."
        ) from error
    except (CorruptError, DamagedError) as error:
        raise _no_case(path, error.details) from error
    except (sqlite3.Error, *_UNREADABLE) as error:
        raise _no_case(path, repr(error)[:200]) from error


def _checked(store: Store, path: Path) -> Voice:
    """What its server is known by, once its figures are such as rules can reckon with."""
    runs = store.runs()
    if any(run.kind is RunKind.IMPORT for run in runs):
        raise _no_case(path, "It holds an import.")
    if len({run.target for run in runs}) > 1:
        raise _no_case(path, "It holds runs of several targets.")
    seen = [run for run in runs if not run.kind.has_answer]
    if len(seen) > 2 or (len(runs) > 1 and not seen):
        raise _no_case(path, "It holds runs that nothing joins.")
    if not all(_measurable(point) for run in runs for point in store.points(run.id)):
        raise _no_case(path, "It holds figures that no measurement gives.")
    return voice_of(seen) or Voice((seen or runs)[0].id)


def _measurable(point: Point) -> bool:
    """Whether its figures are such as reports can reckon with."""
    figures = (point.rate_per_s, *point.ci95_per_s, point.seconds, *astuple(point.latency))
    # What a source does not report is nan, but for the rate.
    return math.isfinite(point.rate_per_s) and not any(abs(each) >= _MOST for each in figures)


def _no_case(path: Path, details: str) -> UsageError:
    return UsageError(
        f"{path} is damaged, or no case file of Leadline's.",
        "Have it exported again with `leadline case export`.",
        details,
    )
