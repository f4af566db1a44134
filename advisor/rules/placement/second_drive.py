"""Use of the drive, and what a second one would bring.

## What it checks
How much of the drive's capacity the server uses, in reads and writes together.

## Why it matters
Two drives double a load's rate only when one is at its limit. Published runs with a second Optane
in a stripe showed no gain while the working set fit into the pool; once one volume was saturated, a
second more than doubled the rate.

## How it is judged
- `used` = reads/s / the read curve's knee + writes/s / the write curve's knee. Reads are
  `Innodb_data_reads`, writes `Innodb_pages_written`, both per second over the window.
- Below 0.9: fine, a second drive would gain nothing. 0.9 and more: watch.

## How to check by hand
`iostat -x 1` under load: `r/s` and `w/s` against the measured curves. `%util` is meaningless on
drives that serve many requests at a time.

## Risk and undo
Nothing is changed.

## When it is wrong
When the window was quiet; when other programs use the drive; when a limit in bytes comes before the
one on requests, which the rules on cloud volumes check.

## References
- D. Kravtchuk, "8.0 GA and IO-bound TPCC"
- Published sweeps of InnoDB over network volumes, one and two of them striped
"""

from __future__ import annotations

from advisor.facts.known import CURVE_RANDOM_READ_PAGE, CURVE_RANDOM_WRITE_PAGE, status
from advisor.model.knee import knee
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, rule
from probes.figures import percent, rate

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
    full = At(
        "the used share",
        reads / read_knee.rate_per_s + writes / write_knee.rate_per_s,
        of=f"{rate(reads)} / {rate(read_knee.rate_per_s)} + {rate(writes)} / "
        f"{rate(write_knee.rate_per_s)}",
        least=FULL,
        say=percent,
    )
    reached = read_knee.reached and write_knee.reached
    card = facts.card(
        f"The server reads {rate(reads)} and writes {rate(writes, 'pages')}: "
        f"{percent(full.value)} of the drive's capacity.",
        full,
        confidence=Confidence.MEDIUM if reached else Confidence.LOW,
        because="Both curves were measured beyond their knee."
        if reached
        else "A curve still grew at its end, so the drive can do more than this.",
        valid="For the load of the window.",
    )
    if not full:
        return card.fine(
            "A second drive would add capacity, not speed; a lower latency would help."
        )
    return card.watch(
        "The drive is saturated. First reduce reads (a larger buffer pool); then a second drive in "
        "a stripe, or a faster one, would help.",
        cost_of_error="Money for a drive without benefit.",
        gain=0.6,
    )
