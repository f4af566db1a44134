"""The program below the window: heavy to load, so imported in a job's thread alone."""

from __future__ import annotations

from advisor.compare import compare
from advisor.compare.load import repeats
from advisor.compare.reference import library as references
from advisor.fleet.history import history
from advisor.fleet.listing import kept_servers
from advisor.forecasts.asking import compared_under, forecaster, what_if
from advisor.forecasts.kept import kept, scenario
from advisor.judging.over_draws import judge
from advisor.report.forms.by_ending import shown_answer
from advisor.rulebook.pages import body
from advisor.rulekit.registry import all_rules
from advisor.runs import session
from advisor.runs.bench import use_case as bench
from advisor.runs.importing import import_files
from advisor.runs.lab import session as lab_session
from advisor.runs.sample import take_sample
from advisor.runs.sent.server_texts import take_server
from advisor.runs.trial.session import trial
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_config.planned import plan_of
from advisor.upgrade.lens import lens
from app.presenters.advice.rule_notes import RuleNote, RuleNotes
from app.runtime.use_cases import UseCases
from probes.inventory.servers_here import servers_here

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
    trial=trial,
    lab=lab_session.lab,
    lab_preview=lab_session.preview,
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
    kept=kept,
)


def rule_notes() -> RuleNotes:
    """What the window knows of each rule, by id."""
    return {rule.id: RuleNote(rule.topic, rule.settings, body(rule)) for rule in all_rules()}
