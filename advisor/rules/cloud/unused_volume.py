"""Requests and bytes that the volume was bought with, against those that are used.

## What it checks
How much of what the volume was bought with the server used in the worst second of the watch.

## Why it matters
Provisioned requests and bytes cost money each month whether they are used or not: 9,000 requests/s
beyond what comes with a volume are a bill of their own, as large as the disk's. Nobody looks for
what is too much, since nothing is slow.

## How it is judged
- Bought is what the user stated (`--volume-iops`, `--volume-throughput`), else a plateau of the
  measured drive at a figure that its cloud sells apart from the volume's size. Where neither is
  known: not judged.
- Used is the worst second of a watch of ten seconds or more (our choice), else the mean of the
  status window: then only a watch is asked for. Where the device's mean is above the worst second
  of InnoDB's own counters, that mean.
- Amazon's figures of 3,000 requests/s and 125 MiB/s, and 12,000 and 500 MiB/s on RDS, come with the
  volume: nothing is left to give back.
- At Cloud SQL requests and bytes come with the disk's size, and a smaller disk takes downtime and
  never less than its data: not applicable. Nor is what Azure's Premium SSDs have by their size
  sold apart from it.
- `enough` is what was used / 0.7, and no less than what comes with the volume (our choice).
- Less than twice `enough` was bought (our choice): fine. More: watch.

## How to check by hand
The provider's graph of the volume's requests and bytes over a month, its highest minute.

## Risk and undo
Nothing is changed. What is given back can be bought again; providers allow a change only every few
hours.

## When it is wrong
When the watch missed the busy hour, a backup, a month's end or the start after a crash: watch for a
week before anything is given back.

## References
- AWS, "Amazon EBS volume types"; Amazon RDS user guide, "DB instance storage"
- Google Cloud, "About storage shrink"
- Microsoft, "Azure Database for MySQL, service tiers"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.facts.machine.host import HOST_PLATFORM
from advisor.facts.machine.machine_limits import VOLUME_STATED
from advisor.facts.watched.peak import VOLUME_PEAK
from advisor.facts.watched.volumes import Limits
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Knowledge, Stakes, Unjudged, rule
from advisor.rules.cloud._amazon import AMAZON_USES, included
from advisor.rules.cloud._purchase import ROOM
from advisor.variables.managed import AZURE, CLOUD_SQL
from advisor.workload.volume_use import LIMITS, REQUESTS, USES, demand, most_asked
from probes.figures import io_rate, listed, percent
from probes.trust.provisioned import cloud_of
from probes.trust.throttle import ThrottleEvidence

TOO_MUCH = 2.0


@dataclass(frozen=True, slots=True)
class _Bought:
    """A figure per second that was bought, and what of it was used: ``when`` that was seen."""

    figure: float
    used: float
    when: str
    in_bytes: bool
    least: float

    @property
    def enough(self) -> float:
        """What would hold what was used, with a reserve."""
        return max(self.used / ROOM, self.least)

    def say(self, value: float) -> str:
        """A figure of its kind."""
        return io_rate(value, in_bytes=self.in_bytes)


@rule(
    topic="Cloud volumes",
    do="Watch a week, then give back what the volume does not use",
    needs=(REQUESTS,),
    uses=(*USES, *LIMITS, *AMAZON_USES, VOLUME_PEAK, VOLUME_STATED),
    findings=("F123", "F135"),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Hold what was bought against the worst second."""
    if facts.vendor == CLOUD_SQL:
        return Inapplicable(
            "At Cloud SQL they come with the disk's size, and a smaller disk takes downtime."
        )
    bought = [each for limit in (False, True) if (each := _bought(facts, in_bytes=limit))]
    platform = facts.find(HOST_PLATFORM)
    if not bought and platform is not None and not cloud_of(platform):
        return Inapplicable(f"The machine is in no cloud whose volumes are known ({platform}).")
    if not bought:
        return Unjudged("What the volume was bought with is not known: say it by --volume-iops.")
    if not all(each.enough for each in bought):
        return Unjudged("The server asked nothing of the volume while it was looked at.")
    peak = facts.find(VOLUME_PEAK)
    used = _used(bought)
    ratio, most = max(((each.figure / each.enough, each) for each in bought), key=lambda at: at[0])
    over = At(
        "bought / enough",
        ratio,
        of=f"{most.say(most.figure)} / {most.say(most.enough)}",
        least=TOO_MUCH,
        say="{:.1f}".format,
    )
    card = facts.card(
        f"The server used {used}.",
        over,
        confidence=Confidence.LOW if peak is None else Confidence.MEDIUM,
        because="What a busy hour asks for was not seen.",
        valid="While the load is like that of the watch.",
    )
    if not over:
        return card.fine("Fine as it is: no more than a reserve is left.")
    left = [each for each in bought if each.figure >= TOO_MUCH * each.enough]
    keep = listed([f"{each.say(each.enough)} in place of {each.say(each.figure)}" for each in left])
    return card.watch(
        f"Watch it for a week, its busiest hour and a backup among it. Where that looks the same, "
        f"{keep} hold it with a reserve, and the rest is money each month.{_autoscale(facts)}",
        cost_of_error="A busy hour at the limit, until it is bought again.",
        saw=f"{card.says['saw']} Perhaps {percent(1 - 1 / ratio)} of it can be given back.",
    )


def _autoscale(facts: Facts) -> str:
    if facts.vendor != AZURE:
        return ""
    return " Azure's autoscale of IOPS is paid as used."


def _used(bought: Sequence[_Bought]) -> str:
    """What was used of each, and when; once where it is the same of all."""
    apart = len({each.when for each in bought}) > 1
    each_used = [
        f"{each.say(each.used)} of {each.say(each.figure)}{f' {each.when}' if apart else ''}"
        for each in bought
    ]
    return listed(each_used) if apart else f"{listed(each_used)} {bought[0].when}"


def _bought(facts: Facts, *, in_bytes: bool) -> _Bought | None:
    """What was bought of one kind; None where nothing was, or that is not known."""
    figure = _figure(facts, in_bytes=in_bytes)
    mean = demand(facts).of(in_bytes=in_bytes)
    used = most_asked(mean, facts.find(VOLUME_PEAK), in_bytes=in_bytes)
    if figure is None or used is None:
        return None
    comes = [each.figure for each in included(facts, in_bytes=in_bytes)]
    if figure in comes:
        return None
    return _Bought(figure, used.per_s, used.when, in_bytes, min(comes, default=0.0))


def _figure(facts: Facts, *, in_bytes: bool) -> float | None:
    stated = facts.find(VOLUME_STATED)
    cap = None if stated is None else stated.of(in_bytes=in_bytes)
    if cap is not None:
        return cap.lasting
    limits = facts.find(LIMITS[in_bytes])
    return None if limits is None else _sold(limits)


def _sold(limits: Limits) -> float | None:
    """A plateau at a figure that is sold apart from the volume: what its size gives is not."""
    seen = limits.of_volume
    if seen is None or seen.evidence is not ThrottleEvidence.SOLD:
        return None
    return None if any(limit.by_size for limit in seen.limits) else seen.figure
