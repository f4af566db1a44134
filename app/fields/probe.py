"""What a person wants of a run, and the request that it makes.

A new wish is one attribute of ``ProbeForm``: the window's set-up shows it, and the command line
takes it, as it is declared there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from advisor.amounts import latency_us, percentage, sizes_bytes, thread_levels
from advisor.runs.requests import CheckRequest, ProbeRequest, Request
from app.fields.field import Field, FieldShape, Option, asked, fields_of
from app.fields.lists import PARTS, PROBES, budget_parts, names, probes_named
from app.runtime.translation import tr
from probes.errors import UsageError
from probes.figures import listed
from probes.kinds.kind import CHECK_KINDS, Kind
from probes.plans.build.checking import ENGINES, IO_PRIORITIES, PROTOCOLS
from probes.plans.plan import UNTIL_DECIDED, Budget, Guard, PlanName
from probes.plans.shapes import SHAPES
from probes.plans.wishes import Wishes
from probes.points import Buffers, Probe
from probes.targets.address import TargetKind, TargetSpec

PLANS = (
    (PlanName.QUICK.value, "&Quick"),
    (PlanName.STANDARD.value, "&Standard"),
    (PlanName.THOROUGH.value, "Th&orough"),
    (UNTIL_DECIDED, "U&ntil decided"),
)
_FOR: Mapping[str, str] = {
    PlanName.QUICK: "Finds the number of threads that saturates the drive.",
    PlanName.STANDARD: "More levels and sizes.",
    PlanName.THOROUGH: "Up to 1,024 threads, all block sizes.",
}
SURE = [f"{SHAPES[name].precision.within * 100:g}" for name in PlanName]
"""How sure each plan is of a point, in percent."""

_ENGINES = (("agent", "Leadline's own"), ("fio", "fio"), ("sysbench", "sysbench"))
LEAST_ADDED_US, MOST_ADDED_US = 1e3, 60e6
LIMITS, DETAILS = "limits", "details"


@dataclass(frozen=True, slots=True)
class Wish(Field):
    """A wish of a run.

    ``read`` makes of what is typed what `Wishes` has under the same name, None where it is read
    with others; ``fault`` is how a form's fault names it. ``limit`` is the part of a budget that
    it is. ``place`` is the part of the set-up that shows it, and its row there; where that is "",
    it has a place of its own.
    """

    read: Callable[[Any], Any] | None = None
    fault: str = ""
    limit: str = ""
    place: tuple[str, int] = ("", 0)


def _option(names: str, text: str, default: Any = "", *, read: Any = None, **others: Any) -> Any:
    return asked(Wish(read=read, option=Option(names, text, **others)), default)


def _limit(row: int, caption: str, called: str, **others: Any) -> Any:
    return asked(Wish(FieldShape.LINE, caption, called, "no limit", place=(LIMITS, row), **others))


def _detail(row: int, shape: FieldShape, caption: str, default: Any = "", **others: Any) -> Any:
    return asked(Wish(shape, caption, place=(DETAILS, row), **others), default)


@dataclass(frozen=True, slots=True)
class ProbeForm:
    """Every wish as it is typed.

    ``whole`` asks for a check; else ``kinds`` are measured alone. ``plan`` is a plan's name, or
    ``UNTIL_DECIDED``. ``update`` writes to a table of Leadline's own: in the throwaway server, or
    with it, as consent, on the running one.
    """

    whole: bool = True
    kinds: frozenset[Kind] = CHECK_KINDS
    directory: str = asked(Wish(FieldShape.LINE, "&Directory", hint="Chosen by the plan"))
    plan: str = asked(
        Wish(
            FieldShape.SEGMENTS,
            "Plan",
            choices=PLANS,
            option=Option(
                "--plan",
                f"How sure each point shall be: within {listed(SURE, 'or')} %.",
                choices=tuple(name.value for name in PlanName),
                shown=True,
            ),
        ),
        PlanName.QUICK.value,
    )
    probes: tuple[str, ...] = _option(
        "--probe",
        f"Only these: {', '.join(PROBES)}.",
        (),
        read=probes_named,
        metavar="NAME,...",
        repeated=True,
    )
    block_sizes: str = _detail(
        1,
        FieldShape.TICKS,
        "Block sizes",
        hint="KiB",
        read=sizes_bytes,
        choices=tuple((str(kib << 10), str(kib)) for kib in (4, 8, 16, 32, 64)),
        option=Option("--block-sizes", "Only these sizes.", "4k,16k"),
    )
    threads: str = _detail(
        2,
        FieldShape.LINE,
        "Threads",
        called="Threads, committers or connections",
        hint="chosen by the plan",
        read=thread_levels,
        fault="Threads",
        option=Option("--threads", "Only these numbers of threads.", "1,8,64"),
    )
    within: str = _detail(
        4,
        FieldShape.LINE,
        "Interval, ± %",
        called="Wanted interval in percent",
        hint="as the plan has it",
        fault="The interval",
        option=Option("--within", "How sure instead, like 2%.", "PERCENT"),
    )
    every_level: bool = _detail(
        3,
        FieldShape.SWITCH,
        "Measure every level",
        False,
        read=bool,
        option=Option("--every-level", "Measure levels that add no information, too."),
    )
    budgets: tuple[str, ...] = _option(
        "--budget",
        "What it may cost: seconds=600, read=50G, write=20G, endurance=0.1%, added-latency=20ms.",
        (),
        metavar="NAME=VALUE,...",
        repeated=True,
    )
    engine: str = _detail(
        7,
        FieldShape.LIST,
        "Engine",
        "agent",
        choices=_ENGINES,
        read=str,
        option=Option(
            "--engine",
            "What measures; others must be installed on the target.",
            choices=ENGINES,
            shown=True,
        ),
    )
    cross_engine: str = _detail(
        8,
        FieldShape.LIST,
        "Cross-check",
        choices=(("", "None"), *_ENGINES[1:], _ENGINES[0]),
        read=str,
        option=Option(
            "--cross-check",
            "Measure some points again with another engine, in turn.",
            choices=ENGINES,
        ),
    )
    protocols: str = _detail(
        5,
        FieldShape.TICKS,
        "Lookups by",
        "prepared",
        choices=(("prepared", "Prepared"), ("sql", "SQL text"), ("handler", "HANDLER")),
        read=lambda text: names(text, PROTOCOLS, "protocol"),
        option=Option(
            "--protocols",
            f"How rows are asked for: {', '.join(PROTOCOLS)}.",
            "NAME,...",
            shown=True,
        ),
    )
    table: str = _detail(
        6,
        FieldShape.LINE,
        "Table",
        called="Table for lookups",
        hint="the largest that fits",
        option=Option(
            "--table",
            "Which table to look up rows in; - for none. Left out: the largest that fits.",
            "SCHEMA.TABLE",
        ),
    )
    start_anyway: bool = _option(
        "--start-anyway", "Begin at once, also while another run measures the same drive.", False
    )
    sandbox: bool = asked(
        Wish(
            FieldShape.SWITCH,
            "&Measure a throwaway MySQL server, too",
            option=Option("--sandbox", "Ask a private throwaway server instead."),
        ),
        False,
    )
    own_schema: bool = _option(
        "--own-schema", "Agree to a schema leadline_probe on the server, removed at the end.", False
    )
    update: bool = asked(
        Wish(
            FieldShape.SWITCH,
            "Measure &updates of single rows, too",
            option=Option("--update", "Also update rows, in the sandbox or own schema."),
        ),
        False,
    )
    io_priority: str = _detail(
        9,
        FieldShape.LIST,
        "I/O priority",
        choices=(("", "Usual"), ("low", "Low"), ("idle", "Idle")),
        read=str,
        option=Option(
            "--io-priority", "Let the server's own I/O go first.", choices=IO_PRIORITIES[1:]
        ),
    )
    buffers: str = _option(
        "--buffers",
        "The pages of memory that blocks lie in, instead of those the server has.",
        read=lambda text: Buffers(text) if text else None,
        choices=tuple(kind.value for kind in Buffers),
    )
    guarded: bool = asked(
        Wish(
            FieldShape.SWITCH,
            "&Guard the live server",
            option=Option(
                "--guard/--no-guard", "Stop when the live server gets slower.", shown=True
            ),
        ),
        True,
    )
    added_ms: str = asked(
        Wish(FieldShape.LINE, "ms slower at most", "Highest added latency in milliseconds"),
        f"{Guard().added_us / 1000:g}",
    )
    most_time: str = _limit(
        1, "Longest &time", "Longest time", fault="The longest time", limit="seconds"
    )
    most_written: str = _limit(
        2, "Most &written", "Most written", fault="The most to write", limit="write"
    )
    most_read: str = _limit(3, "Most rea&d", "Most read", fault="The most to read", limit="read")
    most_wear: str = _limit(
        4,
        "Most w&ear, %",
        "Most wear in percent",
        fault="The most wear",
        limit="endurance",
        tip="The share of the drive's rated endurance that may be written, where the rating is"
        " known.",
    )

    def request(self, spec: TargetSpec) -> Request:
        """What a press of the button asks for; raises UsageError, which names the field."""
        target = replace(spec, directory=self.directory.strip())
        deciding = self.plan == UNTIL_DECIDED
        plan = PlanName.QUICK if deciding else PlanName(self.plan)
        table = self.table.strip()
        if self.whole:
            wishes = replace(self._typed(), update=False, deciding=deciding)
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
            wishes=replace(self._typed(), update=update),
            sandbox=self.sandbox and Kind.MYSQL in kinds,
            own_schema=update and not self.sandbox,
            table=table,
        )

    def _typed(self) -> Wishes:
        if self.cross_engine and self.cross_engine == self.engine:
            raise UsageError(
                tr("An engine can't check itself."),
                tr("Choose another one for the cross-check, or none."),
            )
        if not self.protocols:
            raise UsageError(
                tr("No protocol is chosen."), tr("Choose at least one for the lookups.")
            )
        return self.wishes(at_form=True)

    def wishes(self, *, at_form: bool = False) -> Wishes:
        """What was wished for; raises UsageError, which names the field ``at_form``."""
        within = None
        if self.within.strip():
            # What no probe can meet is refused with the plan; a form says at once what it takes.
            bounds, fault = ((0.5, 50.0), WISHES["within"].fault) if at_form else ((), "")
            within = _named(fault, lambda text: percentage(text, *bounds), self.within)
        read = {
            name: _named(wish.fault if at_form else "", wish.read, getattr(self, name))
            for name, wish in WISHES.items()
            if wish.read is not None
        }
        return Wishes(
            **read,
            within=within,
            budget=self._budget(),
            guard=self._guard(),
            update=self.update or Probe.PK_UPDATE in read["probes"],
        )

    def _budget(self) -> Budget:
        given = budget_parts(self.budgets)
        for name, wish in WISHES.items():
            if wish.limit and getattr(self, name).strip():
                limited, read = PARTS[wish.limit]
                given[limited] = _named(wish.fault, read, getattr(self, name))
        return Budget(**given)

    def _guard(self) -> Guard | None:
        if not self.guarded:
            return None
        added_us = _named(
            tr("The added latency"), lambda text: latency_us(text, bare="ms"), self.added_ms
        )
        if not LEAST_ADDED_US <= added_us <= MOST_ADDED_US:
            raise UsageError(tr("The added latency must be from 1 ms to 1 min."))
        return replace(Guard(), added_us=added_us)


WISHES: Mapping[str, Wish] = fields_of(ProbeForm)


def shown_in(place: str) -> list[str]:
    """The wishes that a part of the set-up shows, by its rows."""
    rows = {name: wish.place[1] for name, wish in WISHES.items() if wish.place[0] == place}
    return sorted(rows, key=lambda name: rows[name])


def plan_about(plan: str) -> str:
    """What a plan, or a run until all is decided, is for, and when it ends."""
    if plan == UNTIL_DECIDED:
        return (
            "Measures what settles most of the open questions, and ends when all that "
            "matters is decided. A longest time, below, is its budget."
        )
    precision = SHAPES[PlanName(plan)].precision
    return (
        f"{_FOR[plan]} Each point to ±{precision.within * 100:g} %, in {precision.cap_s:.2g} s at "
        "most."
    )


def can_reach_drive(spec: TargetSpec) -> bool:
    """Whether the machine under the server can be reached."""
    return spec.kind is not TargetKind.MYSQL


def _named(field: str, read: Callable[[Any], Any], text: Any) -> Any:
    """Read what was typed; a UsageError names the field, where that has a name."""
    try:
        return read(text)
    except UsageError as error:
        if not field:
            raise
        raise UsageError(f"{field}: {error.sentence}", error.advice) from error
