"""Provisioned requests (IOPS) against the server's rate.

## What it checks
Whether a provisioned limit on requests caps the drive, and how much of it the server uses.

## Why it matters
On a provisioned volume the rate grows up to the limit and no further: no setting, no thread and no
faster processor raises it. Without knowing the limit, people tune settings for weeks, or pay for
requests that are never sent.

## How it is judged
- A limit is a plateau: the same rate, within 2 %, from one thread count to four times as many. Its
  evidence is a figure that the cloud sells, or one rate for two block sizes, or a round figure.
  Where blocks of half the size or less go a tenth higher (our choice), it is no limit on requests.
- Without such a plateau, a watch may show the limit: the device's requests stay within 1 % in nine
  of ten seconds while its bytes vary by 5 % and more, and at least 4 requests are in flight (our
  choices). Then it is used up. Where a probe got 1.1 times as much from the same drive (our
  choice), credit or a limit on the server alone is what holds it: watch.
- `share` = requests/s / limit: what the kernel counts on the data's device while the server works,
  with doublewrite, redo and binary log in it; else `Innodb_data_reads` + `Innodb_data_writes`.
- Below half: fine. Half to nine tenths: watch. Nine tenths and more: buy limit / 0.7 (our choices),
  but not more than the limit that comes next lets pass: the volume's other one or the machine's
  own, by requests or by their bytes; where that is less than 1.1 times the volume's, or a round
  figure is the only evidence, watch.
- A figure that comes with the volume's size or tier (gp2, Azure's P sizes, Persistent Disk), or is
  the most of its kind, can't be bought higher: another kind of volume, or several.
- The limit that comes next, or is nearer at the server's mean request size, is named: throughput
  as it was seen, or is sold with this volume, or the machine's own.
- Where nothing could be measured (an account alone), the limit is what the user says was bought
  (`--volume-iops`): judged in the same way, as stated, and with medium confidence at most.
- Limits of the machine itself are judged by the rule on the machine's limit.

## How to check by hand
`iostat -x 1` under load: `r/s` plus `w/s` stay the same while `aqu-sz` and `await` grow.

## Risk and undo
A purchase, not a setting. It can be changed back, with most providers after some hours.

## When it is wrong
When the window was quiet. When several volumes are striped: then each has a limit of its own. When
a burst was measured: see the rule on credits.

## References
- AWS, "Amazon EBS volume types"
- Google Cloud, "About Persistent Disk performance"
- Published sweeps of InnoDB over provisioned IOPS
"""

from __future__ import annotations

from advisor.facts.machine.machine_limits import VOLUME_STATED
from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.watched.volumes import VOLUME_REQUEST_LIMITS, VOLUME_THROUGHPUT_LIMITS
from advisor.gain import VolumeLimit
from advisor.rulekit import Answer, Facts, Knowledge, rule
from advisor.rules.cloud._held import judge_held
from advisor.rules.cloud._provisioned import LimitWords, judge_limit
from advisor.rules.cloud._stated import judge_stated
from advisor.workload.volume_use import USES
from probes.figures import rate

REQUESTS = LimitWords(
    buys="provisioned requests (IOPS)",
    option="--volume-iops",
    asks="sends",
    less="A larger buffer pool sends fewer reads, and may be cheaper.",
    in_bytes=False,
)


@rule(
    topic="Cloud volumes",
    needs=(VOLUME_REQUEST_LIMITS,),
    uses=(*USES, VOLUME_THROUGHPUT_LIMITS, VOLUME_STATED, CURVE_RANDOM_READ_PAGE),
    findings=("F103", "F104"),
    major=True,
    limit=VolumeLimit.REQUESTS,
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Hold the volume's limit against what the server sends."""
    limits = facts.get(VOLUME_REQUEST_LIMITS)
    if limits.stated is not None:
        return judge_stated(facts, limits.stated, REQUESTS)
    limit = limits.of_volume
    if limit is not None:
        return judge_limit(facts, limit, REQUESTS)
    if limits.held is not None:
        return judge_held(facts, limits.held, REQUESTS)
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
