"""The machine's own cap on its volumes, below what a volume could give.

## What it checks
Whether the drive stands at a limit that belongs to the machine and not to the volume.

## Why it matters
Clouds limit each machine by its size, whatever its volumes could do together. Who then buys a
larger volume pays twice for the same rate. Azure's managed MySQL gives machines of 16 and of 32
processors the same 20,000 requests/s.

## How it is judged
- The plateau is at a figure that the cloud gives as a machine's: that is the cap. Half of it used:
  watch; nine tenths: a larger machine.
- No such plateau, and the machine's cap is known by its processors: fine when the drive peaks below
  it, because then the volume is what limits.
- On clouds whose caps go by machine type, which are not known here: not judged.

## How to check by hand
Look the machine type up: AWS "EBS-optimized instance types", Azure "max uncached disk IOPS" of the
size, Google "machine type" limits of persistent disks.

## Risk and undo
Another machine type takes a stop and a start, and can be taken back the same way.

## When it is wrong
When the volume happens to be sold with the same figure: the console tells both.

## References
- Google Cloud, "About Persistent Disk performance"
- Microsoft, "Azure Database for MySQL, service tiers"
- AWS, "Amazon EBS-optimized instances"
"""

from __future__ import annotations

from advisor import wording
from advisor.facts.volumes import Limits, limit_text
from advisor.outcomes import Apply, Confidence, Needs, Verdict
from advisor.plan.steps import Procedure
from advisor.rules.facts import Facts
from advisor.rules.provisioned import FULL, MUCH, stands
from advisor.rules.rule import Answer, Inapplicable, Judged, Unjudged, rule
from probes.points import Curve
from probes.trust.provisioned import AS_OF, GOOGLE, cloud_of
from probes.trust.throttle import Throttle

CAPS_OF_GOOGLE = ((16, 15_000), (32, 25_000), (64, 60_000))
"""Requests/s of a machine with fewer processors than the first figure, as of ``AS_OF``."""

WHAT = "Move to a machine type with a higher limit on its volumes"


@rule(
    topic="Cloud volumes",
    needs=("host.platform", "volume.request_limits"),
    uses=("host.cpu.threads", "curve.random_read.page", "mysql.status.io_requests"),
    findings=("F108",),
)
def check(facts: Facts) -> Answer:
    """Tell the machine's limit from the volume's."""
    platform = facts.get("host.platform", str)
    cloud = cloud_of(platform)
    if not cloud:
        return Inapplicable(f"The machine is no cloud's whose limits are known here ({platform}).")
    cap = facts.get("volume.request_limits", Limits).of_machine
    if cap is not None:
        return _capped(cap, facts.find("mysql.status.io_requests", float))
    known = _known_cap(cloud, facts.find("host.cpu.threads", float))
    curve = facts.find("curve.random_read.page", Curve)
    if known is None or curve is None:
        return Unjudged(f"The limit of this machine's type is not known here ({platform}).")
    peak = curve.peak.rate_per_s
    if peak >= FULL * known:
        return Judged(
            Verdict.WATCH,
            f"The drive's reads peak at {wording.rate(peak)}; the machine's own limit is "
            f"{wording.rate(known, 'requests')}.",
            effect="A larger volume would bring little: the machine comes next.",
            confidence=Confidence.MEDIUM,
            flips_when=f"the drive peaks below {wording.rate(FULL * known)}",
            gain=0.2,
            formula=f"{wording.rate(peak)} / {wording.rate(known)} = "
            f"{wording.percent(peak / known)}",
            because=f"the machine's limit goes by its processors; figures of {AS_OF}",
            valid="For this machine type.",
            cost_of_error="Money for a volume that the machine can't use.",
        )
    return Judged(
        Verdict.FINE,
        f"The drive's reads peak at {wording.rate(peak)}, below the machine's own limit of "
        f"{wording.rate(known, 'requests')}.",
        effect="The volume is what limits, not the machine.",
        flips_when=f"the drive peaks at {wording.rate(FULL * known)} or more",
        formula=f"{wording.rate(peak)} / {wording.rate(known)} = {wording.percent(peak / known)}",
        because=f"the machine's limit goes by its processors; figures of {AS_OF}",
        valid="For this machine type.",
    )


def _known_cap(cloud: str, cpus: float | None) -> int | None:
    if cloud != GOOGLE or cpus is None:
        return None
    return next((cap for below, cap in CAPS_OF_GOOGLE if cpus < below), None)


def _capped(cap: Throttle, demand: float | None) -> Answer:
    limit = cap.figure
    said = wording.rate(limit, "requests")
    if demand is not None and demand >= FULL * limit:
        undo = "Move back to the old machine type."
        return Judged(
            Verdict.RECOMMEND,
            f"{stands(cap)} The server sends {wording.rate(demand, 'requests')}.",
            proposed="a larger machine type",
            effect=f"The server gets past {said}. A larger volume alone would bring nothing.",
            confidence=Confidence.HIGH,
            risk="A stop and a start of the server, and a higher price.",
            needs=Needs.OS,
            apply=Apply(os=f"{WHAT}, in the provider's console."),
            undo=undo,
            flips_when=f"the server sends less than {wording.rate(FULL * limit, 'requests')}",
            gain=0.7,
            formula=_share(demand, limit),
            because=f"the plateau is at a machine's figure; figures of {AS_OF}",
            valid="For this machine type.",
            cost_of_error="Money: a machine that is larger than needed.",
            side_effects="More processors and memory, which the pool may use.",
            verify=f"iostat -x 1 under load goes above {said}.",
            steps=(
                Procedure(
                    WHAT,
                    (
                        "Compare the volume's own limit with the new machine's.",
                        "Stop the server, change the machine type, start it.",
                        "Measure the drive again.",
                    ),
                    (undo,),
                    Needs.OS,
                ),
            ),
        )
    saw = stands(cap)
    if demand is not None:
        saw += f" The server sends {wording.rate(demand, 'requests')}."
    verdict = Verdict.FINE if demand is not None and demand < MUCH * limit else Verdict.WATCH
    return Judged(
        verdict,
        saw,
        effect="The limit is the machine's: a larger volume would not move it.",
        confidence=Confidence.HIGH,
        flips_when=f"the server sends {wording.rate(FULL * limit, 'requests')} or more",
        gain=0.0 if verdict is Verdict.FINE else 0.2,
        formula=f"limit = {limit_text(cap)}" if demand is None else _share(demand, limit),
        because=f"the plateau is at a machine's figure; figures of {AS_OF}",
        valid="For this machine type.",
        cost_of_error="Money for a volume that the machine can't use.",
    )


def _share(demand: float, limit: float) -> str:
    return (
        f"{wording.rate(demand, 'requests')} / {wording.rate(limit, 'requests')} = "
        f"{wording.percent(demand / limit)}"
    )
