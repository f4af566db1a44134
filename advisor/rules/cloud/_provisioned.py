"""A provisioned limit held against the server's rate: what the cloud rules share."""

from __future__ import annotations

from advisor.facts.watched.peak import SLOW_READS, SlowReads
from advisor.facts.watched.volumes import limit_text
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Is, Range, Relief, Wait
from advisor.rules.cloud._amazon import included
from advisor.rules.cloud._pool_first import more_misses, pool_first
from advisor.rules.cloud._purchase import WHERE, Bought, LimitWords, reached
from advisor.rules.cloud._relief import growth, held_up
from advisor.workload.volume_use import (
    FULL,
    MUCH,
    NEAR,
    Demand,
    Nearest,
    demand,
    nearest,
    next_ceiling,
)
from probes.figures import percent, rate, size
from probes.points import Probe
from probes.trust.provisioned import AS_OF
from probes.trust.throttle import Throttle, ThrottleEvidence

LEAST = 0.5
"""Of what reads take longer in some seconds a higher limit ends so much at least (our choice)."""

SURENESS = {
    ThrottleEvidence.SOLD: (Confidence.HIGH, "The plateau is at a figure that this cloud sells"),
    ThrottleEvidence.SAME_THROUGHPUT: (
        Confidence.MEDIUM,
        "Two block sizes stop at one throughput below what the disk's link carries, which drives "
        "hardly ever do",
    ),
    ThrottleEvidence.SAME_RATE: (
        Confidence.MEDIUM,
        "Two block sizes, or reads and writes, stop at one rate, which drives hardly ever do",
    ),
    ThrottleEvidence.ROUND: (Confidence.LOW, "The plateau is at a round figure, the only evidence"),
}


def judge_limit(facts: Facts, throttle: Throttle, kind: LimitWords) -> Answer:
    """Judge a limit of the volume by the share of it that the server uses."""
    limit, asked = kind.text(throttle.figure), demand(facts)
    asks = asked.of(in_bytes=kind.in_bytes)
    confidence, because = SURENESS[throttle.evidence]
    card = facts.card(
        f"{stands(throttle)} The server's rate is not known.",
        confidence=confidence,
        because=f"{because}; figures sold by clouds are of {AS_OF}.",
        valid="As long as the volume's size, type and settings stay, and no other volume uses a "
        "part of the machine's own limit.",
    )
    if asks is None:
        return card.watch(
            "No server setting raises it: check it first when reads or flushing get slow.",
            formula=f"limit = {limit}",
            flips_when=f"the server {kind.asks} less than {kind.text(MUCH * throttle.figure)}",
        )
    much, full = (used(asks, throttle.figure, share, kind) for share in (MUCH, FULL))
    ceiling, near = next_ceiling(facts, throttle, asked), nearest(facts, throttle, asked)
    card = card.but(
        saw=f"{stands(throttle)} {asking(asked, kind.asks, kind.text(asks))}, "
        f"{percent(much.value)} of it.{ceiling}",
        condition=much,
    )
    if not much:
        return left(card, much, near, asks)
    certain = Is(throttle.evidence is not ThrottleEvidence.ROUND, "the limit has more evidence")
    # What a nearer limit holds up, this one does not.
    first = full or near is None or near.at >= throttle.figure
    card = card.but(
        cost_of_error="A check of the bill, or a question.",
        relieves=held_up(facts, much.value) if first else (),
        used=much.value,
    )
    if not full and not first:
        return behind(card, near)
    if not full:
        card = card.but(condition=much & ~full)
        return not_full(facts, card, much.value, limit, peaks_may_reach(limit))
    if not certain:
        return card.watch(
            "If the limit is real, it slows the server down: ask the provider of the machine's "
            "drive.",
            flips_when=f"{certain.turn}, or {much.turn}",
        )
    limit = kind.text(throttle.figure)
    return reached(
        card.but(condition=full),
        Bought(
            throttle.figure,
            asks,
            WHERE[throttle.evidence is ThrottleEvidence.SOLD],
            f"Measure the drive again: its plateau must stand above {limit}.",
            f"iostat -x 1 under load goes above {limit}.",
            kind.less(facts),
            near,
            throttle.limits,
            included(facts, in_bytes=kind.in_bytes),
            pool_first(facts, asks, throttle.figure, in_bytes=kind.in_bytes),
            more_misses(facts, in_bytes=kind.in_bytes),
            growth(facts, card.says.get("relieves", ())),
        ),
        kind,
    )


def left(card: Card, much: At, near: Nearest | None, asks: float) -> Answer:
    """End it where less than half is used: of the limit that is reached first."""
    if near is not None and near.ceiling.as_sold and asks >= MUCH * near.at:
        return card.watch(
            f"{near.ceiling.name} comes first: {percent(asks / near.at)} of it are used.",
            flips_when=f"the server asks for less than half of {near.ceiling.text}",
        )
    return card.fine(f"Fine as it is: {percent(1 - much.value)} of the limit is left.")


def not_full(facts: Facts, card: Card, share: float, limit: str, otherwise: str) -> Answer:
    """End it where a share of a limit is used: a line of its own where peaks are near or reach it.

    The rule declares ``SLOW_READS``; without them it says ``otherwise``.
    """
    slow = facts.find(SLOW_READS)
    if slow is not None:
        return card.but(relieves=_of_peaks(card, slow)).watch(
            f"Peaks seem to reach {limit}: {slow.text}. Where the provider's graph agrees, a "
            "higher limit is the first thing to buy."
        )
    near = share >= NEAR
    return (card if near else card.but(relieves=(), slight=True)).watch(otherwise)


def _of_peaks(card: Card, slow: SlowReads) -> tuple[Relief, ...]:
    """What a higher limit spares where peaks reach it: of reads what they take longer then."""
    ends = slow.beyond
    reads = Relief(Wait.PAGE_READS, Range((1 + LEAST) / 2 * ends, LEAST * ends, ends))
    others = card.says.get("relieves", ())
    return (reads, *(each for each in others if each.wait is not Wait.PAGE_READS))


def peaks_may_reach(limit: str) -> str:
    """What peaks do at a limit of the volume that is not used up on average."""
    grows = "the latency then grows while the rate stays at"
    return f"Peaks may reach the limit already: {grows} {limit}."


def behind(card: Card, near: Nearest | None) -> Answer:
    """End it where another limit comes first: that one is judged, unless it is only as sold."""
    if near is None or near.ceiling.as_sold:
        return card.watch("Peaks may reach the limit that is nearer: the latency then grows.")
    return card.fine(f"{near.ceiling.name} is reached first: this one holds nothing up.")


def asking(asked: Demand, verb: str, text: str) -> str:
    """Say what is asked of the volume and who counted it, without a full stop."""
    if asked.device:
        return f"Under the server's load {asked.device} does {text}"
    return f"The server {verb} {asked.at_least}{text}"


def used(asks: float, limit: float, share: float, kind: LimitWords) -> At:
    """Tell whether the server uses a share of a limit or more."""
    of = f"{kind.text(asks)} / {kind.text(limit)}"
    return At("share of the limit", asks / limit, of=of, least=share, say=percent)


def stands(throttle: Throttle) -> str:
    """Say where the drive was seen to stand at a limit, as a sentence."""
    flat = throttle.plateau
    setting = flat.points[0].setting
    what = "Reads" if setting.probe is Probe.RANDOM_READ else "Writes"
    return (
        f"{what} of {size(setting.block_size_bytes)} stay at {rate(flat.rate_per_s)} from "
        f"{setting.threads} to {flat.points[-1].setting.threads} threads: a limit of "
        f"{limit_text(throttle)}."
    )
