"""The program below the window: heavy to load, so imported in a job's thread alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from advisor.compare.load import compared, repeats
from advisor.compare.reference import library as references
from advisor.fleet.history import history
from advisor.fleet.listing import kept_servers
from advisor.fleet.two_looks import two_looks
from advisor.forecasts.asking import compared_under, forecaster, what_if
from advisor.forecasts.kept import kept, scenario
from advisor.judging.over_draws import judge
from advisor.rulebook.pages import body
from advisor.rulekit.registry import all_rules
from advisor.run import RunSummary
from advisor.runs import session
from advisor.runs.bench import use_case as bench
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_config.planned import plan_of
from advisor.upgrade.lens import lens
from app.presenters.advice.rule_notes import RuleNote, RuleNotes
from app.runtime.use_cases import UseCases
from probes.inventory.servers_here import servers_here

if TYPE_CHECKING:
    from advisor.runs.events import KeptRun, RefusedFile, StageStarted
    from advisor.runs.lab.events import LabEvent
    from advisor.runs.trial.events import TrialEvent
    from probes.events import Warned


def _lab(*asked: Any) -> Iterator[LabEvent]:
    """Loads what a MySQL server needs, which most starts of the window do without."""
    from advisor.runs.lab.session import lab  # noqa: PLC0415

    return lab(*asked)


def _lab_preview(*asked: Any) -> Iterator[LabEvent]:
    from advisor.runs.lab.session import preview  # noqa: PLC0415

    return preview(*asked)


def _trial(*asked: Any) -> Iterator[TrialEvent]:
    from advisor.runs.trial.session import trial  # noqa: PLC0415

    return trial(*asked)


def _mend(*asked: Any) -> Iterator[StageStarted | Warned]:
    from advisor.runs.trial.mending import mend  # noqa: PLC0415

    return mend(*asked)


def _import_files(*asked: Any) -> Iterator[KeptRun | RefusedFile]:
    """Loads what reads other programs' files, which most days have none of."""
    from advisor.runs.importing import import_files  # noqa: PLC0415

    return import_files(*asked)


def _take_server(*asked: Any) -> Iterator[KeptRun]:
    from advisor.runs.sent.server_texts import take_server  # noqa: PLC0415

    return take_server(*asked)


def _take_sample(*asked: Any) -> Iterator[KeptRun]:
    from advisor.runs.sample import take_sample  # noqa: PLC0415

    return take_sample(*asked)


def _answer(store: Store, run: RunSummary) -> str:
    """Loads what a report is made of, for runs that have an answer of their own."""
    if not run.kind.has_answer:
        return ""
    from advisor.report.forms.by_ending import shown_answer  # noqa: PLC0415

    return shown_answer(store, run)


PROGRAM = UseCases(
    open_store=Store.open,
    measure=session.measure,
    watch=session.watch,
    preview=session.preview,
    look=session.look,
    test_connection=session.test_connection,
    servers_here=servers_here,
    load_case=load_case,
    judge=judge,
    references=references,
    contender=repeats,
    compare=compared,
    under=compared_under,
    bench=bench.bench,
    bench_preview=bench.preview,
    trial=_trial,
    mend=_mend,
    lab=_lab,
    lab_preview=_lab_preview,
    import_files=_import_files,
    take_server=_take_server,
    take_sample=_take_sample,
    answer=_answer,
    make_plan=plan_of,
    lens=lens,
    forecaster=forecaster,
    what_if=what_if,
    scenario=scenario,
    servers=kept_servers,
    history=history,
    two_looks=two_looks,
    kept=kept,
)


def rule_notes() -> RuleNotes:
    """What the window knows of each rule, by id."""
    return {rule.id: RuleNote(rule.topic, rule.settings, body(rule)) for rule in all_rules()}
