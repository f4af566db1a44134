"""A server's texts become a run of a target that nobody here can reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement
from advisor.run import RunKind
from advisor.runs.recording import recorded
from advisor.runs.session import NOTHING_MEASURED
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_names import check_name
from probes.events import Warned
from probes.targets.address import StatedMachine, TargetKind, TargetSpec
from probes.texts.collection import Collection, Typed, collect
from probes.texts.lacking import WantedText, wanted
from probes.texts.sent import sent_texts

TEXTS = "texts"
"""The code of what a text's reader has to say, and the condition that names a run's texts."""


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

    It is kept as a watch of the target ``name``, which is saved where there is none. Raises
    UsageError for a name that is none, ImportRefused where nothing of a server is among the files,
    StoreError.
    """
    store.require_writable()
    check_name(name)
    sent = sent_texts(files)
    collection = collect(sent.texts, typed, now_s)
    spec = _target(store, name, collection.machine)
    run_id = store.start_run(spec, collection.raw, NOTHING_MEASURED, kind=RunKind.WATCH)
    with recorded(store, run_id) as recorder:
        recorder.set(TEXTS, ", ".join(text.name for text in collection.texts if text.found)[:1000])
        for note in collection.notes:
            recorder.keep(Warned(TEXTS, note))
        case = load_case(store, run_id)
        recorder.note_idle(case)
    return KeptServer(
        run_id, name, collection, wanted(collection.raw.answers), sent.passed, judge(case)
    )


def _target(store: Store, name: str, machine: StatedMachine) -> TargetSpec:
    """The target of the run; a saved one that can be reached stays as it is."""
    told = None if machine == StatedMachine() else machine
    spec = TargetSpec(TargetKind.TEXTS, name, told=told)
    saved = store.target(name)
    if saved is None or saved.kind is TargetKind.TEXTS:
        store.save_target(replace(spec, told=told or (saved.told if saved else None)))
    return spec
