"""innodb_flush_log_at_trx_commit, and its price on this drive.

## What it checks
Whether every commit is synced, and what that costs or gains on this drive.

## Why it matters
With 1 a confirmed commit survives a power cut. With 2 a power cut loses the commits of about a
second (of `innodb_flush_log_at_timeout` seconds), with 0 a crash of the server does, too. Advisors
that propose 2 or 0 for speed trade data for it without saying so.

## How it is judged
- 1: fine, with the price of a sync measured here.
- 0 or 2: watch; 1 is shown as the safe value. What it would cost is the measured sync, and, where
  commits and queries at work were counted, the part of query time that commits would wait for it
  (from one sync each to one and a half, our choice: half of one may be under way). A node of a
  Galera cluster of two or more that goes down alone takes what it lost from another: that stands
  there, and no value is shown, for most clusters are set so on purpose.
- A member of a group (Group Replication, InnoDB Cluster): 1 stays the safe value. A majority of the
  members has received each confirmed commit, so that the group keeps it. But a member that starts
  again takes from its own binary log which transactions it has: where that kept what InnoDB lost,
  it asks for none of them and lacks rows unseen, until it is cloned.
- Most of the load is RocksDB's: not applicable, for its commits sync a log of its own.
- 3 (MariaDB: also sync at prepare): watch; one sync more per commit than 1 needs. No proposal.
A lower durability is never proposed.

## How to check by hand
`SELECT @@innodb_flush_log_at_trx_commit;`

## Risk and undo
Changes at once. With 1 each commit waits for a sync; group commit shares one among many clients.

## When it is wrong
On a replica that can be rebuilt, or for a load that can be repeated, 2 may be intended.
MySQL turns 3 into 2 with no more than a warning.

## References
- MySQL reference manual, innodb_flush_log_at_trx_commit
- MySQL reference manual, "Group Replication" ("Distributed Recovery"), and gtid_executed: a start
  adds what the binary log has to what the table mysql.gtid_executed has
- MariaDB documentation, "Group Commit for the Binary Log" and "Configuring MariaDB Galera Cluster"
"""

from __future__ import annotations

from advisor.facts.server.cluster import CLUSTER_GALERA_NODES, CLUSTER_GROUP
from advisor.facts.server.engines import LOAD_OWN_LOG
from advisor.facts.server.variables import variable
from advisor.facts.watched.sync_cost import REDO_SYNC_COST
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Inapplicable, Is, Knowledge, Stakes, rule
from advisor.rules.durability._price_of_safety import USES, price_of_safety
from probes.figures import duration_us

TIMEOUT = "innodb_flush_log_at_timeout"
LOST_WITH = {"0": "the server or the machine goes down", "2": "the machine goes down"}
LOST_WITH_ALL = {
    "0": "all servers of the Galera cluster go down at once",
    "2": "all machines of the Galera cluster go down at once",
}
TAKES_BACK = " One that goes down alone takes them from another when it comes back."
OF_GROUP = (
    " The other members hold them, but this one's binary log may list them: clone it after a power "
    "cut."
)


@rule(
    topic="Durability",
    do="Decide how many commits a crash may cost",
    setting="innodb_flush_log_at_trx_commit",
    uses=(
        REDO_SYNC_COST,
        variable(TIMEOUT),
        CLUSTER_GALERA_NODES,
        CLUSTER_GROUP,
        LOAD_OWN_LOG,
        *USES,
    ),
    findings=("F23", "F38", "F89", "F90", "B06"),
    stakes=Stakes.DATA,
    knowledge=Knowledge.MEASURED,
    not_fine_beside=(
        "durability.write-cache",
        "block.write-cache",
        "redo.enabled",
        "redo.checkpoint-age",
        "redo.log-file-mmap",
    ),
)
def check(facts: Facts) -> Answer:
    """Keep 1, and say its price."""
    if (other := facts.find(LOAD_OWN_LOG)) is not None:
        return Inapplicable(f"Commits are mostly {other.name}'s: its log follows {other.log}.")
    now, cost = facts.now, facts.find(REDO_SYNC_COST)
    price = "" if cost is None else duration_us(cost.commit_us.value)
    each = f", {price} each" if price else ""
    safe = Is(now.value == "1", "it is set to 1", "it is set to anything but 1")
    card = facts.card(
        f"{'By default every' if now.default else 'Every'} commit is synced"
        f"{f' and waits {price} for it on this drive' if price else ''}.",
        safe,
        formula=f"syncs per group of commits = 1{each}",
        valid="While the redo log lies on the measured drive.",
        confidence=Confidence.HIGH,
    )
    if safe:
        return card.fine("Fine as it is: confirmed commits survive a power cut.")
    if now.value not in LOST_WITH:
        return card.watch(
            "As safe as 1, with one sync more per group of commits.",
            saw=f"The setting is {now.value}: redo is synced at prepare and at commit{each} on this"
            " drive."
            if price
            else f"The setting is {now.value}: redo is synced at prepare and at commit.",
            confidence=Confidence.MEDIUM,
            formula=f"syncs per group of commits = 2{each}",
        )
    shared = (facts.find(CLUSTER_GALERA_NODES) or 1) > 1
    when = (LOST_WITH_ALL if shared else LOST_WITH)[now.value]
    timeout = facts.find(variable(TIMEOUT))
    lost = f"up to {1 if timeout is None else max(1, int(timeout.number))} s of commits"
    effect = (
        f"{lost.capitalize()} that were confirmed are lost when {when}."
        f" {_price(facts, price)}{TAKES_BACK if shared else ''}"
        f"{OF_GROUP if facts.find(CLUSTER_GROUP) else ''}"
    )
    card = card.but(
        saw=f"The setting is {now.value}, so commits do not wait for a sync.",
        risk="With 1 a single connection commits no faster than the drive syncs.",
        formula=f"price of 1 = {price or 'one sync'} per group of commits; price of {now.value} = "
        f"{lost} at a power cut",
        cost_of_error="Slower commits for each connection.",
    )
    if shared:
        # A cluster keeps each commit on several machines: its owner has chosen that on purpose.
        saw = (
            "Commits do not wait for a sync; the other nodes of the Galera cluster have them, too."
        )
        return card.watch(effect, saw=saw)
    return card.consider(
        facts.to("1"),
        effect=effect,
        side_effects="On MariaDB, redo may still go through the page cache, as was decided at "
        "start: see innodb_log_file_buffering."
        if facts.version.is_mariadb
        else "",
    )


def _price(facts: Facts, each: str) -> str:
    """What 1 would cost: its part of query time, where that is known, and ``each`` sync."""
    cost = facts.find(REDO_SYNC_COST)
    if share := price_of_safety(facts, None if cost is None else cost.commit_us):
        return f"{share}, {each} for each group of them."
    waits = f"{each} on this drive" if each else "for one sync"
    return f"With 1 every group of commits would wait {waits}."
