"""Use of the drive, and what a second one would bring.

## What it checks
How much of what the drive can do the server uses, in reads and writes together.

## Why it matters
Two drives double what a load can get only when one is at its limit. Published runs with a second
Optane in a stripe gained nothing while the pool held the data; once one volume was saturated, a
second more than doubled it.

## How it is judged
- `used` = reads/s / the read curve's knee + writes/s / the write curve's knee. Reads are
  `Innodb_data_reads`, writes `Innodb_pages_written`, both per second over the window.
- Below 0.9: fine, a second drive would bring nothing. 0.9 and more: watch.

## How to check by hand
`iostat -x 1` under load: `r/s` and `w/s` against the measured curves. `%util` says nothing on
drives that serve many requests at a time.

## Risk and undo
Nothing is changed.

## When it is wrong
When the window was quiet; when something beside the server uses the drive; when a limit in bytes
binds before requests do, which the rules on cloud volumes look at.

## References
- D. Kravtchuk, "8.0 GA and IO-bound TPCC"
- Published sweeps of InnoDB over network volumes, one and two of them striped
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_READ_PAGE, CURVE_RANDOM_WRITE_PAGE, status
from advisor.model.knee import Knee, knee
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures

FULL = 0.9


@rule(
    topic="Placement",
    needs=(
        CURVE_RANDOM_READ_PAGE,
        CURVE_RANDOM_WRITE_PAGE,
        status("Innodb_data_reads"),
        status("Innodb_pages_written"),
    ),
    findings=("F33", "F105"),
)
def check(facts: Facts) -> Answer:
    """Add up the shares of both curves that the server uses."""
    reads = facts.get(status("Innodb_data_reads"))
    writes = facts.get(status("Innodb_pages_written"))
    read_knee = knee(facts.get(CURVE_RANDOM_READ_PAGE))
    write_knee = knee(facts.get(CURVE_RANDOM_WRITE_PAGE))
    used = reads / read_knee.rate_per_s + writes / write_knee.rate_per_s
    formula = (
        f"{figures.rate(reads)} / {figures.rate(read_knee.rate_per_s)} + {figures.rate(writes)} / "
        f"{figures.rate(write_knee.rate_per_s)} = {figures.percent(used)}"
    )
    saw = (
        f"The server reads {figures.rate(reads)} and writes {figures.rate(writes, 'pages')}: "
        f"{figures.percent(used)} of what the drive can do."
    )
    reached = read_knee.reached and write_knee.reached
    confidence = Confidence.MEDIUM if reached else Confidence.LOW
    if used < FULL:
        return Judged(
            Verdict.FINE,
            saw,
            effect="A second drive would bring room, and no speed. A lower latency would.",
            confidence=confidence,
            flips_when=f"the server uses {figures.percent(FULL)} and more",
            formula=formula,
            because=_because(read_knee, write_knee),
            valid="For the load of the window.",
        )
    return Judged(
        Verdict.WATCH,
        saw,
        effect="The drive is used up. First fewer reads (a larger buffer pool); then a second "
        "drive in a stripe, or a faster one, would help.",
        confidence=confidence,
        flips_when=f"the server uses less than {figures.percent(FULL)}",
        gain=0.6,
        formula=formula,
        because=_because(read_knee, write_knee),
        valid="For the load of the window.",
        cost_of_error="A drive that is bought for nothing.",
    )


def _because(*knees: Knee) -> str:
    if all(bend.reached for bend in knees):
        return "both curves were measured beyond their knee"
    return "a curve still climbed where it ended, so the drive can do more than this"
