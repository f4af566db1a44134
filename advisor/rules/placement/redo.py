"""Place of the redo log.

## What it checks
Whether the redo log lies on the data's drive, and whether commits get slower there while pages are
flushed; on a drive of its own, whether that one syncs slower than the data's.

## Why it matters
A commit waits for one small sync of the redo log. On the same drive background flushing sends
batches of pages, and the sync queues behind them. On some drives that doubles the time of a commit,
on others it makes no difference: only a measurement shows it. A drive of its own that syncs slowly,
such as the disks that stayed when the data moved to flash, costs each commit what it takes longer.

## How it is judged
- On different drives, where commits wait for its syncs, and these take 1 ms or more and at least
  twice as long (our choices) as syncs on the data's drive: that one is proposed. What a sync takes
  there is what the server's own of the binary log take, where that lies there, else what flushes of
  the device take, else what was measured, where the drive is busy less than half of the time (our
  choice). Never one that a cloud empties when the machine stops.
- Else on different drives: fine. Where both are volumes of a cloud, which are paid for one by one,
  and each is busy less than a fifth of the time (our choice): watch, one of them would do for both.
  Drives that the cloud lends with the machine are no such volumes.
- `innodb_flush_log_at_trx_commit` 0 or 2, so that commits don't sync it:
  fine.
- The server's own syncs of redo take less than 0.2 ms beside its page writes (our choice): fine.
- Mixed points measure commits without flushing and beside rates of it. The level is the highest
  measured rate that the server's own (`Innodb_pages_written` per second) reaches.
- `slower` = the median or p99 of commits there / without flushing. From 1.25 on, by 0.2 ms or more
  (our choices), and not by chance, it counts. Slower at the server's own rate: a drive for redo.
  Slower at rates that the server does not reach: fine. Slower at lower rates alone, or the server's
  rate is not known: watch. Not slower: fine.
- While the volume's limit on requests or bytes is to be raised, this waits: it may be what slows
  commits down. It also waits while another pool or a larger redo log is proposed: the server writes
  another number of pages then.
- Without mixed points: the server's own syncs take less than 1 ms, or the drive is busy less than
  half of the time: fine. Else watch.

## How to check by hand
`iostat -x 1` while commits are slow: `w_await` of the data's drive grows with its `wkB/s`.

## Risk and undo
The redo log must be on storage that is as safe as the data's: if it is lost, the data is lost too.
A clean stop, a copy and a start; the way back is the same.

## When it is wrong
When the other drive syncs slower than this one, or once it has the log's syncs beside its own
requests: measure it first. Two partitions or two volumes of
one array are one drive; two virtual drives may share one, too, which the machine can't see.

## References
- D. Kravtchuk, "8.0 GA and IO-bound TPCC", on redo and page writes
- MySQL reference manual, innodb_log_group_home_dir
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_PLATFORM
from advisor.facts.server.status import status
from advisor.facts.server.storage import STORAGE_EPHEMERAL
from advisor.facts.server.variables import variable
from advisor.facts.watched.drive import WATCH_DATA_DEVICE, WATCH_REDO_DEVICE
from advisor.facts.watched.placement import MIXED_COMMITS, REDO_PLACE_SEEN, STORAGE_REDO_APART
from advisor.facts.watched.sync_cost import REDO_SYNC_COST, RELAXED
from advisor.rulekit import Answer, At, Facts, Knowledge, Stakes, rule
from advisor.rulekit.host_change import one_line
from advisor.rules.placement._commit_neighbours import Neighbours
from advisor.rules.placement._data_drive import MOVE_USES, to_data_drive
from advisor.rules.placement._log import MEASURE_FIRST, Log, judge_apart
from advisor.rules.placement._log_place import judge_place
from advisor.rules.placement._watched_log import USES
from advisor.variables.standing import Standing
from advisor.workload.commit_waits import PARTS
from probes.figures import percent
from probes.inventory.facts import Role
from probes.trust.provisioned import cloud_of
from probes.watch.watched import Device
from probes.watch.words import FileRole

SETTING = "innodb_log_group_home_dir"
IDLE = 0.2

WAITS_FOR = ("cloud.request-limit", "cloud.throughput-limit", "buffer-pool.size", "redo.capacity")


@rule(
    topic="Placement",
    do="Measure commits beside flushing before you move the redo log",
    needs=(STORAGE_REDO_APART, REDO_PLACE_SEEN),
    uses=(
        MIXED_COMMITS,
        *PARTS,
        *USES,
        *(each for each in MOVE_USES if each not in {STORAGE_REDO_APART, *USES}),
        status("Innodb_pages_written"),
        variable(SETTING),
        HOST_PLATFORM,
        WATCH_REDO_DEVICE,
    ),
    settings=(SETTING,),
    findings=("F37", "F38"),
    waits_for=WAITS_FOR,
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Ask for a drive for redo where flushing is seen to slow commits down."""
    log = _redo(facts.find(variable(SETTING)))
    commit = facts.find(variable("innodb_flush_log_at_trx_commit"))
    synced = commit is None or commit.value not in RELAXED
    if facts.get(STORAGE_REDO_APART):
        moved = to_data_drive(facts, log, despite=WAITS_FOR) if synced else None
        return moved or _paid_for(facts) or judge_apart(facts, log)
    mixed, cost = facts.find(MIXED_COMMITS), facts.find(REDO_SYNC_COST)
    written = facts.find(status("Innodb_pages_written"))
    return judge_place(
        facts,
        log,
        None if mixed is None else Neighbours(mixed, written),
        None if cost is None else cost.own,
        synced=synced,
    )


