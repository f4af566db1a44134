"""A limit that a watch saw: one kind stays the same from second to second, whatever comes."""

from __future__ import annotations

from advisor.facts.watched.held_volume import Held
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts
from advisor.rules.cloud._provisioned import WHERE, Bought, LimitWords, held_up, reached
from advisor.workload.volume_use import FULL, demand, nearest, next_ceiling
from probes.figures import percent


def judge_held(facts: Facts, held: Held, kind: LimitWords) -> Answer:
    """Judge it: the volume is at its limit while that is so. The rule declares ``USES``."""
    limit, asked = kind.text(held.figure), demand(facts)
    asks = max(held.figure, asked.of(in_bytes=kind.in_bytes) or 0.0)
    full = At(
        "share of the limit",
        asks / held.figure,
        of=f"{kind.text(asks)} / {limit}",
        least=FULL,
        say=percent,
    )
    card = facts.card(
        f"{held.text}.{next_ceiling(facts, held, asked)}",
        full,
        confidence=Confidence.MEDIUM,
        because=f"It was seen in each of {held.seconds} seconds, with no probe; a drive at its own "
        "end does more or less with each mixture of requests.",
        valid="As long as the volume's size, type and settings stay.",
        cost_of_error="A look at the console, or a question.",
        relieves=held_up(1.0),
    )
    if held.measured:
        return card.watch(
            "Find out what holds it: the volume's credit has run out, or the limit is the server's "
            "own (io.max of its control group). A larger volume lifts neither.",
            flips_when=f"a probe of the drive gives no more than {limit}",
        )
    bought = Bought(
        held.figure,
        asks,
        WHERE[False],
        f"Watch the server again: the device must do more than {limit}.",
        f"iostat -x 1 under load goes above {limit}.",
        nearest(facts, held, asked),
    )
    return reached(card, bought, kind)
