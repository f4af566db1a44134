"""The memory that the server may take.

## What it checks
Whether pools, caches and the buffers of Max_used_connections connections fit into memory.

## Why it matters
A server that takes more memory than there is swaps or is killed. The usual sum of all buffers times
max_connections warns of nearly every server: few connections are ever open at once, and few of them
use each buffer. Even so it is worth knowing what would happen if all were open.

## How it is judged
Pools (buffer pool, log buffer, key buffer, query cache, Aria's page cache, RocksDB's block cache,
TokuDB's cache, the message cache of Group Replication) and the Performance Schema count once;
temptable_max_ram too, which is a limit and taken only by queries that need it. One of each session
buffer counts for each of Max_used_connections. So does a temporary table of the MEMORY engine (all
of MariaDB and of MySQL before 8.0; later where it is chosen): the smaller of tmp_table_size and
max_heap_table_size, where that is more than 64 MiB (our choice: most queries fill less) and such
tables are made.
- Pools alone need more than 90 % of the memory (our choice): watched, first of all; where that is
  for a buffer pool which its own rule makes smaller, under that.
- Memory is short (as the rule on the pool's size has it), the server has much beside its pools, and
  smaller buffers would give back what is missing: they are proposed, and the pool stays.
- With temporary tables and buffers more than 90 %, and large buffers are the largest part: smaller
  ones are proposed. Large is twice what is enough or more, which is 4 MiB for a join or a sort, or
  2 MiB for a sort that takes its whole buffer at once, and 1 MiB to read; on a small machine halves
  of that, down to 256 KiB, until a tenth of the memory holds one for each connection (our choices).
- Where the sum stays above 90 % with smaller buffers, 100 connections or more are open, 20 or more
  for each query at work, and half of them do not fit, but 50 do, or ten for each query at work (our
  choices): a pool of connections in front and a lower max_connections come in their place. Idle
  sessions hold no sort buffer, but each has a stack and a part of the Performance Schema. Where
  nobody knows how many queries are at work, both are only named.
- Smaller buffers that leave the sum above 90 % say so.
- Else, with more than 90 %: watched. The largest part is named.
- Else fine; the figure for max_connections is shown beside it.

## How to check by hand
`SHOW GLOBAL VARIABLES LIKE '%buffer_size';`, `Max_used_connections`, and the server's resident
memory in `ps`.

## Risk and undo
Low: buffers change at run time for new sessions, and back. A session that sorts or joins much sets
more for itself. Where pools or temporary tables are the largest part nothing is proposed: what to
make smaller depends on what the queries need.

## When it is wrong
Session buffers are taken when they are needed, in part or several times in one query: the sum is
neither an upper nor a lower limit. Memory of plugins and of the allocator itself is not in it.

## References
- MySQL reference manual, "How MySQL Uses Memory"
- MySQL reference manual, "XCom Cache Management"
- MariaDB documentation, "MariaDB Memory Allocation"
"""

from __future__ import annotations

from advisor.facts.machine.kernel import HOST_MEMORY_USABLE
from advisor.facts.machine.server_process import HOST_SERVER_RESIDENT
from advisor.facts.server.memory import (
    MEMORY_BUFFERS,
    MEMORY_POOLS,
    Taken,
)
from advisor.facts.server.status import status
from advisor.facts.server.temp_tables import TEMP_ENGINE
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Is,
    Judged,
    Knowledge,
    Relief,
    Stakes,
    Unjudged,
    Wait,
    change,
    rule,
)
from advisor.rules.memory_limits._connections import CONNECTIONS, fewer, perhaps_fewer
from advisor.rules.memory_limits._connections import USES as OF_CONNECTIONS
from advisor.rules.memory_limits._pools import FULL, taken_once, too_much_once
from advisor.workload.pool import sessions
from advisor.workload.pool.for_each import LargeBuffer, large_buffers
from advisor.workload.pool.sessions import sessions_take
from probes.figures import count, counted, listed, percent, size
from probes.kinds.words import capital

