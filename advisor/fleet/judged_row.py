"""What a table of many servers shows of one, made of its judged case."""

from __future__ import annotations

import math
from collections.abc import Sequence

from advisor.case import Case
from advisor.fleet.roles import role_of
from advisor.fleet.server_row import ServerRow
from advisor.fleet.shared_settings import settings_of
from advisor.judging.agenda import agenda, changes_asked
from advisor.judging.decided import decided
from advisor.judging.limit import limit_of
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.run import RunState, Voice
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_config.configuration import target_plan
from advisor.wording.advice.evidence_card import change_of, deed
from advisor.wording.advice.limiting import limit_and_more
from advisor.wording.advice.waits import in_few_words
from advisor.workload.processors_use import processors_use
from probes.inventory.facts import Inventory, Role
from probes.watch.watched import WatchedMachine

_DRAWS = 16
"""Of what the figures may truly be: a quarter of what a report takes, since there are many servers
(our choice)."""

_MOST_NAMED = 20
_PLAN_DRAWS = 1
"""Of a plan's forecast: a row shows what is likeliest, and no band."""


def judged_row(store: Store, voice: Voice) -> ServerRow:
    """The row of what speaks for a server, judged now; raises DamagedError."""
    return row_judged(load_case(store, voice))


def row_judged(case: Case) -> ServerRow:
    """What a table of servers shows of a case, judged now."""
    return row_of(case, judge(case, _DRAWS))


def row_of(case: Case, judgement: Judgement) -> ServerRow:
    """What a table of servers shows of a judged case."""
    changes, limit = changes_asked(judgement), limit_of(judgement, case)
    plan = target_plan(case, judgement, changes, _PLAN_DRAWS)
    found = decided(judgement, case, RunState.DONE)
    inventory = case.inventory
    mysql, watched = inventory.mysql, inventory.watched
    machine = None if watched is None else watched.machine
    pool = None if mysql is None else mysql.number("innodb_buffer_pool_size")
    window = None if mysql is None else mysql.window
    return ServerRow(
        target=case.target,
        run_id=case.run_id or 0,
        curves_id=case.curves_id,
        taken_at=inventory.taken_at,
        server="" if mysql is None else str(mysql.version),
        threads=_processors(inventory),
        memory_bytes=inventory.granted_memory_bytes or _memory_bytes(inventory),
        data_bytes=None if mysql is None else mysql.innodb_files_bytes,
        pool_bytes=None if pool is None else int(pool),
        drive=_drive(inventory),
        limit=in_few_words(limit),
        limited=limit_and_more(judgement, case)[0],
        risks=tuple(map(_line, agenda(judgement).risks[:_MOST_NAMED])),
        changes=tuple(map(_line, changes[:_MOST_NAMED])),
        gain=_gain(plan, changes),
        cpu_busy=_busy(case, machine),
        drive_busy=None if machine is None else machine.drive_busy,
        queries_per_s=None if window is None else window.per_s("Questions"),
        judged=found.judged,
        applicable=found.applicable,
        role=role_of(case.target, mysql),
        settings=settings_of(mysql),
    )


def _line(advice: Recommendation) -> str:
    return change_of(advice) if advice.proposed and advice.setting else deed(advice)


def _gain(plan: ChangePlan, changes: Sequence[Recommendation]) -> float | None:
    if plan.forecast is not None:
        return plan.forecast.saves.value
    return max((each.gain.value for each in changes if each.gain is not None), default=None)


def _processors(inventory: Inventory) -> int | None:
    if inventory.granted_cpus is not None:
        return math.ceil(inventory.granted_cpus)
    return None if inventory.host is None else inventory.host.cpu.threads


def _memory_bytes(inventory: Inventory) -> int | None:
    return None if inventory.host is None else inventory.host.memory_bytes


def _busy(case: Case, machine: WatchedMachine | None) -> float | None:
    """The share of the machine's processors that is in use, or of those that are granted."""
    use = processors_use(case)
    if use is not None and use.granted is not None:
        return use.server / use.granted
    return None if machine is None else machine.processors_busy


def _drive(inventory: Inventory) -> str:
    storage = inventory.role(Role.DATA)
    if storage is None:
        return ""
    return ", ".join(disk.label for disk in storage.disks) or storage.filesystem
