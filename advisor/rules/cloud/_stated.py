"""A volume's limit as its user stated it, held against the server's rate: an account sees none."""

from __future__ import annotations

from advisor.knowledge.machine_limits import Cap
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Unjudged
from advisor.rules.cloud._provisioned import (
    MUCH,
    WHERE,
    Bought,
    LimitWords,
    asking,
    held_up,
    reached,
    used,
)
from advisor.workload.volume_use import BYTES, FULL, REQUESTS, demand, nearest, next_ceiling
from probes.figures import percent


def judge_stated(facts: Facts, cap: Cap, kind: LimitWords) -> Answer:
    """Judge a limit that was stated. The rule declares ``VOLUME_STATED`` and ``USES``."""
    asked = demand(facts)
    asks = asked.of(in_bytes=kind.in_bytes)
    if asks is None:
        return Unjudged(facts.lacks(BYTES if kind.in_bytes else REQUESTS))
    limit = kind.text(cap.lasting)
    much, full = (used(asks, cap.lasting, share, kind) for share in (MUCH, FULL))
    card = facts.card(
        f"The volume gives {limit}, as stated. {asking(asked, kind.asks, kind.text(asks))}, "
        f"{percent(much.value)} of it.{next_ceiling(facts, cap, asked)}",
        much,
        confidence=Confidence.MEDIUM,
        because="The limit is as its user stated, and was not measured.",
        valid="As long as the volume is as it was stated.",
        cost_of_error="A look at the console.",
        relieves=held_up(much.value),
    )
    if not much:
        return card.fine(f"Fine as it is: {percent(1 - much.value)} of the limit is left.")
    if not full:
        return card.watch(
            "Peaks may reach the limit already: the latency then grows while the rate stays at "
            f"{limit}.",
            condition=much & ~full,
        )
    bought = Bought(
        cap.lasting,
        asks,
        WHERE[True],
        f"Say the new figure by {kind.option}, and judge again under the same load.",
        f"The server exceeds {limit} under load.",
        nearest(facts, cap, asked),
    )
    return reached(card.but(condition=full), bought, kind)
