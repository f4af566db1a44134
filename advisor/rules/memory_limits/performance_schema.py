"""The memory that the Performance Schema holds.

## What it checks
What share of the memory the server's own instruments hold.

## Why it matters
The Performance Schema sizes itself by max_connections, the table caches and open_files_limit, and
keeps what it has taken until the server ends. On a small machine, or with max_connections in the
thousands, that is memory the buffer pool misses. Switched off, it leaves nobody able to say what
the server waits for: that is seldom the better deal.

## How it is judged
From what the server itself says it holds.
- Off: fine. Below 5 % of the memory: fine.
- From 5 % on: watched; make smaller what it is sized by.

## How to check by hand
`SHOW ENGINE PERFORMANCE_SCHEMA STATUS;`, its last line, performance_schema.memory.

## Risk and undo
Nothing is proposed. Lower performance_schema_max_% sizes make it count "lost" instruments.

## When it is wrong
When nobody needs the memory for anything else.

## References
- MySQL reference manual, "The Performance Schema Memory-Allocation Model"
- MariaDB documentation, "Performance Schema Overview"
"""

from __future__ import annotations

from advisor.facts.known import (
    HOST_MEMORY_USABLE,
    MEMORY_PERFORMANCE_SCHEMA,
    MYSQL_VERSION,
    variable,
)
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from probes import figures

SETTING = "performance_schema"
MUCH = 0.05


@rule(
    topic="Memory",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(MEMORY_PERFORMANCE_SCHEMA, HOST_MEMORY_USABLE),
    settings=(SETTING,),
)
def check(facts: Facts) -> Answer:
    """Compare what it holds with the memory that there is."""
    now = facts.get(variable(SETTING))
    if not now.on:
        return _judged(Verdict.FINE, now, "The Performance Schema is off.", "0", "Fine as it is.")
    held = facts.find(MEMORY_PERFORMANCE_SCHEMA)
    memory = facts.find(HOST_MEMORY_USABLE)
    if held is None or memory is None:
        lacking = "what it holds" if held is None else "the memory of the machine"
        return Unjudged(f"The Performance Schema is on; {lacking} was not seen.")
    share = held / memory
    formula = f"{figures.size(held)} / {figures.size(memory)} = {figures.percent(share)}"
    saw = (
        f"The Performance Schema holds {figures.size(held)}, {figures.percent(share)} of "
        f"{figures.size(memory)}."
    )
    if share < MUCH:
        return _judged(Verdict.FINE, now, saw, formula, "Fine as it is.")
    effect = (
        "Lower what it is sized by (max_connections, table_open_cache, table_definition_cache, "
        "open_files_limit) to what is used; keep the instruments."
    )
    return _judged(Verdict.WATCH, now, saw, formula, effect, gain=min(0.4, share))


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.HIGH,
        flips_when=f"it {'' if now.on else 'is ON and '}holds {figures.percent(MUCH)} of the memory"
        if verdict is Verdict.FINE
        else f"it holds less than {figures.percent(MUCH)} of the memory",
        gain=gain,
        formula=formula,
        valid="what it has taken since the server's start",
        because="The server itself says how much it holds.",
        cost_of_error="None: nothing is changed.",
    )
