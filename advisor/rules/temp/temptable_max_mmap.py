"""The mapped files that temporary tables overflow into.

## What it checks
Whether files that MySQL's TempTable engine maps into memory fit into their directory.

## Why it matters
From 8.0.23 to 8.3 the engine may put up to 1 GiB of what exceeds temptable_max_ram into files in
tmpdir, mapped into memory. On tmpfs these files are memory too, beyond temptable_max_ram. Where the
directory has less room than they may take, they can fill it for its other users. MySQL 8.4 allows
none: tables that exceed the memory become InnoDB tables on disk.

## How it is judged
- 0, or temptable_use_mmap is OFF: fine. With the MEMORY engine: not applicable.
- tmpdir is on tmpfs or ramfs, or has less room than the files may take: 0 is proposed.
- Else fine.

## How to check by hand
`SELECT @@temptable_max_mmap, @@tmpdir;` and `df` of that directory.

## Risk and undo
Low: changed at run time and back; queries with large temporary tables may take longer.

## When it is wrong
When tmpfs was set up for exactly this and is large enough.

## References
- MySQL reference manual, temptable_max_mmap; "What Is New in MySQL 8.4"
"""

from __future__ import annotations

from advisor.facts.server.temp_tables import TEMP_DIRECTORY, TEMP_ENGINE
from advisor.facts.server.variables import variable
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Inapplicable,
    Is,
    Judged,
    Knowledge,
    Unjudged,
    mysql,
    rule,
)
from advisor.rules.temp._in_memory import in_memory
from probes.figures import size
from probes.inventory.facts import Storage


@rule(
    topic="Temporary tables",
    setting="temptable_max_mmap",
    uses=(TEMP_DIRECTORY, TEMP_ENGINE, variable("temptable_use_mmap")),
    applies_to=(mysql("8.0.23"),),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare what the files may take with the kind and the room of their directory."""
    if (facts.find(TEMP_ENGINE) or "TempTable").upper() != "TEMPTABLE":
        return Inapplicable("Temporary tables are kept by another engine than TempTable.")
    now, switch = facts.now, facts.find(variable("temptable_use_mmap"))
    maps = Is(
        now.number != 0 and (switch is None or switch.on), "mapped files are allowed on tmpfs"
    )
    card = facts.card(
        "No temporary table overflows into mapped files.",
        maps,
        because="The file system of tmpdir and its free space were read at one moment.",
    )
    if not maps:
        return card.fine()
    where = facts.find(TEMP_DIRECTORY)
    if where is None:
        return Unjudged(f"Up to {size(now.number)} may be mapped; the directory is not known.")
    return _mapped(facts, card, where)


def _mapped(facts: Facts, card: Card, where: Storage) -> Answer:
    now, most = facts.now, size(facts.now.number)
    on_drive = Is(not in_memory(where), "tmpdir is on a drive", "tmpdir is on tmpfs")
    if not on_drive:
        return _none(
            facts,
            card.but(
                saw=f"Up to {most} of temporary tables are mapped from {where.path}, on "
                f"{where.filesystem}.",
                condition=on_drive,
                formula=f"temptable_max_ram + {most} on {where.filesystem}, all of it memory",
            ),
            "Tables that exceed temptable_max_ram go to disk and take no more memory.",
        )
    if where.free_bytes is None:
        return Unjudged(f"Up to {most} may be mapped; the room in {where.path} is not known.")
    fits = At("free space of tmpdir", where.free_bytes, least=now.number, say=size)
    card = card.but(
        saw=f"Up to {most} may be mapped, and {where.path} has {size(where.free_bytes)} left.",
        condition=on_drive & fits,
    )
    if fits:
        return card.fine()
    return _none(facts, card, f"Temporary tables can no longer fill {where.path}.")


def _none(facts: Facts, card: Card, effect: str) -> Judged:
    return card.recommend(
        facts.to("0"),
        effect=effect,
        risk="Low: changed at run time and back.",
        cost_of_error="Queries with large temporary tables write them through the buffer pool.",
        side_effects="The session temporary tablespaces grow instead.",
    )
