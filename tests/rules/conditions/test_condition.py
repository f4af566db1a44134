"""Conditions: what they say is what they test, whatever the figures."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.judging.engine import sentence
from advisor.outcomes import Evidence, Verdict
from advisor.rulekit import At, Condition, Is, Range, number, sysctl
from advisor.rulekit.card import NOTHING_DONE, UNDOING, Card
from advisor.steps import Needs
from probes.figures import percent, times

FIGURES = st.floats(0.01, 1000)
KINDS = {"least": "≥", "above": ">", "most": "≤", "below": "<"}


def plain(value: float) -> str:
    return repr(value)


def made(kind: str, value: float | Range, bound: float) -> At:
    return At("ratio", value, say=plain, **{kind: bound})  # type: ignore[arg-type]


@given(st.sampled_from(sorted(KINDS)), FIGURES, FIGURES)
def test_the_formula_is_true_as_it_stands(kind: str, value: float, bound: float) -> None:
    name, _, rest = made(kind, value, bound).formula.partition(" = ")
    assert name == "ratio"
    said, sign, against = rest.split()
    true = {"≥": value >= bound, ">": value > bound, "≤": value <= bound, "<": value < bound}
    assert (float(said), float(against)) == (value, bound)
    assert true[sign]


@given(st.sampled_from(sorted(KINDS)), FIGURES, FIGURES)
def test_what_would_turn_it_does(kind: str, value: float, bound: float) -> None:
    """Putting in a figure on the side that ``turn`` names gives the opposite answer."""
    before = made(kind, value, bound)
    after = {
        "reaches": bound,
        "falls below": math.nextafter(bound, 0),
        "exceeds": math.nextafter(bound, math.inf),
        "falls to": bound,
    }
    (turned,) = [figure for verb, figure in after.items() if f" {verb} " in before.turn]
    assert repr(bound) in before.turn
    assert bool(made(kind, turned, bound)) is not bool(before)


@given(st.lists(st.booleans(), min_size=2, max_size=5))
def test_parts_that_are_named_suffice_to_turn_it(answers: list[bool]) -> None:
    parts = [Is(answer, f"yes{index}", f"no{index}") for index, answer in enumerate(answers)]
    both: Condition = parts[0]
    either: Condition = parts[0]
    for part in parts[1:]:
        both, either = both & part, either | part
    assert bool(both) is all(answers)
    assert bool(either) is any(answers)
    failing = [f"yes{index}" for index, answer in enumerate(answers) if not answer]
    holding = [f"no{index}" for index, answer in enumerate(answers) if answer]
    assert both.turn == (" and ".join(failing) if failing else ", or ".join(holding))
    assert either.turn == (" and ".join(holding) if holding else ", or ".join(failing))


@given(FIGURES, FIGURES, FIGURES)
def test_it_is_sure_when_both_ends_of_the_interval_agree(a: float, b: float, bound: float) -> None:
    low, high = sorted((a, b))
    at = made("least", Range((low + high) / 2, low, high), bound)
    assert at.sure is ((low >= bound) == (high >= bound))
    assert (at & Is(True, "yes")).sure is at.sure
    assert (at & Is(False, "yes")).sure
    assert (at | Is(True, "yes")).sure
    assert (~at).sure is at.sure
    assert bool(~at) is not bool(at)


def test_a_figure_between_two_bounds_is_said_once() -> None:
    share = At("share", 0.6, of="6 / 10", least=0.5, say=percent)
    between = share & ~At("share", 0.6, of="6 / 10", least=0.9, say=percent)
    assert between
    assert between.formula.replace("\u202f", " ") == "share = 6 / 10 = 60 % ≥ 50 % and < 90 %"
    turn = between.turn.replace("\u202f", " ")
    assert turn == "the share falls below 50 % or reaches 90 %"


def test_a_figure_that_is_said_like_its_bound_is_told_apart() -> None:
    at = At("fsync / fdatasync", 1.0999, the=False, of="110 µs / 100 µs", least=1.1, say=times)
    assert not at
    assert at.formula == "fsync / fdatasync = 110 µs / 100 µs = 1.10× just below 1.10×"


def test_what_would_turn_a_single_figure_says_where_it_stands() -> None:
    misses = At("miss rate", 530.0, least=100.0, say="{:.0f}/s".format)
    assert misses.flips_when == "the miss rate falls below 100/s; it is 530/s"
    assert (~misses).flips_when == misses.flips_when
    near = At("ratio", 1.0999, least=1.1, say=times)
    assert near.flips_when == "the ratio reaches 1.10×; it is just below 1.10×"
    both = misses & near
    assert both.flips_when == both.turn, "of two figures, which one is meant would be open"
    unknown = At("ratio", math.nan, least=1.0, say=times)
    assert unknown.flips_when == unknown.turn


def test_an_unknown_figure_keeps_to_no_bound() -> None:
    for kind in KINDS:
        at = made(kind, math.nan, 1.0)
        assert not at
        assert not at.sure


@pytest.mark.parametrize("count", [0, 2])
def test_one_bound_has_to_be_given(count: int) -> None:
    bounds = dict(list({"least": 1.0, "most": 2.0}.items())[:count])
    with pytest.raises(ValueError, match="unpack"):
        At("ratio", 1.0, say=plain, **bounds)  # type: ignore[arg-type]


def test_a_card_says_what_follows_from_verdict_and_readings() -> None:
    evidence = (
        Evidence("redo.fsync", "p50 2 ms", (7,)),
        Evidence("mysql.status.Innodb_log_waits", "3/s over 10 s"),
    )
    card = Card(lambda: evidence, {"saw": "Seen.", "condition": made("least", 1.0, 2.0)})
    judged = card.fine()
    assert judged.verdict is Verdict.FINE
    assert judged.effect == "Fine as it is."
    assert judged.formula == "ratio = 1.0 < 2.0"
    assert judged.flips_when == "the ratio reaches 2.0; it is 1.0"
    assert judged.because == "Based on 1 measured point and the server's counters."
    assert (
        judged.valid == "While the load is like that of the status window, on the measured drive."
    )
    assert judged.cost_of_error == NOTHING_DONE
    machine = Card(lambda: (Evidence("host.memory", "64 GiB"),))
    assert machine.watch("Watch it.").valid == "While the machine is set up as it is."
    watched = card.watch("Check again.", because="Innodb_x is read.", formula="x = 1")
    assert watched.because == "Innodb_x is read."
    assert watched.formula == "x = 1; ratio = 1.0 < 2.0"


def test_a_change_to_consider_is_shown_and_only_watched() -> None:
    made = sysctl("vm.zone_reclaim_mode", 1, "0")
    judged = Card(lambda: (), {"saw": "Seen."}).consider(made, effect="less waiting")
    assert judged.verdict is Verdict.WATCH
    assert (judged.proposed, judged.steps) == ("0", made.steps)
    assert judged.effect == "less waiting"
    assert judged.cost_of_error == UNDOING[Needs.OS]


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("all programs may get memory", "All programs may get memory."),
        ("innodb_x stays as it is", "innodb_x stays as it is."),
        ("Done?", "Done?"),
        ("", ""),
    ],
)
def test_a_clause_becomes_a_sentence(clause: str, said: str) -> None:
    assert sentence(clause) == said


def test_counts_are_said_with_their_thing() -> None:
    assert number("thread")(1) == "1 thread"
    assert number()(12345) == "12,345"
