"""innodb_flush_log_at_trx_commit, and its price on this drive.

## What it checks
Whether every commit is synced, and what that costs or gains on this drive.

## Why it matters
With 1 a confirmed commit survives a power cut. With 2 the commits of about a second (of
`innodb_flush_log_at_timeout` seconds) are lost with the machine, with 0 also when only the server
crashes. Advisors that propose 2 or 0 for speed trade data for it without saying so.

## How it is judged
- 1: fine, with the price of a sync measured here.
- 0 or 2: watch; back to 1 is proposed. What 1 would cost is the measured sync.
- 3 (MariaDB: also sync at prepare): watch; one sync more per commit than 1 needs. No proposal.
A lower durability is never proposed.

## How to check by hand
`SELECT @@innodb_flush_log_at_trx_commit;`

## Risk and undo
Changes at once. 1 lets each commit wait for a sync; group commit shares one among many clients.

## When it is wrong
On a replica that can be built again, or for a load that can be run again, 2 may be meant.
MySQL turns 3 into 2 with no more than a warning.

## References
- MySQL reference manual, innodb_flush_log_at_trx_commit
- MariaDB documentation, "Group Commit for the Binary Log"
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import MYSQL_VERSION, REDO_FDATASYNC, variable
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.rule import rule
from advisor.variables.standing import Standing
from probes import figures

SETTING = "innodb_flush_log_at_trx_commit"
TIMEOUT = "innodb_flush_log_at_timeout"
LOST_WITH = {"0": "the server or the machine goes down", "2": "the machine goes down"}


@rule(
    topic="Durability",
    needs=(MYSQL_VERSION, variable("innodb_flush_log_at_trx_commit")),
    uses=(REDO_FDATASYNC, variable(TIMEOUT)),
    settings=(SETTING,),
    findings=("F23", "F38", "F89", "F90", "B06"),
)
def check(facts: Facts) -> Answer:
    """Keep 1, and say its price."""
    now = facts.get(variable("innodb_flush_log_at_trx_commit"))
    sync = facts.find(REDO_FDATASYNC)
    price = "" if sync is None else figures.duration_us(sync.latency.p50_us)
    synced = _synced(now, price)
    if now.text == "1":
        return synced
    if now.text not in LOST_WITH:
        return replace(
            synced,
            verdict=Verdict.WATCH,
            saw=f"The setting is {now.text}: redo is synced at prepare and at commit"
            f"{f', {price} each on this drive' if price else ''}.",
            effect="As safe as 1, with one sync more per group of commits.",
            confidence=Confidence.MEDIUM,
            flips_when="it is set to 1",
            gain=0.1,
            formula=f"syncs per group of commits = 2{f', {price} each' if price else ''}",
        )
    version = facts.get(MYSQL_VERSION)
    timeout = facts.find(variable(TIMEOUT))
    lost = f"up to {1 if timeout is None else max(1, int(timeout.number))} s of commits"
    return replace(
        synced,
        verdict=Verdict.WATCH,
        saw=f"The setting is {now.text}, so commits do not wait for a sync.",
        effect=f"{lost.capitalize()} that were confirmed are lost when {LOST_WITH[now.text]}. With "
        "1 every group of commits would wait "
        f"{f'{price} on this drive' if price else 'for one sync'}.",
        risk="With 1 a single connection commits no faster than the drive syncs.",
        flips_when="it is set to 1",
        gain=0.7,
        formula=f"price of 1 = {price or 'one sync'} per group of commits; price of {now.text} = "
        f"{lost} at a power cut",
        cost_of_error="Slower commits for each connection.",
        side_effects="On MariaDB redo may have to leave the page cache as well: it was put there "
        "at the start."
        if version.is_mariadb
        else "",
    ).by(change(version, now, "1"))


def _synced(now: Standing, price: str) -> Judged:
    cost = f" and waits {price} for it on this drive" if price else ""
    whose = "By default every" if now.default else "Every"
    return Judged(
        Verdict.FINE,
        f"{whose} commit is synced{cost}.",
        SETTING,
        now.now,
        effect="Fine as it is: confirmed commits survive a power cut.",
        confidence=Confidence.HIGH,
        flips_when="it is set to anything but 1",
        formula=f"syncs per group of commits = 1{f', {price} each' if price else ''}",
        valid="While the redo log lies on the measured drive.",
        because="That is what the setting means; its price was measured here."
        if price
        else "That is what the setting means; its price was not measured.",
        cost_of_error="Confirmed commits that are lost.",
    )
