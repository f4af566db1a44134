"""What a change asks of people follows from what it needs, its priority from its rank."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.gain import Stakes
from advisor.judging.carrying_out import Doer, Downtime, Priority, Term, carrying_out
from advisor.outcomes import Recommendation, Verdict
from advisor.ranking import rank
from advisor.steps import Needs
from advisor.wording.advice.decision import (
    DOERS,
    DOWNTIMES,
    EFFORTS,
    PRIORITIES,
    TERMS,
    DecisionParts,
    by_when,
    priority,
)
from probes.statistics.ranges import Range


def advice(
    gain: float | None = None, needs: Needs = Needs.DYNAMIC, stakes: Stakes | None = None
) -> Recommendation:
    """One with a gain that is known exactly."""
    return Recommendation(
        verdict=Verdict.RECOMMEND,
        saw="",
        rule="a.b",
        title="A rule",
        topic="Redo log",
        gain=None if gain is None else Range.exact(gain),
        needs=needs,
        stakes=stakes,
    )


@pytest.mark.parametrize(
    ("needs", "downtime", "doer", "term"),
    [
        (Needs.DYNAMIC, Downtime.NONE, Doer.DBA, Term.WEEK),
        (Needs.OS, Downtime.NONE, Doer.SYSTEM, Term.WEEK),
        (Needs.RESTART, Downtime.RESTART, Doer.DBA, Term.WINDOW),
        (Needs.REINIT, Downtime.COPY, Doer.DBA, Term.QUARTER),
        (Needs.MONEY, Downtime.PURCHASE, Doer.BUDGET, Term.QUARTER),
    ],
)
def test_it_follows_from_what_the_change_needs(
    needs: Needs, downtime: Downtime, doer: Doer, term: Term
) -> None:
    found = carrying_out(advice(0.2, needs))
    assert (found.downtime, found.doer, found.term) == (downtime, doer, term)


def test_whatever_a_change_needs_has_words() -> None:
    for needs in Needs:
        for stakes in Stakes:
            found = carrying_out(advice(needs=needs, stakes=stakes))
            assert PRIORITIES[found.priority]
            assert EFFORTS[found.effort]
            assert DOWNTIMES[found.downtime]
            assert DOERS[found.doer]
            assert TERMS[found.term]


def test_what_protects_data_comes_first_and_is_due_sooner() -> None:
    for needs, term in ((Needs.DYNAMIC, Term.AT_ONCE), (Needs.RESTART, Term.WEEK)):
        found = carrying_out(advice(needs=needs, stakes=Stakes.DATA))
        assert (found.priority, found.term) == (Priority.FIRST, term)


def test_priorities_stand_in_the_order_of_advice() -> None:
    several = [advice(gain) for gain in (None, 0.5, 0.1, 0.099, 0.02, 0.002)]
    several += [advice(0.3, stakes=Stakes.HOUSEKEEPING), advice(stakes=Stakes.DATA)]
    several.append(replace(advice(), urgency=0.2))
    found = [carrying_out(one).priority for one in sorted(several, key=rank)]
    assert found == sorted(found, key=[*Priority].index)
    assert set(found) == set(Priority)


@pytest.mark.parametrize(
    ("needs", "sentence"),
    [
        ((Needs.DYNAMIC,), "Within a week, the change."),
        ((Needs.DYNAMIC, Needs.OS), "Within a week, both changes."),
        ((Needs.RESTART,) * 3, "With the next planned restart, all 3 changes."),
        (
            (Needs.DYNAMIC, Needs.DYNAMIC, Needs.RESTART),
            "2 changes within a week, 1 with the next planned restart.",
        ),
        ((), ""),
    ],
)
def test_until_when_changes_are_to_be_made(needs: tuple[Needs, ...], sentence: str) -> None:
    assert by_when(DecisionParts((), tuple(advice(needs=each) for each in needs))) == sentence


def test_what_stands_before_a_larger_gain_says_that_it_is_urgent() -> None:
    urgent, larger = replace(advice(0.05), urgency=0.9), advice(0.3)
    assert sorted([larger, urgent], key=rank) == [urgent, larger]
    assert [priority(carrying_out(one)) for one in (urgent, larger)] == ["high, urgent", "high"]
    assert not carrying_out(replace(advice(0.5), urgency=0.2)).urgent


def test_decisions_are_counted_apart_from_changes() -> None:
    protects = advice(stakes=Stakes.DATA)
    said = by_when(DecisionParts((protects, protects), (advice(0.2),)))
    assert said == "At once, both decisions. Within a week, the change."
