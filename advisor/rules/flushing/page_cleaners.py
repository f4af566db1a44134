"""innodb_page_cleaners against the number of buffer pool instances.

## What it checks
Whether each buffer pool instance has its own page cleaner where flushing is under pressure.

## Why it matters
One page cleaner works on one instance at a time. With fewer cleaners than instances the last
instance waits for its turn; in I/O-bound tests of MySQL 8.0, 16 instances with 16 cleaners held
up against a server with a multi-threaded LRU flusher.

## How it is judged
- Cleaners equal to instances: fine (the default from MySQL 8.4).
- Fewer, and less than one query a second waited for a free page: fine.
- Fewer, queries waited, and less than one page a second is written (our choice): fine, nothing is
  there to be cleaned.
- Fewer, queries waited, and the server writes 80 % or more of what the drive sustains (our choice)
  for pages: watch, more cleaners do not make a saturated drive faster.
- Fewer, and queries waited: recommended, as many as instances. While a larger buffer pool is
  recommended, this waits: the waits may end with that.
- MariaDB has had exactly one since 10.5.1, MySQL had one before 5.7: not applicable.

## How to check by hand
Compare `innodb_page_cleaners` with `innodb_buffer_pool_instances`; watch
`Innodb_buffer_pool_wait_free` under load.

## Risk and undo
Costs a thread each. Takes a restart, and another one to undo.

## When it is wrong
When the drive is saturated for another reason than this server's page writes.

## References
- MySQL reference manual, innodb_page_cleaners; "What Is New in MySQL 8.4"
- D. Kravtchuk, InnoDB I/O-bound workloads against Percona Server 5.7
- MariaDB MDEV-15058
"""

from __future__ import annotations

from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Inapplicable,
    Judged,
    Knowledge,
    Unjudged,
    change,
    mariadb,
    mysql,
    number,
    rule,
)
from advisor.variables.catalogue import MARIADB
from advisor.workload.flushing.load import PAGES, USES, WRITES, full_drive, pages_written
from advisor.workload.pool.free_pages import WAITS, waited, waits_at
from probes.figures import counted

SETTING = "innodb_page_cleaners"
INSTANCES = variable("innodb_buffer_pool_instances")

NOTHING = 1.0
"""Pages a second: where fewer are written no cleaner has anything to clean (our choice)."""


@rule(
    topic="Flushing",
    do="Look at the drive first: more page cleaners would queue for it",
    needs=(MYSQL_VERSION,),
    uses=(variable(SETTING), WAITS, CURVE_RANDOM_WRITE_PAGE, *USES),
    settings=(SETTING,),
    applies_to=(mysql("5.7"), mariadb("10.2")),
    findings=("F72", "F73", "F74"),
    waits_for=("buffer-pool.size",),
)
def check(facts: Facts) -> Answer:
    """Ask for one cleaner per instance where free pages are short."""
    version = facts.version
    if version.at_least(MARIADB, 10, 5, 1):
        return Inapplicable(f"{version} has exactly one page cleaner and no setting for it.")
    now, instances = facts.find(variable(SETTING)), facts.find(INSTANCES)
    if now is None or instances is None:
        return Unjudged(f"No page cleaner setting was found in {version}.")
    few = At("number of page cleaners", now.number, below=instances.number, say=number())
    saw = (
        f"The server has {counted(now.number, 'page cleaner')} for "
        f"{counted(instances.number, 'buffer pool instance')}."
    )
    card = facts.card(saw, few, setting=now.name, now=now.now)
    if not few:
        return card.fine(flips_when=f"there are more instances than {now.number:.0f}")
    waits = facts.find(WAITS)
    if waits is None:
        return Unjudged(f"{saw} The rate of waits for a free page is not known.")
    waiting = waits_at(waits)
    card = card.but(saw=f"{saw} {waited(waits)}", condition=few & waiting)
    return _waited(facts, card, waiting) if waiting else card.fine()


def _waited(facts: Facts, card: Card, waiting: At) -> Judged:
    written = pages_written(facts)
    if written is not None and (none := At(WRITES, written, below=NOTHING, say=PAGES)):
        return card.fine("Fine as it is: no pages are written.", condition=waiting & none)
    if load := full_drive(facts):
        return card.watch(
            "The drive is saturated: more page cleaners would only queue for it.",
            condition=waiting & load.full,
            knowledge=Knowledge.MEASURED,
            formula=load.figures,
        )
    wanted = str(int(facts.get(INSTANCES).number))
    return card.recommend(
        change(facts.version, facts.get(variable(SETTING)), wanted),
        effect="Every instance is cleaned each second, so free pages are there when needed.",
        because="The waits were counted; the remedy was not tried here.",
        valid="While the drive has page writes to spare.",
        risk="Low: a thread per instance.",
        cost_of_error="Some idle threads, and a restart to change it back.",
        side_effects="More page writes at a time.",
    )
