"""The query cache.

## What it checks
Whether the query cache answers enough queries to be worth its lock.

## Why it matters
One lock guards the whole cache: each query passes it twice, and each change of a table throws away
all results from that table under it. With many CPUs it makes queries stand in line even where it
never answers one. MySQL took it out in 8.0; MariaDB keeps it, off by default.

## How it is judged
Over the window, hits against hits and stored results.
- Off, or without memory: fine. On demand: fine, queries ask for it.
- Less than one query per second found in it, stored in it or unfit for it: not judged, for a quiet
  window says nothing.
- Fewer than half are hits, or none at all: off is proposed.
- Half or more on up to 8 CPU threads: fine; on more it is watched, since one lock has to serve them
  all.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Qcache%';` twice, a minute apart.

## Risk and undo
Low: queries that it answered are computed again. Changed at run time; back too, as long as the
server was started with the cache on (MySQL 5.6 and 5.7 refuse it else).

## When it is wrong
When an application reads the same slow results all day and changes nothing; the window may have
missed it.

## References
- MySQL 5.7 reference manual, "The MySQL Query Cache"; MySQL 8.0, removed features
- MariaDB documentation, "Query Cache"
"""

from __future__ import annotations

from advisor.facts.known import HOST_CPU_THREADS, MYSQL_VERSION, status, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.variables.standing import Standing
from probes import figures

KIND, SIZE = "query_cache_type", "query_cache_size"
WORTH, FEW_CPUS = 0.5, 8
QUIET_PER_S = 1.0
NOT_FIT = status("Qcache_not_cached")


@rule(
    topic="Memory",
    needs=(MYSQL_VERSION, variable(KIND), variable(SIZE)),
    uses=(
        status("Qcache_hits"),
        status("Qcache_inserts"),
        NOT_FIT,
        HOST_CPU_THREADS,
    ),
    settings=(KIND, SIZE),
    applies_to=(mysql(before="8.0.3"), mariadb()),
)
def check(facts: Facts) -> Answer:
    """Weigh what it answers against what it costs."""
    kind = facts.get(variable(KIND))
    size = facts.get(variable(SIZE))
    if not kind.on or size.number == 0:
        saw = f"The query cache does nothing ({KIND} {kind.text}, {figures.size(size.number)})."
        return _judged(Verdict.FINE, kind, saw, "off", "Fine as it is.")
    hits = facts.find(status("Qcache_hits"))
    stored = facts.find(status("Qcache_inserts"))
    if hits is None or stored is None:
        return Unjudged("The query cache is on; how often it answers was not seen.")
    asked = hits + stored + (facts.find(NOT_FIT) or 0.0)
    if asked < QUIET_PER_S:
        return Unjudged(f"Only {figures.rate(asked, 'queries')} came to the query cache.")
    share = hits / (hits + stored) if hits + stored else 0.0
    saw = f"The query cache answers {figures.rate(hits)} and stores {figures.rate(stored)}."
    formula = f"{hits:.1f} / ({hits:.1f} + {stored:.1f}) = {figures.percent(share)}"
    if share < WORTH:
        effect = "Queries no longer stand in line for its lock."
        judged = _judged(Verdict.RECOMMEND, kind, saw, formula, effect, gain=0.3 if stored else 0.1)
        version = facts.get(MYSQL_VERSION)
        return judged.by(change(version, kind, "OFF", first=((size, "0"),)))
    cpus = facts.find(HOST_CPU_THREADS)
    if cpus is not None and cpus > FEW_CPUS:
        effect = (
            f"It does answer, but its one lock has to serve {cpus:.0f} CPU threads: compare the "
            "rate of queries with it off."
        )
        return _judged(Verdict.WATCH, kind, saw, formula, effect, gain=0.2)
    return _judged(Verdict.FINE, kind, saw, formula, "Fine as it is.")


def _judged(
    verdict: Verdict, now: Standing, saw: str, formula: str, effect: str, *, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        KIND,
        now.now,
        effect=effect,
        confidence=Confidence.MEDIUM,
        risk="Low: queries that it answered are computed again."
        if verdict is Verdict.RECOMMEND
        else "",
        flips_when=f"it is on and fewer than {figures.percent(WORTH)} are hits"
        if verdict is Verdict.FINE
        else f"{figures.percent(WORTH)} or more are hits, on {FEW_CPUS} CPU threads or fewer",
        gain=gain,
        formula=formula,
        valid="the load of the window",
        because="Hits and stored results were counted over the window; the lock was not timed.",
        cost_of_error="Slow queries that it answered take their full time; undone at once.",
        side_effects="Its memory is free for the buffer pool.",
    )
