"""The share of the buffer pool's old sublist (innodb_old_blocks_pct).

## What it checks
Whether `innodb_old_blocks_pct` divides the pool into an old and a young sublist of sensible sizes.

## Why it matters
New pages enter the old sublist; pages without a second access are evicted from its end. A tiny old
sublist evicts new pages before their second access, so useful ones are read again and again. A huge
one leaves the working set too little room, and scans fill the rest.

## How it is judged
- `old = pool x share`, `young = pool - old`.
- 20 to 60 % (our choice): fine (the default is 37 %, three eighths).
- Outside: watch where requests miss the pool, with the size of both sublists and the default as the
  proposal; fine where hardly a request misses.

## How to check by hand
`SELECT @@innodb_old_blocks_pct;` and "Old database pages" in SHOW ENGINE INNODB STATUS.

## Risk and undo
Changes online and can be undone at once.

## When it is wrong
When it was tuned for a known load: scans only (a small share), or a working set whose pages are
accessed in turn (a large one).

## References
- MySQL reference manual, "Making the Buffer Pool Scan Resistant"
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Knowledge, Unjudged, rule
from advisor.rules.buffer_pool._pool import SIZE
from advisor.workload.pool.read_cost import missed
from probes.figures import percent, rate, size

LOW, HIGH, USUAL = 20, 60, 37


@rule(
    topic="Buffer pool",
    setting="innodb_old_blocks_pct",
    uses=(SIZE, status("Innodb_buffer_pool_reads")),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Judge the share, then whether requests miss the pool."""
    now, pool = facts.now, facts.find(SIZE)
    near = At("the old sublist's share", now.number, least=LOW, say=_share) & At(
        "the old sublist's share", now.number, most=HIGH, say=_share
    )
    saw = f"The old sublist has {_share(now.number)} of the pool."
    card = facts.card(saw, near)
    if near:
        return card.fine()
    misses_per_s = facts.find(status("Innodb_buffer_pool_reads"))
    if misses_per_s is None:
        return Unjudged(f"{saw} Whether requests miss the pool is not known.")
    misses = missed(misses_per_s)
    if not misses:
        return card.fine(saw=f"{saw} Hardly a request misses it.", condition=misses)
    old = 0.0 if pool is None else pool.number * now.number / 100
    return card.consider(
        facts.to(str(USUAL)),
        saw=f"{saw} {rate(misses_per_s, 'requests')} miss the pool.",
        condition=~near & misses,
        effect="Useful pages may be evicted before their second access, and are read again."
        if now.number < LOW
        else "Scans leave little room for the working set.",
        formula=""
        if pool is None
        else f"{size(pool.number)} x {now.value} % = {size(old)} for the old sublist, "
        f"{size(pool.number - old)} for the young one",
        confidence=Confidence.LOW,
        because="Which pages are missed is not known: compare the misses before and after.",
        risk="Low: more or fewer misses, visible within minutes.",
        cost_of_error="Some more misses until it is set back.",
    )


def _share(value: float) -> str:
    return percent(value / 100)
