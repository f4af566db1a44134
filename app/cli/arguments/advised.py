"""What a rule advises for a target, as values that a trial can set."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.outcomes import Verdict
from advisor.report.report import gather
from advisor.store.store import Store
from advisor.trial.advised import AdvisedValues, advised_values, tryable
from app.cli.arguments.case import voice_named
from probes.errors import UsageError


def advised_plan(store: Store, target: str) -> list[AdvisedValues]:
    """All that a target's advice has that a trial may switch, the largest gain first.

    Raises UsageError where there is no run, or nothing of that kind is advised.
    """
    voice = voice_named(target, store)
    judged = gather(store, voice).judgement.recommendations
    known = tryable(judged)
    found = [each for each in known if each.switched]
    if not found:
        raise UsageError(
            f"Nothing that run {voice.run_id} of {target} advises can be switched back and forth.",
            _in_steps(known, target),
        )
    return found


def _in_steps(known: Iterable[AdvisedValues], target: str) -> str:
    """How to try what changes in steps alone; "" where nothing of the kind is advised."""
    one = next((each for each in known if each.in_steps), None)
    if one is None:
        return ""
    (setting,) = one.values
    return f"`leadline try {target} --rule {one.rule}` changes {setting} in steps."


def advised_by(store: Store, target: str, rule: str) -> AdvisedValues:
    """What a rule advises by the run that speaks for the target.

    Raises UsageError where there is no run, or the rule advises no setting.
    """
    voice = voice_named(target, store)
    judged = gather(store, voice).judgement.recommendations
    found = {each.rule: each for each in advised_values(judged)}
    if rule in found:
        return found[rule]
    if any(each.rule == rule and each.verdict is Verdict.RECOMMEND for each in judged):
        raise UsageError(f"What {rule} advises is no setting that can be switched.")
    known = ", ".join(sorted(found))
    raise UsageError(
        f"{rule} recommends nothing by run {voice.run_id} of {target}.",
        f"Those that propose settings: {known}." if known else "No rule proposes a setting.",
    )
