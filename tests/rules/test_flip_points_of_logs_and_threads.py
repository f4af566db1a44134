"""What would change the mind of the rules on threads, temporary files and memory, tried.

The figure that ``flips_when`` names is put into the case, as the other flip points are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from advisor.outcomes import Recommendation
from advisor.rulekit.registry import all_rules
from tests.rules.test_flip_points import (
    COUNT,
    PAST,
    SHORT,
    UNITS,
    Flip,
    Put,
    Spec,
    outcome_of,
    row,
    said,
)
from tests.rules.test_rules import cases_of


def inner(table: str, name: str, key: str) -> Put:
    """Put the figure into a table within a table."""

    def put(spec: Spec, figure: float) -> Spec | None:
        rows = spec.get(table, {})
        if key not in rows.get(name, {}):
            return None
        return spec | {table: rows | {name: rows[name] | {key: figure}}}

    return put


def number(name: str) -> Put:
    """Put a whole number into a variable."""

    def put(spec: Spec, figure: float) -> Spec | None:
        variables = spec.get("variables", {})
        return spec | {"variables": variables | {name: str(round(figure))}}

    return put


def history(spec: Spec, figure: float) -> Spec | None:
    name = "Innodb_history_list_length"
    if name in spec.get("gauges", {}):
        return row("gauges", name)(spec, figure)
    return inner("server", "metrics", "trx_rseg_history_len")(spec, figure)


def at_work(spec: Spec, figure: float) -> Spec | None:
    """So many connections are at work beside the one that asks, at both ends of the window."""
    running = round(figure) + 1
    return spec | {"samples": spec.get("samples", {}) | {"Threads_running": [running, running]}}


def memory_of(spec: Spec) -> float:
    host = spec["host"]
    return float(host.get("memory_limit_gib", host["memory_gib"])) * 2**30


def pool(spec: Spec, share: float) -> Spec | None:
    return number("innodb_buffer_pool_size")(spec, share * memory_of(spec))


@dataclass(frozen=True)
class Phrase:
    """What a figure in a rule's texts is a figure of.

    Past it lies more where it is ``above``; a ``whole`` figure is a number of things.
    """

    rule: str
    pattern: str
    put: Put
    above: bool
    whole: bool

    def sides(self, figure: float) -> tuple[float, float]:
        """Give a value just short of the figure and one just past it."""
        less, more = (figure - 1, figure + 1) if self.whole else (SHORT * figure, PAST * figure)
        return (less, more) if self.above else (more, less)


def below(rule: str, pattern: str, put: Put, *, whole: bool = False) -> Phrase:
    return Phrase(rule, pattern, put, above=False, whole=whole)


def above(rule: str, pattern: str, put: Put, *, whole: bool = False) -> Phrase:
    return Phrase(rule, pattern, put, above=True, whole=whole)


STARTED = row("rates", "Threads_created")

PHRASES = (
    above("threads.concurrency-cap", rf"^more than {COUNT} are at work", at_work, whole=True),
    below("threads.concurrency-cap", rf"^no more than {COUNT} are at work", at_work, whole=True),
    below("threads.commit-concurrency", rf"^no more than {COUNT} connections", at_work, whole=True),
    above("threads.thread-pool", rf"^more than {COUNT} connections are", at_work, whole=True),
    below("threads.thread-pool", rf"^no more than {COUNT} connections are", at_work, whole=True),
    below(
        "threads.thread-concurrency",
        rf"^fewer than {COUNT} queries are at work",
        at_work,
        whole=True,
    ),
    above("threads.thread-cache-size", rf"more than {COUNT} threads are started", STARTED),
    below("threads.thread-cache-size", rf"fewer than {COUNT} threads are started", STARTED),
    above("threads.purge-threads", rf"the history reaches {COUNT} transactions", history),
    below("threads.purge-threads", rf"the history falls below {COUNT} transactions", history),
    above("threads.purge-batch-size", rf"^{COUNT} transactions wait to be purged", history),
    below("threads.purge-batch-size", rf"^fewer than {COUNT} transactions wait", history),
    above("threads.max-purge-lag", rf"the history is longer than {COUNT}", history),
    below("threads.max-purge-lag", rf"the history holds {COUNT} transactions or fewer", history),
)


def figure(match: re.Match[str]) -> float:
    text, unit = match.groups()
    return 1.0 if text in {"one", "a"} else float(text.replace(",", "")) * UNITS[unit]


def flips() -> Iterator[Any]:
    rules = {rule.id: rule for rule in all_rules()}
    for phrase in PHRASES:
        rule = rules[phrase.rule]
        for case in cases_of(rule):
            outcome = outcome_of(rule, case)
            if not isinstance(outcome, Recommendation) or case.get("sandbox"):
                continue
            text = outcome.flips_when.replace("\u202f", " ")
            match = re.search(phrase.pattern, text)
            if match is None:
                continue
            short, past = (phrase.put(case, value) for value in phrase.sides(figure(match)))
            if short is not None and past is not None:
                flip = Flip(rule, case, text, short, past)
                yield pytest.param(flip, id=f"{rule.id}: {case['name']}: {match[0]}")


@pytest.mark.parametrize("flip", list(flips()))
def test_the_outcome_is_another_one_past_the_figure_that_is_named(flip: Flip) -> None:
    first = outcome_of(flip.rule, flip.case)
    short, past = outcome_of(flip.rule, flip.short), outcome_of(flip.rule, flip.past)
    assert said(short)[0] == said(first)[0], f"{flip.said}: already {short}"
    assert said(past) != said(short), f"{flip.said}: still {past}"


def test_each_of_these_texts_is_tried() -> None:
    tried = {param.values[0].rule.id for param in flips()}
    assert tried == {phrase.rule for phrase in PHRASES}
