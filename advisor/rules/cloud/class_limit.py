"""The limits of a managed server's class on its storage.

## What it checks
How much of what the instance class lets its volumes do the server uses, and whether requests or
bytes end it first.

## Why it matters
An account alone shows neither volume nor machine, but providers publish what each class gives.
Small classes burst: a db.r6g.large sustains 3,600 requests/s and 75 MiB/s, and bursts to 20,000 and
566 MiB/s for 30 minutes a day. Even a volume of 12,000 requests/s then serves a busy hour with
3,600.

## How it is judged
- Only where the machine can't be reached and its class was said (`--class`); not on Aurora, whose
  storage is no volume of the machine.
- What the server uses is `Innodb_data_reads` + `Innodb_data_writes`, and `Innodb_data_read` +
  `Innodb_data_written`, with what the watch saw of the binary log. The larger of both shares of
  what the class sustains counts.
- Below half: fine. Half to nine tenths: watch, in a line of its own from eight tenths on, or where
  some seconds of the watch had reads that took three times as long. Nine tenths and more: a larger
  class (our choices), the smallest of the family that sustains what is used x growth / 0.7 (growth
  as on volumes). Where the class bursts, that is only shown: a look of a minute may have met the
  burst.
- What the user says the volume was bought with (`--volume-iops`, `--volume-throughput`) counts
  where it is less than the class sustains: a larger class then brings nothing, and the rules on
  provisioned requests and throughput judge that limit. Where it is more, it ends what another class
  would bring.
- While a larger buffer pool is recommended whose expected misses leave less than three quarters of
  the limit in use (our choice), that comes first: the class is shown for misses that remain.
- No limits are published for the class: not judged.

## How to check by hand
Look the class up: AWS "Amazon EBS-optimized instances" for the type after `db.`, Azure "service
tiers" ("Max Supported IOPS"), Google "storage options overview". On Amazon RDS `EBSIOBalance%` and
`EBSByteBalance%` in CloudWatch fall while a class bursts.

## Risk and undo
Another class takes a restart or a failover, and so does the way back.

## When it is wrong
When the volume itself has less, and nobody said so. Without a watch of the server's files nobody
counts the binary log, and the volume joins neighbouring requests that InnoDB counts one by one.

## References
- AWS, "Amazon EBS-optimized instances", "Hardware specifications for DB instance classes"
- Microsoft, "Azure Database for MySQL, service tiers"
- Google Cloud, "Cloud SQL storage options overview"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from advisor.facts.machine.host import HOST_PLATFORM
from advisor.facts.machine.machine_limits import HOST_VOLUME_LIMITS, VOLUME_STATED
from advisor.facts.watched.peak import SLOW_READS
from advisor.gain import VolumeLimit
from advisor.knowledge.machine_limits import Cap, MachineLimits, larger_class
from advisor.rulekit import Answer, At, Card, Facts, Inapplicable, Needs, Unjudged, by_hand, rule
from advisor.rules.cloud._pool_first import POOL_USES, pool_first
from advisor.rules.cloud._provisioned import not_full
from advisor.rules.cloud._purchase import ROOM
from advisor.rules.cloud._relief import RELIEF_USES, fewer_reads, growth, held_up
from advisor.variables.aurora import AURORA
from advisor.workload.volume_use import FULL, MUCH, NEAR, REQUESTS, USES, Demand, demand
from probes.figures import listed, percent
from probes.trust.provisioned import AWS

BUYS = "instance class"


@dataclass(frozen=True, slots=True)
class _Use:
    """What the server does per second of one kind, against what its class sustains.

    ``volume`` is what its volume was bought with of that kind, None where nobody said it.
    """

    cap: Cap
    asks: float
    volume: Cap | None

    @property
    def share(self) -> float:
        """The share of what the class sustains."""
        return self.asks / self.cap.lasting

    @property
    def behind_volume(self) -> bool:
        """Whether the volume gives less than the class, so that this is never met."""
        return self.volume is not None and self.volume.lasting < self.cap.lasting

    @property
    def volumes(self) -> str:
        """What the volume gives of it, and who says so."""
        return "" if self.volume is None else f"{self.cap.say(self.volume.lasting)}, as stated"

    @property
    def kind(self) -> str:
        """What is counted."""
        return "bytes" if self.cap.in_bytes else "requests"


@rule(
    topic="Cloud volumes",
    do="See whether peaks reach the class's limit on its storage",
    needs=(REQUESTS,),
    uses=(*USES, *RELIEF_USES, *POOL_USES, HOST_PLATFORM, SLOW_READS, VOLUME_STATED),
    findings=("F108",),
    major=True,
    limit=VolumeLimit.CLASS,
)
def check(facts: Facts) -> Answer:
    """Judge by the limit that is used most, requests or bytes."""
    if facts.vendor == AURORA:
        return Inapplicable("Aurora's own storage is no volume of the machine.")
    if facts.find(HOST_PLATFORM) is not None:
        return Inapplicable("The machine is reached: the rule on its own limits judges it.")
    limits = facts.find(HOST_VOLUME_LIMITS)
    if limits is None:
        return Unjudged(facts.lacks(HOST_VOLUME_LIMITS))
    asked, stated = demand(facts), facts.find(VOLUME_STATED)
    uses = [
        _Use(cap, asks, None if stated is None else stated.of(in_bytes=cap.in_bytes))
        for cap in limits.caps
        if (asks := asked.of(in_bytes=cap.in_bytes)) is not None
    ]
    first = _first(uses)
    much, full = (_used(first, share) for share in (MUCH, FULL))
    card = facts.card(
        _saw(limits, uses, first, asked),
        much,
        because=f"The class's limits as published ({limits.source}), and what InnoDB counts of "
        "itself.",
        valid="For this class, and for the volume as it was stated."
        if stated is not None
        else "For this class. The volume's own limit is not known here: the console shows it.",
        cost_of_error="A check in the console, or money for a class that is larger than needed.",
        relieves=() if first.behind_volume else held_up(facts, first.share),
        used=first.share,
    )
    if not much:
        return card.fine(
            f"Fine as it is: {percent(1 - first.share)} of what the class sustains is left."
        )
    card = card.but(condition=full if full else much & ~full)
    if full and not first.behind_volume:
        return _reached(facts, card, limits, uses)
    return _nearing(facts, card, first)


def _nearing(facts: Facts, card: Card, use: _Use) -> Answer:
    """End it where the class holds nothing up yet: its volume does, or peaks alone may."""
    if use.behind_volume:
        return card.watch(_before(use), slight=use.share < NEAR)
    return not_full(facts, card, use.share, use.cap.say(use.cap.lasting), _before(use))


def _first(uses: Sequence[_Use]) -> _Use:
    """The limit that is used most."""
    return max(uses, key=lambda use: use.share)


def _used(use: _Use, share: float) -> At:
    of = f"{use.cap.say(use.asks)} / {use.cap.say(use.cap.lasting)}"
    name = f"share of the class's limit on {use.kind}"
    return At(name, use.share, of=of, least=share, say=percent)


def _saw(limits: MachineLimits, uses: Sequence[_Use], first: _Use, asked: Demand) -> str:
    """The class's ceilings, what the server does, and which it meets first."""
    burst = f", and bursts to {limits.most_text} for 30 minutes a day" if limits.most_text else ""
    does = listed([f"{use.cap.say(use.asks)} ({percent(use.share)})" for use in uses])
    ends = f": {first.kind} reach the limit first" if len(uses) > 1 else ""
    gives = f"The class {limits.name} sustains {limits.lasting_text}{burst}"
    return f"{gives}. The server does {asked.at_least}{does}{ends}."


