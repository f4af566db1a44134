"""A case as it would be once a plan is carried out, for the rules to look at again.

What is carried over: the machine and its drives with all that was measured, the data, how fast the
redo log grows (a server that waits less writes more: at least that fast), commits, connections,
tables, and how long the server's own syncs take.

What follows from a change: the values as the server would show them, what it would derive from them
at its next start, the lines of its option files, the memory that a larger pool takes and smaller
buffers give back, the redo log's size. A pool that holds all data has no misses, and no query waits
there for a free page.

A smaller pool that has room for every page which it ever held loses none, and has as many misses.
A redo log that holds an hour before and after lets pages be written as they are.

What becomes unknown: after another size of the pool or of the redo log, or a lower limit on
flushing, the pages that are written, how many are dirty, the checkpoint age, and what a read takes
beside that; after another size of the pool also how many pages were never used, and its misses,
where data is still left outside; after another way of opening files, what the page cache answers.
Rules that need these are silent then, until someone looks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from advisor.case import Case
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.plan.target import machine_of, same
from advisor.plan.writing import persistable
from advisor.rulekit.facts import Facts, FactSource
from advisor.steps import RemoveLine, SetVariable
from advisor.target_config.unsettled import (
    CAPACITY,
    POOL,
    Unsettled,
    pool_sizes,
    unsettled_by,
)
from advisor.variables.defaults import default
from advisor.workload.flushing.asked import flushing_asked
from advisor.workload.flushing.load import hardly_writes
from advisor.workload.pool.held import held
from advisor.workload.pool.room import OVERHEAD
from advisor.workload.pool.sessions import sessions_take
from probes.inventory.facts import (
    PERSISTED,
    HostFacts,
    Inventory,
    MySQLFacts,
    StatusWindow,
    Variable,
)
from probes.inventory.option_files import OptionFile, OptionFileLine, OptionFiles, understood
from probes.inventory.server_process import ServerProcess
from probes.watch.watched import StatusSeries, Watched
from probes.watch.words import FileRole

OWN_FILE = "/etc/mysql/conf.d/zz-leadline.cnf"
"""Where the plan's own lines are taken to stand."""

_READS = (
    "Innodb_buffer_pool_reads",
    "Innodb_buffer_pool_read_ahead",
    "Innodb_buffer_pool_read_ahead_rnd",
    "Innodb_buffer_pool_read_ahead_evicted",
    "Innodb_buffer_pool_wait_free",
    "Innodb_pages_read",
    "Innodb_data_reads",
)
"""Counters of what a pool lacks: they stand still where it holds all data."""

_WRITTEN = "Innodb_pages_written"
_WRITES = (
    _WRITTEN,
    "Innodb_data_writes",
    "Innodb_dblwr_writes",
    "Innodb_dblwr_pages_written",
    "Innodb_buffer_pool_pages_dirty",
    "Innodb_checkpoint_age",
    "Innodb_checkpoint_max_age",
    "Innodb_redo_log_checkpoint_lsn",
    "Innodb_lsn_last_checkpoint",
    "Innodb_log_waits",
    "Threads_running",
)
"""What the status shows of the present load, and would show of the one to come."""

_FILLED = ("Innodb_buffer_pool_pages_free", "Innodb_buffer_pool_pages_total")
"""How full the pool is: what was never used stays so until the pool is another."""

LOAD_AHEAD = "the buffer pool, the redo log or the pace of flushing is about to become another"


def carried_out(case: Case, plan: ChangePlan) -> Case:
    """Make the case after a plan; the machine's own steps leave it as it is."""
    mysql = case.inventory.mysql
    if mysql is None or mysql.sandbox:
        return case
    unsettled = unsettled_by(case, plan)
    variables = _variables(case, mysql, plan)
    after = _loaded(case, plan, variables, unsettled)
    if not unsettled.writes:
        return after
    asked = flushing_asked(Facts(FactSource(case)))
    # A lower pace alone makes no load that would ask for more than this one.
    grows = unsettled.pool or unsettled.redo
    return replace(after, load_ahead=LOAD_AHEAD, flushing_asked=asked and grows)


