"""All that is settled before anything is measured: inventory, directories, tables, plan."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

from advisor.runs.events import (
    CheckEvent,
    InventoryTaken,
    PlanMade,
    Progressed,
    Stage,
    StageStarted,
    WatchGrew,
)
from advisor.runs.link import Link
from advisor.runs.requests import NO_TABLE, Request
from probes.boundary.malformed import Malformed
from probes.cancel import CancelToken
from probes.errors import SandboxFailed, UsageError
from probes.events import Warned
from probes.figures import seconds
from probes.inventory.ask import Glimpse, ask, window_left_s
from probes.inventory.container import container_answer
from probes.inventory.facts import Inventory, Missing, RawInventory, Role
from probes.inventory.read import read
from probes.inventory.stated_machine import stated_answer
from probes.kinds.kind import Kind
from probes.mysql.existing_table import existing_table
from probes.mysql.work import MySQLWork
from probes.plans.build.buffers import choose_buffers
from probes.plans.build.builtin import make_plan
from probes.plans.describe import describe
from probes.plans.directory import probe_directory
from probes.plans.plan import Plan
from probes.plans.spend.affordable import check_affordable
from probes.plans.spend.endurance import held_to_endurance, rated_bytes
from probes.plans.spend.expected import timed
from probes.plans.spend.space import fit_space
from probes.points import SERVER_PROBES
from probes.sandbox.sandbox import find_server
from probes.targets.address import TargetKind, TargetSpec
from probes.targets.this_computer import require_lookups
from probes.watch.machine_series import TRACE
from probes.watch.reading.whole import read_glimpse

OWN_TABLE_BYTES = 64 << 20
"""What a table of Leadline's own takes on a running server: little of its buffer pool."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known and decided by then; ``existing`` is a table of the server's own."""

    raw: RawInventory
    inventory: Inventory
    directory: str
    plan: Plan
    existing: MySQLWork | None


def prepare(
    link: Link, request: Request, token: CancelToken, shown_s: float | None = None
) -> Generator[CheckEvent, None, Prepared]:
    """Take the inventory and make the plan; raises LeadlineError.

    ``shown_s`` is the status window that the plan's text counts in, where it is not the request's.
    """
    yield from link.notes
    directory = directory_for(link, request.target)
    raw = yield from take_inventory(
        link,
        directory,
        request.window_s,
        token,
        trace=request.trace,
        sudo=request.target.sudo,
    )
    inventory = read(raw)
    yield InventoryTaken(inventory)
    yield StageStarted(Stage.PLAN, "Making the plan.")
    existing = yield from _existing(link, request)
    plan = _plan(link, request, inventory, directory, existing)
    waits_s = request.window_s if shown_s is None else shown_s
    inventory_s = waits_s if link.mysql is not None else 0.0
    endurance_bytes = _endurance_bytes(inventory)
    lines = describe(plan, inventory_s=inventory_s, endurance_bytes=endurance_bytes)
    yield PlanMade(plan, lines, inventory_s)
    return Prepared(raw, inventory, directory, plan, existing)


def take_inventory(
    link: Link,
    directory: str,
    window_s: float,
    token: CancelToken,
    *,
    trace: bool = False,
    sudo: bool = False,
    whole: bool = False,
    enough: CancelToken | None = None,
) -> Generator[CheckEvent, None, RawInventory]:
    """Ask for everything, watching the server for ``window_s``; ``trace``: by the kernel too.

    ``sudo``: through ``sudo -n``, where the account is not root.
    ``whole``: nothing comes after it, so that its progress is the run's. ``enough`` ends the
    watching, once it is raised, with what was seen.
    """
    text = "Reading the inventory"
    if link.mysql is not None and window_s:
        text += f" and watching the server's counters for {seconds(window_s)}"
        if trace and sudo:
            text += ", as root by `sudo -n`"
    yield StageStarted(Stage.INVENTORY, f"{text}.")
    asking = ask(
        link.machine,
        link.mysql,
        directory=directory,
        window_s=window_s,
        trace=trace,
        sudo=sudo,
        live=whole,
        token=token,
        enough=enough,
    )
    while True:
        try:
            share = next(asking)
        except StopIteration as end:
            raw: RawInventory = end.value
            refused = next((one.because for one in raw.missing if one.fact == TRACE), "")
            if refused:
                yield Warned("no_trace", f"{refused[:1].upper()}{refused[1:]}.")
            stated = {} if link.stated is None else stated_answer(link.stated)
            engine = {} if link.container is None else container_answer(link.container)
            return replace(raw, answers={**raw.answers, **stated, **engine})
        if isinstance(share, Glimpse):
            yield from _grown(share)
        if whole:
            yield Progressed(share, window_left_s(share, window_s))


def _grown(glimpse: Glimpse) -> Iterator[WatchGrew]:
    """What it shows; damaged answers are named when the window has ended."""
    try:
        seen = read_glimpse(glimpse.answers)
    except Malformed:
        return
    if seen.watched is not None:
        unseen = (Missing(f"watch.{what}", because) for what, because in seen.missing)
        yield WatchGrew(seen.watched, (*glimpse.missing, *unseen))


def directory_for(link: Link, spec: TargetSpec) -> str:
    """Where storage probes write; "" when the server's machine can't be reached."""
    if spec.kind is TargetKind.MYSQL:
        return ""
    datadir: str | None = None
    if link.mysql is not None:
        datadir = link.mysql.value("@@datadir")
    return probe_directory(link.target, spec.directory, datadir)


def _redo_directory(link: Link, request: Request, inventory: Inventory) -> str:
    """One on the drive of the server's redo log; "" where that is the data's, or the user chose."""
    data, redo = inventory.role(Role.DATA), inventory.role(Role.REDO)
    if link.machine is None or request.target.directory or data is None or redo is None:
        return ""
    if not redo.mount_point or redo.mount_point == data.mount_point:
        return ""
    return probe_directory(link.target, "", redo.resolved_path or redo.path)


def _existing(link: Link, request: Request) -> Generator[CheckEvent, None, MySQLWork | None]:
    if link.mysql is None or request.table == NO_TABLE:
        return None
    work = existing_table(link.mysql, request.table)
    elsewhere = request.own_schema or request.sandbox
    if work is None and Kind.MYSQL in request.kinds and not elsewhere:
        yield Warned(
            "no_table",
            "Primary-key lookups are left out: this account may read no InnoDB table with a single "
            "integer primary key. Measure a throwaway server instead with --sandbox.",
        )
    return work


def _plan(
    link: Link,
    request: Request,
    inventory: Inventory,
    directory: str,
    existing: MySQLWork | None,
) -> Plan:
    _refuse(link, request)
    plan = make_plan(
        request.plan,
        directory=directory,
        redo_directory=_redo_directory(link, request, inventory),
        kinds=request.kinds,
        working_sets=_working_sets(request, existing),
        sandbox=request.sandbox and Kind.MYSQL in request.kinds,
        max_connections=None if request.sandbox else _spare_connections(inventory),
        wishes=request.wishes,
        buffers=choose_buffers(inventory, request.wishes.buffers),
        pages_written_per_s=_pages_written_per_s(inventory),
    )
    if request.own_schema:
        plan = timed(replace(plan, table_bytes=OWN_TABLE_BYTES))
    plan = replace(
        _guarded(plan, link, request, existing),
        watch_pids=_server_pids(link, inventory),
        watch_directories=_server_directories(link, request, inventory, directory),
    )
    if not plan.steps:
        raise _nothing_to_measure(link)
    plan = held_to_endurance(plan, _endurance_bytes(inventory))
    storage = inventory.role(Role.PROBE)
    if storage is not None and storage.free_bytes is not None and storage.size_bytes is not None:
        plan = fit_space(
            plan,
            free_bytes=storage.free_bytes,
            size_bytes=storage.size_bytes,
            wished_bytes=request.wishes.room_bytes,
        )
    check_affordable(plan)
    return plan


def _nothing_to_measure(link: Link) -> UsageError:
    if link.mysql is None:
        return no_server(link, "Name one with --mysql, or use --sandbox.")
    return UsageError(
        "There is nothing to measure.",
        "Name a table for the server's probes, or use --own-schema or --sandbox; the drive's need "
        "the server's machine.",
    )


def no_server(link: Link, advice: str = "Name one with --mysql.") -> UsageError:
    """What to say where a server is needed and there is none."""
    otherwise = "none was found in the usual places"
    if link.notes:
        otherwise = "the one that was found can't be asked"
    return UsageError(f"No MySQL server was named, and {otherwise}.", advice)


def _endurance_bytes(inventory: Inventory) -> float | None:
    """What the drive under the probe's directory is rated to take, where its model shows it."""
    storage = inventory.role(Role.PROBE)
    return None if storage is None else rated_bytes(storage.disks)


