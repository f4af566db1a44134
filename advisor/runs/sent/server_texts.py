"""A server's texts become a run of a target that nobody here can reach."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement
from advisor.run import RunKind, Voice
from advisor.runs.collected import take_collected
from advisor.runs.events import KeptRun
from advisor.runs.importing import take_case
from advisor.runs.recording import recorded
from advisor.runs.sent.asked import SERVER, ServerTexts
from advisor.runs.session import NOTHING_MEASURED
from advisor.store.cases import load_case
from advisor.store.rows.runs import FROM_TEXTS
from advisor.store.store import Store
from advisor.target_names import CASE_SUFFIX, check_name
from probes.collection.archive import is_collection
from probes.errors import UsageError
from probes.events import Warned
from probes.imports import Imported
from probes.targets.address import StatedMachine, TargetKind, TargetSpec
from probes.texts.collection import Collection, collect
from probes.texts.lacking import WantedText, wanted
from probes.texts.sent import SentTexts, sent_texts
from probes.version import ServerVersion

PASTED = "clipboard"
"""What a text is called that has no file."""


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


def take_server(store: Store, texts: ServerTexts) -> Iterator[KeptRun]:
    """The same as an import of files; raises what ``import_server`` does.

    An archive of `leadline collect` or a case file alone is kept as what it is, under that name.
    """
    if len(texts.files) == 1 and not texts.pasted:
        (file,), name = texts.files, texts.name.strip()
        a_case = file.suffix == CASE_SUFFIX
        if a_case or (file.is_file() and is_collection(file)):
            check_name(name)
            yield (take_case if a_case else take_collected)(store, file, name)
            return
    kept = import_server(store, texts, time.time())
    lacks = (f"Not among the texts: {each.command} ({each.decides})." for each in kept.wanted)
    notes = (*kept.collection.notes, *lacks)
    source = ", ".join(text.name for text in kept.collection.texts if text.found)
    yield KeptRun(kept.run_id, kept.name, Imported(source, SERVER, "", warnings=notes))


def import_server(store: Store, texts: ServerTexts, now_s: float) -> KeptServer:
    """Read files, folders and archives as the texts of one server, and judge it.

    It is kept as a watch of the target ``name``, which is saved where there is none; one that can
    be reached stays as it is. Raises UsageError for a name that is none, ImportRefused where
    nothing of a server is among the files, StoreError.
    """
    store.require_writable()
    name = texts.name.strip()
    check_name(name)
    version = texts.typed.version
    if version and not ServerVersion.parse(version).is_known:
        raise UsageError(
            f"{version!r} is no version of MySQL or MariaDB.", "As 8.0.36 or 10.11.6-MariaDB."
        )
    saved = store.target(name)
    before = None if saved is None else saved.told
    sent = SentTexts() if texts.pasted and not texts.files else sent_texts(texts.files)
    if texts.pasted:
        sent.take(PASTED, texts.pasted.encode(), now_s)
    typed = replace(texts.typed, machine=_since(before, texts.typed.machine))
    collection = collect(sent.texts, typed, now_s)
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
        case = load_case(store, Voice(run_id))
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
