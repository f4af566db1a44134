"""What the set-up of a run asks for, as it was typed, and the request that it makes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.runs.requests import CheckRequest, ProbeRequest, Request
from app.presenters.amounts import bytes_of, levels_of, number_of, seconds_of
from probes.errors import UsageError
from probes.plans.kinds import CHECK_KINDS, Kind
from probes.plans.plan import Budget, Guard, PlanName
from probes.plans.wishes import Wishes
from probes.targets.address import TargetKind, TargetSpec

BLOCK_SIZES = (4096, 8192, 16384, 32768, 65536)
MOST_THREADS = 1024

ENGINES = (("agent", "Leadline's own"), ("fio", "fio"), ("sysbench", "sysbench"))
CROSS_ENGINES = (("", "None"), *ENGINES[1:], ENGINES[0])
PRIORITIES = (("", "Usual"), ("low", "Low"), ("idle", "Idle"))
PROTOCOLS = (("prepared", "Prepared"), ("sql", "SQL text"), ("handler", "HANDLER"))

GUARD_MS = Guard().added_us / 1000


@dataclass(frozen=True, slots=True)
class ProbeForm:
    """Every field as the user left it.

    ``whole`` asks for a check; else ``kinds`` are measured alone. ``update`` writes to a table of
    Leadline's own: in the throwaway server, or with it, as consent, on the running one.
    """

    whole: bool = True
    kinds: frozenset[Kind] = CHECK_KINDS
    plan: str = PlanName.QUICK.value
    directory: str = ""
    sandbox: bool = False
    update: bool = False
    table: str = ""
    block_sizes: frozenset[int] = frozenset()
    threads: str = ""
    every_level: bool = False
    within: str = ""
    protocols: frozenset[str] = frozenset({"prepared"})
    engine: str = "agent"
    cross_engine: str = ""
    io_priority: str = ""
    guarded: bool = True
    added_ms: str = f"{GUARD_MS:g}"
    most_time: str = ""
    most_written: str = ""
    most_read: str = ""
    most_wear: str = ""

    def request(self, spec: TargetSpec) -> Request:
        """What a press of the button asks for; raises UsageError, which names the field."""
        target = replace(spec, directory=self.directory.strip())
        plan, table = PlanName(self.plan), self.table.strip()
        if self.whole:
            return CheckRequest(
                target, plan, sandbox=self.sandbox, table=table, wishes=self._wishes(update=False)
            )
        kinds = self.kinds if can_reach_drive(spec) else self.kinds & {Kind.MYSQL}
        if not kinds:
            raise UsageError("Nothing is chosen to be measured.", "Choose at least one probe.")
        update = self.update and Kind.MYSQL in kinds
        return ProbeRequest(
            target,
            kinds,
            plan,
            wishes=self._wishes(update=update),
            sandbox=self.sandbox and Kind.MYSQL in kinds,
            own_schema=update and not self.sandbox,
            table=table,
        )

    def _wishes(self, *, update: bool) -> Wishes:
        within = None
        if self.within.strip():
            within = number_of(self.within, "The interval", 0.5, 50) / 100
        if self.cross_engine and self.cross_engine == self.engine:
            raise UsageError(
                "An engine can't check itself.", "Choose another one for the cross-check, or none."
            )
        if not self.protocols:
            raise UsageError("No protocol is chosen.", "Choose at least one for the lookups.")
        wear = 0.0
        if self.most_wear.strip():
            wear = number_of(self.most_wear, "The most wear in percent", 0.001, 100) / 100
        return Wishes(
            block_sizes=tuple(sorted(self.block_sizes)),
            threads=levels_of(self.threads, "Threads", MOST_THREADS),
            budget=Budget(
                seconds_of(self.most_time, "The longest time"),
                bytes_of(self.most_read, "The most to read"),
                bytes_of(self.most_written, "The most to write"),
                wear,
            ),
            within=within,
            every_level=self.every_level,
            protocols=tuple(key for key, _ in PROTOCOLS if key in self.protocols),
            update=update,
            engine=self.engine,
            cross_engine=self.cross_engine,
            guard=self._guard(),
            io_priority=self.io_priority,
        )

    def _guard(self) -> Guard | None:
        if not self.guarded:
            return None
        added_us = number_of(self.added_ms, "The added latency in ms", 1, 60_000) * 1000
        return replace(Guard(), added_us=added_us)


def can_reach_drive(spec: TargetSpec) -> bool:
    """Whether the machine under the server can be reached."""
    return spec.kind is not TargetKind.MYSQL
