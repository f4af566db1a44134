"""Memory kept for the indexes of MyISAM tables.

## What it checks
Whether memory is set aside for MyISAM indexes that nobody reads.

## Why it matters
InnoDB does not use this buffer. Option files carried along from the time of MyISAM still give it
gigabytes, which nobody then dares to give to the buffer pool. A server touches an unused buffer
only in part, so that less than its size is really taken. The old rules look at its hit rate and ask
for more.

## How it is judged
- An index block is asked for at least once per second: fine, it is in use.
- None, and the buffer is smaller than 256 MiB or than 1 % of the memory: fine.
- None, and it is larger: 16 MiB are proposed, enough for what the server itself may use.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Key_read_requests';` twice, a minute apart.

## Risk and undo
Low: changed at run time and back; the buffer starts empty.

## When it is wrong
When MyISAM tables are used at other times than in the window, by a nightly job for instance.

## References
- MySQL reference manual, key_buffer_size
- MariaDB documentation, "Optimizing key_buffer_size"
"""

from __future__ import annotations

from advisor.facts.known import HOST_MEMORY_USABLE, MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from probes import figures

SETTING = "key_buffer_size"
IN_USE_PER_S = 1.0
LARGE, LARGE_SHARE = 256 << 20, 0.01
SMALL = 16 << 20


@rule(
    topic="Memory",
    needs=(
        MYSQL_VERSION,
        variable(SETTING),
        status("Key_read_requests"),
        HOST_MEMORY_USABLE,
    ),
    settings=(SETTING,),
)
def check(facts: Facts) -> Answer:
    """Ask for the memory back where nobody uses it."""
    now = facts.get(variable(SETTING))
    asked = facts.get(status("Key_read_requests"))
    memory = facts.get(HOST_MEMORY_USABLE)
    share = now.number / memory
    size = figures.size(now.number)
    saw = (
        f"MyISAM's indexes have {size}, and {figures.rate(asked, 'blocks')} of them are asked for."
    )
    formula = (
        f"{figures.rate(asked)} against {figures.rate(IN_USE_PER_S)}; {size} / "
        f"{figures.size(memory)} = {figures.percent(share)}"
    )
    if asked >= IN_USE_PER_S or now.number < LARGE or share < LARGE_SHARE:
        return _judged(Verdict.FINE, now, saw, formula, "Fine as it is.")
    effect = (
        f"Up to {figures.size(now.number - SMALL)} that it might take are left for the buffer pool."
    )
    judged = _judged(Verdict.RECOMMEND, now, saw, formula, effect, gain=min(0.4, 0.1 + share))
    return judged.by(change(facts.get(MYSQL_VERSION), now, str(SMALL)))


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.LOW,
        risk="Low: a MyISAM table that is used later reads its index anew."
        if verdict is Verdict.RECOMMEND
        else "",
        flips_when=f"it is larger than {figures.size(LARGE)} and nobody asks for a block"
        if verdict is Verdict.FINE
        else "a block is asked for per second",
        gain=gain,
        formula=formula,
        valid="the load of the window",
        because="Requests were counted over the window alone.",
        cost_of_error="Slower queries on MyISAM tables, until it is set back.",
        side_effects="None on InnoDB tables.",
    )
