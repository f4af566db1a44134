"""The machine's own limit on its volumes.

## What it checks
Whether the drive stands at a limit that belongs to the machine and not to the volume.

## Why it matters
Clouds limit each machine by its size, whatever its volumes could do together. Who then buys a
larger volume pays twice for the same rate. Azure's managed MySQL gives machines of 16 and of 32
processors the same 20,000 requests/s.

## How it is judged
- The plateau is at a figure that the cloud gives as a machine's: that is the cap. Half of it used:
  watch; nine tenths: a larger machine.
- No such plateau, and the machine's own limit is known by its type or its processors: watch when
  the drive peaks at nine tenths of the most, or above what lasts while the server sends half of
  what lasts or more (smaller EC2 machines lend their peak for 30 minutes a day). Else fine: the
  volume is what limits.
- A drive that gives a tenth more than the machine's most is none of its volumes, but a local drive,
  or a cache answered: not applicable.
- On machines whose limit is not known here: not judged.

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

from advisor.facts.known import (
    CURVE_RANDOM_READ_PAGE,
    HOST_CPU_THREADS,
    HOST_PLATFORM,
    VOLUME_REQUEST_LIMITS,
    status,
)
from advisor.facts.volumes import limit_text
from advisor.knowledge.machine_limits import MachineLimit, machine_limit
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.cloud._provisioned import FULL, MUCH, stands
from advisor.steps import Needs, Procedure
from probes import figures
from probes.trust.provisioned import AS_OF, cloud_of
from probes.trust.throttle import Throttle

BEYOND = 1.1
"""No volume gives so many times the machine's limit (our choice: a tenth for errors)."""

WHAT = "Move to a machine type with a higher limit on its volumes"


@rule(
    topic="Cloud volumes",
    needs=(HOST_PLATFORM, VOLUME_REQUEST_LIMITS),
    uses=(HOST_CPU_THREADS, CURVE_RANDOM_READ_PAGE, status("io_requests")),
    findings=("F108",),
)
def check(facts: Facts) -> Answer:
    """Tell the machine's limit from the volume's."""
    platform = facts.get(HOST_PLATFORM)
    cloud = cloud_of(platform)
    if not cloud:
        return Inapplicable(f"The machine is no cloud's whose limits are known here ({platform}).")
    cap = facts.get(VOLUME_REQUEST_LIMITS).of_machine
    if cap is not None:
        return _capped(cap, facts.find(status("io_requests")))
    known = machine_limit(platform, facts.find(HOST_CPU_THREADS))
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    if known is None or curve is None:
        return Unjudged(f"The limit of this machine's type is not known here ({platform}).")
    if curve.peak.rate_per_s > BEYOND * known.most_per_s:
        return Inapplicable(
            f"The drive gives {figures.rate(curve.peak.rate_per_s, 'reads')}, more than this "
            "machine gives its volumes: it is a local drive, or a cache answered."
        )
    demand = facts.find(status("io_requests"))
    return _by_type(known, curve.peak.rate_per_s, demand)


def _by_type(known: MachineLimit, peak: float, demand: float | None) -> Answer:
    most, lasting = known.most_per_s, known.lasting_per_s
    if peak >= FULL * most:
        return _said(
            known,
            peak,
            Verdict.WATCH,
            effect="A larger volume would bring little: the machine comes next.",
            flips_when=f"the drive peaks below {figures.rate(FULL * most)}",
            gain=0.2,
        )
    if known.lends and peak > lasting and (demand is None or demand >= MUCH * lasting):
        return _said(
            known,
            peak,
            Verdict.WATCH,
            effect=f"What was measured above {figures.rate(lasting, 'requests')} is lent for 30 "
            "minutes a day. A busy hour gets the lower rate, whatever the volume can do.",
            flips_when=f"the server sends less than {figures.rate(MUCH * lasting, 'requests')}, or "
            "the machine is larger",
            gain=0.3,
        )
    return _said(
        known,
        peak,
        Verdict.FINE,
        effect="The volume is what limits, not the machine."
        if peak <= lasting
        else "The server asks for far less than what the machine gives for good.",
        flips_when=f"the drive peaks at {figures.rate(FULL * most)} or more"
        if peak <= lasting
        else f"the server sends {figures.rate(MUCH * lasting, 'requests')} or more",
        gain=0.0,
    )


def _said(
    known: MachineLimit, peak: float, verdict: Verdict, *, effect: str, flips_when: str, gain: float
) -> Judged:
    most = figures.rate(known.most_per_s, "requests")
    lasting = f" ({figures.rate(known.lasting_per_s, 'requests')} for good)" if known.lends else ""
    return Judged(
        verdict,
        f"The drive's reads peak at {figures.rate(peak)}; the machine's own limit is {most}"
        f"{lasting}.",
        effect=effect,
        confidence=Confidence.MEDIUM,
        flips_when=flips_when,
        gain=gain,
        formula=f"{figures.rate(peak)} / {figures.rate(known.most_per_s)} = "
        f"{figures.percent(peak / known.most_per_s)}",
        because=f"the machine's limit is {known.source}'s; the peak was measured",
        valid="For this machine type.",
        cost_of_error="Money for a volume that the machine can't use.",
    )


def _capped(cap: Throttle, demand: float | None) -> Answer:
    limit = cap.figure
    said = figures.rate(limit, "requests")
    if demand is not None and demand >= FULL * limit:
        undo = "Move back to the old machine type."
        return Judged(
            Verdict.RECOMMEND,
            f"{stands(cap)} The server sends {figures.rate(demand, 'requests')}.",
            setting="machine type",
            now=said,
            proposed="a larger machine type",
            effect=f"The server gets past {said}. A larger volume alone would bring nothing.",
            confidence=Confidence.HIGH,
            risk="A stop and a start of the server, and a higher price.",
            needs=Needs.OS,
            flips_when=f"the server sends less than {figures.rate(FULL * limit, 'requests')}",
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
        saw += f" The server sends {figures.rate(demand, 'requests')}."
    verdict = Verdict.FINE if demand is not None and demand < MUCH * limit else Verdict.WATCH
    return Judged(
        verdict,
        saw,
        effect="The limit is the machine's: a larger volume would not move it.",
        confidence=Confidence.HIGH,
        flips_when=f"the server sends {figures.rate(MUCH * limit, 'requests')} or more"
        if verdict is Verdict.FINE
        else f"the server sends {figures.rate(FULL * limit, 'requests')} or more, or less than "
        f"{figures.rate(MUCH * limit, 'requests')}",
        gain=0.0 if verdict is Verdict.FINE else 0.2,
        formula=f"limit = {limit_text(cap)}" if demand is None else _share(demand, limit),
        because=f"the plateau is at a machine's figure; figures of {AS_OF}",
        valid="For this machine type.",
        cost_of_error="Money for a volume that the machine can't use.",
    )


def _share(demand: float, limit: float) -> str:
    return (
        f"{figures.rate(demand, 'requests')} / {figures.rate(limit, 'requests')} = "
        f"{figures.percent(demand / limit)}"
    )
