"""A bought limit held against what the server asks for: what the cloud rules share."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.facts.volumes import limit_text
from advisor.model.round_figures import round_up
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Judged
from advisor.steps import Needs, Procedure
from probes import figures
from probes.points import Probe
from probes.trust.provisioned import AS_OF
from probes.trust.throttle import Evidence, Throttle

FULL, MUCH = 0.9, 0.5
"""From these shares of a limit on the server is held up by it, or soon will be (our choice)."""

ROOM = 0.7
"""What is bought should be used to this share at most, so that peaks pass (our choice)."""

MIB = 2**20

WHERE = {
    True: "in the provider's console",
    False: "where it is set: the provider's console, the hypervisor, or the control group's io.max",
}
"""Where a limit is changed, by whether a cloud that is known sells it."""

SURENESS = {
    Evidence.SOLD: (Confidence.HIGH, "the plateau is at a figure that this cloud sells"),
    Evidence.SAME_RATE: (
        Confidence.MEDIUM,
        "two block sizes, or reads and writes, stop at one rate, which drives hardly ever do",
    ),
    Evidence.ROUND: (Confidence.LOW, "the plateau is at a round figure, and that is all"),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """How one kind of limit is spoken of.

    ``buys`` is what is bought, ``asks`` the server's verb, ``less`` a sentence on how to need less.
    """

    buys: str
    asks: str
    less: str
    in_bytes: bool

    def said(self, value: float) -> str:
        """Say a figure of this kind."""
        return figures.throughput(value) if self.in_bytes else figures.rate(value, "requests")

    def rounded_up(self, value: float) -> float:
        """Give the figure that somebody would buy."""
        return round_up(value / MIB) * MIB if self.in_bytes else round_up(value)


def judge_limit(throttle: Throttle, demand: float | None, kind: Kind) -> Judged:
    """Judge a limit of the volume by the share of it that the server uses (None: unknown)."""
    confidence, because = SURENESS[throttle.evidence]
    return replace(
        _judged(throttle, demand, kind),
        confidence=confidence,
        because=f"{because}; the figures that clouds sell are of {AS_OF}",
        valid="As long as the volume's size, kind and settings stay, and no other volume takes a "
        "part of the machine's own limit.",
    )


def _judged(throttle: Throttle, demand: float | None, kind: Kind) -> Judged:
    limit = throttle.figure
    much, full = kind.said(MUCH * limit), kind.said(FULL * limit)
    if demand is None:
        return Judged(
            Verdict.WATCH,
            f"{stands(throttle)} What the server asks for is not known.",
            effect="No setting of the server gets past it: look at it first when reads or flushing "
            "get slow.",
            flips_when=f"the server {kind.asks} less than {much}",
            gain=0.2,
            formula=f"limit = {kind.said(limit)}",
            cost_of_error="None: nothing is changed.",
        )
    share = demand / limit
    formula = f"{kind.said(demand)} / {kind.said(limit)} = {figures.percent(share)}"
    saw = (
        f"{stands(throttle)} The server {kind.asks} {kind.said(demand)}, "
        f"{figures.percent(share)} of it."
    )
    if share < MUCH:
        return Judged(
            Verdict.FINE,
            saw,
            effect=f"Fine as it is: {figures.percent(1 - share)} of what was bought is left.",
            flips_when=f"the server {kind.asks} {much} or more",
            formula=formula,
        )
    if share < FULL or throttle.evidence is Evidence.ROUND:
        return Judged(
            Verdict.WATCH,
            saw,
            effect="Peaks may touch the limit already. It shows as latency that grows while the "
            f"rate stands still at {kind.said(limit)}."
            if share < FULL
            else "If somebody set that limit, the server is held up by it: ask whoever gives the "
            "machine its drive.",
            flips_when=f"the server {kind.asks} less than {much}, or {full} and more"
            if share < FULL
            else f"the limit is told by more than its round figure, or the server {kind.asks} less "
            f"than {much}",
            gain=0.3,
            formula=formula,
            cost_of_error="A look at the bill, or a question.",
        )
    return _reached(throttle, demand, kind, saw, formula)


def _reached(throttle: Throttle, demand: float, kind: Kind, saw: str, formula: str) -> Judged:
    limit = throttle.figure
    least = max(demand, limit) / ROOM
    wanted = kind.said(kind.rounded_up(least))
    what = f"Raise the volume's {kind.buys} to {wanted}"
    where = WHERE[throttle.evidence is Evidence.SOLD]
    steps = (
        f"Look up the machine's own limit: below {wanted} a larger machine comes first.",
        f"{what}, {where}.",
        f"Measure the drive again: its plateau must stand above {kind.said(limit)}.",
    )
    undo = f"Set the volume's {kind.buys} back to {kind.said(limit)}, {where}."
    return Judged(
        Verdict.RECOMMEND,
        saw,
        setting=kind.buys,
        now=kind.said(limit),
        proposed=f"{kind.buys} of {wanted}",
        effect=f"The server stops waiting for the limit. {kind.less}",
        risk="It costs money each month, and providers allow a change only every few hours.",
        needs=Needs.OS,
        flips_when=f"the server {kind.asks} less than {kind.said(FULL * limit)}",
        gain=0.8,
        formula=f"{formula}; wanted = {kind.said(max(demand, limit))} / {ROOM} = "
        f"{kind.said(least)}, rounded up to {wanted}",
        cost_of_error="Money: what is bought and not used brings nothing.",
        side_effects="None for the server; the volume may be slower while it is changed.",
        verify=f"iostat -x 1 under load goes above {kind.said(limit)}.",
        steps=(Procedure(what, steps, (undo,), Needs.OS),),
    )


def stands(throttle: Throttle) -> str:
    """Say where the drive was seen to stand at a limit, as a sentence."""
    flat = throttle.plateau
    setting = flat.points[0].setting
    what = "reads" if setting.probe is Probe.RANDOM_READ else "writes"
    return (
        f"From {setting.threads} to {flat.points[-1].setting.threads} threads the drive's {what} "
        f"of {figures.size(setting.block_size_bytes)} stay at {figures.rate(flat.rate_per_s)}: "
        f"a limit of {limit_text(throttle)}."
    )
