"""sync_relay_log, how often a replica's receiver syncs what it has fetched.

## What it checks
Whether the receiver syncs its relay log, or writes down its place in the source's log, after every
event or few of them.

## Why it matters
The relay log is a copy: its source still has it. With `relay_log_recovery = ON` a replica that
starts after a crash throws it away and fetches it again from where it has applied, which the
applier's table says. Syncs of the relay log then protect nothing, and with 1 each event costs one:
the receiver falls behind, and the commits of the applier wait for the same drive.

## How it is judged
`sync_relay_log`, and `sync_source_info` (`sync_master_info` before MySQL 8.0.26 and in MariaDB):
- 0, or 100 events and more (our choice): fine.
- fewer, and syncs of the relay log were timed, or the server is read-only: 10000 is proposed, the
  default since MySQL 5.6, with `relay_log_recovery = ON` and, on MySQL before 8.3,
  `relay_log_info_repository = TABLE`. From MySQL 8.3 on the table is all there is; MariaDB keeps
  the place of a replica with GTIDs in a table of its own.
- fewer, and nothing shows that the server is a replica: watched.
Commits are left alone: `sync_binlog` and `innodb_flush_log_at_trx_commit` stay as they are.

## How to check by hand
`SHOW VARIABLES LIKE 'sync_%';`, `SELECT @@relay_log_recovery;` and the syncs of the relay log in
`performance_schema.file_summary_by_event_name`.

## Risk and undo
Low: after a crash the replica fetches again what it had not applied, so the source has to keep its
binary log for as long. `relay_log_recovery` takes a restart on MySQL, and so does the repository
here: a replica that runs refuses another one.

## When it is wrong
Where the source may be lost together with its log while the replica has not applied all: then the
relay log is the only copy. Semi-synchronous replication that must survive both machines is such a
case.

## References
- MySQL reference manual, "Replica Server Options and Variables" and "Making Replication Resilient
  to an Unexpected Halt of a Replica"
- MariaDB documentation, "Replication and Binary Log System Variables"
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.facts.server.cluster import CLUSTER_READ_ONLY
from advisor.facts.server.variables import variable
from advisor.facts.watched.sync_cost import WATCH_RELAY_SYNC
from advisor.facts.watched.watch import CallTime
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Change,
    Condition,
    Facts,
    Knowledge,
    change,
    mariadb,
    mysql,
    number,
    rule,
)
from advisor.variables.standing import Standing
from probes.figures import duration_us, listed, percent, rate

SELDOM = 100
"""From this many events on a sync is shared by enough of them."""

WANTED = "10000"
RECOVERY, REPOSITORY = variable("relay_log_recovery"), variable("relay_log_info_repository")
PLACES = (variable("sync_source_info"), variable("sync_master_info"))


@rule(
    topic="Durability",
    setting="sync_relay_log",
    uses=(*PLACES, RECOVERY, REPOSITORY, WATCH_RELAY_SYNC, CLUSTER_READ_ONLY),
    settings=(
        "sync_source_info",
        "sync_master_info",
        "relay_log_recovery",
        "relay_log_info_repository",
    ),
    applies_to=(mysql("5.6"), mariadb("10.0")),
    major=True,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Ask for few syncs of a log that can be fetched again."""
    often = [each for each in _both(facts) if 0 < each.number < SELDOM]
    timed = facts.find(WATCH_RELAY_SYNC)
    card = facts.card(
        f"The receiver syncs its relay log after {_events(facts.now)}.",
        _few(often or [facts.now]),
        confidence=Confidence.MEDIUM if timed is None else Confidence.HIGH,
        valid="For a replica whose source keeps its binary log.",
    )
    if not often:
        return card.fine("Fine as it is: most events cost the receiver no sync.")
    set_to = listed([f"{each.name} is {each.value}" for each in often])
    card = card.but(
        saw=f"The receiver syncs after few events: {set_to}.{_took(timed)}",
        setting=often[0].name,
        now=often[0].now,
    )
    read_only = facts.find(CLUSTER_READ_ONLY)
    replica = timed is not None or (read_only is not None and read_only.on)
    propose = card.recommend if replica else card.consider
    safe = listed([f"{each.name} = {value}" for each, value in _safe(facts)])
    return propose(
        _made(facts, often),
        effect="The receiver no longer waits for a sync at each event, and the applier's commits "
        "no longer wait behind those. sync_binlog and the syncs of commits stay as they are.",
        risk="Low: after a crash the replica fetches its relay log again, which its source has to "
        f"keep.{f' {safe} has to be set as well.' if safe else ''}",
        cost_of_error="A relay log that is fetched again after a crash.",
    )


def _both(facts: Facts) -> Iterator[Standing]:
    """The relay log's setting, and the one for the place in the source's log, by its newer name."""
    yield facts.now
    place = next((each for name in PLACES if (each := facts.find(name)) is not None), None)
    if place is not None:
        yield place


def _few(often: list[Standing]) -> Condition:
    worst = min(often, key=lambda each: each.number or float("inf"))
    return At(worst.name, worst.number, the=False, below=SELDOM, say=number())


def _events(now: Standing) -> str:
    if not now.number:
        return "no event: the kernel writes it when it likes"
    return "every event" if now.number == 1 else f"{now.value} events"


def _took(timed: CallTime | None) -> str:
    if timed is None:
        return ""
    busy = min(1.0, timed.per_s.value * timed.latency_us.value / 1e6)
    return (
        f" There are {rate(timed.per_s.value, 'syncs')} of {duration_us(timed.latency_us.value)}, "
        f"{timed.source}: the receiver spends {percent(busy)} of its time in them."
    )


def _safe(facts: Facts) -> list[tuple[Standing, str]]:
    """What has to be so before the relay log may be lost, where it is not."""
    recovery, repository = facts.find(RECOVERY), facts.find(REPOSITORY)
    needed = []
    if recovery is not None and not recovery.on:
        needed.append((recovery, "ON"))
    if repository is not None and repository.value.upper() != "TABLE":
        needed.append((repository, "TABLE"))
    return needed


def _made(facts: Facts, often: list[Standing]) -> Change:
    """Set all of them to the default, after what makes that safe."""
    safe = _safe(facts)
    first = (*safe, *((each, WANTED) for each in often[1:]))
    # A running replica refuses another repository (error 1198): a start takes it from the file.
    moved = any(each.name == "relay_log_info_repository" for each, _ in safe)
    return change(facts.version, often[0], WANTED, first=first, dynamic=False if moved else None)
