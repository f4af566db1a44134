"""Reads in flight against the requests that were bought.

## What it checks
Whether the server keeps enough reads in flight to reach the volume's limit at all.

## Why it matters
A volume answers in a millisecond or so, however many requests per second were bought. One reader
then gets a thousand a second, and to use 16,000 it takes 16 readers at a time. Google gives as a
rule of thumb one request in flight for every 500 bought. Buying more for a server that runs four
queries at a time brings nothing; a lower latency does.

## How it is judged
- Only where the drive stands at a limit on requests.
- `needed` = the smallest measured concurrency with 90 % of the limit.
- `running` = `Threads_running` at the end of the window without Leadline's own connection: a read
  that misses the pool is waited for by its own connection, so no more reads than running
  connections are in flight (read-ahead aside).
- `running` of half of `needed` and more, or not known: fine. Less: watch, with the rate that so
  many readers can get.

## How to check by hand
`iostat -x 1` under load: `aqu-sz` is the number in flight. Multiply the volume's latency in seconds
by the requests per second that were bought: so many it takes.

## Risk and undo
Nothing is changed.

## When it is wrong
When the window's end was a quiet moment: one look at a figure that jumps. When the load is writes,
which go out in batches.

## References
- Google Cloud, "About Persistent Disk performance"
- J. D. C. Little, "A Proof for the Queuing Formula L = λW" (1961)
"""

from __future__ import annotations

import math

from advisor.facts.known import CURVE_RANDOM_READ_PAGE, VOLUME_REQUEST_LIMITS, status
from advisor.facts.load import LEADLINES_OWN
from advisor.facts.volumes import limit_text
from advisor.model.operating_point import rate_at
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from probes import figures
from probes.points import Curve
from probes.trust.throttle import Throttle

REACHED = 0.9


@rule(
    topic="Cloud volumes",
    needs=(VOLUME_REQUEST_LIMITS, CURVE_RANDOM_READ_PAGE),
    uses=(status("Threads_running"),),
    findings=("F107", "F34"),
)
def check(facts: Facts) -> Answer:
    """Compare the running connections with what the limit takes."""
    limits = facts.get(VOLUME_REQUEST_LIMITS)
    limit = limits.of_volume or limits.of_machine
    if limit is None:
        return Inapplicable("The drive stands at no limit on requests that somebody set.")
    curve = facts.get(CURVE_RANDOM_READ_PAGE)
    needed = next(
        (
            point.setting.threads
            for point in curve.points
            if point.rate_per_s >= REACHED * limit.figure
        ),
        None,
    )
    if needed is None:
        return Unjudged("Reads of the server's page size were not seen to reach the limit.")
    told = facts.find(status("Threads_running"))
    running = None if told is None else max(0.0, told - LEADLINES_OWN)
    return _judged(limit, curve, needed, running)


def _judged(limit: Throttle, curve: Curve, needed: int, running: float | None) -> Answer:
    one = curve.points[0]
    least = math.ceil(needed / 2)
    saw = (
        f"It takes {needed} reads in flight to reach {limit_text(limit)}; with "
        f"{one.setting.threads} it gives {figures.rate(one.rate_per_s)} "
        f"({figures.duration_us(one.latency.mean_us)} each)."
    )
    if running is not None and running < needed / 2:
        got = rate_at(curve, max(running, 1.0))
        return Judged(
            Verdict.WATCH,
            f"{saw} {running:,.0f} {'connection was' if running == 1 else 'connections were'} "
            f"running, which get at most {figures.rate(got, 'reads')}.",
            effect=f"{figures.percent(1 - got / limit.figure)} of what was bought can't be used by "
            "reads. A lower latency or more work at a time would, more requests would not.",
            confidence=Confidence.LOW,
            flips_when=f"{least} or more connections run at a time",
            gain=0.15,
            formula=f"{running:,.0f} running < {needed} / 2; at {running:,.0f}: "
            f"{figures.rate(got)} of {figures.rate(limit.figure)} = "
            f"{figures.percent(got / limit.figure)}",
            because="the curve was measured, but the running connections are one look at one "
            "moment",
            valid="For reads that miss the buffer pool.",
            cost_of_error="None: a look at the bill.",
        )
    known = "" if running is None else f" {running:,.0f} connections were running."
    return Judged(
        Verdict.FINE,
        f"{saw}{known}",
        effect="A server with so many running connections can use all of it."
        if running is None
        else "The server can use what was bought.",
        confidence=Confidence.MEDIUM,
        flips_when=f"fewer than {least} connections run at a time",
        formula=f"needed = {needed} threads at {REACHED:.0%} of {figures.rate(limit.figure)}",
        because="the curve was measured",
        valid="For reads that miss the buffer pool.",
    )
