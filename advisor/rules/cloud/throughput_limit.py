"""Provisioned throughput against the server's rate.

## What it checks
Whether a provisioned limit in bytes per second caps the drive, and how much of it the server uses.

## Why it matters
A volume has two limits, and with pages of 16 KiB the one on bytes often comes first: 125 MiB/s are
8,000 such pages, however many requests are provisioned. Published sweeps show network volumes that
reach it while requests remain, and two volumes striped that give more than twice as much.

## How it is judged
- A limit is a plateau at a throughput that the machine's cloud sells, within 1 %; or one that two
  block sizes share, within 2 %, below what the disk's own link carries; or that reads and writes of
  one size share where smaller blocks go higher. Whoever made it: no cloud has to be known.
- Without such a plateau, a watch may show the limit: the device's bytes stay within 1 % in nine of
  ten seconds while its requests vary by 5 % and more, and at least 4 are in flight (our choices).
  Then it is used up. Where a probe got 1.1 times as much from the same drive (our choice), credit
  or a limit on the server alone is what holds it: watch.
- `share` = bytes/s / limit: what the kernel counts on the data's device while the server works,
  with doublewrite, redo and binary log in it; else `Innodb_data_read` + `Innodb_data_written`.
- Below half: fine. Half to nine tenths: watch. Nine tenths and more: buy limit / 0.7, or stripe
  (our choices), but not more than the limit that comes next lets pass, the volume's other one or
  the machine's own; where that is less than 1.1 times the volume's, watch.
- A figure that comes with the volume's size or tier, or is the most of its kind, can't be bought
  higher: another kind of volume, or several.
- The limit that comes next, or is nearer at the server's mean request size, is named.
- Where nothing could be measured (an account alone), the limit is what the user says was bought
  (`--volume-throughput`): judged in the same way, as stated, and with medium confidence at most.
- Limits of the machine itself are judged by the rule on the machine's limit.

## How to check by hand
`iostat -x 1` under load: `rkB/s` plus `wkB/s` stay the same while `aqu-sz` and `await` grow.

## Risk and undo
A purchase, not a setting. It can be changed back, with most providers after some hours.

## When it is wrong
When the window was quiet. When backups or copies of files share the volume: their bytes count too
and are not in the server's counters.

## References
- AWS, "Amazon EBS volume types"
- Microsoft, "Scalability and performance targets for VM disks"
- Published sweeps of InnoDB over network volumes
"""

from __future__ import annotations

from advisor.facts.machine.machine_limits import VOLUME_STATED
from advisor.facts.watched.volumes import VOLUME_REQUEST_LIMITS, VOLUME_THROUGHPUT_LIMITS
from advisor.gain import VolumeLimit
from advisor.rulekit import Answer, Facts, Knowledge, rule
from advisor.rules.cloud._held import judge_held
from advisor.rules.cloud._provisioned import LimitWords, judge_limit
from advisor.rules.cloud._stated import judge_stated
from advisor.workload.volume_use import USES

BYTES = LimitWords(
    buys="provisioned throughput",
    option="--volume-throughput",
    asks="reads and writes",
    less="Two volumes striped give the sum of both, where one can't be larger.",
    in_bytes=True,
)


@rule(
    topic="Cloud volumes",
    needs=(VOLUME_THROUGHPUT_LIMITS,),
    uses=(*USES, VOLUME_REQUEST_LIMITS, VOLUME_STATED),
    findings=("F103", "F105"),
    major=True,
    limit=VolumeLimit.BYTES,
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Hold the volume's limit against what the server reads and writes."""
    limits = facts.get(VOLUME_THROUGHPUT_LIMITS)
    if limits.stated is not None:
        return judge_stated(facts, limits.stated, BYTES)
    limit = limits.of_volume
    if limit is not None:
        return judge_limit(facts, limit, BYTES)
    if limits.held is not None:
        return judge_held(facts, limits.held, BYTES)
    requests = facts.find(VOLUME_REQUEST_LIMITS)
    return facts.card(
        "No curve stops at a throughput that a cloud sells or that two block sizes share.",
        formula="plateau at a throughput: none found",
        because="All curves of random reads and writes were checked.",
        valid="For the block sizes and concurrencies that were measured.",
        flips_when="two thread counts, one four times the other, give one throughput that "
        "the cloud sells, within 1 %, or that two block sizes share, within 2 %",
    ).fine(
        "Fine as it is: its limit is on requests, as the rule on these says."
        if requests is not None and requests.figure is not None
        else "Fine as it is: no limit on throughput shows."
    )
