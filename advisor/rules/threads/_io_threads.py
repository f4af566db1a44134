"""What the rules on read and write I/O threads share: how many requests the threads carry."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.facts.fact import Fact
from advisor.facts.known import MYSQL_VERSION, variable
from advisor.model.knee import knee
from advisor.model.operating_point import in_flight
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.variables.standing import Standing
from probes import figures
from probes.points import Curve

SLOTS = 256
"""Requests that one I/O thread may have in the kernel at a time, with native AIO."""

MOST_THREADS = 64
FULL = 0.8
"""From this share of the threads at work on, requests wait for one of them."""

MANY = 16
"""More threads than this are more than any published test found a use for."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the two settings: ``does`` and ``requests`` say what its threads do, in words."""

    setting: str
    rate: Fact[float]
    curve: Fact[Curve]
    does: str
    requests: str


def judge(facts: Facts, kind: Kind) -> Judged | Unjudged:
    """Judge a number of I/O threads by the requests that it lets into the drive."""
    now = facts.get(variable(kind.setting))
    native = facts.get(variable("innodb_use_native_aio"))
    if native.on:
        return _with_slots(facts, now, kind)
    rate, curve = facts.find(kind.rate), facts.find(kind.curve)
    if rate is None or curve is None:
        lacking = f"how many {kind.requests} the server does" if rate is None else "the drive"
        return Unjudged(
            f"Native AIO is off, so each of the {now.text} threads has one request in flight; "
            f"whether that is enough can't be told without {lacking}."
        )
    return _one_each(facts, now, kind, rate, curve)


def _with_slots(facts: Facts, now: Standing, kind: Kind) -> Judged:
    slots = now.number * SLOTS
    curve = facts.find(kind.curve)
    formula = f"{now.number:.0f} threads x {SLOTS} = {figures.count(slots)} requests at a time"
    knees = "" if curve is None else f"; this drive is at its knee with {knee(curve).threads}"
    effect = "Fine as it is: more threads would put no more requests into the drive."
    if now.number > MANY:
        effect = "Fine as it is, though fewer would do: each costs a thread and no more."
    return Judged(
        Verdict.FINE,
        f"With {figures.counted(now.number, 'thread')} {figures.count(slots)} {kind.requests} may "
        f"be in flight{knees}.",
        kind.setting,
        now.now,
        effect=effect,
        confidence=Confidence.HIGH,
        flips_when="native AIO is turned off, so that a thread carries one request and not "
        f"{SLOTS}",
        formula=formula + knees,
        valid="Linux, native AIO on",
        because="The number of slots is a constant of InnoDB.",
        cost_of_error="None: nothing is changed.",
    )


def _one_each(facts: Facts, now: Standing, kind: Kind, rate: float, curve: Curve) -> Judged:
    """Judge threads that each wait for one request (Little's law gives how many are busy)."""
    busy = in_flight(curve, rate)
    bend = knee(curve)
    needed = bend.threads if busy is None else busy
    said = f"{needed:.1f}".removesuffix(".0")
    formula = f"{figures.rate(rate, kind.requests)} on this drive's curve = {said} in flight"
    saw = (
        f"Native AIO is off, {now.number:.0f} threads carry one request each, and "
        f"{figures.rate(rate, kind.requests)} keep {said} of them busy on this drive."
    )
    judged = Judged(
        Verdict.FINE,
        saw,
        kind.setting,
        now.now,
        effect="Fine as it is.",
        flips_when=f"{FULL * now.number:.1f} requests are in flight on average",
        formula=f"{formula}; {FULL:g} x {now.number:.0f} threads = {FULL * now.number:.1f}",
        valid="native AIO off",
        because="The drive's curve was measured and the server's rate seen over the window.",
        cost_of_error=f"{kind.does} stay as slow as they are, or a few idle threads.",
        side_effects="More requests in flight make each single one slower.",
    )
    if needed < FULL * now.number:
        return judged
    if now.number >= min(bend.threads, MOST_THREADS):
        return replace(
            judged,
            effect="Fine as it is: they are busy, and more would only queue at the drive.",
            flips_when=f"the drive's knee lies above {now.number:.0f} requests in flight"
            if now.number < MOST_THREADS
            else "native AIO is on",
        )
    return _more(facts, now, judged, kind, min(bend.threads, MOST_THREADS))


def _more(facts: Facts, now: Standing, judged: Judged, kind: Kind, wanted: int) -> Judged:
    version = facts.get(MYSQL_VERSION)
    return replace(
        judged,
        verdict=Verdict.RECOMMEND,
        effect=f"{kind.does} come up to the drive's knee of {wanted} requests in flight.",
        risk="Low: a thread each.",
        flips_when=f"fewer than {FULL * now.number:.1f} requests are in flight on average",
        gain=0.3,
    ).by(change(version, now, str(wanted)))
