"""Files that InnoDB may keep open.

## What it checks
Whether InnoDB is at its own limit of open files and closes one for each that it opens.

## Why it matters
With a file for each table InnoDB keeps up to innodb_open_files of them open. At the limit it
closes the one used longest ago before it opens another, under a lock that all I/O passes.

## How it is judged
- Below 80 % of the limit (our choice): fine. So it is where the limit has room for all files that
  InnoDB has: none is closed for another. Else from 80 % on: watched.
- From 95 % on, while less than one table per second is opened: watched. A cache that was filled
  once stays full, and no file is closed for another.
- Else from 95 % on: twice the number of open files is proposed, or room for all files that InnoDB
  has and a fifth more, as far as tables are opened within ten minutes (our choices), and as far as
  open_files_limit has room; where it has none, watched, and that limit comes first.

## How to check by hand
`SHOW GLOBAL STATUS LIKE 'Innodb_num_open_files';` and `SELECT @@innodb_open_files;`

## Risk and undo
Low: a descriptor and a little memory for each file. MySQL from 8.0.28 takes another limit while it
runs, by a function that asks for SYSTEM_VARIABLES_ADMIN; its line in the option file, or the
server's own, keeps it. Amazon's, Azure's and Google's services, older versions and MariaDB take a
restart each way.

## When it is wrong
When nearly all of the files belong to tables that are not used: closing those costs nothing.

## References
- MySQL 8.0 reference manual, innodb_open_files: `SELECT innodb_set_open_files_limit(N)`
- Behaviour of MySQL 9.7.4: the variable shows what the function has set
- MariaDB documentation, innodb_open_files
"""

from __future__ import annotations

from advisor.facts.server.pool import INNODB_FILES
from advisor.rulekit import (
    Answer,
    At,
    Condition,
    Facts,
    Knowledge,
    mariadb,
    mysql,
    number,
    per_s,
    rule,
)
from advisor.rules.files._full_cache import (
    FEW_PER_S,
    FULL_OF_FILES,
    OPEN_FILES,
    OPENED,
    USES_OF_FILES,
    full_files,
    larger,
)
from probes.figures import count, percent

NEAR = 0.8


@rule(
    topic="Files",
    do="See whether files are closed for others",
    setting="innodb_open_files",
    needs=(OPEN_FILES,),
    uses=USES_OF_FILES,
    applies_to=(mysql("5.6"), mariadb("10.0")),
    waits_for=("files.open-files-limit",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare what is open with what may be."""
    now, opened = facts.now, facts.get(OPEN_FILES)
    share, of = opened / now.number if now.number else 1.0, f"{count(opened)} / {count(now.number)}"
    near: Condition
    full: Condition
    near, full = (
        At("share of innodb_open_files in use", share, least=bound, of=of, say=percent)
        for bound in (NEAR, FULL_OF_FILES)
    )
    saw = f"InnoDB has {count(opened)} of {count(now.number)} files open"
    card = facts.card(
        f"{saw}.",
        near,
        because="Open files were counted; how often one is closed and opened again was not.",
    )
    if not near:
        return card.fine()
    if (files := facts.find(INNODB_FILES)) is not None:
        more = At("number of InnoDB's files", files, above=now.number, say=number())
        if not more:
            return card.fine(saw=f"{saw}: room for all {count(files)}.", condition=near & more)
        near, full = near & more, full & more
    if not full:
        effect = "It is not at the limit yet: check again when tables are added."
        return card.watch(effect, condition=near & ~full)
    tables, asked = facts.find(OPENED), full_files(facts)
    busy = At("rate of opened tables", tables or 0.0, least=FEW_PER_S, say=per_s())
    if asked is None:
        return card.watch(
            "It is full, but hardly a table is opened: no file is closed for another.",
            condition=full & ~busy,
        )
    return larger(
        facts,
        card.but(condition=full if tables is None else full & busy),
        asked,
        gains="Files stay open between the queries that use them.",
        cost_of_error="Some idle descriptors.",
        side_effects="More descriptors in use.",
    )