def _paid_for(facts: Facts) -> Answer | None:
    """Ask whether a volume that is paid for brings anything; None where it may, or is free."""
    platform = facts.find(HOST_PLATFORM)
    data, redo = facts.find(WATCH_DATA_DEVICE), facts.find(WATCH_REDO_DEVICE)
    if platform is None or not cloud_of(platform) or data is None or redo is None:
        return None
    if not {Role.DATA, Role.REDO}.isdisjoint(facts.find(STORAGE_EPHEMERAL) or ()):
        return None
    both = _idle("data", data) & _idle("redo log", redo)
    if data.name == redo.name or not both:
        return None
    return facts.card(
        f"The redo log has a volume of its own: {redo.name} is busy {percent(redo.busy.value)} of "
        f"the time, the data's {data.name} {percent(data.busy.value)}.",
        both,
        stakes=Stakes.HOUSEKEEPING,
        because="Both volumes were watched; a busier hour was not seen.",
        valid="While the load is like that of the watch.",
    ).watch(
        "The data's volume would hardly notice its syncs, and the other one could be given back. "
        "Be sure first: a week of watches, then commits measured beside flushing on the data's "
        "volume.",
        cost_of_error="Two restarts, and commits that wait behind page writes.",
    )


def _idle(whose: str, device: Device) -> At:
    name = f"share of the time that the volume of the {whose} is busy"
    return At(name, device.busy, below=IDLE, say=percent)


def _redo(directory: Standing | None) -> Log:
    before = "" if directory is None else one_line(directory.now)
    back = f"set {SETTING} back to {before}" if before else f"take {SETTING} out"
    return Log(
        name="redo log",
        role=FileRole.REDO,
        useless="A drive for redo alone would not make commits faster.",
        risk="The other drive must be as safe as the data's: without redo the data is lost. It "
        "needs a restart.",
        side_effects="Two drives to keep safe instead of one.",
        steps=(
            MEASURE_FIRST,
            "Make a directory of the server's own user there, and allow it in AppArmor's or "
            "SELinux' rules for the server where the system has them.",
            "Stop the server cleanly (innodb_fast_shutdown = 1).",
            "Copy the redo files (#innodb_redo, or ib_logfile* of older servers) to it.",
            f"Set {SETTING} to that directory in the option file.",
            "Start the server, look for its files there, then delete the old ones.",
        ),
        undo=(f"Stop the server cleanly, copy the redo files back, {back}, start.",),
        verify=f"SELECT @@{SETTING}; then measure commits again.",
    )
