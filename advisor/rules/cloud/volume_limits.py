"""What a volume was bought with, requests and bytes per second, against the server's rate.

## What it checks
Whether a provisioned limit on requests (IOPS) or on bytes caps the drive, and how much of it the
server uses.

## Why it matters
On a provisioned volume the rate grows up to the limit and no further: no setting, no thread and no
faster processor raises it. Without knowing the limit, people tune settings for weeks, or pay for
requests that are never sent. With pages of 16 KiB the limit on bytes often comes first: 125 MiB/s
are 8,000 such pages, however many requests are provisioned. Published sweeps show network volumes
that reach it while requests remain, and two volumes striped that give more than twice as much.

## How it is judged
- A limit is a plateau: the same rate, within 2 %, from one thread count to four times as many. Its
  evidence is a figure that the cloud sells (bytes: within 1 %), or one rate for two block sizes, or
  a round figure. Where blocks of half the size or less go a tenth higher (our choice), it is no
  limit on requests. One on bytes may be shared by two block sizes below what the disk's own link
  carries, or by reads and writes of one size where smaller blocks go higher: no cloud has to be
  known.
- Without such a plateau, a watch may show the limit: the device's requests, or bytes, stay within
  1 % in nine of ten seconds while the other kind varies by 5 % and more, and at least 4 requests
  are in flight (our choices). Then it is used up. Where a probe got 1.1 times as much from the same
  drive (our choice), credit or a limit on the server alone is what holds it: watch.
- `share` = rate / limit: what the kernel counts on the data's device while the server works, with
  doublewrite, redo and binary log in it; else `Innodb_data_reads` + `Innodb_data_writes`, or
  `Innodb_data_read` + `Innodb_data_written`. What is written to the redo log stays in the page
  cache until its sync: of calls beyond `Innodb_pages_written` and `Innodb_dblwr_writes` no more
  than `Innodb_os_log_fsyncs` count, where a watch saw the binary log. To these comes what the watch
  saw of the binary log on the same volume, a request for each of its syncs: the least that there
  is.
- Below half: fine. Half to nine tenths: watch, in a line of its own from eight tenths on, or where
  some seconds of the watch had reads that took three times as long. Nine tenths and more: buy
  limit x growth / 0.7, or stripe (our choices), but not more than the limit that comes next lets
  pass: the volume's other one or the machine's own, by requests or by their bytes; where that is
  less than 1.1 times the volume's, or a round figure is the only evidence, watch.
- `growth` = 1 / (1 - the gain that is expected of shorter waits), at most 2 (our choice): what is
  sent at a limit is what it lets pass, and more comes once it is raised. It is 1 where no volume
  can be made smaller again, and where nobody watched the server.
- A figure that grows with the volume's size (Persistent Disk) takes a larger volume, up to the most
  of its kind. The machine's limits by its processors are on those disks alone, not on Hyperdisk's.
  One that comes with a tier (Azure's P sizes), or is the most of its kind, can't be
  bought higher: another kind of volume, or several. A gp2 volume becomes gp3 online.
- At Amazon no less is bought than gp3 has without being bought: 3,000 requests/s and 125 MiB/s. On
  RDS nothing is sold between these and the 12,000 and 500 MiB/s of gp3 from 400 GiB on: there a
  volume that has the first two has to grow to that size, which raises both limits, and can't be
  made smaller again in place.
- A pool that the memory does not hold, and that is to become smaller, asks for more reads: what it
  is expected to miss besides is bought with the rest.
- Where a cloud sells it, and while a larger buffer pool is recommended whose expected misses leave
  less than three quarters of the limit in use (our choice), that comes first: the purchase is
  shown for misses that remain.
- Below nine tenths, where the limit that is nearer is judged by its own rule: fine.
- The limit that comes next, or is nearer at the server's mean request size, is named: the other
  kind as it was seen, or is sold with this volume, or the machine's own.
- Where nothing could be measured (an account alone), the limit is what the user says was bought
  (`--volume-iops`, `--volume-throughput`): judged in the same way, as stated, and with medium
  confidence at most. From half of it on it counts as reached where syncs of the redo log take 5 ms
  or more at a network volume, and no other limit is nearer: more reaches the volume than was
  counted.
- What a higher limit spares is at most what reads and syncs take beyond an idle drive's, and below
  nine tenths no more than the share that is used. Where no idle drive was measured, it is taken for
  1 ms there (our choice). Where some seconds had slower reads, it spares what those took longer,
  half of that at least (our choice). Where another limit is nearer, this one spares nothing. A
  forecast makes the volume no faster than by what the new limit lets pass more.
- Limits of the machine itself are judged by the rule on the machine's limit.

## How to check by hand
`iostat -x 1` under load: `r/s` plus `w/s`, or `rkB/s` plus `wkB/s`, stay the same while `aqu-sz`
and `await` grow.

## Risk and undo
A purchase, not a setting. It can be changed back, with most providers after some hours.

## When it is wrong
When the window was quiet. When several volumes are striped: then each has a limit of its own. When
a burst was measured: see the rule on credits. When backups or copies of files share the volume:
their bytes count too and are not in the server's counters.

## References
- AWS, "Amazon EBS volume types"
- Google Cloud, "About Persistent Disk performance"
- Microsoft, "Scalability and performance targets for VM disks"
- Published sweeps of InnoDB over provisioned IOPS and over network volumes
"""

