"""What the rules on read and write I/O threads share: how many requests the threads carry."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.facts.fact import Fact
from advisor.facts.server.variables import variable
from advisor.model.curves.knee import knee
from advisor.model.curves.operating_point import in_flight
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Is, Judged, Unjudged, number
from probes.figures import count, counted, rate
from probes.points import Curve

NATIVE = variable("innodb_use_native_aio")
SLOTS = 256
"""Requests that one I/O thread may have in the kernel at a time, with native AIO."""

MOST_THREADS = 64
FULL = 0.8
"""From this share of busy threads on, requests wait for one of them."""

MANY = 16
"""More threads than this are more than any published test found a use for."""


@dataclass(frozen=True, slots=True)
class ThreadSetting:
    """One of the two settings: ``does`` and ``requests`` say what its threads do, in words."""

    rate: Fact[float]
    curve: Fact[Curve]
    does: str
    requests: str


def judge(facts: Facts, kind: ThreadSetting) -> Answer:
    """Judge a number of I/O threads by the requests that it lets into the drive."""
    if facts.get(NATIVE).on:
        return _with_slots(facts, kind)
    per_s, curve = facts.find(kind.rate), facts.find(kind.curve)
    if per_s is None or curve is None:
        lacking = f"the rate of {kind.requests}" if per_s is None else "the drive"
        return Unjudged(
            f"Native AIO is off, so each of the {facts.now.value} threads has one request in "
            f"flight; {lacking} is not known."
        )
    return _one_each(facts, kind, per_s, curve)


def _with_slots(facts: Facts, kind: ThreadSetting) -> Judged:
    threads, curve = facts.now.number, facts.find(kind.curve)
    slots = count(threads * SLOTS)
    knees = "" if curve is None else f"; this drive's knee is at {knee(curve).threads}"
    card = facts.card(
        f"With {counted(threads, 'thread')} {slots} {kind.requests} may be in flight{knees}.",
        Is(True, "", "native AIO is off"),
        formula=f"{counted(threads, 'thread')} x {SLOTS} = {slots} requests in flight{knees}",
        confidence=Confidence.HIGH,
        because="The number of AIO slots is a constant of InnoDB.",
    )
    if threads > MANY:
        return card.fine("Fine as it is; fewer threads would do as well.")
    return card.fine("Fine as it is: more threads would not keep more requests in flight.")


def _one_each(facts: Facts, kind: ThreadSetting, per_s: float, curve: Curve) -> Judged:
    """Judge threads that each wait for one request (Little's law gives how many are busy)."""
    threads, bend, busy = facts.now.number, knee(curve).threads, in_flight(curve, per_s)
    needed = bend if busy is None else busy
    text = f"{needed:.1f}".removesuffix(".0")
    full = At(
        "average number of busy threads",
        needed,
        least=FULL * threads,
        of=f"{rate(per_s, kind.requests)} on this drive's curve",
        say="{:.1f}".format,
    )
    room = At("drive's knee", bend, above=threads, say=number("request"))
    card = facts.card(
        f"Native AIO is off, {count(threads)} threads have one request each in flight, and "
        f"{rate(per_s, kind.requests)} keep {text} of them busy on this drive.",
        full,
    )
    if not full:
        return card.fine()
    wanted = min(bend, MOST_THREADS)
    if threads >= wanted:
        return card.fine(
            "Fine as it is: they are busy, and more would only queue at the drive.",
            condition=full & room,
            flips_when=room.turn if threads < MOST_THREADS else "native AIO is on",
        )
    return card.recommend(
        facts.to(str(wanted)),
        effect=f"{kind.does} reach the drive's knee of {wanted} requests in flight.",
        risk="Low: a thread each.",
        cost_of_error="Some idle threads.",
        side_effects="More requests in flight make each single one slower.",
    )
