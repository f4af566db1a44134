"""Chosen steps by two engines in turn, so that what the drive does to one it does to the other."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from probes.cancel import CancelToken, closable
from probes.engines.engine import Engine
from probes.errors import NotEnoughSpace
from probes.events import EngineEvent, PointDone, Warned
from probes.mysql.work import MySQLWork
from probes.plans.file_sets import set_of
from probes.plans.plan import Plan
from probes.plans.spend.spent import Spending
from probes.points import Point

ROUNDS = 2
"""Each engine measures each step so often, in the order A B B A: a steady drift falls on both."""


def cross_checked(
    main: Engine,
    second: Engine,
    plan: Plan,
    *,
    mysql: MySQLWork | None,
    token: CancelToken,
    rounds: int = ROUNDS,
) -> Iterator[EngineEvent]:
    """Measure ``plan.cross_steps`` with both engines, interleaved; each brings its own files.

    Points of both come with their engine's name; of one setting the latest of each counts. Steps
    that one of them refuses are left out with a warning, and so is the rest where there is no room
    for two sets of files, or the plan's budget is used up by both together. Raises as
    Engine.measure does.
    """
    steps = yield from _common(main, second, plan)
    if not steps:
        return
    part = _part(plan, steps)
    order = [index for index in range(len(steps)) for _ in range(rounds)]
    spent = _Spent(part)
    running = [
        closable(engine.measure(part, _Queue(order, spent), mysql=mysql, token=token))
        for engine in (main, second)
    ]
    with closing(running[0]), closing(running[1]):
        try:
            for turn in range(2 * len(order)):
                # 0 1 1 0 0 1 1 0 ...
                yield from spent.counted(_until_point(running[(turn + 1) // 2 % 2]))
            for each in running:
                yield from each
        except NotEnoughSpace as error:
            yield Warned("cross_check", f"The cross-check was left out: {error}")
        if spent.up:
            yield Warned("budget", f"{spent.up} The rest of the cross-check was left out.")


class _Spent:
    """What both engines together took of the plan's budget; ``up`` says which part is used up."""

    def __init__(self, plan: Plan) -> None:
        self._spending = Spending(plan)
        self._points: list[Point] = []
        self.up = ""

    def counted(self, events: Iterator[EngineEvent]) -> Iterator[EngineEvent]:
        """Pass on events, counting their points."""
        for event in events:
            if isinstance(event, PointDone):
                self._points.append(event.point)
            yield event

    def look(self) -> None:
        """Find out whether anything is left; once it is used up, it stays so."""
        self.up = self.up or self._spending.exceeded(self._points)


class _Queue:
    """Hands out steps in a fixed order, as long as the budget lasts."""

    def __init__(self, order: Sequence[int], spent: _Spent) -> None:
        self._left = list(reversed(order))
        self._spent = spent

    @property
    def stopped_because(self) -> str:
        """Reported once for both engines, not by each."""
        return ""

    def choose(self, points: Sequence[Point]) -> int | None:
        """The next one."""
        self._spent.look()
        return self._left.pop() if self._left and not self._spent.up else None

    def look(self, points: Sequence[Point]) -> None:
        """Nothing to think of."""

    def leave_out(self, steps: Collection[int]) -> None:
        """Nothing: beside two engines in turn the guard ends the run."""


def _common(
    main: Engine, second: Engine, plan: Plan
) -> Generator[EngineEvent, None, tuple[int, ...]]:
    """The steps that both can measure."""
    kept = []
    reported: set[str] = set()
    for index in plan.cross_steps:
        setting = plan.steps[index].setting
        because = main.refuses(setting) or second.refuses(setting)
        if not because:
            kept.append(index)
        elif because not in reported:
            reported.add(because)
            yield Warned("cross_check", because)
    return tuple(kept)


def _part(plan: Plan, steps: Sequence[int]) -> Plan:
    """Those steps alone, with the files that they need."""
    chosen = tuple(plan.steps[index] for index in steps)
    used = {set_of(step.setting, plan.file_sets) for step in chosen}
    files = tuple(files for index, files in enumerate(plan.file_sets) if index in used)
    guard = plan.guard and replace(plan.guard, step_backs=0)
    return replace(plan, steps=chosen, file_sets=files, cross_steps=(), guard=guard)


def _until_point(events: Iterator[EngineEvent]) -> Iterator[EngineEvent]:
    """What comes up to the next point, or to the end."""
    for event in events:
        yield event
        if isinstance(event, PointDone):
            return