from __future__ import annotations

from advisor.facts.machine.machine_limits import VOLUME_STATED
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.watched.held_volume import Held
from advisor.facts.watched.peak import SLOW_READS
from advisor.facts.watched.volumes import (
    VOLUME_REQUEST_LIMITS,
    VOLUME_THROUGHPUT_LIMITS,
    Limits,
)
from advisor.gain import VolumeLimit
from advisor.knowledge.machine_limits import Cap
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Knowledge, Unjudged, rule
from advisor.rules.cloud._amazon import AMAZON_USES, Included, included
from advisor.rules.cloud._pool_first import POOL_USES, more_misses, pool_first
from advisor.rules.cloud._provisioned import (
    asking,
    behind,
    judge_limit,
    not_full,
    peaks_may_reach,
    used,
)
from advisor.rules.cloud._purchase import (
    WHERE,
    Bought,
    LimitWords,
    first_with,
    reached,
    with_reserve,
)
from advisor.rules.cloud._relief import RELIEF_USES, fewer_reads, growth, held_up
from advisor.workload import far_drive
from advisor.workload.far_drive import AT_LIMIT_US
from advisor.workload.sync_cost import sync_us
from advisor.workload.volume_use import (
    BYTES,
    FULL,
    MUCH,
    REQUESTS,
    USES,
    VolumeCeiling,
    demand,
    nearest,
    next_ceiling,
)
from probes.figures import duration_us, percent, rate

OF_REQUESTS = LimitWords(
    buys="provisioned requests (IOPS)",
    option="--volume-iops",
    asks="sends",
    less=fewer_reads,
    in_bytes=False,
)
OF_BYTES = LimitWords(
    buys="provisioned throughput",
    option="--volume-throughput",
    asks="reads and writes",
    less=lambda _: "Two volumes striped give the sum of both, where one can't be larger.",
    in_bytes=True,
)

_USES = (
    *USES,
    *RELIEF_USES,
    *POOL_USES,
    *AMAZON_USES,
    *far_drive.USES,
    SLOW_READS,
    VOLUME_STATED,
)


