"""Commits that wait for others, so that they share a sync of the binary log.

## What it checks
On MySQL, whether commits wait to be grouped (`binlog_group_commit_sync_delay`) for longer than the
sync that they save takes. On MariaDB, why groups of commits stopped waiting
(`binlog_commit_wait_count`): enough commits had arrived, or the time was up.

## Why it matters
Commits that arrive while a sync runs share the next one anyway. On MySQL each group of commits
waits the delay before the binary log is synced: one that is longer than a sync makes each
connection slower and saves hardly anything. On MariaDB a commit waits until that many have arrived,
at most `binlog_commit_wait_usec` (0.1 s by default): where fewer clients commit at once, each group
waits the whole time with no benefit, and a single connection manages ten commits per second. Some
make commits of a source wait so that replicas can apply larger groups in parallel: the one good
reason for a long wait.

## How it is judged
- No binary log: the setting has no effect. Delay, count or time 0: fine, no commit waits.
- MySQL: `share = delay / sync`, with the mean of the server's own syncs of the binary log, else the
  measured median of a commit with a synced binary log (else of redo alone). Up to 1: fine. Above 1:
  watch, 0 is worth a trial.
- MariaDB: `share = groups that timed out / all groups that waited`, over the window; the server
  counts why each group stopped waiting. Below 50 % (our choice): fine. From 50 % on: watch, 0 is
  worth a trial. Less than one such group per second: not judged.
- Where that wait takes 20 % of query time or more (our choice), 0 is proposed. The first of a group
  waits the whole time, those that come meanwhile half of it on average: `queries in wait =
  commits per s x wait / 2` at least, and no more than no other wait explains.

## How to check by hand
`SELECT @@binlog_group_commit_sync_delay, @@binlog_group_commit_sync_no_delay_count;`, or
`SHOW GLOBAL STATUS LIKE 'Binlog_group_commit_trigger%';` twice, under load

## Risk and undo
Changes at once, can be undone at once. What is synced stays as safe as before.

## When it is wrong
On a source whose replicas need large groups to apply in parallel, or with hundreds of committers on
a slow drive.

## References
- MySQL 8.0 reference manual, "Binary Logging Options and Variables"
- MariaDB documentation, "Group Commit for the Binary Log"
"""

from __future__ import annotations

from typing import Any

from advisor.facts.fact import Fact
from advisor.facts.measured.commit_points import REDO_WITH_BINLOG
from advisor.facts.measured.points import REDO_FDATASYNC
from advisor.facts.watched.sync_cost import WATCH_BINLOG_SYNC
from advisor.gain import STANDS_OUT
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Card,
    Facts,
    Inapplicable,
    Is,
    Judged,
    Knowledge,
    Relief,
    Unjudged,
    Wait,
    mariadb,
    mysql,
    rule,
)
from advisor.variables.standing import Standing
from advisor.workload.group_wait import (
    COUNT,
    DELAY,
    LONGEST,
    NO_DELAY_COUNT,
    TIMEOUT,
    groups_per_s,
    timed_out,
)
from advisor.workload.query_time import OF_GROUPS_TIME, groups_time
from advisor.workload.sync_cost import LOG_BIN
from probes.figures import duration_us, percent, rate

IN_VAIN = 0.5
"""Our choice."""

SMALLER = "Replicas that apply in parallel may get smaller groups and fall behind"
RISK_MYSQL = f"{SMALLER}; dependencies by WRITESET (the default from 8.4 on) need no large ones."
RISK_MARIADB = (
    f"{SMALLER}; slave_parallel_mode = optimistic (the default from 10.5.1 on) needs no large ones."
)
ANYWAY = "Commits that arrive during a sync share the next one anyway."
COST = "More syncs/s, or slower commits."


def _others(*own: Fact[Standing]) -> tuple[Fact[Any], ...]:
    """What the time of groups takes, without what the rule needs anyway."""
    return tuple(each for each in OF_GROUPS_TIME if each not in {LOG_BIN, *own})


