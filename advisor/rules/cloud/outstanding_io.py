"""Reads in flight against the provisioned requests.

## What it checks
Whether the server keeps enough reads in flight to reach the volume's limit at all.

## Why it matters
A volume answers in a millisecond or so, however many requests per second are provisioned. One
reader then gets a thousand a second, and 16,000 take 16 concurrent readers. Google's rule of thumb
is one request in flight for every 500 provisioned. More of them don't help a server that runs four
queries at a time; a lower latency does.

## How it is judged
- Only where a limit on requests shows.
- `needed` = the smallest measured concurrency with 90 % of the limit.
- `running` = `Threads_running` at both ends of the window, the lower one, without Leadline's own
  connection and threads that do no query (event scheduler, readers of the binary log): each
  connection waits for its own read that misses the pool, so that at most as many reads as running
  connections are in flight (read-ahead aside).
- `running` of half of `needed` and more (our choice), or not known: fine. Less: watch, with the
  rate that this number of readers can get.

## How to check by hand
`iostat -x 1` under load: `aqu-sz` is the number in flight. The number needed is the volume's
latency in seconds times the provisioned requests per second.

## Risk and undo
Nothing is changed.

## When it is wrong
When the window's end was a quiet moment: it is one reading of a figure that varies. When the load
is writes, which go out in batches.

## References
- Google Cloud, "About Persistent Disk performance"
- J. D. C. Little, "A Proof for the Queuing Formula L = λW" (1961)
"""

from __future__ import annotations

import math

from advisor.facts.measured.points import CURVE_RANDOM_READ_PAGE
from advisor.facts.server.load import LOAD_RUNNING
from advisor.facts.watched.volumes import VOLUME_REQUEST_LIMITS, limit_text
from advisor.model.curves.operating_point import rate_at
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, Knowledge, Unjudged, number, rule
from probes.figures import counted, duration_us, percent, rate

REACHED = 0.9


@rule(
    topic="Cloud volumes",
    do="Buy no more requests: lower the latency, or send more at a time",
    needs=(VOLUME_REQUEST_LIMITS, CURVE_RANDOM_READ_PAGE),
    uses=(LOAD_RUNNING,),
    findings=("F107", "F34"),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Compare the running connections with what the limit takes."""
    limits = facts.get(VOLUME_REQUEST_LIMITS)
    limit = limits.of_volume or limits.of_machine
    if limit is None:
        return Inapplicable("No limit on requests shows on this drive.")
    curve, bound = facts.get(CURVE_RANDOM_READ_PAGE), REACHED * limit.figure
    needed = next((p.setting.threads for p in curve.points if p.rate_per_s >= bound), None)
    if needed is None:
        return Unjudged("Reads of the server's page size did not reach the limit.")
    one = curve.points[0]
    saw = (
        f"To reach {limit_text(limit)} takes {needed} reads in flight; {one.setting.threads} in "
        f"flight {'gives' if one.setting.threads == 1 else 'give'} {rate(one.rate_per_s)} "
        f"({duration_us(one.latency.mean_us)} each)."
    )
    card = facts.card(
        saw,
        formula=f"needed = {needed} threads at {percent(REACHED)} of {rate(limit.figure)}",
        valid="For reads that miss the buffer pool.",
    )
    running = facts.find(LOAD_RUNNING)
    if running is None:
        return card.fine(
            "A server with that many running connections can use all of it.",
            flips_when=f"fewer than {math.ceil(needed / 2)} connections run at a time",
        )
    few = At("number of running connections", running, below=needed / 2, say=_half)
    card = card.but(condition=few)
    ran = f"{counted(running, 'connection')} {'was' if round(running) == 1 else 'were'} running"
    if not few:
        return card.fine("The server can use all of the limit.", saw=f"{saw} {ran}.")
    got = rate_at(curve, max(running, 1.0))
    return card.watch(
        f"Reads can't use {percent(1 - got / limit.figure)} of the limit. A lower latency or more "
        "concurrent work would help, more provisioned requests would not.",
        saw=f"{saw} {ran}, which get at most {rate(got, 'reads')}.",
        formula=f"at {number()(running)}: {rate(got)} of {rate(limit.figure)} = "
        f"{percent(got / limit.figure)}",
        confidence=Confidence.LOW,
        because="The curve was measured, but the running connections are one reading at one "
        "moment.",
    )


def _half(value: float) -> str:
    """Write whole numbers and halves."""
    return f"{value:,g}"
