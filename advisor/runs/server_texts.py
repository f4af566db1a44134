"""A server's texts become a run of a target that nobody here can reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement
from advisor.run import RunKind
from advisor.runs.recording import recorded
from advisor.runs.session import NOTHING_MEASURED
from advisor.store.cases import load_case
from advisor.store.rows.runs import FROM_TEXTS
from advisor.store.store import Store
from advisor.target_names import check_name
from probes.events import Warned
from probes.targets.address import StatedMachine, TargetKind, TargetSpec
from probes.texts.collection import Collection, Typed, collect
from probes.texts.lacking import WantedText, wanted
from probes.texts.sent import sent_texts


@dataclass(frozen=True, slots=True)
class KeptServer:
    """The run that a server's texts became, what they are, and what they lack.

    ``passed`` are files that no reader takes, each with why.
    """

    run_id: int
    name: str
    collection: Collection
    wanted: tuple[WantedText, ...]
    passed: tuple[tuple[str, str], ...]
    judgement: Judgement


def import_server(
    store: Store, files: Sequence[Path], name: str, typed: Typed, now_s: float
) -> KeptServer:
    """Read files, folders and archives as the texts of one server, and judge it.

    It is kept as a watch of the target ``name``, which is saved where there is none; one that can
    be reached stays as it is. Raises UsageError for a name that is none, ImportRefused where
    nothing of a server is among the files, StoreError.
    """
    store.require_writable()
    check_name(name)
    saved = store.target(name)
    before = None if saved is None else saved.told
    sent = sent_texts(files)
    collection = collect(sent.texts, replace(typed, machine=_since(before, typed.machine)), now_s)
    told = None if collection.machine == StatedMachine() else collection.machine
    spec = TargetSpec(TargetKind.TEXTS, name, told=told)
    if saved is None or saved.kind is TargetKind.TEXTS:
        store.save_target(spec)
    run_id = store.start_run(spec, collection.raw, NOTHING_MEASURED, kind=RunKind.WATCH)
    with recorded(store, run_id) as recorder:
        recorder.set(
            FROM_TEXTS, ", ".join(text.name for text in collection.texts if text.found)[:1000]
        )
        for note in collection.notes:
            recorder.keep(Warned(FROM_TEXTS, note))
        case = load_case(store, run_id)
        recorder.note_idle(case)
    return KeptServer(
        run_id, name, collection, wanted(collection.raw.answers), sent.passed, judge(case)
    )


def _since(before: StatedMachine | None, stated: StatedMachine) -> StatedMachine:
    """What is stated now, and what was stated before of what is not."""
    if before is None:
        return stated
    names = [each.name for each in fields(StatedMachine)]
    return StatedMachine(**{name: getattr(stated, name) or getattr(before, name) for name in names})
