"""The plan of changes: what is done, in which order, and what was left out and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from advisor.plan.container_place import ContainerPlace
from advisor.steps import Needs, Procedure, SetVariable, Step
from probes.statistics.ranges import Range
from probes.version import ServerVersion


class Group(StrEnum):
    """When an action takes effect; a plan is worked off in this order."""

    MACHINE = "machine"
    ONLINE = "online"
    RESTART = "restart"
    REWRITE = "rewrite"
    LOOK = "look"
    REBUILD = "rebuild"


GROUP_TITLES = {
    Group.MACHINE: "On the machine",
    Group.ONLINE: "While the server runs",
    Group.RESTART: "With a restart",
    Group.REWRITE: "With the data rewritten",
    Group.LOOK: "Then, under load",
    Group.REBUILD: "With a new data directory",
}
"""The groups in their order, as the window, reports and exports call them."""

YOURS = "Yours to decide"
"""The title of what a plan offers and does not hold."""


@dataclass(frozen=True, slots=True)
class Action:
    """One step of the plan, in its place.

    ``rules`` are the ids of the rules that asked for it. ``shows`` is what the server says of the
    variable once the step has taken effect, "" for a step that sets none. ``notes`` are full
    sentences that people must read before they do it. ``written`` is False for a setting that goes
    back to what a start makes of it anyway: an option file that said so would only repeat it.
    """

    group: Group
    step: Step
    rules: tuple[str, ...]
    shows: str = ""
    notes: tuple[str, ...] = ()
    written: bool = True


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Advice, or a part of it, that the plan does not hold; ``because`` is a full sentence."""

    rule: str
    what: str
    because: str


@dataclass(frozen=True, slots=True)
class OfferedChange:
    """A change against a risk to data that its owner may have taken on purpose: theirs to decide.

    ``because`` is what is at risk and what the change costs, in full sentences; ``typed`` are the
    lines that make it.
    """

    rule: str
    what: str
    because: str
    typed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LateQueries:
    """Within which time 95 of 100 queries are done, today and after a plan, in microseconds."""

    now_us: float
    then_us: Range


@dataclass(frozen=True, slots=True)
class PlanForecast:
    """What the model expects of a plan, before anything is done.

    ``connections`` do ``now_per_s`` queries and would do ``then_per_s``, ``times`` as many.
    ``saves`` is the share of a query's time that it becomes shorter by: where clients seldom ask,
    hardly more queries come of it. ``apart`` are settings that the model has no place for, ``p95``
    is None where nobody can tell. ``until_bought`` is as ``times`` while nothing of the plan is
    bought, None where nothing is to be bought, or nothing else changes.
    """

    connections: int
    now_per_s: float
    then_per_s: Range
    times: Range
    saves: Range
    apart: tuple[str, ...] = ()
    p95: LateQueries | None = None
    until_bought: Range | None = None


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """Chosen recommendations as one plan.

    ``actions`` stand in the order in which they are done; undoing goes the other way round.
    ``version`` is the server's that the plan was checked against, None when there is none.
    ``sandbox`` marks a plan that was checked against the defaults of a version, not a server.
    ``about`` are sentences for its head: what it is, where it is more than changes of a server.
    ``forecast`` is None where the server was not watched at work, or nothing of it can be forecast.
    ``container`` is where its settings go for a server that was looked at in a container.
    ``offered`` are changes that it does not hold unless who answers for the data asks for them.
    """

    target: str
    version: ServerVersion | None = None
    actions: tuple[Action, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    sandbox: bool = False
    about: tuple[str, ...] = ()
    forecast: PlanForecast | None = None
    container: ContainerPlace | None = None
    offered: tuple[OfferedChange, ...] = ()

    def of(self, *groups: Group) -> tuple[Action, ...]:
        """The actions of these groups, in order."""
        return tuple(action for action in self.actions if action.group in groups)

    @property
    def changes(self) -> tuple[Action, ...]:
        """The actions that change something: all but the look."""
        return tuple(action for action in self.actions if action.group is not Group.LOOK)

    @property
    def without_purchases(self) -> ChangePlan:
        """The same while nothing is bought."""
        kept = (each for each in self.actions if not _is_bought(each.step))
        return replace(self, actions=tuple(kept))

    def written(self, *groups: Group) -> tuple[tuple[Action, SetVariable], ...]:
        """The settings of these groups, or of all, that an option file has to say."""
        return tuple(pair for pair in self.settings(*groups) if pair[0].written)

    def settings(self, *groups: Group) -> tuple[tuple[Action, SetVariable], ...]:
        """The actions that set a variable, of these groups or of all, each with its step."""
        return tuple(
            (action, action.step)
            for action in (self.of(*groups) if groups else self.actions)
            if isinstance(action.step, SetVariable)
        )


def _is_bought(step: Step) -> bool:
    return isinstance(step, Procedure) and step.needs is Needs.MONEY