def load_forgotten(case: Case, plan: ChangePlan) -> Case:
    """Make the case with the settings of now, and what a plan makes unknown of its load.

    What is recommended of this one is recommended for want of figures, not for the plan's sake.
    """
    mysql = case.inventory.mysql
    if mysql is None or mysql.sandbox:
        return case
    return _loaded(case, ChangePlan(plan.target), mysql.variables, unsettled_by(case, plan))


def _loaded(
    case: Case, plan: ChangePlan, variables: Mapping[str, Variable], unsettled: Unsettled
) -> Case:
    inventory, mysql = case.inventory, case.inventory.mysql
    if mysql is None:
        return case
    gone = _unknown(case, unsettled)
    server = replace(mysql, variables=variables)
    grows = _grows(case, server)
    return replace(
        case,
        inventory=replace(
            inventory,
            mysql=replace(
                server,
                window=_window(server, plan, unsettled, gone),
                innodb_status=None if unsettled.any else mysql.innodb_status,
            ),
            host=_host(inventory.host, grows),
            server_process=_process(inventory.server_process, grows),
            option_files=_files(inventory, plan),
            watched=_watched(inventory.watched, unsettled, gone),
        ),
    )


def _variables(case: Case, mysql: MySQLFacts, plan: ChangePlan) -> dict[str, Variable]:
    """The values with where each comes from, as after the next start."""
    machine = machine_of(case)
    before = {name: each.value for name, each in mysql.variables.items()}
    known = any(each.origin for each in mysql.variables.values())
    shown = dict(mysql.variables)
    derived = [
        name
        for name, each in shown.items()
        if each.origin in {"", "COMPILED", "AUTO"}
        and (usual := default(mysql.version, name, machine, before)) is not None
        and same(usual, each.value)
    ]
    set_now: set[str] = set()
    for action in plan.of(Group.MACHINE, Group.ONLINE, Group.RESTART):
        match action.step:
            case SetVariable() as step:
                origin = _origin(mysql, action, step) if known else ""
                shown[step.name] = Variable(step.name, action.shows, origin)
                set_now.add(step.name)
            case RemoveLine() as step if step.name in shown and step.name not in set_now:
                derived.append(step.name)
                shown[step.name] = replace(shown[step.name], origin="COMPILED" if known else "")
    values = {name: each.value for name, each in shown.items()}
    for name in derived:
        if name in set_now or name not in shown:
            continue
        value = values.pop(name)
        usual = default(mysql.version, name, machine, values)
        if usual is not None:
            shown[name] = replace(shown[name], value=usual)
        values[name] = value if usual is None else usual
    return shown


def _origin(mysql: MySQLFacts, action: Action, step: SetVariable) -> str:
    if not action.written:
        return "COMPILED"
    kept = action.group is Group.ONLINE and persistable(mysql.version, step.name)
    return PERSISTED if kept else OWN_FILE


def _files(inventory: Inventory, plan: ChangePlan) -> OptionFiles | None:
    """The lines without those that the plan replaces or takes out, and with its own."""
    files, mysql = inventory.option_files, inventory.mysql
    if files is None or mysql is None or files.because:
        return files
    written = plan.written(Group.ONLINE, Group.RESTART)
    settings = {step.name: action for action, step in plan.settings(Group.ONLINE, Group.RESTART)}
    removed = {action.step.name for action in plan.actions if isinstance(action.step, RemoveLine)}
    if not settings and not removed:
        return files
    known = mysql.variables.keys() | settings.keys()
    kept = [
        line
        for line in files.lines
        if understood(line.written, known).name not in settings.keys() | removed
    ]
    own = [
        OptionFileLine(
            OWN_FILE, number, "mysqld", step.name, action.shows, f"{step.name} = {action.shows}"
        )
        for number, (action, step) in enumerate(written, 2)
        if not (action.group is Group.ONLINE and persistable(mysql.version, step.name))
    ]
    of_own = (OptionFile(OWN_FILE),) if own else ()
    return replace(files, files=(*files.files, *of_own), lines=(*kept, *own))


def _host(host: HostFacts | None, grows: float | None) -> HostFacts | None:
    """The machine, with the memory that the pool takes or gives back."""
    if host is None or host.memory_available_bytes is None or grows is None:
        return host
    left = host.memory_available_bytes - grows
    return replace(host, memory_available_bytes=max(0, int(left)))