@rule(
    name="cloud.request-limit",
    title="Provisioned requests (IOPS) against the server's rate",
    topic="Cloud volumes",
    do="See whether peaks reach the volume's limit of requests",
    needs=(VOLUME_REQUEST_LIMITS,),
    uses=(*_USES, VOLUME_THROUGHPUT_LIMITS),
    findings=("F103", "F104"),
    major=True,
    limit=VolumeLimit.REQUESTS,
    knowledge=Knowledge.MEASURED,
)
def requests(facts: Facts) -> Answer:
    """Hold the volume's limit against what the server sends."""
    limits = facts.get(VOLUME_REQUEST_LIMITS)
    if (judged := _limited(facts, limits, OF_REQUESTS)) is not None:
        return judged
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    in_bytes = facts.find(VOLUME_THROUGHPUT_LIMITS)
    peak = "" if curve is None else f" (its peak is {rate(curve.peak.rate_per_s, 'reads')})"
    bytes_end = in_bytes is not None and in_bytes.figure is not None
    return facts.card(
        f"Bytes end before requests do{peak}: no limit on requests shows."
        if bytes_end
        else f"The drive's rate changes with each number of threads{peak}: no limit on requests "
        "shows.",
        formula="plateau: rates within 2 % from n to 4n threads; none found",
        because="All curves of random reads and writes were checked.",
        valid="For the concurrencies that were measured.",
        flips_when="two thread counts, one four times the other, give one rate within 2 %",
    ).fine(
        "Fine as it is: its limit is on bytes, as the rule on throughput says."
        if bytes_end
        else "Fine as it is: the drive itself bounds the rate, so a higher limit brings no benefit."
    )


@rule(
    name="cloud.throughput-limit",
    title="Provisioned throughput against the server's rate",
    topic="Cloud volumes",
    do="See whether peaks reach the volume's limit of throughput",
    needs=(VOLUME_THROUGHPUT_LIMITS,),
    uses=(*_USES, VOLUME_REQUEST_LIMITS),
    findings=("F103", "F105"),
    major=True,
    limit=VolumeLimit.BYTES,
    knowledge=Knowledge.MEASURED,
)
def throughput(facts: Facts) -> Answer:
    """Hold the volume's limit against what the server reads and writes."""
    limits = facts.get(VOLUME_THROUGHPUT_LIMITS)
    if (judged := _limited(facts, limits, OF_BYTES)) is not None:
        return judged
    other = facts.find(VOLUME_REQUEST_LIMITS)
    return facts.card(
        "No curve stops at a throughput that a cloud sells or that two block sizes share.",
        formula="plateau at a throughput: none found",
        because="All curves of random reads and writes were checked.",
        valid="For the block sizes and concurrencies that were measured.",
        flips_when="two thread counts, one four times the other, give one throughput that "
        "the cloud sells, within 1 %, or that two block sizes share, within 2 %",
    ).fine(
        "Fine as it is: its limit is on requests, as the rule on these says."
        if other is not None and other.figure is not None
        else "Fine as it is: no limit on throughput shows."
    )


def _limited(facts: Facts, limits: Limits, kind: LimitWords) -> Answer | None:
    """Judge the volume's limit as it was stated, measured or watched; None where there is none."""
    if limits.stated is not None:
        return _stated(facts, limits.stated, kind)
    limit = limits.of_volume
    if limit is not None:
        return judge_limit(facts, limit, kind)
    return None if limits.held is None else _held(facts, limits.held, kind)


def _stated(facts: Facts, cap: Cap, kind: LimitWords) -> Answer:
    """Judge one that its user stated, since an account sees none."""
    asked = demand(facts)
    asks = asked.of(in_bytes=kind.in_bytes)
    if asks is None:
        return Unjudged(facts.lacks(BYTES if kind.in_bytes else REQUESTS))
    limit, near = kind.text(cap.lasting), nearest(facts, cap, asked)
    much, full = (used(asks, cap.lasting, share, kind) for share in (MUCH, FULL))
    first = near is None or near.at >= cap.lasting
    slow = _slow_syncs(facts) if much and not full and first else None
    bought = full or slow is not None
    relieves = held_up(facts, much.value if slow is None else 1.0) if full or first else ()
    grows, more = growth(facts, relieves), more_misses(facts, in_bytes=kind.in_bytes)
    wanted = kind.rounded_up(with_reserve(asks, cap.lasting, more, grows))
    sold = included(facts, in_bytes=kind.in_bytes)
    comes = first_with(sold, wanted) if bought else None
    beside = _along(comes, kind)
    card = facts.card(
        f"The volume gives {limit}, as stated. {asking(asked, kind.asks, kind.text(asks))}, "
        f"{percent(much.value)} of it.{_beyond_counted(slow)}"
        f"{next_ceiling(facts, cap, asked, beside)}",
        much,
        confidence=Confidence.MEDIUM,
        because="The limit is as its user stated, and was not measured.",
        valid="As long as the volume is as it was stated.",
        cost_of_error="A look at the console.",
        relieves=relieves,
        used=much.value,
    )
    if not much:
        return card.fine(f"Fine as it is: {percent(1 - much.value)} of the limit is left.")
    # Room that raises both limits is bought once, for the one that is reached first.
    if not first and (not full or (comes is not None and comes.least_gib)):
        return behind(card, near)
    if not full and slow is None:
        card = card.but(condition=much & ~full)
        return not_full(facts, card, much.value, limit, peaks_may_reach(limit))
    purchase = Bought(
        cap.lasting,
        asks,
        WHERE[True],
        f"Say the new figure by {kind.option}, and judge again under the same load.",
        f"The server exceeds {limit} under load.",
        kind.less(facts),
        nearest(facts, cap, asked, beside),
        included=sold,
        pool=pool_first(facts, asks, cap.lasting, in_bytes=kind.in_bytes),
        more=more,
        grows=grows,
        service=facts.vendor,
    )
    return reached(card.but(condition=full if slow is None else much & slow), purchase, kind)


