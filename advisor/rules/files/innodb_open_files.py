"""Files that InnoDB may keep open.

## What it checks
Whether InnoDB is at its own limit of open files and closes one for each that it opens.

## Why it matters
With a file for each table InnoDB keeps up to innodb_open_files of them open. At the limit it
closes the one used longest ago before it opens another, under a lock that all I/O passes.

## How it is judged
- Below 80 % of the limit (our choice): fine. From 80 % on: watched.
- From 95 % on, while less than one table per second is opened: watched. A cache that was filled
  once stays full, and no file is closed for another.
- Else from 95 % on: twice the number of open files is proposed, or room for all files that InnoDB
  has and a fifth more, as far as tables are opened within ten minutes (our choices), and as far as
  open_files_limit has room; where it has none, watched, and that limit comes first.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_num_open_files';` and `SELECT @@innodb_open_files;`

## Risk and undo
Low: a descriptor and a little memory for each file. A restart each way.

## When it is wrong
When nearly all of the files belong to tables that are not used: closing those costs nothing.

## References
- MySQL reference manual, innodb_open_files
- MariaDB documentation, innodb_open_files
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.rulekit import Answer, At, Facts, Knowledge, mariadb, mysql, per_s, rule
from advisor.rules.files._full_cache import FEW_PER_S, USES, asked_for, larger
from advisor.rules.files._full_cache import OPENED as OPENED_TABLES
from probes.figures import count, percent

LIMIT = variable("open_files_limit")
NEAR, FULL = 0.8, 0.95
MOST_OF_LIMIT = 0.8
"""The rest of open_files_limit is for tables' other files, logs and connections."""


@rule(
    topic="Files",
    setting="innodb_open_files",
    needs=(status("Innodb_num_open_files"),),
    uses=(LIMIT, *USES),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    waits_for=("files.open-files-limit",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare what is open with what may be."""
    now, opened = facts.now, facts.get(status("Innodb_num_open_files"))
    share, of = opened / now.number if now.number else 1.0, f"{count(opened)} / {count(now.number)}"
    near, full = (
        At("share of innodb_open_files in use", share, least=bound, of=of, say=percent)
        for bound in (NEAR, FULL)
    )
    card = facts.card(
        f"InnoDB has {count(opened)} of {count(now.number)} files open.",
        near,
        because="Open files were counted; how often one is closed and opened again was not.",
    )
    if not near:
        return card.fine()
    if not full:
        effect = "It is not at the limit yet: check again when tables are added."
        return card.watch(effect, condition=near & ~full)
    tables = facts.find(OPENED_TABLES)
    if tables is not None:
        busy = At("rate of opened tables", tables, least=FEW_PER_S, say=per_s())
        card = card.but(condition=full & busy)
        if not busy:
            return card.watch(
                "It is full, but hardly a table is opened: no file is closed for another.",
                condition=full & ~busy,
            )
    limit = facts.find(LIMIT)
    return larger(
        facts,
        card if tables is not None else card.but(condition=full),
        gains="Files stay open between the queries that use them.",
        wanted=asked_for(facts, opened, tables or 0.0),
        least=2 * opened,
        most=2**31 - 1,
        room=None if limit is None else MOST_OF_LIMIT * limit.number,
        risk="Low: needs a restart.",
        cost_of_error="Some idle descriptors, and a restart without a benefit.",
        side_effects="More descriptors in use.",
    )
