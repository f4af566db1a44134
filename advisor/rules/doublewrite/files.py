"""innodb_doublewrite_files against the buffer pool's instances.

## What it checks
Whether there are more doublewrite files than the server can use.

## Why it matters
Each buffer pool instance has two writers of copies, one for the flush list and one for LRU
flushing; there are four at least. The server makes no more files
than writers, whatever is set: MySQL 8.0.33 and 9.7.4, asked for 8 files with one instance, made 4.
Two in all are the default and enough for most: batches limit flushing, not files.

## How it is judged
- up to `2 x innodb_buffer_pool_instances`, and up to 4 anyway: fine.
- more: watch, 2 are proposed.
- doublewrite off: the setting has no effect.

## How to check by hand
`SELECT @@innodb_doublewrite_files, @@innodb_buffer_pool_instances;` and `ls -l DATADIR/#ib_*.dblwr`

## Risk and undo
Takes a restart. Protection is the same.

## When it is wrong
Too many files cost disk space only.

## References
- MySQL 8.0 and 8.4 reference manuals, "Doublewrite Buffer"
- Behaviour of MySQL 8.0.33 and 9.7.4
"""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, At, Facts, Inapplicable, mysql, number, rule
from advisor.rules.doublewrite._switched_off import DOUBLEWRITE, switched_off
from probes.figures import counted

WANTED = "2"
LEAST_WRITERS = 4
"""The writers of copies that a server with a single instance of the pool has."""


@rule(
    topic="Doublewrite",
    setting="innodb_doublewrite_files",
    needs=(DOUBLEWRITE, variable("innodb_buffer_pool_instances")),
    applies_to=(mysql("8.0.20"),),
    findings=("F50", "F56"),
)
def check(facts: Facts) -> Answer:
    """Ask for no more files than are written."""
    if switched_off(facts):
        return Inapplicable("Doublewrite is off, so its files are not written.")
    now, instances = facts.now, facts.get(variable("innodb_buffer_pool_instances"))
    most = max(LEAST_WRITERS, 2 * int(instances.number))
    unused = At("the number of files", now.number, above=most, say=number())
    card = facts.card(
        f"Doublewrite has {counted(now.number, 'file')} for "
        f"{counted(instances.number, 'buffer pool instance')}.",
        unused,
        formula=f"most = max({LEAST_WRITERS}, 2 x {instances.value}) = {most}",
        valid="For this number of buffer pool instances.",
        because="Real servers made as many files as writers, and no more.",
    )
    if not unused:
        return card.fine(confidence=Confidence.HIGH)
    return card.consider(
        facts.to(WANTED),
        effect=f"Files beyond {most} are never made; {WANTED} in all are enough for most servers.",
        risk="None: it takes a restart.",
        cost_of_error="A restart.",
    )