TEMPTABLE = "temptable_max_ram"
TABLE, HEAP = variable("tmp_table_size"), variable("max_heap_table_size")
MADE = status("Created_tmp_tables")
COUNTED = 64 << 20
"""Smaller temporary tables are hardly ever filled by all connections at once."""
MUCH = 0.05
"""Smaller buffers that give back less of the memory are not worth a change (our choice)."""

TABLE_NAMES = "tmp_table_size and max_heap_table_size"


@rule(
    topic="Memory",
    do="Lower what connections may take before memory runs out",
    needs=(HOST_MEMORY_USABLE, MEMORY_POOLS, MEMORY_BUFFERS),
    uses=(
        *sessions.USES,
        variable(TEMPTABLE),
        *OF_CONNECTIONS,
        TABLE,
        HEAP,
        MADE,
        TEMP_ENGINE,
    ),
    settings=(CONNECTIONS,),
    findings=("F132",),
    stakes=Stakes.DATA,
    symptom_of_risk=("buffer-pool.size",),
)
def check(facts: Facts) -> Answer:
    """Add up what is there once and what comes with connections."""
    memory, pools = facts.get(HOST_MEMORY_USABLE), facts.get(MEMORY_POOLS)
    once, over = taken_once(facts), too_much_once(facts)
    saw = f"Pools and caches alone may take {size(once)} of {size(memory)}"
    if over:
        return facts.card(f"{saw}.", over, setting=pools.largest).watch(
            f"Make {pools.largest} smaller before the system swaps or kills the server.",
            because="Pools take their whole size once they are full; how full they are is not "
            "known.",
            cost_of_error="Memory left idle, if what is made smaller was never taken.",
        )
    most = facts.find(status("Max_used_connections"))
    if most is None:
        return Unjudged(f"{saw}; the peak number of connections is not known.")
    return _with_sessions(facts, once, most)


def _with_sessions(facts: Facts, once: float, most: float) -> Judged:
    memory, buffers = facts.get(HOST_MEMORY_USABLE), facts.get(MEMORY_BUFFERS)
    bound, allowed = facts.find(variable(TEMPTABLE)), facts.find(variable(CONNECTIONS))
    temporary = 0.0 if bound is None else bound.number
    table = _table_of_memory(facts)
    each = buffers.total + table
    whole = once + temporary + most * each
    over = At(
        "sum's share of the memory",
        whole / memory,
        above=FULL,
        of=f"{size(whole)} / {size(memory)}",
        say=percent,
    )
    what = "buffers and temporary tables" if table else "buffers"
    saw = (
        f"Pools, and {what} for {counted(most, 'connection')} (the peak so far), may take "
        f"{percent(whole / memory)} of {size(memory)}"
    )
    if allowed is not None:
        with_all = (once + temporary + allowed.number * each) / memory
        saw += f", and with all {count(allowed.number)} allowed ones {percent(with_all)}"
    tables = "" if bound is None else f"{size(temporary)} of temporary tables + "
    own = f"({size(buffers.total)} + {size(table)} of a table)" if table else size(buffers.total)
    card = facts.card(
        f"{saw}.",
        over,
        setting=buffers.largest,
        formula=f"{size(once)} + {tables}{count(most)} x {own} = {size(whole)}",
        confidence=Confidence.LOW,
        valid="For a machine that runs only this server.",
        because=_because(facts),
    )
    card = card.but(cost_of_error="Memory left idle, if what is made smaller was never taken.")
    if (smaller := _short_by_sessions(facts, card, most)) is not None:
        return smaller
    if not over:
        return card.fine()
    large = large_buffers(facts)
    saved = most * sum(one.saved for one in large)
    left = At("sum", (whole - saved) / memory, above=FULL, say=percent)
    fits = (FULL * memory - once - temporary) / each
    largest = most * buffers.total >= max(most * table, temporary)
    if left and largest and (found := fewer(facts, card, most, fits, left.value)):
        return found
    unknown = left and perhaps_fewer(facts, most, fits)
    if saved >= max(MUCH * memory, most * table, temporary) and not unknown:
        return _smaller(facts, card, large, most, left)
    return _too_much(card, buffers, most * table, temporary, most)