def _along(comes: Included | None, kind: LimitWords) -> VolumeCeiling | None:
    """The limit of the other kind that comes along."""
    if comes is None:
        return None
    other = "requests" if kind.in_bytes else "throughput"
    name = f"The limit on {other} of {comes.volume}"
    return VolumeCeiling(name, comes.along, not kind.in_bytes, as_sold=True)


def _slow_syncs(facts: Facts) -> At | None:
    """Syncs that take as long as at a limit of the volume; None where they take less.

    Journal and binary log reach the volume, and not InnoDB's counters.
    """
    takes_us = sync_us(facts)
    if takes_us is None:
        return None
    far = far_drive.far_drive(facts, of_redo=True)
    slow = At("sync time", takes_us, least=AT_LIMIT_US, say=duration_us)
    return slow if far.at_limit(takes_us) else None


def _beyond_counted(slow: At | None) -> str:
    """That more reaches the volume than was counted, as a sentence after a space; "" if not."""
    if slow is None:
        return ""
    return (
        f" A sync of the redo log takes {duration_us(slow.value)}, as at a limit: more reaches the "
        "volume than InnoDB counts."
    )


def _held(facts: Facts, held: Held, kind: LimitWords) -> Answer:
    """Judge one that a watch saw: one kind stays the same from second to second.

    The volume is at its limit while that is so.
    """
    limit, asked = kind.text(held.figure), demand(facts)
    asks = max(held.figure, asked.of(in_bytes=kind.in_bytes) or 0.0)
    full = At(
        "share of the limit",
        asks / held.figure,
        of=f"{kind.text(asks)} / {limit}",
        least=FULL,
        say=percent,
    )
    card = facts.card(
        f"{held.text}.{next_ceiling(facts, held, asked)}",
        full,
        confidence=Confidence.MEDIUM,
        because=f"It was seen in each of {held.seconds} seconds, with no probe; a drive at its own "
        "end does more or less with each mixture of requests.",
        valid="As long as the volume's size, type and settings stay.",
        cost_of_error="A look at the console, or a question.",
        relieves=held_up(facts, 1.0),
        used=full.value,
    )
    if held.measured:
        return card.watch(
            "Find out what holds it: the volume's credit has run out, or the limit is the server's "
            "own (io.max of its control group). A larger volume lifts neither.",
            flips_when=f"a probe of the drive gives no more than {limit}",
        )
    bought = Bought(
        held.figure,
        asks,
        WHERE[bool(held.limits)],
        f"Watch the server again: the device must do more than {limit}.",
        f"iostat -x 1 under load goes above {limit}.",
        kind.less(facts),
        nearest(facts, held, asked),
        held.limits,
        included(facts, in_bytes=kind.in_bytes),
        pool_first(facts, asks, held.figure, in_bytes=kind.in_bytes),
        more_misses(facts, in_bytes=kind.in_bytes),
        growth(facts, card.says.get("relieves", ())),
    )
    return reached(card, bought, kind)
