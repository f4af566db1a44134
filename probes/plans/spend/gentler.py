"""What loads the drive as hard as a point that slowed the server down, and is left out after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from probes.errors import GuardTripped
from probes.figures import counted, seconds
from probes.kinds.flush import BATCH_PAGES, MIXED_CLEANERS, FlushOptions, MixedOptions
from probes.kinds.words import setting_line
from probes.plans.patterns import without_part
from probes.plans.plan import Plan
from probes.plans.spend.expected import expected_steps
from probes.points import SERVER_PROBES, Point, Probe, Setting

GENTLE = 4
"""A point with this many requests in flight is gentle: where a second one slows the server down, it
tolerates no probe (our choice)."""

PACED_BATCHES_PER_S = 10
"""Flushing at a rate writes at most a tenth of a second's pages at once."""


class Load(NamedTuple):
    """How many requests of each kind a point keeps in flight at most."""

    reads: int = 0
    writes: int = 0
    syncs: int = 0
    queries: int = 0

    @property
    def gentle(self) -> bool:
        """Whether hardly any load is less."""
        return sum(self) <= GENTLE

    def as_hard_as(self, other: Load) -> bool:
        """Whether it has at least as many of each kind."""
        return all(own >= its for own, its in zip(self, other, strict=True))


def load_of(setting: Setting) -> Load:
    """What a point asks of the drive at one time; of a server's lookups, of the server."""
    threads = setting.threads
    match setting.probe:
        case Probe.RANDOM_READ:
            return Load(reads=threads)
        case Probe.RANDOM_WRITE | Probe.STEADY_WRITE:
            return Load(writes=threads)
        case Probe.PAGE_FLUSH:
            return Load(writes=threads * int(FlushOptions.of(setting).batch_pages or BATCH_PAGES))
        case Probe.REDO_SYNC:
            return Load(syncs=threads)
        case Probe.MIXED:
            return Load(reads=threads, writes=_flushed_at_once(setting), syncs=1)
        case probe if probe in SERVER_PROBES:
            return Load(queries=threads)
    raise AssertionError(setting.probe)


def _flushed_at_once(setting: Setting) -> int:
    """What a mixture's cleaners have in flight."""
    most = MIXED_CLEANERS * BATCH_PAGES
    target_per_s = MixedOptions.of(setting).target_per_s
    return round(min(most, target_per_s / PACED_BATCHES_PER_S))


class StepBacks:
    """What is left out of a plan since the server got slower beside some of its points."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._slowed: list[Setting] = []
        self._recovered_s: list[float] = []

    def slowed(self, setting: Setting, because: str) -> tuple[int, ...]:
        """The steps to leave out now that the server got slower beside ``setting``.

        Raises GuardTripped at the second gentle one.
        """
        self._slowed.append(setting)
        if sum(load_of(each).gentle for each in self._slowed) > 1:
            raise GuardTripped(
                f"The probe was stopped: the server gets slower even beside gentle points, at last "
                f"{setting_line(setting)}: {because}",
                "What had been measured is kept. Try at a quieter time.",
            )
        steps = enumerate(self._plan.steps)
        return tuple(index for index, step in steps if self._is_left_out(step.setting))

    def recovered(self, after_s: float) -> None:
        """The server answers as before."""
        self._recovered_s.append(after_s)

    def sentence(self, points: Iterable[Point]) -> str:
        """How many points were left out and beside what, as a sentence; "" for none.

        ``points`` are those that were measured.
        """
        if not self._slowed:
            return ""
        plan, measured = self._plan, {_key(point.setting) for point in points}
        skips = plan.adaptive and not plan.deciding
        awaited = expected_steps(plan) if skips else plan.steps
        settings = {_key(step.setting): step.setting for step in awaited}
        left_out = [
            key
            for key, setting in settings.items()
            if key not in measured and self._is_left_out(setting)
        ]
        beside = " and beside ".join(dict.fromkeys(map(setting_line, self._slowed)))
        text = (
            f"{len(left_out)} of {counted(len(settings), 'point')} left out: the server got slower "
            f"beside {beside}"
        )
        # The end of a budget does not wait for the last time.
        if len(self._recovered_s) < len(self._slowed):
            return f"{text}."
        return f"{text}, and recovered within {seconds(max(self._recovered_s))}."

    def _is_left_out(self, setting: Setting) -> bool:
        load = load_of(setting)
        return any(load.as_hard_as(load_of(slowed)) for slowed in self._slowed)


def _key(setting: Setting) -> tuple[object, int]:
    return (without_part(setting).curve_key, setting.threads)