def _before(use: _Use) -> str:
    """What comes before a larger class is due."""
    cap, volume = use.cap, use.volume
    if use.behind_volume:
        return (
            f"The volume gives {use.volumes}, and ends what the server does first; the class "
            "comes next. A larger class brings nothing before the volume gives more."
        )
    peaks = f"Peaks above {cap.say(cap.lasting)}"
    if not cap.lends or (volume is not None and volume.lasting <= cap.lasting):
        return f"{peaks} wait."
    ends = volume is not None and volume.lasting < cap.most
    most = f"{use.volumes} of the volume," if ends else cap.say(cap.most)
    return f"{peaks} are a burst of 30 minutes a day, {most} at most."


def _reached(facts: Facts, card: Card, limits: MachineLimits, uses: Sequence[_Use]) -> Answer:
    first = _first(uses)
    lasting = first.cap.say(first.cap.lasting)
    grows = growth(facts, card.says.get("relieves", ()))
    wanted = [replace(use.cap, lasting=grows * use.asks / ROOM) for use in uses]
    larger = larger_class(limits, wanted)
    name = "a larger class" if larger is None else larger.name
    gives = "" if larger is None else f", which sustains {larger.lasting_text}"
    volume = f"; the volume ends it at {first.volumes}" if first.volume is not None else ""
    look_up = "Look up the volume's own limit in the console: where it is lower, raise it first."
    change = by_hand(
        name,
        f"Move to {name}{gives}",
        (
            *([] if first.volume is not None else [look_up]),
            f"Change the class to {name} in the console; the server restarts or fails over.",
            "Judge again under the same load.",
        ),
        (f"Change the class back to {limits.name}.",),
        Needs.MONEY,
    )
    card = card.but(
        setting=BUYS,
        now=limits.name,
        risk="A restart or a failover of the server, and a higher price.",
        side_effects="More processors and memory, which the pool may use.",
        verify=f"The server exceeds {lasting} under load.",
    )
    pool = pool_first(facts, first.asks, first.cap.lasting, in_bytes=first.cap.in_bytes)
    if pool is not None:
        return pool.buys(card, change)
    if first.cap.lends:
        return card.consider(
            change,
            effect=f"A busy hour gets {lasting}, whatever the volume was bought with: more is a "
            f"burst of 30 minutes a day{volume}.{_balance(limits, first.cap)} "
            f"{fewer_reads(facts)}",
        )
    return card.recommend(
        change,
        effect=f"The server exceeds {lasting}, which a larger volume alone can't do{volume}. "
        f"{fewer_reads(facts)}",
    )


def _balance(limits: MachineLimits, cap: Cap) -> str:
    """Where the provider shows what is left of the burst."""
    if limits.platform != AWS:
        return ""
    return f" {'EBSByteBalance%' if cap.in_bytes else 'EBSIOBalance%'} in CloudWatch shows it."
