"""A provisioned limit held against the server's rate: what the cloud rules share."""

from __future__ import annotations

import math
from dataclasses import dataclass

from advisor.facts.watched.volumes import limit_text
from advisor.model.server.round_figures import round_up
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Card, Facts, Is, Needs, Relief, Wait, by_hand
from advisor.workload.volume_use import FULL, Demand, Nearest, demand, nearest, next_ceiling
from probes.figures import io_rate, percent, rate, size
from probes.points import Probe
from probes.trust.provisioned import AS_OF, raised_to
from probes.trust.throttle import Throttle, ThrottleEvidence

MUCH = 0.5
"""From this share of a limit on the server may soon be held up by it (our choice)."""

ROOM = 0.7
"""What is bought should be used to this share at most, so that peaks pass (our choice)."""

LARGER = 1.1
"""Less than this many times the limit is not worth buying (our choice)."""

MIB = 2**20

WHERE = {
    True: "in the provider's console",
    False: "where it is set: the provider's console, the hypervisor, or the control group's io.max",
}
"""Where a limit is changed, by whether a cloud that is known sells it."""

HELD_UP = (Wait.PAGE_READS, Wait.COMMITS)
"""What waits at a limit of the volume: at most the share of the limit that is used (our choice)."""

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


@dataclass(frozen=True, slots=True)
class LimitWords:
    """The words for one kind of limit.

    ``buys`` is what is bought, ``option`` how it is said on the command line, ``asks`` the server's
    verb, ``less`` a sentence on how to need less.
    """

    buys: str
    option: str
    asks: str
    less: str
    in_bytes: bool

    def text(self, value: float) -> str:
        """Say a figure of this kind."""
        return io_rate(value, in_bytes=self.in_bytes)

    def rounded_up(self, value: float) -> float:
        """Give the figure that somebody would buy."""
        return round_up(value / MIB) * MIB if self.in_bytes else round_up(value)


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
    ceiling = next_ceiling(facts, throttle, asked)
    card = card.but(
        saw=f"{stands(throttle)} {asking(asked, kind.asks, kind.text(asks))}, "
        f"{percent(much.value)} of it.{ceiling}",
        condition=much,
    )
    if not much:
        return left(card, much, nearest(facts, throttle, asked), asks)
    certain = Is(throttle.evidence is not ThrottleEvidence.ROUND, "the limit has more evidence")
    card = card.but(
        cost_of_error="A check of the bill, or a question.", relieves=held_up(much.value)
    )
    if not full:
        return card.watch(
            "Peaks may reach the limit already: the latency then grows while the rate stays at "
            f"{limit}.",
            condition=much & ~full,
        )
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
            nearest(facts, throttle, asked),
            raised_to(throttle.limits, throttle.figure),
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


def held_up(share: float) -> tuple[Relief, ...]:
    """What a higher limit does to waits where this share of the limit is used."""
    return tuple(Relief.up_to(wait, min(1.0, share)) for wait in HELD_UP)


def asking(asked: Demand, verb: str, text: str) -> str:
    """Say what is asked of the volume and who counted it, without a full stop."""
    if asked.device:
        return f"Under the server's load {asked.device} does {text}"
    return f"The server {verb} {text}"


def used(asks: float, limit: float, share: float, kind: LimitWords) -> At:
    """Tell whether the server uses a share of a limit or more."""
    of = f"{kind.text(asks)} / {kind.text(limit)}"
    return At("share of the limit", asks / limit, of=of, least=share, say=percent)


@dataclass(frozen=True, slots=True)
class Bought:
    """A limit of the volume that is reached, and what is asked of it.

    ``where`` more is bought, ``proof`` is the step that shows it, ``verify`` how it is seen later.
    ``end`` is the limit that comes next; ``most`` what the figure can be raised to on this volume,
    the figure itself where it comes with its size or tier.
    """

    figure: float
    asks: float
    where: str
    proof: str
    verify: str
    end: Nearest | None = None
    most: float = math.inf


def reached(card: Card, bought: Bought, kind: LimitWords) -> Answer:
    """Buy more, up to the limit that comes next; of what can't be raised, another kind."""
    limit, most = kind.text(bought.figure), max(bought.asks, bought.figure)
    end = bought.end
    if end is not None and end.ceiling.of_machine and end.at < LARGER * bought.figure:
        return card.watch(_no_room(end, kind))
    if bought.most < LARGER * bought.figure:
        return _another_volume(card, bought, kind)
    figure, cut = kind.rounded_up(most / ROOM), ""
    if figure > bought.most:
        figure, cut = bought.most, ", the most that is sold of it"
    if end is not None and figure > end.at:
        figure, ceiling = end.at, end.ceiling
        if figure < LARGER * bought.figure:
            return card.watch(_no_room(end, kind))
        cut = f", which is {ceiling.inside}"
    wanted = kind.text(figure)
    what = f"Raise the volume's {kind.buys} to {wanted}"
    return card.recommend(
        by_hand(
            wanted,
            what,
            (
                f"Look up the machine's own limit: below {wanted} a larger machine comes first.",
                f"{what}, {bought.where}.",
                bought.proof,
            ),
            (f"Set the volume's {kind.buys} back to {limit}, {bought.where}.",),
            Needs.MONEY,
        ),
        setting=kind.buys,
        now=limit,
        effect=f"The server no longer waits for the limit. {kind.less}",
        formula=f"{kind.text(most)} / {ROOM} = {kind.text(most / ROOM)}, rounded up to {wanted}"
        if not cut
        else f"{kind.text(most)} / {ROOM} = {kind.text(most / ROOM)}, more than {wanted}{cut}",
        risk="It costs money each month, and providers allow a change only every few hours.",
        cost_of_error="Money for provisioned capacity that is not used.",
        side_effects="None for the server; the volume may be slower during the change.",
        verify=bought.verify,
    )


def _no_room(end: Nearest, kind: LimitWords) -> str:
    """Say why more of this kind would bring little: what has to be raised first."""
    if end.ceiling.of_machine:
        return (
            f"The machine's own limit is {kind.text(end.at)}: a larger machine comes before a "
            f"larger volume. {kind.less}"
        )
    return (
        f"{end.ceiling.name} ends it at {kind.text(end.at)}: more {kind.buys} alone would bring "
        f"little, both have to be raised. {kind.less}"
    )


def _another_volume(card: Card, bought: Bought, kind: LimitWords) -> Answer:
    """Move to what gives more: the figure comes with the volume's size or tier, or is the most."""
    limit = kind.text(bought.figure)
    return card.recommend(
        by_hand(
            "another kind of volume, or several",
            f"Move to a volume that gives more than {limit}",
            (
                f"Look up which kinds of volume sell their {kind.buys} apart from their size, and "
                f"what the machine's own limit is: below {limit} a larger machine comes first.",
                "Move to one of them, or to several volumes striped: each has a limit of its own.",
                bought.proof,
            ),
            ("Move the data back to the old volume.",),
            Needs.MONEY,
        ),
        setting=kind.buys,
        now=limit,
        effect=f"The server no longer waits for the limit. It comes with the volume's size or "
        f"tier, or is the most of its kind, and can't be bought higher. {kind.less}",
        risk="The data has to be moved, and it costs money each month.",
        cost_of_error="A move, and money for provisioned capacity that is not used.",
        side_effects="The server stands still, or is slower, while the data is moved.",
        verify=bought.verify,
    )


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
