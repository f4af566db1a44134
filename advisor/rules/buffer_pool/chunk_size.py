"""innodb_buffer_pool_chunk_size against the size and the instances of the pool.

## What it checks
Whether the pool has more chunks than the manual recommends, or so few that it can only be resized
in large steps.

## Why it matters
MySQL allocates the pool in chunks and rounds its size up to a multiple of chunk x instances: 1300
MiB became 2 GiB on a real 8.0 server, 8 instances of 128 MiB. With large chunks one step of an
online resize is a large part of the memory. With more than 1,000 chunks the manual warns of
performance problems.

## How it is judged
- `step = chunk x instances`, `chunks = pool / chunk`.
- More than 1,000 chunks (the manual's figure): fine, and said with the chunk that would give 1,000
  or fewer: what more cost was never published.
- A step over half of a pool of 2 GiB or more (our choice): watch, with the chunk halved, not below
  1 MiB, until the step is an eighth of the pool or less.
- Else fine. MariaDB from 10.8 chooses the chunk itself or ignores it: not applicable.

## How to check by hand
`SELECT @@innodb_buffer_pool_size / @@innodb_buffer_pool_chunk_size,
@@innodb_buffer_pool_chunk_size * @@innodb_buffer_pool_instances;`

## Risk and undo
A restart. A chunk that does not divide the pool makes the server round the pool up.

## When it is wrong
When the pool is never resized: then a large step does no harm.

## References
- MySQL reference manual, "Configuring InnoDB Buffer Pool Size"
- MariaDB documentation, innodb_buffer_pool_chunk_size
"""

from __future__ import annotations

from advisor.facts.server.variables import variable
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Judged,
    Knowledge,
    Unjudged,
    mariadb,
    mysql,
    rule,
)
from advisor.rules.buffer_pool._pool import NO_SERVER, SIZE, pool_at_least
from probes.figures import count, counted, size

INSTANCES = variable("innodb_buffer_pool_instances")
MANY = 1000
COARSE, COARSE_FROM = 0.5, 2 << 30
FINER = 0.125
LEAST = 1 << 20


@rule(
    topic="Buffer pool",
    do="Choose a chunk size that fits the pool",
    setting="innodb_buffer_pool_chunk_size",
    needs=(SIZE, INSTANCES),
    applies_to=(mysql("5.7.5"), mariadb("10.2.2", "10.8")),
    findings=("B10",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Count chunks, and weigh one step of a resize."""
    now, pool = facts.now, facts.get(SIZE).number
    lists = int(facts.get(INSTANCES).number)
    if now.default:
        return NO_SERVER
    if now.number <= 0 or pool <= 0 or lists < 1:
        return Unjudged("The server reports a chunk, a pool or a number of instances of 0.")
    step, chunks = now.number * lists, pool / now.number
    many = At(
        "number of chunks",
        chunks,
        above=MANY,
        of=f"{size(pool)} / {size(now.number)}",
        say=count,
    )
    coarse = pool_at_least(COARSE_FROM, pool) & At(
        "size of the buffer pool", pool, below=step / COARSE, say=size
    )
    card = facts.card(
        f"A pool of {size(pool)} has {counted(chunks, 'chunk')} and is resized in steps of "
        f"{size(step)}.",
        many | coarse if step > COARSE * COARSE_FROM else many,
        formula=f"{size(now.number)} x {lists} = {size(step)} a step",
    )
    chunk = int(now.number)
    if many:
        while pool / chunk > MANY:
            chunk *= 2
        return card.fine(
            f"The manual recommends 1,000 at most, as chunks of {size(chunk)} would give; what "
            "more of them cost was never published.",
            condition=many,
        )
    if coarse:
        while chunk * lists > FINER * pool and chunk // 2 >= LEAST:
            chunk //= 2
        effect = f"The pool can be resized in steps of {size(chunk * lists)}."
        return _resized(facts, card.but(condition=coarse), chunk, effect)
    return card.fine()


def _resized(facts: Facts, card: Card, chunk: int, effect: str) -> Judged:
    card = card.but(
        confidence=Confidence.LOW,
        because="The limits are the manual's and a matter of convenience, not measured here.",
    )
    step = chunk * int(facts.get(INSTANCES).number)
    if chunk == facts.now.number or facts.get(SIZE).number % step:
        return card.watch(effect)
    return card.consider(
        facts.to(str(chunk)),
        effect=effect,
        risk="Low: the server rounds the pool up to a multiple of chunk x instances.",
        cost_of_error="A pool that is rounded up by less than one step.",
        side_effects="The size of the pool is checked against the new step at the next start.",
    )