@rule(
    name="durability.group-commit-delay",
    title="binlog_group_commit_sync_delay against the time of a sync here (MySQL)",
    topic="Durability",
    setting="binlog_group_commit_sync_delay",
    needs=(LOG_BIN,),
    uses=(WATCH_BINLOG_SYNC, REDO_WITH_BINLOG, REDO_FDATASYNC, *_others(DELAY)),
    applies_to=(mysql("5.7.5"),),
    findings=("F90",),
)
def delay(facts: Facts) -> Answer:
    """Weigh the wait against the sync that it saves."""
    if not facts.get(LOG_BIN).on:
        return Inapplicable("The server writes no binary log, so no commit waits for its sync.")
    delay_us = facts.now.number
    sync_us = _sync_us(facts)
    if delay_us == 0:
        return facts.card(
            "Commits do not wait to be grouped.", flips_when="it is set to more than a sync takes"
        ).fine("Fine as it is: commits that arrive during a sync share the next one.")
    if sync_us is None:
        return Unjudged("No sync was timed, or measured and trusted, to weigh the wait against.")
    long = At("delay", delay_us, above=sync_us, say=duration_us)
    wait, takes = duration_us(delay_us), duration_us(sync_us)
    card = facts.card(
        f"Each group of commits waits {wait} before a sync that takes {takes}{_until(facts)}.",
        long,
        valid="While the binary log lies on that drive.",
        because="The sync was timed here; how many commits arrive at once varies.",
        risk=RISK_MYSQL,
    )
    if not long:
        return card.fine("Fine if intended: the wait is no longer than the sync that it may save.")
    return _zero(facts, card, f"A commit takes up to {wait} less. {ANYWAY}")


def _sync_us(facts: Facts) -> float | None:
    """What a sync of the binary log takes: the server's own, else as measured."""
    own = facts.find(WATCH_BINLOG_SYNC)
    if own is not None:
        return own.latency_us.value
    point = facts.find(REDO_WITH_BINLOG) or facts.find(REDO_FDATASYNC)
    return None if point is None else point.latency.p50_us


def _zero(facts: Facts, card: Card, effect: str) -> Judged:
    """Ask for 0 where the wait takes much of query time; else it is worth a trial."""
    time = groups_time(facts)
    card = card.but(relieves=(Relief.whole(Wait.GROUP),), cost_of_error=COST)
    share = 0.0 if time is None else time.waiting / time.running
    much = At("commits' wait for their group", share, least=STANDS_OUT, say=percent)
    if time is None or not much:
        return card.consider(facts.to("0"), effect=effect)
    at_work = f"{time.waiting:.1f} of {time.running:.1f} queries at work"
    return card.recommend(
        facts.to("0"),
        condition=much,
        effect=f"At most {at_work} wait for their group of commits. {effect}",
    )


def _until(facts: Facts) -> str:
    count = facts.find(NO_DELAY_COUNT)
    if count is None or count.number <= 0:
        return ""
    return f", or until {count.value} have arrived"


@rule(
    name="durability.group-commit-wait",
    title="binlog_commit_wait_count against the groups that fill in time (MariaDB)",
    topic="Durability",
    setting="binlog_commit_wait_count",
    needs=(LONGEST, LOG_BIN),
    uses=_others(COUNT, LONGEST),
    applies_to=(mariadb(),),
    findings=("F90",),
    knowledge=Knowledge.DOCUMENTED,
)
def wait_for_a_count(facts: Facts) -> Answer:
    """Find groups that waited their whole time."""
    if not facts.get(LOG_BIN).on:
        return Inapplicable("The server writes no binary log, so no commit waits to be grouped.")
    count, longest = facts.now.number, facts.get(LONGEST)
    waits = Is(count != 0 and longest.number != 0, "both the count and the time are above 0")
    if not waits:
        return facts.card("Commits do not wait to be grouped.", waits).fine(
            "Fine as it is: commits that arrive during a sync share the next one."
        )
    vain, groups = timed_out(facts), groups_per_s(facts)
    if facts.find(TIMEOUT) is None:
        return Unjudged("The window did not show why groups of commits stopped waiting.")
    if vain is None or groups < 1:
        return Unjudged("Less than one group of commits per second waited.")
    in_vain = At("share of groups that timed out", vain, least=IN_VAIN, say=percent)
    wait = duration_us(longest.number)
    card = facts.card(
        f"A group waits for {facts.now.value} commits, at most {wait}; "
        f"{percent(vain)} of {rate(groups, 'groups')} timed out.",
        in_vain,
        confidence=Confidence.HIGH,
        risk=RISK_MARIADB,
    )
    if not in_vain:
        return card.fine("Fine if intended: most groups fill.")
    return _zero(facts, card, f"Commits no longer wait up to {wait} for others. {ANYWAY}")
