"""Amazon RDS Optimized Writes, by which pages are written once.

## What it checks
Whether an instance of Amazon RDS writes its pages twice, although the service can write them whole.

## Why it matters
Machines of the AWS Nitro System write 16 KiB whole or not at all, so RDS switches doublewrite off
there unasked: up to twice the rate of write transactions, says the service. An instance that was
made before that, or whose file system has another format, keeps writing each page twice, whatever
its class.

## How it is judged
- Not on Amazon RDS, or on releases before MySQL 8.0.30 and MariaDB 10.6.10: not applicable.
- Doublewrite is off: fine.
- Fewer than 100 pages/s are written (our choice): fine, it would bring little.
- More: watch. Whether the class can do it an account does not see.

## How to check by hand
`SELECT @@innodb_doublewrite;`, the parameter rds.optimized_writes, and the service's list
of classes.

## Risk and undo
Nothing is changed. It takes a blue/green deployment with the file system's format upgraded, where
the instance's is an old one.

## When it is wrong
On a class without it, and where rds.optimized_writes is OFF on purpose.

## References
- Amazon RDS user guide, "Improving write performance with RDS Optimized Writes for MySQL"
- Amazon RDS user guide, "Improving write performance with Amazon RDS Optimized Writes for MariaDB"
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION, variable
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Inapplicable,
    Is,
    Knowledge,
    mariadb,
    mysql,
    per_s,
    rule,
)
from advisor.rules.doublewrite._switched_off import switched_off
from advisor.variables.aurora import RDS
from probes.figures import rate

WRITTEN = status("Innodb_pages_written")
NOTABLE = 100.0


@rule(
    topic="Doublewrite",
    do="Look whether class and file system allow Optimized Writes",
    needs=(MYSQL_VERSION, variable("innodb_doublewrite"), WRITTEN),
    settings=("innodb_doublewrite",),
    applies_to=(mysql("8.0.30"), mariadb("10.6.10")),
    findings=("F120",),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask why pages are written twice."""
    if facts.get(MYSQL_VERSION).vendor != RDS:
        return Inapplicable("Only Amazon RDS has Optimized Writes.")
    on, written = Is(not switched_off(facts), "doublewrite is on", "it is off"), facts.get(WRITTEN)
    much = At("server's write rate", written, least=NOTABLE, say=per_s("pages"))
    card = facts.card(
        f"Doublewrite is on, so each of {rate(written, 'pages')} is written twice.",
        on & much,
        because="What the class can do, and the file system's format, no account sees.",
        valid="For classes of the AWS Nitro System.",
    )
    if not on:
        return card.fine("Fine as it is: pages are written once.", saw="Doublewrite is off.")
    if not much:
        return card.fine("Fine as it is: so few pages are written that it makes no difference.")
    return card.watch(
        "Optimized Writes have it off where class and file system allow: look at "
        "rds.optimized_writes and the service's list of classes; an old file system takes a "
        "blue/green deployment.",
        cost_of_error="A deployment that brings nothing.",
    )
