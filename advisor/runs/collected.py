"""Taking in what the script of ``leadline collect`` packed: a watch of a target of that name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.run import COLLECTED_AT, RunKind, Voice
from advisor.runs.events import KeptRun
from advisor.runs.recording import Recorder, recorded
from advisor.runs.session import NOTHING_MEASURED
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_names import check_name
from probes.collection.archive import ENDING
from probes.collection.read import CollectedServer, read_collected
from probes.errors import ImportRefused, UsageError
from probes.imports.content import shown
from probes.imports.imported import Imported
from probes.inventory.facts import RawInventory
from probes.targets.address import TargetKind, TargetSpec

COLLECTION = "collection"
"""The kind of what the script collected."""


def take_collected(store: Store, file: Path, name: str = "") -> KeptRun:
    """Keep an archive's answers as a watch of the target ``name``, else of the name that it has.

    Raises ImportRefused, UsageError and StoreError.
    """
    collected = read_checked(file)
    name = name or name_of(collected, file)
    before = {store.conditions(run.id).get(COLLECTED_AT) for run in store.runs(name)}
    with keeping(store, name, collected.raw) as recorder:
        case = load_case(store, Voice(recorder.run_id))
        recorder.note_idle(case)
    warnings = tuple(f"{each.fact}: {each.because}." for each in case.inventory.missing)
    if collected.raw.taken_at in before:
        again = f"This collection of {name} was there before: it is there twice now."
        warnings = (again, *warnings)
    imported = Imported(file.name, COLLECTION, "Leadline", collected.version, warnings=warnings)
    return KeptRun(recorder.run_id, name, imported)


@contextmanager
def keeping(store: Store, name: str, raw: RawInventory) -> Iterator[Recorder]:
    """Keep what was collected as a watch of the target ``name``, which ends with the context.

    How that target is reached is not known. Raises StoreError.
    """
    spec = TargetSpec(kind=TargetKind.SSH, name=name)
    run_id = store.start_run(spec, raw, NOTHING_MEASURED, kind=RunKind.WATCH)
    with recorded(store, run_id) as recorder:
        recorder.set(COLLECTED_AT, raw.taken_at)
        yield recorder


def read_checked(file: Path) -> CollectedServer:
    """Read an archive; raises ImportRefused, which names the file, and UsageError without one."""
    try:
        return read_collected(file)
    except ImportRefused as error:
        raise ImportRefused(
            f"{shown(file)}: {error.sentence}", error.advice, error.details
        ) from error
    except OSError as error:
        raise UsageError(f"{shown(file)} can't be read ({error.strerror}).") from error


def name_of(collected: CollectedServer, file: Path) -> str:
    """What its target is called: as the script was started, else as the file is."""
    for name in (collected.name, file.name.removesuffix(ENDING)):
        try:
            check_name(name)
        except UsageError:
            continue
        return name
    return f"server {shown(file.stem)}"
