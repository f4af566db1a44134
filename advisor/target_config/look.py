"""The look between: what can only be known once the server runs with its new settings."""

from __future__ import annotations

from collections.abc import Container, Sequence

from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.steps import Needs, Procedure
from advisor.target_config.unsettled import Unsettled
from probes.figures import listed

WATCH = "Watch the server again under its usual load"


def look(
    plan: ChangePlan, judgement: Judgement, known: Container[str], unsettled: Unsettled
) -> Action:
    """Make the step after a plan that changes the load's own figures.

    It names the advice that was held back for what the plan changes, but for that of ``known``
    rules: planned, or left out.
    """
    done = {rule for action in plan.actions for rule in action.rules}
    waiting = [one for one in judgement.recommendations if one.waits_for]
    held = [
        one
        for one in waiting
        if one.verdict is Verdict.WATCH and one.rule not in known and _behind(one, done, waiting)
    ]
    return Action(
        Group.LOOK,
        Procedure(
            WATCH,
            (
                _when(unsettled),
                f"Watch it{_why(unsettled)}.",
                f"Judged again then: {_held(held)}.",
            ),
            needs=Needs.NOTHING,
        ),
        tuple(one.rule for one in held),
    )


def _behind(one: Recommendation, done: set[str], waiting: Sequence[Recommendation]) -> bool:
    """Whether it waits for what the plan does, or for what waits for that."""
    if one.waits_for in done:
        return True
    first = next((each for each in waiting if each.rule == one.waits_for), None)
    return first is not None and _behind(first, done, [each for each in waiting if each is not one])


def _when(unsettled: Unsettled) -> str:
    if unsettled.pool:
        return "Wait until the buffer pool is full: until then its misses are those of the warm-up."
    return "Wait until the busy hour has come round."


def _others(unsettled: Unsettled) -> list[str]:
    words = ["the misses of the pool"] if unsettled.pool else []
    words += ["the pages that are written", "the checkpoint age"] if unsettled.writes else []
    words += ["what a read takes"] if unsettled.pool or unsettled.opening else []
    return words


def _why(unsettled: Unsettled) -> str:
    others = _others(unsettled)
    return f": {listed(others)} have changed" if others else ""


def _held(held: list[Recommendation]) -> str:
    if not held:
        return "whether flushing keeps up, and what else queries wait for"
    return listed([one.setting or one.title for one in held])
