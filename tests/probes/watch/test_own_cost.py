"""What a watch says of itself: its processor time, what it left out, what it lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from advisor.wording.watch.cost import cost_sentences
from probes.boundary.malformed import Malformed
from probes.watch.own_cost import OwnCost, Tracing
from probes.watch.reading.machine import agents_answer
from probes.watch.reading.trace import read_own_cost


def told(**trace: float) -> OwnCost | None:
    answer: dict[str, Any] = {"seconds": 20.0, "own_cpu_s": 0.3}
    if trace:
        answer["trace"] = {"calls": [], **trace}
    return read_own_cost(agents_answer({"watch.machine": json.dumps(answer)}))


def said(cost: OwnCost | None) -> list[str]:
    assert cost is not None
    return [each.replace("\u202f", " ") for each in cost_sentences(cost)]


def test_a_trace_that_saw_everything_says_what_it_took() -> None:
    cost = told(seconds=20.0, sampled=1.0, events=400_000, lost=0)
    assert cost == OwnCost(0.015, Tracing(20.0, 1.0, 400_000, 0))
    assert said(cost) == [
        "Watching took 1.5 % of one processor, and recording 20.0 k events/s some 0.4 % more in "
        "the kernel.",
        "No event was lost.",
    ]


def test_what_was_left_out_and_what_was_lost_is_counted() -> None:
    cost = told(seconds=20.0, sampled=0.48, events=594_000, lost=6_000)
    assert said(cost)[1:] == [
        "Too many events to record all: they were recorded in slices, 48 % of the time.",
        "6,000 events (1 %) found no room and were lost: traced rates are too low by about as "
        "much.",
    ]


def test_without_a_trace_there_is_the_agents_own_time() -> None:
    assert said(told()) == ["Watching took 1.5 % of one processor."]


def test_an_answer_that_says_nothing_of_it_reads_as_before() -> None:
    assert read_own_cost(None) is None
    assert read_own_cost({"moments": []}) is None
    assert read_own_cost({"seconds": 1.0, "own_cpu_s": 0.1, "trace": {"calls": []}}) == OwnCost(
        0.1, None
    )


@pytest.mark.parametrize("lost", [-1, None, "many"])
def test_what_is_no_count_is_malformed(lost: object) -> None:
    trace = {"seconds": 1.0, "sampled": 1.0, "events": 1.0, "lost": lost}
    with pytest.raises(Malformed):
        read_own_cost({"seconds": 1.0, "own_cpu_s": 0.1, "trace": trace})
