"""The volume's bought throughput against what the server moves.

## What it checks
Whether the drive stands at a limit in bytes per second that somebody set, and how much of it the
server uses.

## Why it matters
A volume has two limits, and with pages of 16 KiB the one on bytes often comes first: 125 MiB/s are
8,000 such pages, however many requests were bought. Published sweeps show network volumes go flat
that way while requests remain, and two volumes striped give more than twice as much.

## How it is judged
- A limit is a plateau at a throughput that the machine's cloud sells, within 1 %.
- `share` = (`Innodb_data_read` + `Innodb_data_written` per second over the window) / limit.
- Below half: fine. Half to nine tenths: watch. Nine tenths and more: buy limit / 0.7, or stripe.
- Limits of the machine itself are left to the rule on the machine's cap.

## How to check by hand
`iostat -x 1` under load: `rkB/s` plus `wkB/s` stand still while `aqu-sz` and `await` grow.

## Risk and undo
A purchase, not a setting. It can be taken back, with most providers after some hours.

## When it is wrong
When the window was quiet. When backups or copies of files share the volume: their bytes count too
and are not in the server's counters.

## References
- AWS, "Amazon EBS volume types"
- Microsoft, "Scalability and performance targets for VM disks"
- Published sweeps of InnoDB over network volumes
"""

from __future__ import annotations

from advisor.facts.known import VOLUME_THROUGHPUT_LIMITS, status
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.cloud._provisioned import Kind, judge_limit

BYTES = Kind(
    buys="provisioned throughput",
    asks="reads and writes",
    less="Two volumes striped give the sum of both, where one can't be bought larger.",
    in_bytes=True,
)


@rule(
    topic="Cloud volumes",
    needs=(VOLUME_THROUGHPUT_LIMITS,),
    uses=(status("io_bytes"),),
    findings=("F103", "F105"),
)
def check(facts: Facts) -> Answer:
    """Hold the volume's limit against what the server reads and writes."""
    limit = facts.get(VOLUME_THROUGHPUT_LIMITS).of_volume
    demand = facts.find(status("io_bytes"))
    if limit is not None:
        return judge_limit(limit, demand, BYTES)
    return Judged(
        Verdict.FINE,
        "No curve stops at a throughput that the machine's cloud sells.",
        effect="Bytes are not what was bought too little of.",
        flips_when="two thread counts, one four times the other, get one throughput that is sold, "
        "within 1 %",
        formula="plateau at a sold throughput: none found",
        because="every curve of random reads and writes was looked at",
        valid="For the block sizes and concurrencies that were measured.",
    )
