"""Machines whose true figures are known, measured step by step through noise that comes and goes.

A machine is one of the coherent cases. What disturbs it (steal, neighbours, a cache, rates that
swing) changes while it is measured: slowly for the whole machine and for one curve, at once from
point to point. Its clock goes forward by what each step takes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from statistics import NormalDist

from advisor.case import Case
from probes.doubts import stated
from probes.plans.patterns import without_part
from probes.plans.plan import Plan, PlanName, Step
from probes.plans.shapes import SHAPES
from probes.plans.spend.expected import BETWEEN_S
from probes.points import Latency, Point, Probe, Setting
from probes.trust import thresholds
from probes.trust.doubt import Remark, lower, slowed
from tests.advisor.judging.simulated.mixture import as_planned, own_rate
from tests.rules.casework import build
from tests.rules.random_cases.coherent import coherent_case

FEWEST_POINTS = 6

LASTS_S = 15.0
"""What slows a machine or a curve is a third of what it was after so long."""

ONE_POINT = 0.15
"""Neighbours hit one point by so much more or less than the next, as a share of what they take."""

WHOLE_S = SHAPES[PlanName.QUICK].precision.cap_s
"""What a point of the quick plan takes at most."""

READS = (Probe.RANDOM_READ,)


@dataclass(frozen=True)
class Noise:
    """What disturbs one machine: shares of its time or of its drive, a cache, how rates swing.

    ``half`` is half of the 95 % interval of a point of WHOLE_S, as a share.
    """

    steal: float = 0.0
    neighbours: float = 0.0
    cache: float = 1.0
    half: float = 0.02

    @property
    def kind(self) -> str:
        """The strongest of them, for a table."""
        if self.cache > 1:
            return "a cache below O_DIRECT that is seen"
        if self.steal >= thresholds.STOLEN_MUCH:
            return "steal of 10 to 50 %"
        if self.neighbours > thresholds.FOREIGN_SHARE:
            return "neighbours that take 10 to 60 % of the drive"
        return "rates that swing" if self.half > 0.1 else "quiet"


def noise(r: Random) -> Noise:
    """One of the kinds, often with swinging rates on top."""
    half = 0.02 * (50 ** r.random())
    which = r.random()
    return Noise(
        steal=r.uniform(0.1, 0.5) if which < 0.3 else r.uniform(0.0, 0.05),
        neighbours=r.uniform(0.1, 0.6) if 0.3 <= which < 0.55 else 0.0,
        cache=20 ** r.random() if 0.55 <= which < 0.65 else 1.0,
        half=half,
    )


@dataclass
class Machine:
    """One machine and its clock; ``plan`` has a step for all that is known of it."""

    truth: Case
    noise: Noise
    random: Random
    now_s: float = 0.0
    plan: Plan = field(init=False)
    _true: dict[object, list[Point]] = field(init=False)
    _swings: dict[object, tuple[float, float]] = field(default_factory=dict)
    _made: int = 0

    def __post_init__(self) -> None:
        self._true = {}
        settings: dict[object, Setting] = {}
        for point in self.truth.points:
            setting = without_part(point.setting)
            settings.setdefault(_key(setting), setting)
            self._true.setdefault(_key(setting), []).append(point)
        steps = tuple(_step(setting) for setting in settings.values())
        own_per_s = own_rate(self.truth)
        self.plan = Plan(
            PlanName.QUICK, (), steps, 0.0, False, adaptive=True, server_flush_per_s=own_per_s
        )

    def clock(self) -> float:
        """The time on it, in seconds."""
        return self.now_s

    def measure(self, index: int) -> list[Point]:
        """Take one step: its points, as they are seen."""
        step = self.plan.steps[index]
        wanted_s = WHOLE_S * (self.noise.half / step.within) ** 2
        took_s = max(step.least_s, min(step.seconds, wanted_s))
        half = self.noise.half * math.sqrt(WHOLE_S / took_s)
        points = [self._seen(point, half, took_s) for point in self._true[_key(step.setting)]]
        self.now_s += step.warmup_s + took_s + BETWEEN_S
        return points

    def case(self, points: Sequence[Point]) -> Case:
        """What rules are given once these points were measured."""
        return replace(self.truth, points=tuple(points))

    def _seen(self, point: Point, half: float, took_s: float) -> Point:
        r, found = self.random, self.noise
        slow = self._swing("machine") + self._swing(point.setting.curve_key)
        swing = half / 1.96 * (slow + r.gauss(0, 1)) / math.sqrt(3)
        hit = NormalDist().cdf(self._swing("neighbours")) + r.gauss(0, ONE_POINT)
        taken = 1 - (1 - found.steal) * (1 - found.neighbours)
        factor = math.exp(swing) * (1 - taken * min(1.0, max(0.0, hit)))
        is_read = point.setting.probe in READS
        if is_read:
            factor *= found.cache
        self._made += 1
        moved = _moved(point, factor, half)
        timed = replace(moved, seconds=took_s, id=self._made)
        return _doubted(timed, found, half, is_read=is_read)

    def _swing(self, what: object) -> float:
        """A standard normal figure that drifts."""
        at_s, before = self._swings.get(what, (-math.inf, 0.0))
        kept = math.exp((at_s - self.now_s) / LASTS_S)
        now = kept * before + math.sqrt(1 - kept * kept) * self.random.gauss(0, 1)
        self._swings[what] = (self.now_s, now)
        return now


def simulated(number: int, found: Noise | None = None) -> Machine | None:
    """The machine of that number; None where too little is known of its drive."""
    _, spec = coherent_case(number)
    case = as_planned(build(spec | {"trust": "ok", "trust_reasons": []}))
    if len(case.points) < FEWEST_POINTS:
        return None
    return Machine(case, found or noise(Random(number)), Random(number + 1))


def machines(count: int) -> Iterator[int]:
    """The numbers of the first machines of which enough is known."""
    number = made = 0
    while made < count:
        number += 1
        if simulated(number) is not None:
            made += 1
            yield number


def _key(setting: Setting) -> object:
    return without_part(setting).curve_key, setting.threads


def _step(setting: Setting) -> Step:
    precision = SHAPES[PlanName.QUICK].precision
    return Step(setting, precision.cap_s, precision.warmup_s, precision.within, precision.least_s)


def _moved(point: Point, factor: float, half: float) -> Point:
    rate = point.rate_per_s * factor
    told = (getattr(point.latency, name) / factor for name in Latency.__dataclass_fields__)
    return replace(
        point,
        rate_per_s=rate,
        ci95_per_s=(rate * math.exp(-half), rate * math.exp(half)),
        latency=Latency(*told),
    )


def _doubted(point: Point, found: Noise, half: float, *, is_read: bool) -> Point:
    remarks = []
    if found.steal >= thresholds.STOLEN_MUCH:
        remarks.append(Remark(stated("steal"), most=slowed(found.steal)))
    if found.neighbours > thresholds.FOREIGN_SHARE:
        remarks.append(Remark(stated("neighbours"), most=slowed(found.neighbours)))
    if found.cache > 1 and is_read:
        remarks.append(Remark(stated("a cache"), least=thresholds.CACHED_LEAST))
    if half > thresholds.WIDEST_INTERVAL:
        remarks.append(Remark(stated("the rate swung")))
    return lower(point, remarks)
