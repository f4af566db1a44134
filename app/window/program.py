"""The program below the window: heavy to load, so imported in a job's thread alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from advisor.compare import compare
from advisor.compare.load import repeats
from advisor.compare.reference import library as references
from advisor.fleet.history import history
from advisor.fleet.listing import kept_servers
from advisor.fleet.two_looks import two_looks
from advisor.forecasts.asking import compared_under, forecaster, what_if
from advisor.forecasts.kept import kept, scenario
from advisor.judging.over_draws import judge
from advisor.report.forms.by_ending import shown_answer
from advisor.rulebook.pages import body
from advisor.rulekit.registry import all_rules
from advisor.runs import session
from advisor.runs.bench import use_case as bench
from advisor.runs.importing import import_files
from advisor.runs.sample import take_sample
from advisor.runs.sent.server_texts import take_server
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_config.planned import plan_of
from advisor.upgrade.lens import lens
from app.presenters.advice.rule_notes import RuleNote, RuleNotes
from app.runtime.use_cases import UseCases
from probes.inventory.servers_here import servers_here

if TYPE_CHECKING:
    from advisor.runs.events import StageStarted
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
    compare=compare,
    under=compared_under,
    bench=bench.bench,
    bench_preview=bench.preview,
    trial=_trial,
    mend=_mend,
    lab=_lab,
    lab_preview=_lab_preview,
    import_files=import_files,
    take_server=take_server,
    take_sample=take_sample,
    answer=shown_answer,
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
