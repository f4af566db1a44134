"""The volume's bought requests against what the server sends.

## What it checks
Whether the drive stands at a limit on requests that somebody set, and how much of it the server
uses.

## Why it matters
On a provisioned volume throughput grows with what was bought and then not at all: no setting, no
thread and no faster processor gets past the figure. Who does not see the limit tunes settings for
weeks. Who sees it without need pays for requests that are never sent.

## How it is judged
- A limit is a plateau: the same rate, within 2 %, from one thread count to four times as many. Its
  evidence is a figure that the cloud sells, or one rate for two block sizes, or a round figure.
- `share` = (`Innodb_data_reads` + `Innodb_data_writes` per second over the window) / limit.
- Below half: fine. Half to nine tenths: watch. Nine tenths and more: buy limit / 0.7; where a round
  figure is all the evidence there is, watch.
- Limits of the machine itself are left to the rule on the machine's cap.

## How to check by hand
`iostat -x 1` under load: `r/s` plus `w/s` stand still while `aqu-sz` and `await` grow.

## Risk and undo
A purchase, not a setting. It can be taken back, with most providers after some hours.

## When it is wrong
When the window was quiet. When several volumes are striped: then each has a limit of its own. When
a burst was measured: see the rule on credits.

## References
- AWS, "Amazon EBS volume types"
- Google Cloud, "About Persistent Disk performance"
- Published sweeps of InnoDB over provisioned IOPS
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_READ_PAGE, VOLUME_REQUEST_LIMITS, status
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rules.cloud._provisioned import Kind, judge_limit
from probes import figures

REQUESTS = Kind(
    buys="provisioned requests (IOPS)",
    asks="sends",
    less="A larger buffer pool sends fewer reads, and may be the cheaper way.",
    in_bytes=False,
)


@rule(
    topic="Cloud volumes",
    needs=(VOLUME_REQUEST_LIMITS,),
    uses=(status("io_requests"), CURVE_RANDOM_READ_PAGE),
    findings=("F103", "F104"),
)
def check(facts: Facts) -> Answer:
    """Hold the volume's limit against what the server sends."""
    limits = facts.get(VOLUME_REQUEST_LIMITS)
    limit = limits.of_volume
    demand = facts.find(status("io_requests"))
    if limit is not None:
        return judge_limit(limit, demand, REQUESTS)
    curve = facts.find(CURVE_RANDOM_READ_PAGE)
    peak = "" if curve is None else f" (its peak is {figures.rate(curve.peak.rate_per_s, 'reads')})"
    return Judged(
        Verdict.FINE,
        f"The drive's rate grows or falls with each step of threads{peak}: it stands at no limit "
        "on requests that somebody set.",
        effect="What it gives is the drive's own; buying a higher figure is not the question here.",
        flips_when="two thread counts, one four times the other, get one rate within 2 %",
        formula="plateau: rates within 2 % from n to 4n threads; none found",
        because="every curve of random reads and writes was looked at",
        valid="For the concurrencies that were measured.",
    )