def _short_by_sessions(facts: Facts, card: Card, most: float) -> Judged | None:
    """Ask for smaller buffers where sessions are why memory is short; None where they are not."""
    taken = sessions_take(facts)
    if taken is None:
        return None
    short = Is(is_so=True, yes="memory is short, and sessions take it", no="memory suffices")
    card = card.but(
        saw=f"{capital(taken.text)}.",
        condition=short,
        flips_when=f"{size(taken.short.enough)} are available",
        confidence=Confidence.HIGH,
        knowledge=Knowledge.DOCUMENTED,
        because="What the server has beside its pools was read, and sessions have most of that.",
        relieves=(Relief.up_to(Wait.MEMORY, 1.0),),
    )
    return _smaller(facts, card, taken.buffers, most)


def _smaller(
    facts: Facts, card: Card, large: tuple[LargeBuffer, ...], most: float, left: At | None = None
) -> Judged:
    """Propose what is enough for all sessions; ``large`` has the largest buffer first.

    ``left`` is whether the sum is too large even then.
    """
    first, *others = large
    each = facts.get(MEMORY_BUFFERS).total
    with_it = f"With it {listed([one.text for one in others])}: " if others else ""
    less = each - sum(one.saved for one in large)
    made = change(
        facts.get(MYSQL_VERSION),
        first.standing,
        str(first.enough),
        then=tuple((one.standing, str(one.enough)) for one in others),
    )
    still = (
        f"That leaves the sum at {percent(left.value)}: fewer connections or smaller pools have to "
        "do the rest. "
        if left
        else ""
    )
    taken = f"{counted(most, 'connection')} may take {size(most * less)} in place of"
    return card.recommend(
        made,
        setting=first.standing.name,
        now=first.standing.now,
        effect=f"{with_it}{taken} {size(most * each)}. {still}A session that sorts or joins much "
        "sets more for itself.",
        risk="Low: a large sort or join of a session that sets nothing writes temporary files, or "
        "reads its table more often.",
        side_effects="Open sessions keep the old values until they connect again.",
    )


def _because(facts: Facts) -> str:
    """What the sum rests on, and what the server's process has now where that is known."""
    held = facts.find(HOST_SERVER_RESIDENT)
    if held is None:
        return "Settings were added up; the memory that the server really holds is not known."
    return f"Settings were added up; the server holds {size(held)} now."


def _too_much(card: Card, buffers: Taken, tables: float, temporary: float, most: float) -> Judged:
    """Name the largest part: tables of the MEMORY engine, those of TempTable, or the buffers."""
    if tables >= max(temporary, most * buffers.total):
        return card.watch(
            f"Make {TABLE_NAMES} smaller: a table of a connection may take "
            f"{size(tables / most)}, those of {counted(most, 'connection')} {size(tables)}. "
            "Sessions with large results can set more for themselves.",
            setting="tmp_table_size",
        )
    if temporary > most * buffers.total:
        return card.watch(
            f"Check that {TEMPTABLE} fits beside the pools: temporary tables may take up to "
            f"{size(temporary)}.",
            setting=TEMPTABLE,
        )
    return card.watch(
        f"Make {buffers.largest} smaller, which has {size(buffers.parts[buffers.largest])} for "
        "each connection, or allow fewer connections.",
    )


def _table_of_memory(facts: Facts) -> float:
    """What one internal table of the MEMORY engine may take, 0 where it is small or none is made.

    MySQL 8.0's TempTable has one bound for all of them.
    """
    engine, made = facts.find(TEMP_ENGINE), facts.find(MADE)
    limits = [each.number for each in (facts.find(TABLE), facts.find(HEAP)) if each is not None]
    if engine is None or engine.upper() != "MEMORY" or made == 0:
        return 0.0
    least = min(limits, default=0.0)
    return least if least > COUNTED else 0.0
