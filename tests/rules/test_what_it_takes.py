"""What each dear change takes, and so how sure it must be before it is recommended."""

from __future__ import annotations

import pytest

from advisor.judging.over_draws import LEAST, LIKELY, SURE, judge
from advisor.outcomes import Recommendation, Verdict
from advisor.steps import Needs, Procedure
from advisor.wording.advice.plan import NEEDS
from advisor.wording.advice.why import sentence
from tests.rules.casework import build
from tests.rules.test_rules import RULES, cases_of, outcomes_of

DEAR = {
    "block.alignment": Needs.REWRITE,
    "block.loop-device": Needs.REWRITE,
    "block.raid-chunk": Needs.REWRITE,
    "block.raid-parity": Needs.REWRITE,
    "cloud.class-limit": Needs.MONEY,
    "cloud.machine-cap": Needs.MONEY,
    "cloud.request-limit": Needs.MONEY,
    "cloud.throughput-limit": Needs.MONEY,
    "filesystem.copy-on-write": Needs.REWRITE,
    "filesystem.kind": Needs.REWRITE,
    "filesystem.zfs-recordsize": Needs.REWRITE,
    "placement.binlog": Needs.MONEY,
    "placement.redo": Needs.MONEY,
    "storage.page-size": Needs.REINIT,
}
"""What is bought, or writes all data anew: it takes 95 %."""

STOPS = {
    "block.hardware-queues": Needs.REBOOT,
    "cluster.write-set-cache": Needs.RESTART,
    "filesystem.journal-mode": Needs.RESTART,
    "filesystem.network-mount": Needs.RESTART,
    "host.kernel": Needs.REBOOT,
    "memory-limits.dedicated-server": Needs.RESTART,
    "storage.write-serialisation": Needs.REBOOT,
}
"""What stops the server for a while: it takes 80 %."""

TO_WHAT_IS_THERE = {"placement.binlog": Needs.RESTART, "placement.redo": Needs.RESTART}
"""What takes no money where the better place is there already."""

CHEAP = {
    "block.raid-health",
    "filesystem.fill-level",
    "host.memory-limit",
    "lines.refused",
    "lines.unreadable",
    "memory-limits.session-memory",
    "redo.checkpoint-age",
}
"""Work by hand that stops nothing, or that can't wait."""

SETTINGS = {"redo.capacity", "redo.enabled"}
"""Settings of the server that take a procedure."""


def changes_of(rule: str) -> list[Recommendation]:
    """What the cases of a rule recommend."""
    judged = [one for one in outcomes_of(RULES[rule]) if isinstance(one, Recommendation)]
    return [one for one in judged if one.verdict is Verdict.RECOMMEND]


@pytest.mark.parametrize(("rule", "needs"), (DEAR | STOPS).items())
def test_a_dear_change_says_what_it_takes_and_must_be_sure(rule: str, needs: Needs) -> None:
    proposed = changes_of(rule)
    assert proposed
    for one in proposed:
        assert one.needs is needs or one.needs is TO_WHAT_IS_THERE.get(rule)
        assert LEAST[one.needs] == (SURE if one.needs is needs and rule in DEAR else LIKELY)
        assert NEEDS[one.needs]
        assert one.cost_of_error


def test_each_rule_that_gives_people_work_is_weighed() -> None:
    """Whatever is done by hand alone is among the ones above."""
    found = {rule for rule in RULES for one in changes_of(rule) if only_by_hand(one)}
    cheap = {rule for rule in found for one in changes_of(rule) if LEAST[one.needs] < LIKELY}
    assert found - CHEAP - SETTINGS <= DEAR.keys() | STOPS.keys()
    assert cheap <= CHEAP | SETTINGS


def only_by_hand(one: Recommendation) -> bool:
    return all(isinstance(step, Procedure) for step in one.steps)


@pytest.mark.parametrize("rule", ["placement.redo", "placement.binlog"])
def test_a_purchase_that_holds_for_some_of_the_draws_alone_is_open(rule: str) -> None:
    """Three of five draws would do for a setting, and not for another drive."""
    case = build(cases_of(RULES[rule])[0] | {"trust": "doubtful"})
    found = next(one for one in judge(case).open if one.rule == rule)
    assert "a change is recommended in 6" in sentence(found.why)
