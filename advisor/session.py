"""The use cases that both fronts call."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.events import (
    CheckEvent,
    ConnectionReport,
    Finished,
    InventoryTaken,
    PlanMade,
    RunStarted,
    Stage,
    StageStarted,
)
from advisor.link import Link, linked
from advisor.measuring import Work, carry_out, recorded
from advisor.rules.engine import judge
from advisor.store.store import Store
from advisor.wording import duration_us
from probes.cancel import CancelToken
from probes.engines.mysql_work import MySQLWork
from probes.errors import SandboxFailed, UsageError
from probes.events import Warned
from probes.inventory.ask import ask
from probes.inventory.facts import Inventory, RawInventory, Role
from probes.inventory.read import read
from probes.mysql.existing_table import existing_table
from probes.plans.builtin import make_plan
from probes.plans.describe import describe
from probes.plans.directory import probe_directory
from probes.plans.plan import Plan, PlanName
from probes.plans.space import fit_space
from probes.sandbox.sandbox import find_server
from probes.targets.address import Prompts, TargetKind, TargetSpec

NO_TABLE = "-"
"""``CheckRequest.table`` when the server's tables shall not be read."""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """One press of the button.

    ``sandbox`` measures a private throwaway server beside the probe directory. ``window_s`` is the
    distance of the two status samples. ``table`` ("schema.table") is what point selects read on a
    running server: "" takes the largest that fits, ``NO_TABLE`` none.
    """

    target: TargetSpec
    plan: PlanName = PlanName.QUICK
    sandbox: bool = False
    window_s: float = 10.0
    table: str = ""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """All that is known before anything is measured."""

    raw: RawInventory
    inventory: Inventory
    directory: str
    plan: Plan
    existing: MySQLWork | None


def check(
    store: Store, request: CheckRequest, prompts: Prompts, token: CancelToken
) -> Iterator[CheckEvent]:
    """Inventory, measure and judge a target; the last event is ``Finished``.

    What arrived before a cancel, a fault or a closed generator stays in the store with the run's
    state. Raises LeadlineError; ``Cancelled`` when ``token`` was raised.
    """
    yield StageStarted(Stage.CONNECT, f"Connecting to {request.target.name}.")
    with linked(request.target, prompts, token) as link:
        prepared = yield from _prepare(link, request, token)
        run_id = store.start_run(request.target, prepared.raw, prepared.plan)
        yield RunStarted(run_id)
        with recorded(store, run_id) as recorder:
            for note in link.notes:
                recorder.keep(note)
            work = Work(link, prepared.plan, prepared.directory, prepared.existing, prompts, token)
            yield from carry_out(work, recorder)
    yield StageStarted(Stage.JUDGE, "Judging.")
    case = load_case(store, run_id)
    yield Finished(run_id, case, judge(case))


def preview(request: CheckRequest, prompts: Prompts, token: CancelToken) -> Iterator[CheckEvent]:
    """Connect and make the plan without starting it; ends with ``PlanMade``."""
    yield StageStarted(Stage.CONNECT, f"Connecting to {request.target.name}.")
    with linked(request.target, prompts, token) as link:
        yield from _prepare(link, replace(request, window_s=0.0), token, said_s=request.window_s)


def look(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> Iterator[CheckEvent]:
    """Take the inventory alone, with no status window; ends with ``InventoryTaken``."""
    yield StageStarted(Stage.CONNECT, f"Connecting to {spec.name}.")
    with linked(spec, prompts, token) as link:
        directory = _directory(link, spec)
        raw = yield from _inventory(link, directory, 0.0, token)
        yield InventoryTaken(read(raw))


def test_connection(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> ConnectionReport:
    """Connect as a check would and say what was found; raises LeadlineError."""
    lines: list[str] = []
    facts: dict[str, str] = {}
    with linked(spec, prompts, token) as link:
        if link.machine is not None:
            lines.append(f"Connected to {link.target.name}; the agent runs there.")
            facts["agent"] = link.target.agent()
            facts["server_binary"] = find_server(link.target) or ""
        if link.mysql is not None:
            version = link.mysql.rows("SELECT @@version AS version")[0]["version"]
            trip_us = link.mysql.round_trip_us
            lines.append(
                f"MySQL answers: {version}, as {link.mysql.account}, "
                f"round trip {duration_us(trip_us)}."
            )
            facts["mysql"] = str(version)
            facts["account"] = link.mysql.account
        lines += [note.message for note in link.notes]
        if link.mysql is None and not link.notes:
            lines.append("No MySQL server was named, and none was found in the usual places.")
    return ConnectionReport(tuple(lines), facts)


def load_case(store: Store, run_id: int) -> Case:
    """A stored run as rules see it: its answers read again, its points, its conditions."""
    inventory = read(store.raw_inventory(run_id))
    conditions = dict(store.conditions(run_id))
    if conditions.get("mysql") == "sandbox" and inventory.mysql is not None:
        inventory = replace(inventory, mysql=replace(inventory.mysql, sandbox=True))
    summary = store.run(run_id)
    conditions["plan"] = summary.plan
    return Case(summary.target, inventory, tuple(store.points(run_id)), run_id, conditions)


def _prepare(
    link: Link, request: CheckRequest, token: CancelToken, said_s: float | None = None
) -> Generator[CheckEvent, None, _Prepared]:
    yield from link.notes
    directory = _directory(link, request.target)
    raw = yield from _inventory(link, directory, request.window_s, token)
    inventory = read(raw)
    yield InventoryTaken(inventory)
    yield StageStarted(Stage.PLAN, "Making the plan.")
    existing = yield from _existing(link, request)
    plan = _plan(link, request, inventory, directory, existing)
    waits_s = request.window_s if said_s is None else said_s
    yield PlanMade(plan, describe(plan, inventory_s=waits_s if link.mysql is not None else 0.0))
    return _Prepared(raw, inventory, directory, plan, existing)


def _inventory(
    link: Link, directory: str, window_s: float, token: CancelToken
) -> Generator[CheckEvent, None, RawInventory]:
    text = "Reading the inventory"
    if link.mysql is not None and window_s:
        text += f" and watching the server's counters for {window_s:.0f} s"
    yield StageStarted(Stage.INVENTORY, f"{text}.")
    asking = ask(link.machine, link.mysql, directory=directory, window_s=window_s, token=token)
    while True:
        try:
            next(asking)
        except StopIteration as end:
            raw: RawInventory = end.value
            return raw


def _directory(link: Link, spec: TargetSpec) -> str:
    """Where storage probes write; "" when the server's machine can't be reached."""
    if spec.kind is TargetKind.MYSQL:
        return ""
    datadir: str | None = None
    if link.mysql is not None:
        datadir = str(link.mysql.rows("SELECT @@datadir AS datadir")[0]["datadir"])
    return probe_directory(link.target, spec.directory, datadir)


def _existing(link: Link, request: CheckRequest) -> Generator[CheckEvent, None, MySQLWork | None]:
    if link.mysql is None or request.sandbox or request.table == NO_TABLE:
        return None
    work = existing_table(link.mysql, request.table)
    if work is None:
        yield Warned(
            "no_table",
            "Primary-key lookups are left out: this account may read no InnoDB table with a single "
            "integer primary key. Measure a throwaway server instead with --sandbox.",
        )
    return work


def _plan(
    link: Link,
    request: CheckRequest,
    inventory: Inventory,
    directory: str,
    existing: MySQLWork | None,
) -> Plan:
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
    working_sets = ("cached", "uncached") if request.sandbox else ("existing",) if existing else ()
    plan = make_plan(
        request.plan,
        directory=directory,
        working_sets=working_sets,
        sandbox=request.sandbox,
        max_connections=None if request.sandbox else _spare_connections(inventory),
    )
    storage = inventory.role(Role.PROBE)
    if storage is None or storage.free_bytes is None or storage.size_bytes is None:
        return plan
    return fit_space(plan, free_bytes=storage.free_bytes, size_bytes=storage.size_bytes)


def _spare_connections(inventory: Inventory) -> int | None:
    """Half of the connections that the server has left: its users come first."""
    if inventory.mysql is None:
        return None
    limit = inventory.mysql.number("max_connections")
    window = inventory.mysql.window
    used = window.gauge("Threads_connected") if window is not None else None
    return None if limit is None else max(1, int(limit - (used or 0)) // 2)
