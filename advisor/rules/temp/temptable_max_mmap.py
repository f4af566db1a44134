"""The mapped files that temporary tables overflow into.

## What it checks
Whether files that MySQL's TempTable engine maps into memory fit the directory that they lie in.

## Why it matters
From 8.0.23 to 8.3 the engine may put up to 1 GiB of what exceeds temptable_max_ram into files in
tmpdir, mapped into memory. On tmpfs these files are memory once more, unseen by temptable_max_ram.
Where the directory has less room than they may take, it can fill up under other users of it. MySQL
8.4 allows none: tables that exceed the memory become InnoDB tables on disk.

## How it is judged
- 0, or temptable_use_mmap is OFF: fine. Kept by the MEMORY engine: nothing to say.
- tmpdir lies on tmpfs or ramfs, or has less room than the files may take: 0 is proposed.
- Else fine.

## How to check by hand
`SELECT @@temptable_max_mmap, @@tmpdir;` and `df` of that directory.

## Risk and undo
Low: changed at run time and back; queries with large temporary tables may take longer.

## When it is wrong
When tmpfs was made for exactly this and is large enough.

## References
- MySQL reference manual, temptable_max_mmap; "What Is New in MySQL 8.4"
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, TEMP_DIRECTORY, TEMP_ENGINE, variable
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mysql
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.facts import Storage

SETTING = "temptable_max_mmap"
IN_MEMORY = ("tmpfs", "ramfs")


@rule(
    topic="Temporary tables",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(TEMP_DIRECTORY, TEMP_ENGINE, variable("temptable_use_mmap")),
    settings=(SETTING,),
    applies_to=(mysql("8.0.23"),),
)
def check(facts: Facts) -> Answer:
    """Compare what the files may take with where they lie."""
    if (facts.find(TEMP_ENGINE) or "TempTable").upper() != "TEMPTABLE":
        return Inapplicable("Temporary tables are kept by another engine than TempTable.")
    now = facts.get(variable(SETTING))
    switch = facts.find(variable("temptable_use_mmap"))
    if now.number == 0 or (switch is not None and not switch.on):
        return _fine(now, "No temporary table overflows into mapped files.", "0 bytes")
    where = facts.find(TEMP_DIRECTORY)
    if where is None:
        most = figures.size(now.number)
        return Unjudged(f"Up to {most} may be mapped; where tmpdir lies is not known.")
    return _mapped(facts, now, where)


def _mapped(facts: Facts, now: Standing, where: Storage) -> Answer:
    """Compare what may be mapped with the directory's kind and room."""
    most = figures.size(now.number)
    if where.filesystem in IN_MEMORY:
        formula = f"temptable_max_ram + {most} on {where.filesystem}, all of it memory"
        saw = (
            f"Up to {most} of temporary tables are mapped from {where.path}, on {where.filesystem}."
        )
        effect = "Tables that exceed temptable_max_ram go to disk and take no more memory."
        return _none(facts, now, saw, formula, effect)
    if where.free_bytes is None:
        return Unjudged(f"Up to {most} may be mapped; the room in {where.path} is not known.")
    formula = f"{most} against {figures.size(where.free_bytes)} free in {where.path}"
    saw = f"Up to {most} may be mapped, and {where.path} has {figures.size(where.free_bytes)} left."
    if where.free_bytes < now.number:
        effect = f"Temporary tables can no longer fill {where.path}."
        return _none(facts, now, saw, formula, effect)
    return _fine(now, saw, formula)


def _none(facts: Facts, now: Standing, saw: str, formula: str, effect: str) -> Judged:
    return Judged(
        Verdict.RECOMMEND,
        saw,
        SETTING,
        now.now,
        effect=effect,
        risk="Low: changed at run time and back.",
        flips_when="tmpdir lies on a drive with more room than the files may take",
        gain=0.2,
        formula=formula,
        valid="MySQL from 8.0.23 with the TempTable engine",
        because="Where tmpdir lies and how much room it has was seen at one moment.",
        cost_of_error="Queries with large temporary tables write them through the buffer pool.",
        side_effects="The session temporary tablespaces grow instead.",
    ).by(change(facts.get(MYSQL_VERSION), now, "0"))


def _fine(now: Standing, saw: str, formula: str) -> Judged:
    return Judged(
        Verdict.FINE,
        saw,
        SETTING,
        now.now,
        effect="Fine as it is.",
        flips_when="tmpdir lies on tmpfs, or has less room than the files may take",
        formula=formula,
        valid="MySQL from 8.0.23 with the TempTable engine",
        because="Where tmpdir lies and how much room it has was seen at one moment.",
    )
