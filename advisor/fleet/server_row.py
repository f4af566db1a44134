"""One server as a table of many shows it: values alone, kept with its run."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from advisor.case import Case
from advisor.fleet.roles import role_of, settings_of
from advisor.judging.agenda import agenda
from advisor.judging.decided import decided
from advisor.judging.limit import limit_of
from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.run import RunState
from advisor.store.store import Store
from advisor.target_config.configuration import target_plan, worth_planning
from advisor.wording.advice.evidence_card import change_of, deed
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.waits import in_few_words
from advisor.workload.processors_use import processors_use
from probes._version import __version__
from probes.inventory.facts import Inventory, Role
from probes.watch.watched import WatchedMachine

ANSWER = "fleet.row"
"""The name under which a run keeps it."""

_MOST_NAMED = 20
_MOST_BYTES = 1 << 20
_DRAWS = 1
"""Of a plan's forecast: a row shows what is likeliest, and no band."""


@dataclass(frozen=True, slots=True)
class ServerRow:
    """One server of a fleet, as its latest run was judged; None is unknown.

    ``limit`` is what limits it in a few words, ``limited`` in whole sentences. ``risks`` and
    ``changes`` are the lines of advice, what matters most first. ``gain`` is the share of a query's
    time (0..1) that the plan saves by forecast, else what its best change removes.
    ``threads`` and ``memory_bytes`` are the machine's, or what a control group grants of them.
    ``cpu_busy`` and ``drive_busy`` are shares of the time while it was watched. ``settings`` are
    what servers of one ``role`` can be compared by. ``program`` judged it.
    """

    target: str
    run_id: int
    taken_at: str
    server: str = ""
    threads: int | None = None
    memory_bytes: int | None = None
    data_bytes: int | None = None
    pool_bytes: int | None = None
    drive: str = ""
    limit: str = ""
    limited: str = ""
    risks: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    gain: float | None = None
    cpu_busy: float | None = None
    drive_busy: float | None = None
    queries_per_s: float | None = None
    judged: int = 0
    applicable: int = 0
    role: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    program: str = __version__

    @property
    def spare(self) -> float | None:
        """The share of processors, or of the drive's time, that is left (0..1): the lesser."""
        busy = [each for each in (self.cpu_busy, self.drive_busy) if each is not None]
        return max(0.0, 1 - max(busy)) if busy else None

    @property
    def idle(self) -> bool:
        """Whether it was watched, and had no query at work."""
        return not self.limit and self.queries_per_s is not None

    def written(self) -> str:
        """It as text."""
        return json.dumps(asdict(self), ensure_ascii=False)


def kept_row(store: Store, run_id: int) -> ServerRow | None:
    """The row that is kept with a run; None where there is none of this version."""
    kept = store.raw_inventory(run_id).answers.get(ANSWER)
    return None if kept is None else _read(kept)


def _read(text: str) -> ServerRow | None:
    """A row that was kept; None where another program judged it, or it can't be read."""
    try:
        kept = json.loads(text[:_MOST_BYTES])
        kept["risks"], kept["changes"] = tuple(kept["risks"]), tuple(kept["changes"])
        row = ServerRow(**kept)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return row if row.program == __version__ else None


def row_of(case: Case, judgement: Judgement) -> ServerRow:
    """What a table of servers shows of a judged case."""
    lists, limit = agenda(judgement), limit_of(judgement, case)
    plan = target_plan(case, judgement, worth_planning(judgement), _DRAWS)
    found = decided(judgement, case, RunState.DONE)
    inventory = case.inventory
    mysql, watched = inventory.mysql, inventory.watched
    machine = None if watched is None else watched.machine
    pool = None if mysql is None else mysql.number("innodb_buffer_pool_size")
    window = None if mysql is None else mysql.window
    return ServerRow(
        target=case.target,
        run_id=case.run_id or 0,
        taken_at=inventory.taken_at,
        server="" if mysql is None else str(mysql.version),
        threads=_processors(inventory),
        memory_bytes=inventory.granted_memory_bytes or _memory_bytes(inventory),
        data_bytes=None if mysql is None else mysql.innodb_files_bytes,
        pool_bytes=None if pool is None else int(pool),
        drive=_drive(inventory),
        limit=in_few_words(limit),
        limited=limiting(judgement, case),
        risks=tuple(map(_line, lists.risks[:_MOST_NAMED])),
        changes=tuple(map(_line, lists.changes[:_MOST_NAMED])),
        gain=_gain(plan, lists.changes),
        cpu_busy=_busy(case, machine),
        drive_busy=_busiest(inventory),
        queries_per_s=None if window is None else window.per_s("Questions"),
        judged=found.judged,
        applicable=found.applicable,
        role=role_of(case.target, mysql),
        settings=settings_of(mysql),
    )


def _line(advice: Recommendation) -> str:
    return change_of(advice) if advice.proposed and advice.setting else deed(advice)


def _gain(plan: ChangePlan, changes: tuple[Recommendation, ...]) -> float | None:
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
    return None if machine is None or machine.cpu_busy is None else machine.cpu_busy.value


def _drive(inventory: Inventory) -> str:
    storage = inventory.role(Role.DATA)
    if storage is None:
        return ""
    return ", ".join(disk.label for disk in storage.disks) or storage.filesystem


def _busiest(inventory: Inventory) -> float | None:
    watched = inventory.watched
    if watched is None or watched.machine is None:
        return None
    return max((each.busy.value for each in watched.machine.devices), default=None)
