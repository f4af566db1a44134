"""Files that InnoDB may keep open.

## What it checks
Whether InnoDB is at its own limit of open files and has to close one for each that it opens.

## Why it matters
With a file for each table InnoDB keeps up to innodb_open_files of them open. At the limit it
closes the one used longest ago before it opens another, under a lock that all I/O passes.

## How it is judged
- Below 80 % of the limit: fine. From 80 % on: watched.
- From 95 % on, while hardly a table is opened (less than one per second): watched. A cache that was
  filled once stays full, and nothing is closed for another.
- Else from 95 % on: twice the files that are open are proposed; where open_files_limit has no room
  for them beside the rest, it is watched and that limit comes first.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_num_open_files';` and `SELECT @@innodb_open_files;`

## Risk and undo
Low: a descriptor and a little memory for each file. A restart each way.

## When it is wrong
When nearly all the files belong to tables that nobody touches: closing those costs nothing.

## References
- MySQL reference manual, innodb_open_files
- MariaDB documentation, innodb_open_files
"""

from __future__ import annotations

from advisor.facts.known import MYSQL_VERSION, status, variable
from advisor.outcomes import Verdict
from advisor.rulekit.answers import Answer
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.rules.files._full_cache import Cache
from probes import figures

SETTING = "innodb_open_files"
NEAR, FULL = 0.8, 0.95
FEW_PER_S = 1.0
MOST_OF_LIMIT = 0.8
"""The rest of open_files_limit is for tables' other files, logs and connections."""

CACHE = Cache(
    gains="Files stay open between the queries that use them.",
    calm=f"less than {figures.percent(FULL)} of them are open",
    busy=f"{figures.percent(NEAR)} of them are open",
    because="What is open was counted; how often a file is closed and opened again was not.",
    cost_of_error="Some idle descriptors; a restart for nothing.",
    side_effects="More descriptors in use.",
    risk="Low: takes a restart.",
    most=2**31 - 1,
    valid="a file for each table",
)


@rule(
    topic="Files",
    needs=(MYSQL_VERSION, variable(SETTING), status("Innodb_num_open_files")),
    uses=(variable("open_files_limit"), status("Opened_tables")),
    settings=(SETTING,),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    waits_for=("files.open-files-limit",),
)
def check(facts: Facts) -> Answer:
    """Compare what is open with what may be."""
    now = facts.get(variable(SETTING))
    opened = facts.get(status("Innodb_num_open_files"))
    share = opened / now.number if now.number else 1.0
    saw = f"InnoDB has {figures.count(opened)} of {now.text} files open."
    formula = f"{opened:.0f} / {now.text} = {figures.percent(share)}"
    if share < NEAR:
        return CACHE.judged(Verdict.FINE, now, saw, formula)
    if share < FULL:
        effect = "It has not come to the limit yet: look again when tables are added."
        flips = f"less than {figures.percent(NEAR)} or at least {figures.percent(FULL)} are open"
        return CACHE.judged(Verdict.WATCH, now, saw, formula, effect, flips_when=flips, gain=0.1)
    tables = facts.find(status("Opened_tables"))
    if tables is not None and tables < FEW_PER_S:
        formula += f"; {figures.rate(tables, 'tables')} opened, of account from {FEW_PER_S:g}/s"
        effect = "It is full, yet hardly a table is opened: nothing is closed for another."
        flips = f"{CACHE.calm}, or {figures.rate(FEW_PER_S, 'tables')} are opened"
        return CACHE.judged(Verdict.WATCH, now, saw, formula, effect, flips_when=flips, gain=0.1)
    limit = facts.find(variable("open_files_limit"))
    room = None if limit is None else MOST_OF_LIMIT * limit.number
    return CACHE.doubled(facts, now, saw, formula, kept=opened, room=room)
