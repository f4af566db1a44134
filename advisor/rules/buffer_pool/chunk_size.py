"""innodb_buffer_pool_chunk_size against the size and the instances of the pool.

## What it checks
Whether the pool is cut into far too many chunks, or into so few that it can be resized in giant
steps alone.

## Why it matters
MySQL allocates the pool in chunks and rounds its size up to a multiple of chunk x instances: 1300
MiB became 2 GiB on a real 8.0 server, 8 instances of 128 MiB. With large chunks one step of an
online resize is a large part of the memory. With very many chunks the manual fears for the speed.

## How it is judged
- `step = chunk x instances`, `chunks = pool / chunk`.
- More than 1,000 chunks (the manual's figure): watch, with the smallest doubling of the chunk that
  gives 1,000 or fewer and still divides the pool.
- A step over half of a pool of 2 GiB or more: watch, with the largest halving of the chunk,
  not below 1 MiB, whose step is an eighth of the pool or less.
- Else fine. MariaDB from 10.8 chooses the chunk itself or ignores it: not applicable.

## How to check by hand
`SELECT @@innodb_buffer_pool_size / @@innodb_buffer_pool_chunk_size,
@@innodb_buffer_pool_chunk_size * @@innodb_buffer_pool_instances;`

## Risk and undo
A restart. A chunk that does not divide the pool makes the server round the pool up.

## When it is wrong
When the pool is never resized: then a giant step does no harm.

## References
- MySQL reference manual, "Configuring InnoDB Buffer Pool Size"
- MariaDB documentation, innodb_buffer_pool_chunk_size
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from probes import figures

SETTING = "innodb_buffer_pool_chunk_size"
MANY = 1000
COARSE, COARSE_FROM = 0.5, 2 << 30
FINER = 0.125
LEAST = 1 << 20


@rule(
    topic="Buffer pool",
    needs=(
        MYSQL_VERSION,
        variable("innodb_buffer_pool_chunk_size"),
        variable("innodb_buffer_pool_size"),
        variable("innodb_buffer_pool_instances"),
    ),
    settings=(SETTING,),
    applies_to=(mysql("5.7.5"), mariadb("10.2.2", "10.8")),
    findings=("B10",),
)
def check(facts: Facts) -> Answer:
    """Count chunks, and weigh one step of a resize."""
    now = facts.get(variable("innodb_buffer_pool_chunk_size"))
    pool = facts.get(variable("innodb_buffer_pool_size"))
    lists = int(facts.get(variable("innodb_buffer_pool_instances")).number)
    if now.default:
        return Unjudged("No server of yours was looked at, so there is no buffer pool to judge.")
    if now.number <= 0 or pool.number <= 0 or lists < 1:
        return Unjudged("The server tells a chunk, a pool or a number of instances of 0.")
    step, chunks = now.number * lists, pool.number / now.number
    formula = (
        f"{figures.size(pool.number)} / {figures.size(now.number)} = {figures.count(chunks)} chunks"
        f"; {figures.size(now.number)} x {lists} = {figures.size(step)} a step"
    )
    saw = (
        f"A pool of {figures.size(pool.number)} has {figures.counted(chunks, 'chunk')} and is "
        f"resized in steps of {figures.size(step)}."
    )
    if chunks > MANY:
        return _many(facts, saw, formula)
    if pool.number >= COARSE_FROM and step > COARSE * pool.number:
        return _coarse(facts, saw, formula)
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when=_flips_when(now.number, step),
        formula=formula,
        because="all three sizes were told by the server",
        valid="for this pool and number of instances",
    )


def _flips_when(chunk: float, step: float) -> str:
    many = f"the pool is larger than {figures.size(MANY * chunk)}"
    if step <= COARSE * COARSE_FROM:
        return many
    coarse = f"has {figures.size(COARSE_FROM)} or more and less than {figures.size(step / COARSE)}"
    return f"{many}, or {coarse}"


def _many(facts: Facts, saw: str, formula: str) -> Judged:
    now = facts.get(variable("innodb_buffer_pool_chunk_size"))
    pool = facts.get(variable("innodb_buffer_pool_size"))
    chunk = int(now.number)
    while pool.number / chunk > MANY:
        chunk *= 2
    effect = "Fewer chunks to keep in order; the manual names 1,000 as the most that is wise."
    flips = f"the pool is {figures.size(MANY * now.number)} or smaller"
    return _watch(facts, saw, formula, effect=effect, flips_when=flips, chunk=chunk)


def _coarse(facts: Facts, saw: str, formula: str) -> Judged:
    now = facts.get(variable("innodb_buffer_pool_chunk_size"))
    pool = facts.get(variable("innodb_buffer_pool_size"))
    lists = int(facts.get(variable("innodb_buffer_pool_instances")).number)
    chunk = int(now.number)
    while chunk * lists > FINER * pool.number and chunk // 2 >= LEAST:
        chunk //= 2
    effect = f"The pool can be resized in steps of {figures.size(chunk * lists)}."
    flips = f"the pool is {figures.size(now.number * lists / COARSE)} or larger"
    return _watch(facts, saw, formula, effect=effect, flips_when=flips, chunk=chunk)


def _watch(
    facts: Facts, saw: str, formula: str, *, effect: str, flips_when: str, chunk: int
) -> Judged:
    now = facts.get(variable("innodb_buffer_pool_chunk_size"))
    pool = facts.get(variable("innodb_buffer_pool_size"))
    lists = int(facts.get(variable("innodb_buffer_pool_instances")).number)
    judged = Judged(
        Verdict.WATCH,
        saw,
        SETTING,
        now.now,
        effect=effect,
        confidence=Confidence.LOW,
        because="the bounds are the manual's and a matter of convenience, not measured here",
        risk="Low: the server rounds the pool up to a multiple of chunk x instances.",
        cost_of_error="a pool that is rounded up by less than one step",
        side_effects="The size of the pool is checked against the new step at the next start.",
        flips_when=flips_when,
        valid="for this pool and number of instances",
        gain=0.05,
        formula=formula,
    )
    if chunk == now.number or pool.number % (chunk * lists):
        return judged
    return judged.by(change(facts.get(MYSQL_VERSION), now, str(chunk)))