def _refuse(link: Link, request: Request) -> None:
    if request.sandbox and link.machine is None:
        raise UsageError(
            "A throwaway server needs the server's machine, and only MySQL can be reached.",
            "Leave out --sandbox, or name the machine as ssh://...",
        )
    if request.sandbox and find_server(link.target) is None:
        raise SandboxFailed(
            f"No mariadbd or mysqld was found on {link.target.name}.",
            "Install mariadb-server or mysql-server there, or measure without --sandbox.",
        )
    if link.machine is None:
        require_lookups()
    if request.own_schema and link.mysql is None:
        raise UsageError(
            "A schema of Leadline's own needs a server, and none was named or found.",
            "Name one with --mysql, or use --sandbox.",
        )


def _working_sets(request: Request, existing: MySQLWork | None) -> tuple[str, ...]:
    if request.sandbox:
        return ("cached", "uncached")
    if request.own_schema:
        return ("own",)
    return ("existing",) if existing is not None else ()


def _guarded(plan: Plan, link: Link, request: Request, existing: MySQLWork | None) -> Plan:
    """The plan with its guard where there is a live server to watch over, else without."""
    if plan.guard is None:
        return plan
    if link.mysql is None or link.machine is None:
        return replace(plan, guard=None)
    if existing is not None:
        return plan
    warning = (
        "The server is not watched while its drive is measured: that takes an InnoDB table with "
        "a single integer primary key that this account may read."
    )
    if request.own_schema and all(step.setting.probe in SERVER_PROBES for step in plan.steps):
        return plan
    # A table of Leadline's own is there only while the server itself is measured.
    guard = plan.guard if request.own_schema else None
    return replace(plan, guard=guard, warnings=(*plan.warnings, warning))


def _server_directories(
    link: Link, request: Request, inventory: Inventory, directory: str
) -> tuple[str, ...]:
    """Where the server that is asked keeps its data, as far as its machine is at hand."""
    if link.machine is None:
        return ()
    if request.sandbox:
        return (directory,)
    data = inventory.role(Role.DATA)
    return () if data is None else (data.resolved_path or data.path,)


def _server_pids(link: Link, inventory: Inventory) -> tuple[int, ...]:
    """The asked server's process, as far as the inventory found it on its machine."""
    process = inventory.server_process
    return () if link.mysql is None or process is None else (process.pid,)


def _pages_written_per_s(inventory: Inventory) -> float | None:
    """What the server flushed while it was watched."""
    window = None if inventory.mysql is None else inventory.mysql.window
    return None if window is None else window.per_s("Innodb_pages_written")


def _spare_connections(inventory: Inventory) -> int | None:
    """Half of the connections that the server has left: its users come first."""
    if inventory.mysql is None:
        return None
    limit = inventory.mysql.number("max_connections")
    window = inventory.mysql.window
    used = window.gauge("Threads_connected") if window is not None else None
    return None if limit is None else max(1, int(limit - (used or 0)) // 2)
