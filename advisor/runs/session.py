"""The use cases that both fronts call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

from advisor.judging.over_draws import judge
from advisor.run import RunKind, Voice
from advisor.runs.events import (
    CheckEvent,
    ConnectionReport,
    Finished,
    InventoryTaken,
    RunStarted,
    Stage,
    StageStarted,
)
from advisor.runs.link import linked
from advisor.runs.measuring import Work, carry_out
from advisor.runs.preparing import directory_for, no_server, prepare, take_inventory
from advisor.runs.recording import recorded
from advisor.runs.requests import Request, WatchRequest
from advisor.runs.shortfall import Shortfall
from advisor.runs.waiting import drives_of, waited
from advisor.store.cases import load_case, with_points
from advisor.store.store import Store
from advisor.wording.watch.connection import lacked, seen_by_account, servers_text
from probes.cancel import CancelToken
from probes.inventory.facts import Inventory, Role
from probes.inventory.read import read
from probes.inventory.servers_here import ServerHere
from probes.inventory.servers_there import servers_on
from probes.mysql.rights import Right, lacking
from probes.plans.plan import Plan, PlanName
from probes.points import BUFFERS
from probes.sandbox.sandbox import find_server
from probes.targets.address import Prompts, TargetSpec
from probes.watch.machine_series import sudo_refusal

NOTHING_MEASURED = Plan(PlanName.QUICK, (), (), 0.0, sandbox=False)
"""What a watch follows in place of a plan."""


def measure(
    store: Store, request: Request, prompts: Prompts, token: CancelToken
) -> Iterator[CheckEvent]:
    """Inventory, measure and judge a target, whole or by chosen probes; ends with ``Finished``.

    What arrived before a cancel, a fault or a closed generator stays in the store with the run's
    state; one without a point that can be used has failed (NothingMeasured). Raises LeadlineError;
    ``Cancelled`` when ``token`` was raised.
    """
    store.require_writable()
    yield StageStarted(Stage.CONNECT, f"Connecting to {request.target.name}.")
    with ExitStack() as held:
        link = held.enter_context(linked(request.target, prompts, token))
        turn = held.enter_context(store.drive_turn(drives_of(link, request)))
        yield from waited(turn, request.target.name, token, anyway=request.start_anyway)
        prepared = yield from prepare(link, request, token)
        plan, directory = prepared.plan, prepared.directory
        run_id = store.start_run(request.target, prepared.raw, plan, kind=request.run_kind)
        yield RunStarted(run_id)
        with recorded(store, run_id) as recorder:
            recorder.set_all(conditions_of(prepared.inventory, plan, directory))
            for note in link.notes:
                recorder.keep(note)
            consent = request.own_schema
            seen = replace(load_case(store, Voice(run_id)), run_id=None)
            work = Work(
                link,
                plan,
                directory,
                prepared.existing,
                consent,
                prompts,
                token,
                lambda points: with_points(seen, points),
                request.trace,
            )
            shortfall = Shortfall(plan)
            yield from shortfall.following(carry_out(work, recorder))
            case = load_case(store, Voice(run_id))
            recorder.note_load(case.points)
            recorder.note_rejected(case.points)
            recorder.note_idle(case)
            shortfall.check(case.points)
    yield StageStarted(Stage.JUDGE, "Judging.")
    yield Finished(run_id, case, judge(case))


def watch(
    store: Store, request: WatchRequest, prompts: Prompts, token: CancelToken
) -> Iterator[CheckEvent]:
    """Look at a running server's own work and judge what that shows; ends with ``Finished``.

    Nothing is measured and nothing written. Raises LeadlineError; ``Cancelled`` when ``token`` was
    raised.
    """
    store.require_writable()
    yield StageStarted(Stage.CONNECT, f"Connecting to {request.target.name}.")
    with linked(request.target, prompts, token) as link:
        yield from link.notes
        if link.mysql is None:
            raise no_server(link)
        raw = yield from take_inventory(
            link,
            "",
            request.window_s,
            token,
            trace=request.trace,
            sudo=request.target.sudo,
            whole=True,
            enough=request.enough,
        )
        yield InventoryTaken(read(raw))
        run_id = store.start_run(request.target, raw, NOTHING_MEASURED, kind=RunKind.WATCH)
        yield RunStarted(run_id)
        with recorded(store, run_id) as recorder:
            for note in link.notes:
                recorder.keep(note)
            case = load_case(store, Voice(run_id))
            recorder.note_idle(case)
    yield StageStarted(Stage.JUDGE, "Judging.")
    yield Finished(run_id, case, judge(case))


def preview(request: Request, prompts: Prompts, token: CancelToken) -> Iterator[CheckEvent]:
    """Connect and make the plan without starting it; ends with ``PlanMade``."""
    yield StageStarted(Stage.CONNECT, f"Connecting to {request.target.name}.")
    with linked(request.target, prompts, token) as link:
        quick = replace(request, window_s=0.0)
        yield from prepare(link, quick, token, shown_s=request.window_s)


def look(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> Iterator[CheckEvent]:
    """Take the inventory alone, with no status window; ends with ``InventoryTaken``."""
    yield StageStarted(Stage.CONNECT, f"Connecting to {spec.name}.")
    with linked(spec, prompts, token) as link:
        directory = directory_for(link, spec)
        raw = yield from take_inventory(link, directory, 0.0, token)
        yield InventoryTaken(read(raw))


def test_connection(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> ConnectionReport:
    """Connect as a check would and say what was found; raises LeadlineError."""
    lines: list[str] = []
    facts: dict[str, str] = {}
    lacks: tuple[Right, ...] = ()
    servers: tuple[ServerHere, ...] = ()
    with linked(spec, prompts, token) as link:
        if link.machine is not None:
            lines.append(f"Connected to {link.target.name}; the agent runs there.")
            facts["agent"] = link.target.agent()
            facts["server_binary"] = find_server(link.target) or ""
            if spec.agent_by_sudo:
                refused = sudo_refusal(link.target, facts["agent"])
                lines.append(f"{refused or '`sudo -n` runs the agent as root there'}.")
        if link.mysql is not None:
            facts |= {
                "connection": link.mysql.protection,
                "mysql": link.mysql.value("@@version"),
                "account": link.mysql.account,
            }
            lacks = tuple(lacking(link.mysql))
            lines += seen_by_account(link.mysql, facts["mysql"], lacks)
        lines += [note.message for note in link.notes]
        if spec.mysql is None and link.machine is not None:
            servers = servers_on(link.machine)
            lines += servers_text(servers, found=link.mysql is not None or bool(link.notes))
    account = facts.get("account", "")
    return ConnectionReport(
        tuple(lines),
        facts,
        tuple(lacked(right, account) for right in lacks),
        tuple(right.grant(account) for right in lacks),
        servers,
    )


def conditions_of(inventory: Inventory, plan: Plan, directory: str) -> dict[str, str]:
    """Facts by name, those alone that are known.

    ``file_bytes`` is the size of the set that random reads work on, ``fill_share`` the share of the
    filesystem that was taken before the run (0..1). ``buffers`` is the kind of memory that blocks
    were to be read into, ``buffers_because`` why.
    """
    known: dict[str, object] = {"directory": directory}
    storage = inventory.role(Role.PROBE)
    if storage is not None:
        known |= {
            "filesystem": storage.filesystem,
            "device": ", ".join(disk.label for disk in storage.disks),
            "fill_share": _fill_share(storage.size_bytes, storage.free_bytes),
        }
    if inventory.host is not None:
        known |= {"kernel": inventory.host.kernel, "processors": inventory.host.cpu.threads}
    usual = [files for files in plan.file_sets if not files.name]
    if usual:
        known["file_bytes"] = max(files.total_bytes for files in usual)
    known |= {BUFFERS: plan.buffers, "buffers_because": plan.buffers_because}
    return {name: str(value) for name, value in known.items() if value not in (None, "")}


def _fill_share(size_bytes: int | None, free_bytes: int | None) -> str:
    if not size_bytes or free_bytes is None:
        return ""
    return f"{1 - free_bytes / size_bytes:.2f}"
