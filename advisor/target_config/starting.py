"""A starting configuration for a server that is not there yet, on a machine that was measured.

The same rules judge the same facts: the drive as measured, memory and processors as they are or as
stated. What no machine can show, the load, is assumed, and named. A server of the wanted version
with its defaults stands in the case; what is recommended to it is the configuration.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.facts.machine.host import day_of
from advisor.judging.agenda import changes_asked
from advisor.judging.over_draws import judge
from advisor.knowledge.support_ends import ended, support_ends
from advisor.outcomes import Recommendation
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.steps import Needs, Procedure, SetVariable
from advisor.target_config.configuration import TargetConfiguration, configure
from advisor.upgrade.releases import newer_than_known, series_name
from advisor.variables.catalogue import MYSQL, SETTINGS, span
from advisor.variables.defaults import Machine, default
from probes import figures
from probes.errors import UsageError
from probes.inventory.facts import (
    HostFacts,
    Inventory,
    MySQLFacts,
    Role,
    StatusWindow,
    Storage,
    Variable,
)
from probes.version import ServerVersion

MIB, GIB = 1 << 20, 1 << 30

LEAST_MEMORY_BYTES = 512 * MIB
"""Below this, a server of today with its own defaults swaps. Our choice."""

TIMES_THE_MEMORY = 4
"""The data that is assumed, as a multiple of the memory. Our choice."""

MISSES_PER_S = 1000.0
"""Requests that miss the pool that a server has by default: busy on any drive. Our choice."""

REDO_PER_CPU_PER_S = 120 << 10
"""What each processor adds to the redo log. An hour of it is what MySQL itself sizes the log for
with innodb_dedicated_server from 8.0.30 on: half a GiB for each processor."""

FREE_FOR_A_POOL = 0.85
"""The share of the memory that has to be free for a pool of three quarters of it."""

LOAD_AHEAD = "no server has run here yet"
HOW = "Start the server with these lines and let its usual load run for an hour."

_WINDOW_S = 60.0

_OWN_REASONS = {
    "innodb_buffer_pool_size": "What is read again and again stays in memory; the rest of the "
    "memory is for connections and the system.",
    "innodb_flush_method": "Pages are cached in the buffer pool alone, not by the kernel as well.",
}
"""Where a rule's own reason is a figure of the load, which is assumed here."""


@dataclass(frozen=True, slots=True)
class StartingConfiguration:
    """What a new server should start with.

    ``plan`` holds the settings and the machine's part; the notes of a setting are its reason.
    ``known`` and ``assumed`` are sentences: what it rests on, and what nobody has measured.
    """

    title: str
    plan: ChangePlan
    known: tuple[str, ...]
    assumed: tuple[str, ...]


def starting_configuration(
    case: Case,
    version: ServerVersion,
    memory_bytes: int | None = None,
    *,
    without: Collection[str] = (),
) -> StartingConfiguration:
    """Compute what a new server of ``version`` should start with on the case's machine.

    ``memory_bytes`` is the memory of the machine to come, None for this one's; the advice of the
    rules in ``without`` stays out. Raises UsageError where no drive was measured, or the memory is
    not known or too small.
    """
    if not case.usable:
        raise UsageError(
            "No drive was measured here, so there is nothing to base a starting configuration on.",
            "`leadline check` measures it first.",
        )
    host = _host(case.inventory.host, memory_bytes)
    new = replace(case, inventory=_inventory(case.inventory, host, version), load_ahead=LOAD_AHEAD)
    judgement = judge(new)
    wanted = [one for one in changes_asked(judgement) if one.rule not in without]
    made = configure(new, judgement, wanted, without=without)
    memory = figures.size(host.memory_bytes or 0)
    title = f"Starting configuration for a new {series_name(version)} with {memory}"
    known = tuple(_unsupported(case, version) + _known(case, host, stated=memory_bytes is not None))
    assumed = tuple(_assumed(host))
    about = (f"{title}.", *known, *(f"Assumed: {one}" for one in assumed))
    return StartingConfiguration(title, _plan(made, about), known, assumed)


def check_memory(memory_bytes: int) -> None:
    """Refuse a machine that is too small for a server; raises UsageError."""
    if memory_bytes < LEAST_MEMORY_BYTES:
        raise UsageError(
            f"{figures.size(memory_bytes)} of memory are too little for a server: it takes "
            f"{figures.size(LEAST_MEMORY_BYTES)} at least.",
            "Give the memory of its machine with its unit, as --memory 64G.",
        )


def _host(host: HostFacts | None, stated_bytes: int | None) -> HostFacts:
    """The machine as the new server finds it: its memory free, but for what others use now."""
    found = host or HostFacts()
    memory = stated_bytes or _free_for_a_server(found)
    if memory is None:
        raise UsageError("The machine's memory is not known.", "Give it with --memory, as 64G.")
    check_memory(memory)
    return replace(
        found, memory_bytes=memory, memory_available_bytes=memory, memory_limit_bytes=None
    )


