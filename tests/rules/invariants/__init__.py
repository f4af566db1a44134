"""What has to hold of every answer, whoever the server is: no case states it, all are held to it.

Each is a pure function over a judged case and its plan that yields what breaks it, as sentences.
``ALL`` has them by name; ``broken`` asks all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tests.rules.invariants.answer import Answer, answer_to
from tests.rules.invariants.dead_ends import failed_rules, sent_to_a_fine_rule
from tests.rules.invariants.fine import fine_beside_its_risk
from tests.rules.invariants.first_line import (
    hidden_time_unsaid,
    limited_by_idle_processors,
    named_wait_without_a_line,
    nothing_limits_unexplained,
)
from tests.rules.invariants.flushing import flushing_of_nothing, limit_in_multiples
from tests.rules.invariants.plan import (
    lowered_unseen,
    two_values_of_one_setting,
    waits_for_what_is_not_planned,
)
from tests.rules.invariants.pool import pool_beyond_the_data
from tests.rules.invariants.processors import more_than_the_processors_do
from tests.rules.invariants.purchases import bought_beyond_a_ceiling
from tests.rules.invariants.query_time import waits_beyond_the_queries
from tests.rules.invariants.stakes import loss_without_stakes

Invariant = Callable[[Answer], Iterator[str]]

ALL: Mapping[str, Invariant] = {
    each.__name__: each
    for each in (
        waits_beyond_the_queries,
        nothing_limits_unexplained,
        hidden_time_unsaid,
        limited_by_idle_processors,
        named_wait_without_a_line,
        two_values_of_one_setting,
        lowered_unseen,
        waits_for_what_is_not_planned,
        pool_beyond_the_data,
        bought_beyond_a_ceiling,
        loss_without_stakes,
        flushing_of_nothing,
        limit_in_multiples,
        fine_beside_its_risk,
        more_than_the_processors_do,
        failed_rules,
        sent_to_a_fine_rule,
    )
}


def broken(answer: Answer) -> dict[str, list[str]]:
    """What is broken of an answer, by the invariant's name; nothing where all hold."""
    found = {name: list(each(answer)) for name, each in ALL.items()}
    return {name: told for name, told in found.items() if told}


__all__ = ["ALL", "Answer", "Invariant", "answer_to", "broken"]
