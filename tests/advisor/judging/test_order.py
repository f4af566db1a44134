"""The order of advice where gains are guesses, or what is watched has none."""

from __future__ import annotations

from advisor.gain import Relief, Wait
from advisor.judging.order import in_order
from advisor.outcomes import Confidence, Recommendation, Verdict
from advisor.steps import Needs, SetVariable
from advisor.variables.standing import Standing
from probes.statistics.ranges import Range

ALL_OR_NOTHING = (Relief.up_to(Wait.TEMPORARY, 1.0),)


def change(rule: str, gain: Range | None, **rest: object) -> Recommendation:
    step = SetVariable(Standing("tmp_table_size", "1"), "2", Needs.DYNAMIC)
    fields = {"needs": Needs.DYNAMIC, "steps": (step,), "gain": gain} | rest
    return Recommendation(Verdict.RECOMMEND, "", rule=rule, title=rule, topic="Test", **fields)  # type: ignore[arg-type]


def watched(rule: str, gain: Range | None, **rest: object) -> Recommendation:
    return Recommendation(
        Verdict.WATCH,
        "",
        rule=rule,
        title=rule,
        topic="Test",
        gain=gain,
        **rest,  # type: ignore[arg-type]
    )


def order(*found: Recommendation) -> list[str]:
    return [one.rule for one in in_order(found, [])]


def test_a_sure_change_stands_before_what_is_watched_with_a_gain_that_nobody_knows() -> None:
    unknown = Range(0.3, 0.02, 0.9)
    sure = change("a.sure", Range(0.02, 0.02, 0.02), confidence=Confidence.HIGH)
    assert order(watched("b.watched", unknown), watched("c.other", None), sure)[0] == "a.sure"
    known = watched("b.watched", Range(0.3, 0.2, 0.4))
    assert order(known, sure) == ["b.watched", "a.sure"]
    restarts = change("a.sure", Range.exact(0.02), confidence=Confidence.HIGH, needs=Needs.RESTART)
    assert order(watched("b.watched", unknown), restarts) == ["b.watched", "a.sure"]


def test_a_guess_counts_for_less_than_a_surer_change_with_a_smaller_gain() -> None:
    guess = change(
        "a.guess", Range(0.08, 0.02, 0.15), confidence=Confidence.LOW, relieves=ALL_OR_NOTHING
    )
    eyed = watched("b.eyed", Range(0.08, 0.02, 0.15), relieves=ALL_OR_NOTHING)
    surer = change("c.surer", Range(0.06, 0.03, 0.09))
    assert order(guess, eyed, surer) == ["c.surer", "a.guess", "b.eyed"]
    part = watched("b.eyed", eyed.gain, relieves=(Relief.up_to(Wait.PAGE_READS, 0.8),))
    assert order(part, surer) == ["b.eyed", "c.surer"]


def test_what_costs_no_money_stands_before_a_purchase_that_brings_less_than_twice_as_much() -> None:
    free = change("a.free", Range(0.2, 0.1, 0.3))
    bought = change("b.bought", Range(0.35, 0.2, 0.5), needs=Needs.MONEY)
    assert order(bought, free) == ["a.free", "b.bought"]
    restarts = change("a.free", Range(0.2, 0.1, 0.3), needs=Needs.RESTART)
    assert order(bought, restarts) == ["a.free", "b.bought"]
    far_more = change("b.bought", Range(0.45, 0.3, 0.6), needs=Needs.MONEY)
    assert order(far_more, free) == ["b.bought", "a.free"]
    rewritten = change("a.free", Range(0.2, 0.1, 0.3), needs=Needs.REWRITE)
    assert order(bought, rewritten) == ["b.bought", "a.free"]
