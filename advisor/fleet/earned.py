"""What rules have earned beside trials: in labs, and on servers that have carried out their advice.

A lab answers a rule where it tried the very change that the target's latest look before it advised.
A later look answers one where all settings that changed since are those that it had advised, with
its values; looks of unlike loads say nothing. Nobody switched anything there, so that whatever else
changed is in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import suppress

from advisor.fleet.history import SettingChange, before_after, history
from advisor.judging.over_draws import judge
from advisor.lab.findings import findings
from advisor.outcomes import Recommendation, Verdict
from advisor.run import looks, voice_of
from advisor.store.cases import load_case
from advisor.store.damage import DamagedError
from advisor.store.store import Store
from advisor.trial.advised import AdvisedValues, advised_values
from advisor.trial.outcome import OutcomeSource, RuleOutcome, of_lab
from advisor.trial.record import TrialVerdict
from advisor.tried import plain_value
from probes.statistics.ranges import Range

_Known = Set[tuple[OutcomeSource, int]]
"""What has been found before: from where, and by which run."""


def earn(store: Store, target: str) -> None:
    """Find what is new of a target, and keep it. Raises StoreError."""
    known = {(each.source, each.run_id) for each in store.outcomes()}
    found = [*_in_labs(store, target, known), *_later(store, target, known)]
    if found:
        store.keep_outcomes(found)


def _in_labs(store: Store, target: str, known: _Known) -> Iterator[RuleOutcome]:
    for run_id, on in store.labs_of(target):
        if (OutcomeSource.LAB, run_id) in known:
            continue
        advised = _advised_before(store, target, run_id)
        with suppress(DamagedError):
            for each in findings(store.lab(run_id), run_id, on[:10]):
                for one in advised:
                    if each.changes(one.setting, one.now, one.proposed):
                        (values,) = advised_values([one]) or (None,)
                        yield of_lab(each, one.rule, values.forecast if values else None)


def _later(store: Store, target: str, known: _Known) -> Iterator[RuleOutcome]:
    past = history(store, target)
    runs = {look.at: look.run_id for look in past}
    for change in before_after(past):
        run_id = runs[change.at]
        if (OutcomeSource.WATCH, run_id) in known:
            continue
        advised = advised_values(_advised_before(store, target, run_id))
        for each in advised:
            if _is_carried_out(each, change.changed):
                yield RuleOutcome(
                    OutcomeSource.WATCH,
                    run_id,
                    each.rule,
                    TrialVerdict.KEPT,
                    Range.exact(1 / change.times),
                    each.forecast,
                )


def _advised_before(store: Store, target: str, run_id: int) -> list[Recommendation]:
    """What was advised before a run; nothing where nobody had looked, or that is damaged."""
    before = [run for run in store.runs(target) if run.id < run_id]
    voice = voice_of(before) if looks(before) else None
    if voice is None:
        return []
    try:
        judged = judge(load_case(store, voice))
    except DamagedError:
        return []
    return [each for each in judged.recommendations if each.verdict is Verdict.RECOMMEND]


def _is_carried_out(advised: AdvisedValues, changed: tuple[SettingChange, ...]) -> bool:
    """Whether what changed is what was advised, and nothing else."""
    now = {each.name: plain_value(each.new) for each in changed}
    return now == {name: plain_value(value) for name, value in advised.values.items()}
