"""Room for the sort files of an online ALTER TABLE.

## What it checks
Whether an online index build has room for its sort files in the directory that it puts them in.

## Why it matters
Building an index sorts its entries in files in innodb_tmpdir, or in tmpdir while that is empty. On
a small tmpfs an ALTER of a large table fails after hours of work, and until then it crowds out
every other user of the directory.

## How it is judged
- Room for all InnoDB tables together, the most that any one of them can be: fine.
- Room for a tenth of them on a drive: fine, and the page says how large a table may be.
- Less, or a tmpfs without room for all: watched.
- innodb_tmpdir names a directory that was not looked at: not judged.

## How to check by hand
`SELECT @@innodb_tmpdir, @@tmpdir;`, `df` of it, and the size of the largest table.

## Risk and undo
Nothing is changed. `SET SESSION innodb_tmpdir = '...';` moves the files for one ALTER alone; it
must not be the data directory itself.

## When it is wrong
When no index is ever added while the server runs, or tables are changed by a tool that copies them.

## References
- MySQL reference manual, "Online DDL Space Requirements", innodb_tmpdir
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, POOL_DATA, TEMP_DIRECTORY, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged, Unjudged
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from probes import figures

SETTING = "innodb_tmpdir"
IN_MEMORY = ("tmpfs", "ramfs")
USUAL_SHARE = 0.1
"""A largest table of more than a tenth of all data is unusual enough to look at."""


@rule(
    topic="Temporary tables",
    needs=(MYSQL_VERSION, TEMP_DIRECTORY, POOL_DATA),
    uses=(variable(SETTING),),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.2")),
)
def check(facts: Facts) -> Answer:
    """Compare the room with what the largest table can be."""
    set_to = facts.find(variable(SETTING))
    if set_to is not None and set_to.text:
        return Unjudged(f"Sort files go to {set_to.text}, a directory that was not looked at.")
    where = facts.get(TEMP_DIRECTORY)
    if where.free_bytes is None:
        return Unjudged(f"Sort files go to {where.path}; how much room it has is not known.")
    total = facts.get(POOL_DATA)
    free = float(where.free_bytes)
    in_memory = where.filesystem in IN_MEMORY
    kind = f", in memory on {where.filesystem}" if in_memory else ""
    saw = (
        f"Sort files go to {where.path}{kind}, which has {figures.size(free)} left for tables of "
        f"{figures.size(total)} together."
    )
    share = free / total if total else 1.0
    least = 1.0 if in_memory else USUAL_SHARE
    formula = (
        f"{figures.size(free)} / {figures.size(total)} = {figures.percent(share)}; enough from "
        f"{figures.percent(least)}"
    )
    if free >= total:
        effect = "Fine as it is: it holds any of them."
        return _judged(Verdict.FINE, saw, formula, effect, least=least)
    if share >= least:
        effect = f"Fine for tables with up to {figures.size(free)} of data in the new index."
        return _judged(Verdict.FINE, saw, formula, effect, least=least)
    effect = (
        f"An index of more than {figures.size(free)} can't be built online; give the session an "
        f"{SETTING} on a roomy drive before the ALTER."
    )
    return _judged(Verdict.WATCH, saw, formula, effect, least=least, gain=0.2)


def _judged(
    verdict: Verdict, saw: str, formula: str, effect: str, *, least: float, gain: float = 0.0
) -> Judged:
    return Judged(
        verdict,
        saw,
        SETTING,
        effect=effect,
        confidence=Confidence.MEDIUM,
        flips_when=f"the room falls below {figures.percent(least)} of all tables"
        if verdict is Verdict.FINE
        else f"the directory has room for {figures.percent(least)} of all tables",
        gain=gain,
        formula=formula,
        valid="online index builds",
        because="The size of the largest table was not read, only that of all together.",
        cost_of_error="None: nothing is changed.",
    )