def _process(process: ServerProcess | None, grows: float | None) -> ServerProcess | None:
    """The server's process, without the memory that a smaller pool or buffers give back."""
    if process is None or process.resident_bytes is None or grows is None:
        return process
    return replace(process, resident_bytes=max(0, int(process.resident_bytes + min(0.0, grows))))


def _grows(case: Case, after: MySQLFacts) -> float | None:
    """By how many bytes the server takes more of the memory; None where a size is not known.

    A smaller pool gives back what it holds: pages that were never used are none of it. Smaller
    buffers of sessions that were why memory is short give back what is missing: how much more they
    would, the next look shows.
    """
    facts = Facts(FactSource(case))
    taken, sessions = sessions_take(facts), 0.0
    if taken is not None and all(
        (after.number(one.standing.name) or math.inf) <= one.enough for one in taken.buffers
    ):
        sessions = taken.short.missing
    before = case.inventory.mysql
    was, becomes = None if before is None else before.number(POOL), after.number(POOL)
    if was is None or becomes is None:
        return None
    if becomes >= was:
        return OVERHEAD * (becomes - was) - sessions
    return OVERHEAD * min(0.0, becomes - held(facts, was)) - sessions


def _unknown(case: Case, unsettled: Unsettled) -> set[str]:
    """What the status no longer shows; a server that hardly writes goes on so."""
    if not unsettled.writes:
        return set()
    idle = hardly_writes(Facts(FactSource(case)))
    return set(_WRITES) - ({_WRITTEN} if idle else set())


def _window(
    server: MySQLFacts, plan: ChangePlan, unsettled: Unsettled, unknown: set[str]
) -> StatusWindow | None:
    window = server.window
    if window is None:
        return None
    gone = set(unknown)
    still: dict[str, str] = {}
    if unsettled.pool:
        gone.update(_FILLED)
        if _holds_all_data(server):
            still = {name: window.before[name] for name in _READS if name in window.before}
        else:
            gone.update(_READS)
    else:
        still = _less_unused(window, plan)
    capacity = _capacity(plan)
    if capacity:
        still["Innodb_redo_log_capacity_resized"] = capacity
    before, after = (
        {name: value for name, value in sample.items() if name not in gone} | still
        for sample in (window.before, window.after)
    )
    return replace(window, before=before, after=after)


def _less_unused(window: StatusWindow, plan: ChangePlan) -> dict[str, str]:
    """The pages of a pool that becomes smaller by some that never held any."""
    free, total = (window.gauge(name) for name in _FILLED)
    now, then = pool_sizes(step for _, step in plan.settings(Group.ONLINE, Group.RESTART))
    if free is None or total is None or then >= now:
        return {}
    left = total * then / now
    return dict(zip(_FILLED, (f"{max(0.0, free - total + left):.0f}", f"{left:.0f}"), strict=True))


def _holds_all_data(server: MySQLFacts) -> bool:
    pool, data = server.number(POOL), server.innodb_files_bytes
    return pool is not None and data is not None and pool >= data


def _capacity(plan: ChangePlan) -> str:
    settings = plan.settings(Group.ONLINE, Group.RESTART)
    return next((action.shows for action, step in settings if step.name == CAPACITY), "")


def _watched(watched: Watched | None, unsettled: Unsettled, unknown: set[str]) -> Watched | None:
    """What was seen of the server's own work: its commits and their syncs go on as they were."""
    if watched is None or not unsettled.any:
        return watched
    gone = set(unknown)
    if unsettled.pool:
        gone.update(_FILLED)
    if unsettled.pool or unsettled.opening:
        gone.update(_READS)
    return replace(
        watched,
        status=_without(watched.status, gone),
        files=tuple(each for each in watched.files if each.role not in _OF_PAGES),
        machine=None,
        pages=None,
        over_time=None,
    )


_OF_PAGES = {FileRole.DATA, FileRole.SYSTEM, FileRole.DOUBLEWRITE, FileRole.UNDO, FileRole.TEMP}


def _without(series: StatusSeries, gone: Iterable[str]) -> StatusSeries:
    names = set(gone)
    return replace(
        series, values={name: each for name, each in series.values.items() if name not in names}
    )
