"""Bringing other programs' results into the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from advisor.judging.over_draws import judge
from advisor.run import Voice
from advisor.runs.collected import take_collected
from advisor.runs.events import KeptRun, RefusedFile
from advisor.store import casefile
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_names import CASE_SUFFIX, check_name
from probes.collection.archive import is_collection
from probes.errors import ImportRefused, UsageError
from probes.figures import counted, listed
from probes.imports import Imported, read_import
from probes.imports.apart import as_one_run
from probes.imports.content import shown

CASE = "case"
"""The kind of what came as a case file of Leadline's."""

SEVERAL = "several"
"""The kind of a run that was put together of files of different kinds."""

LONGEST_NAME = 200
TRIED_DRAWS = 8
"""A case file is judged on trial over this number of draws: who opens it judges it over all."""

MOST_NAMED = 6
"""Names of imported runs in a sentence; more are counted."""


def import_files(
    store: Store, files: Sequence[Path], name: str = ""
) -> Iterator[KeptRun | RefusedFile]:
    """Read ``files`` and keep them: with ``name`` as one run, else as one each, by its file's name.

    A case file becomes a run of a target that is called as the file is, an archive of `leadline
    collect` a watch of the target that it names.

    Nothing of a run is kept unless all of it can be read: with ``name``, a file that can't raises
    UsageError or ImportRefused; else it is ``RefusedFile``, and the others are taken in. Raises
    StoreError; what came before stays kept.
    """
    if len(name) > LONGEST_NAME or name != shown(name):
        raise UsageError(
            "That is not a valid name for a run.",
            f"Take one line of at most {LONGEST_NAME} letters.",
        )
    if name:
        together = join([read_import(file) for file in files])
        yield KeptRun(store.add_import(together, name), name, together)
        return
    for file in files:
        try:
            if file.suffix == CASE_SUFFIX:
                yield take_case(store, file, name_of_case(file))
                continue
            if is_collection(file):
                yield take_collected(store, file)
                continue
            imported = read_import(file)
        except (ImportRefused, UsageError) as error:
            yield RefusedFile(file, error)
            continue
        own_name = shown(file.stem)
        alike = (run.points == len(imported.points) for run in store.runs(own_name))
        if any(alike):
            warning = f"An import called {own_name} with as many points was there before."
            imported = replace(imported, warnings=(warning, *imported.warnings))
        yield KeptRun(store.add_import(imported, own_name), own_name, imported)


def take_case(store: Store, file: Path, name: str, *, shipped: bool = False) -> KeptRun:
    """Keep a case file's runs as those of the target ``name``; raises UsageError, StoreError.

    What is handed back names the run that has the points, if there are any. A file that is
    ``shipped`` with Leadline is known to be a case: it is not judged before it is kept.
    """
    warnings: list[str] = []
    with casefile.opened(file, warnings.append) as (case, voice):
        if not shipped:
            _judged(case, voice)
        before = {run.started_at for run in store.runs(name)}
        ids = sorted(run.id for run in case.runs())
        taken = {run_id: store.take_over(case, run_id, name) for run_id in ids}
        if case.run(voice.run_id).started_at in before:
            warnings.insert(0, f"This run of {name} was there before: it is there twice now.")
        points = tuple(case.points(voice.measured_id))
    engine = points[0].engine if points else ""
    imported = Imported(file.name, CASE, engine, points=points, warnings=tuple(warnings))
    number = taken.pop(voice.measured_id)
    return KeptRun(number, name, imported, tuple(taken.values()))


def _judged(case: Store, voice: Voice) -> None:
    """Read all of a case and judge it, as who opens it will: what that trips over is no case."""
    judge(load_case(case, voice), TRIED_DRAWS)
    for run_id in voice.ids:
        for read in (case.plan, case.run_warnings, case.calibrated, case.beats, case.host_samples):
            read(run_id)
        case.scenarios(run_id)


def name_of_case(file: Path) -> str:
    """The target that a case file becomes: what the file is called, if a target can be so."""
    try:
        check_name(file.stem)
    except UsageError:
        return f"case {shown(file.stem)}".strip()
    return file.stem


def summed_up(kept: Sequence[KeptRun], refused: Sequence[RefusedFile]) -> str:
    """``3 of 5 files were imported: a, b and c.``: how an import of several files has ended."""
    number = len(kept) + len(refused)
    verb = "was" if number == 1 else "were"
    if not kept:
        none = "The file was" if number == 1 else f"None of the {number} files was"
        return f"{none} imported."
    names = listed([each.name for each in kept[:MOST_NAMED]])
    more = len(kept) - MOST_NAMED
    named = f"{names}, and {more} more" if more > 0 else names
    whole = counted(number, "file") if not refused else f"{len(kept)} of {number} files"
    return f"{whole} {verb} imported: {named}."


def join(parts: Sequence[Imported]) -> Imported:
    """Several files as one source: what they have in common is said of all."""
    if len(parts) == 1:
        return parts[0]
    return replace(
        parts[0],
        source=", ".join(part.source for part in parts),
        kind=_common((part.kind for part in parts), SEVERAL),
        engine=_common((part.engine for part in parts if part.points), ""),
        engine_version=_common((part.engine_version for part in parts if part.points), ""),
        conditions=_shared([part.conditions for part in parts]),
        points=as_one_run([point for part in parts for point in part.points]),
        host_samples=tuple(sample for part in parts for sample in part.host_samples),
        warnings=tuple(dict.fromkeys(warning for part in parts for warning in part.warnings)),
    )


def _common(values: Iterable[str], otherwise: str) -> str:
    found = set(values)
    return found.pop() if len(found) == 1 else otherwise


def _shared(conditions: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Conditions that no file contradicts."""
    found: dict[str, set[str]] = {}
    for each in conditions:
        for name, value in each.items():
            found.setdefault(name, set()).add(value)
    return {name: values.pop() for name, values in found.items() if len(values) == 1}
