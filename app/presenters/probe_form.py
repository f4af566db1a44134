"""What the set-up of a run asks for, as it was typed, and the request that it makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from advisor.amounts import duration_s, latency_us, percentage, size_bytes, thread_levels
from advisor.runs.requests import CheckRequest, ProbeRequest, Request
from app.runtime.translation import tr
from probes.errors import UsageError
from probes.kinds.kind import CHECK_KINDS, Kind
from probes.plans.plan import Budget, Guard, Plan, PlanName
from probes.plans.wishes import Wishes
from probes.points import Probe
from probes.targets.address import TargetKind, TargetSpec

BLOCK_SIZES = (4096, 8192, 16384, 32768, 65536)

ENGINES = (("agent", "Leadline's own"), ("fio", "fio"), ("sysbench", "sysbench"))
CROSS_ENGINES = (("", "None"), *ENGINES[1:], ENGINES[0])
PRIORITIES = (("", "Usual"), ("low", "Low"), ("idle", "Idle"))
PROTOCOLS = (
    ("prepared", "Prepared"),
    ("sql", "SQL text"),
    ("handler", "HANDLER"),
)

UNTIL_DECIDED = "until-decided"
"""In place of a plan's name: what is open is measured, and no more."""

T = TypeVar("T")

GUARD_MS = Guard().added_us / 1000
LEAST_ADDED_US, MOST_ADDED_US = 1e3, 60e6


@dataclass(frozen=True, slots=True)
class ProbeForm:
    """Every field as the user left it.

    ``whole`` asks for a check; else ``kinds`` are measured alone. ``plan`` is a plan's name, or
    ``UNTIL_DECIDED``. ``update`` writes to a table of
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
        deciding = self.plan == UNTIL_DECIDED
        plan = PlanName.QUICK if deciding else PlanName(self.plan)
        table = self.table.strip()
        if self.whole:
            wishes = replace(self._wishes(update=False), deciding=deciding)
            return CheckRequest(target, plan, sandbox=self.sandbox, table=table, wishes=wishes)
        if deciding:
            raise UsageError(
                tr("Chosen probes measure a whole plan."),
                tr("Measure all that advice needs, or choose quick, standard or thorough."),
            )
        kinds = self.kinds if can_reach_drive(spec) else self.kinds & {Kind.MYSQL}
        if not kinds:
            raise UsageError(
                tr("Nothing is chosen to be measured."), tr("Choose at least one probe.")
            )
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
            within = _named(tr("The interval"), lambda text: percentage(text, 0.5, 50), self.within)
        if self.cross_engine and self.cross_engine == self.engine:
            raise UsageError(
                tr("An engine can't check itself."),
                tr("Choose another one for the cross-check, or none."),
            )
        if not self.protocols:
            raise UsageError(
                tr("No protocol is chosen."), tr("Choose at least one for the lookups.")
            )
        return Wishes(
            block_sizes=tuple(sorted(self.block_sizes)),
            threads=_named(tr("Threads"), thread_levels, self.threads),
            budget=Budget(
                _limit(tr("The longest time"), duration_s, self.most_time),
                _limit(tr("The most to read"), size_bytes, self.most_read),
                _limit(tr("The most to write"), size_bytes, self.most_written),
                _limit(tr("The most wear"), percentage, self.most_wear),
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
        added_us = _named(
            tr("The added latency"), lambda text: latency_us(text, bare="ms"), self.added_ms
        )
        if not LEAST_ADDED_US <= added_us <= MOST_ADDED_US:
            raise UsageError(tr("The added latency must be from 1 ms to 1 min."))
        return replace(Guard(), added_us=added_us)


ANSWERS: tuple[tuple[frozenset[Probe], str], ...] = (
    (
        frozenset({Probe.RANDOM_READ, Probe.RANDOM_WRITE}),
        (
            "How many page reads and writes the drive takes, how long each waits, and from how "
            "many at once more only wait."
        ),
    ),
    (
        frozenset({Probe.REDO_SYNC}),
        "What one commit waits for, and what relaxed commits would gain.",
    ),
    (
        frozenset({Probe.PAGE_FLUSH}),
        "How fast dirty pages can be flushed, and what doublewrite costs.",
    ),
    (frozenset({Probe.MIXED}), "What flushing does to reads."),
    (
        frozenset({Probe.STEADY_WRITE}),
        "What the drive sustains once its caches are full.",
    ),
    (
        frozenset({Probe.POINT_SELECT, Probe.PK_UPDATE}),
        "How much of the drive the server itself can use.",
    ),
)


def answers(plan: Plan, *, advised: bool) -> list[str]:
    """What a run of this plan answers, line by line; ``advised`` tells that advice follows it."""
    probes = {step.setting.probe for step in plan.steps}
    lines = [line for asked, line in ANSWERS if asked & probes]
    if advised:
        lines.append(
            tr(
                "Advice on InnoDB's settings and the kernel's, what brings most first, each with "
                "its evidence and the way back."
            )
        )
    return lines


def _named(field: str, read: Callable[[str], T], text: str) -> T:
    """Read what was typed; a UsageError names the field."""
    try:
        return read(text)
    except UsageError as error:
        raise UsageError(f"{field}: {error.sentence}", error.advice) from error


def _limit(field: str, read: Callable[[str], T], text: str) -> T | int:
    """Read a limit that may be left out: 0 is none."""
    return _named(field, read, text) if text.strip() else 0


def can_reach_drive(spec: TargetSpec) -> bool:
    """Whether the machine under the server can be reached."""
    return spec.kind is not TargetKind.MYSQL
