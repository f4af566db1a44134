"""How much of the buffer pool new pages share before they are hot.

## What it checks
Whether `innodb_old_blocks_pct` cuts the pool into a hot part and a part for newcomers of sensible
sizes.

## Why it matters
New pages enter the old part; what is not looked at again leaves from its end. A tiny old part
throws new pages out before their second look, so that useful ones are read again and again. A huge
one leaves the working set too little room, and scans take the rest.

## How it is judged
- `old = pool x share`, `hot = pool - old`.
- 20 to 60 %: fine (the default is 37 %, three eighths).
- Outside: watch where requests miss the pool, with the size of both parts and the default as the
  proposal; fine where hardly a request misses.

## How to check by hand
`SELECT @@innodb_old_blocks_pct;` and "Old database pages" in SHOW ENGINE INNODB STATUS.

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
When it was tried out for a known load: scans only (a small share), or a working set of pages that
are looked at in turn (a large one).

## References
- MySQL reference manual, "Making the Buffer Pool Scan Resistant"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from advisor.workload.read_cost import NOTHING
from probes import figures

SETTING = "innodb_old_blocks_pct"
LOW, HIGH, USUAL = 20, 60, 37


@rule(
    topic="Buffer pool",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(variable("innodb_buffer_pool_size"), status("Innodb_buffer_pool_reads")),
    settings=(SETTING,),
)
def check(facts: Facts) -> Answer:
    """Look at the share, then at whether anybody misses a page."""
    now = facts.get(variable(SETTING))
    saw = f"New pages share {now.text}{figures.THIN}% of the pool."
    if LOW <= now.number <= HIGH:
        return _fine(saw, now, f"it is less than {LOW} % or more than {HIGH} %")
    missed = facts.find(status("Innodb_buffer_pool_reads"))
    if missed is None:
        return Unjudged(f"{saw} Whether requests miss the pool was not seen.")
    if missed < NOTHING:
        return _fine(
            f"{saw} Hardly a request misses it.", now, "1 or more requests miss each second"
        )
    effect = (
        "Useful pages may be thrown out before their second look, and are read again."
        if now.number < LOW
        else "The working set has little room that scans can't take."
    )
    return Judged(
        Verdict.WATCH,
        f"{saw} {figures.rate(missed, 'requests')} miss the pool.",
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.LOW,
        because="which pages are missed is not known: compare the misses before and after",
        risk="Low: more or fewer misses, seen within minutes.",
        cost_of_error="some more misses until it is set back",
        side_effects="None.",
        flips_when=f"it is between {LOW} and {HIGH} %, or fewer than 1 request/s misses the pool",
        valid="where the data is larger than the pool",
        gain=0.1,
        formula=_formula(facts, now),
    ).by(change(facts.get(MYSQL_VERSION), now, str(USUAL)))


def _formula(facts: Facts, now: Standing) -> str:
    pool = facts.find(variable("innodb_buffer_pool_size"))
    if pool is None:
        return f"{now.text} % outside {LOW} to {HIGH} %"
    old = pool.number * now.number / 100
    return (
        f"{figures.size(pool.number)} x {now.text} % = {figures.size(old)} for newcomers, "
        f"{figures.size(pool.number - old)} for hot pages"
    )


def _fine(saw: str, now: Standing, flips_when: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=flips_when,
        formula=f"{LOW} to {HIGH} %; {now.text} %",
        because="the setting was told by the server",
        valid="for mixed loads",
    )