def _free_for_a_server(host: HostFacts) -> int | None:
    usable, free = host.usable_memory_bytes, host.memory_available_bytes
    if usable is None or free is None or free >= FREE_FOR_A_POOL * usable:
        return usable
    return free


def _inventory(inventory: Inventory, host: HostFacts, version: ServerVersion) -> Inventory:
    measured = inventory.role(Role.PROBE) or inventory.role(Role.DATA)
    return replace(
        inventory,
        host=host,
        storage=_storage(measured),
        mysql=_server(host, version),
        missing=(),
        server_process=None,
        option_files=None,
        watched=None,
        told=None,
        container=None,
    )


def _storage(measured: Storage | None) -> tuple[Storage, ...]:
    """All of the server's files on the drive that was measured."""
    if measured is None:
        return ()
    return tuple(replace(measured, role=role) for role in (Role.PROBE, Role.DATA, Role.REDO))


def _server(host: HostFacts, version: ServerVersion) -> MySQLFacts:
    """A server with its version's defaults, under the load that is assumed."""
    machine = Machine(host.cpu.threads, host.memory_bytes)
    shown: dict[str, str] = {}
    for name in SETTINGS:
        usual = default(version, name, machine, shown) if span(version, name) else None
        if usual is not None:
            shown[name] = usual
    redo_per_s = REDO_PER_CPU_PER_S * (host.cpu.threads or 1)
    rates = {
        "Innodb_buffer_pool_reads": MISSES_PER_S,
        _redo_counter(version): redo_per_s,
    }
    before = dict.fromkeys(rates, "0")
    after = {name: str(round(rate * _WINDOW_S)) for name, rate in rates.items()}
    return MySQLFacts(
        version,
        {name: Variable(name, value, "COMPILED") for name, value in shown.items()},
        window=StatusWindow(_WINDOW_S, before, after),
        innodb_files_bytes=TIMES_THE_MEMORY * (host.memory_bytes or 0),
    )


def _redo_counter(version: ServerVersion) -> str:
    if version.is_mariadb:
        return "Innodb_lsn_current"
    new = version.at_least(MYSQL, 8, 0, 30)
    return "Innodb_redo_log_current_lsn" if new else "Innodb_os_log_written"


def _plan(made: TargetConfiguration, about: tuple[str, ...]) -> ChangePlan:
    """The plan as the option file of a server that has not started yet, each line with a reason."""
    by_rule = {one.rule: one for one in made.chosen}
    actions = [
        _with_reason(action, by_rule)
        for action in made.plan.changes
        if action.group is not Group.REBUILD
    ]
    actions.sort(key=lambda one: list(Group).index(one.group))
    look = Action(
        Group.LOOK,
        Procedure(
            "Check the server under its own load",
            (HOW, "Run `leadline check` on it: it is judged again, by its own figures."),
            needs=Needs.NOTHING,
        ),
        (),
    )
    return replace(made.plan, actions=(*actions, look), left_out=(), about=about)


def _with_reason(action: Action, by_rule: dict[str, Recommendation]) -> Action:
    step = action.step
    if not isinstance(step, SetVariable):
        return action
    reasons = [by_rule[rule] for rule in action.rules if rule in by_rule]
    notes = action.notes
    if reasons and step.value != step.standing.value:
        own = _OWN_REASONS.get(step.name)
        notes = (own,) if own else tuple(filter(None, (reasons[0].effect, reasons[0].formula)))
    return replace(
        action, group=Group.RESTART, step=replace(step, needs=Needs.RESTART), notes=notes
    )


def _unsupported(case: Case, version: ServerVersion) -> list[str]:
    """Say of a series that nobody knows it yet, or that its maker no longer supported it then."""
    if newer := newer_than_known(version):
        return [f"{version} is {newer}."]
    ends = support_ends(version)
    if ends is None or day_of(case) <= ends:
        return []
    return [ended(series_name(version), ends)]


def _known(case: Case, host: HostFacts, *, stated: bool) -> list[str]:
    memory = figures.size(host.memory_bytes or 0)
    now = "as given" if stated else "as far as it is free now" if _is_shared(case) else "as found"
    lines = [f"Memory: {memory}, {now}."]
    if host.cpu.threads:
        lines.append(f"Processors: {host.cpu.threads}.")
    drive = case.inventory.role(Role.PROBE) or case.inventory.role(Role.DATA)
    where = f" of {drive.path} ({drive.chain})" if drive is not None else ""
    lines.append(f"Drive: as measured{where}.")
    return lines


def _is_shared(case: Case) -> bool:
    host = case.inventory.host
    return host is not None and _free_for_a_server(host) != host.usable_memory_bytes


def _assumed(host: HostFacts) -> list[str]:
    data = figures.size(TIMES_THE_MEMORY * (host.memory_bytes or 0))
    redo = figures.throughput(REDO_PER_CPU_PER_S * (host.cpu.threads or 1))
    return [
        "the machine is the server's alone, and all of its files are on this drive.",
        f"there is more data than memory ({data}), and queries read some of it again and again.",
        f"in a busy hour {redo} of redo are written: what MySQL itself assumes of that many "
        "processors.",
    ]
