"""The memory that all internal temporary tables share.

## What it checks
Whether MySQL's TempTable engine reaches temptable_max_ram.

## Why it matters
The engine keeps the temporary tables of all sessions within one limit of memory. When it is used
up, further tables go to disk, even small ones of other sessions.

## How it is judged
- By the counter TempTable_count_hit_max_ram where the server has it; in MySQL 8.0.13 to 8.0.27 by
  the temporary tables on disk, since only this limit sends them there; in other versions, without
  the counter, not judged while tables go to disk.
- Reached less than once per second, or less than one table per second on disk: fine.
- Reached: 3 % of the memory, at least 1 GiB and at most 4 GiB, is proposed, as for the default of
  MySQL 8.4, but no more than a tenth of the memory (our choice). Where it is that much already:
  watched.
- More than 1 GiB and more than a tenth of the memory: watched, it is on top of the buffer pool.

## How to check by hand
`SELECT SUM(CURRENT_NUMBER_OF_BYTES_USED) FROM
performance_schema.memory_summary_global_by_event_name WHERE EVENT_NAME LIKE
'memory/temptable/physical_ram';`

## Risk and undo
Low: changed at run time and back; the memory is taken only when needed.

## When it is wrong
When one query alone fills it: a better plan for that query is worth more.

## References
- MySQL reference manual, temptable_max_ram; "What Is New in MySQL 8.4"
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.server.status import status
from advisor.facts.server.temp_tables import TEMP_ENGINE
from advisor.rulekit import Answer, At, Facts, Inapplicable, Knowledge, Unjudged, mysql, per_s, rule
from advisor.variables.catalogue import MYSQL
from probes.figures import percent, rate, size

HITS, ON_DISK = status("TempTable_count_hit_max_ram"), status("Created_tmp_disk_tables")
GIB = 1 << 30
SHARE, LEAST, MOST = 0.03, 1 * GIB, 4 * GIB
LARGE = 0.1
FEW_PER_S = 1.0


@rule(
    topic="Temporary tables",
    do="Find the queries that fill the temporary tables' memory",
    setting="temptable_max_ram",
    needs=(TEMP_ENGINE, HOST_MEMORY_USABLE),
    uses=(HITS, ON_DISK),
    applies_to=(mysql("8.0.11"),),
    knowledge=Knowledge.DOCUMENTED,
    takes_memory=True,
)
def check(facts: Facts) -> Answer:
    """Find out whether the limit is reached, then whether more would be right."""
    if facts.get(TEMP_ENGINE).upper() != "TEMPTABLE":
        return Inapplicable("Temporary tables are kept by another engine than TempTable.")
    now, memory = facts.now, facts.get(HOST_MEMORY_USABLE)
    share, of = now.number / memory, f"{size(now.number)} / {size(memory)}"
    large = At("its share of memory", share, the=False, above=LARGE, of=of, say=percent) & At(
        "temptable_max_ram", now.number, the=False, above=LEAST, say=size
    )
    saw = f"All temporary tables share {size(now.number)}, {percent(share)} of memory"
    card = facts.card(
        f"{saw}.",
        large,
        because="Whether the limit was reached was counted; which queries reach it is not known.",
    )
    if large:
        effect = "It comes on top of the buffer pool: check that both fit into memory."
        return card.watch(effect)
    found = _reached(facts)
    if isinstance(found, Unjudged):
        return found
    reached, words = found
    card = card.but(saw=f"{saw}; {words}.", condition=reached)
    if not reached:
        return card.fine()
    wanted = int(min(MOST, max(LEAST, SHARE * memory), LARGE * memory)) >> 20 << 20
    card = card.but(
        formula=f"min({size(MOST)}, max({size(LEAST)}, {percent(SHARE)} of {size(memory)}), "
        f"{percent(LARGE)} of {size(memory)}) = {size(wanted)}"
    )
    if wanted <= now.number:
        return card.watch(
            f"{size(now.number)} is what this machine's memory allows: find the queries that fill "
            "it.",
        )
    return card.recommend(
        facts.to(str(wanted)),
        effect=f"Up to {size(wanted)} of temporary tables stay in memory.",
        risk="Low: changed at run time; taken only when needed.",
        cost_of_error="Memory that something else on the machine needs.",
    )


def _reached(facts: Facts) -> tuple[At, str] | Unjudged:
    """Ask the counter, else tables on disk where only this limit sends them there; with words.

    Tables in mapped files are not counted as tables on disk: without the counter, few on disk does
    not mean that the limit was never reached.
    """
    hits = facts.find(HITS)
    if hits is not None:
        reached = At("rate of limit hits", hits, least=FEW_PER_S, say=per_s())
        often = rate(hits, "times")
        return reached, f"the limit was reached {often}" if hits else "the limit was not reached"
    disk = facts.find(ON_DISK)
    if disk is None:
        return Unjudged("How many temporary tables go to disk is not known.")
    written = At("rate of temporary tables on disk", disk, least=FEW_PER_S, say=per_s())
    went = f"{rate(disk, 'tables')} went to disk"
    version = facts.version
    if not written:
        return written, went
    if version.at_least(MYSQL, 8, 0, 13) and version.before(MYSQL, 8, 0, 28):
        return written, f"{went} because the limit was reached"
    return Unjudged(
        f"Temporary tables go to disk ({rate(disk)}); whether single ones or all together are too "
        "large, this version does not count."
    )
