"""Where the time of queries goes, as the judgement has it."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.gain import UNCOUNTED, QueryTime
from tests.rules.invariants.answer import Answer

ROUNDING = 1e-9


def waits_beyond_the_queries(answer: Answer) -> Iterator[str]:
    """No more queries wait for all things together than are at work; ranges hold their figures."""
    time = answer.judgement.time
    if time is None:
        return
    waiting = sum(each.value for each in time.waits.values())
    if waiting > time.running.value * (1 + ROUNDING):
        yield f"{waiting:.2f} of {time.running.value:.2f} queries wait: {dict(time.waits)}"
    for wait, each in time.waits.items():
        if not 0 <= each.low <= each.value <= each.high + ROUNDING:
            yield f"{wait.value}: {each}"


def explained(time: QueryTime) -> float:
    """The share of query time that is in waits which somebody counted, at most 1."""
    waits = (each.value for wait, each in time.waits.items() if wait not in UNCOUNTED)
    return min(1.0, sum(waits) / time.running.value)
