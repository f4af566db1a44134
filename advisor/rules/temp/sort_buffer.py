"""The memory of a single sort.

## What it checks
Whether sorts write temporary files because each may take little memory.

## Why it matters
A sort that outgrows `sort_buffer_size` writes sorted pieces into tmpdir, reads them again and
merges them; MySQL's default is 256 KiB. With a buffer sixteen times as large there is a sixteenth
of the pieces, and a sort of some MiB writes none. From MySQL 8.0.12 on the buffer is allocated as
it is needed, so that a larger one costs small sorts nothing; before, and on MariaDB, each sort
takes all of it, and above 2 MiB Linux maps the memory each time, which makes small sorts slower.

## How it is judged
- Fewer than one merge pass per second (our choice): fine.
- More, and a sort may take less than 4 MiB (MySQL from 8.0.12 on) or 2 MiB (our choices): that is
  proposed, or a tenth of the memory divided by Max_used_connections, where that is less.
- More, although a sort may take that much: watched. Sessions with large sorts set more for
  themselves, and statements that sort fewer rows need none.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Sort_merge_passes';` twice, a minute apart.

## Risk and undo
Low: the memory is taken by each sort while it runs. Changed at run time for new sessions, and back.

## When it is wrong
When a few reports sort far more than any buffer: their passes become fewer, and their files stay.

## References
- MySQL reference manual, sort_buffer_size; "ORDER BY Optimization"
- MariaDB documentation, sort_buffer_size
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Knowledge, Relief, Unjudged, Wait, per_s, rule
from advisor.workload.pool.for_each import USES, enough_for_a_sort, fitting, room_for_each
from probes.figures import rate, size

PASSES = status("Sort_merge_passes")
FEW_PER_S = 1.0


@rule(
    topic="Temporary tables",
    do="Find the statements that sort most",
    setting="sort_buffer_size",
    needs=(PASSES,),
    uses=USES,
    knowledge=Knowledge.DOCUMENTED,
    takes_memory=True,
)
def check(facts: Facts) -> Answer:
    """Compare how often sorts are merged with the buffer that makes them."""
    now, passes = facts.now, facts.get(PASSES)
    often = At("rate of merge passes", passes, least=FEW_PER_S, say=per_s())
    saw = f"A sort may take {size(now.number)}, and {rate(passes, 'passes')} merge sorts on disk."
    card = facts.card(
        saw,
        often,
        confidence=Confidence.MEDIUM,
        because="Merge passes were counted; how large the sorts are was not.",
    )
    if not often:
        return card.fine("No sort needs a larger one.")
    room = room_for_each(facts)
    if room is None:
        return Unjudged(f"{saw} How much memory there is for each connection is not known.")
    wanted, formula = fitting(enough_for_a_sort(facts), room)
    card = card.but(relieves=(Relief.up_to(Wait.TEMPORARY, 1.0),), formula=formula)
    if wanted <= now.number:
        return card.watch(
            "Find the statements that sort most: an index gives the order, and a session with a "
            "large sort may set more memory for itself.",
        )
    return card.recommend(
        facts.to(str(wanted)),
        effect=f"Sorts up to about {size(wanted)} stay in memory, and larger ones write fewer "
        "pieces to merge.",
        risk="Low: each sort may take that much while it runs.",
        cost_of_error="Memory taken in bursts without fewer files; undone at once.",
        side_effects="Open sessions keep the old value.",
    )
