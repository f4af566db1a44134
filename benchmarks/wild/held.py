"""Forecasts beside what was measured: errors, bands that hold, signs that are right."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.shared.process import BenchmarkError
from benchmarks.shared.report import ROOT
from benchmarks.wild.drawn import Change, Drawn
from benchmarks.wild.measured import BASE, TWIN, Turn, put_case, turns

NOTICED = 0.05
"""A change of less is no sign that could be right or wrong."""

FEWEST = 30
"""Transactions that a median of turns rests on at least, each."""


@dataclass(frozen=True, slots=True)
class Held:
    """A forecast of one change, and what was measured of it: both as times today's.

    ``p95`` and ``p95_truth`` are None where nobody forecast or timed it. ``agreed`` is whether all
    rounds found it better, or all worse. ``refused`` says why there is no forecast.
    """

    of: Drawn
    change: Change
    truth: float
    value: float
    low: float
    high: float
    p95: float | None
    p95_truth: float | None
    agreed: bool
    refused: str = ""

    @property
    def error(self) -> float:
        """How many times too high or too low, less one."""
        return math.exp(abs(math.log(self.value / self.truth))) - 1

    @property
    def inside(self) -> bool:
        """Whether the band holds what was measured."""
        return self.low <= self.truth <= self.high

    @property
    def p95_error(self) -> float | None:
        """The same of the 95th percentile; None where it is not known."""
        if not self.p95 or not self.p95_truth:
            return None
        return math.exp(abs(math.log(self.p95 / self.p95_truth))) - 1

    @property
    def sign(self) -> bool | None:
        """Whether it is better or worse, as forecast; None where what was measured says neither."""
        if abs(math.log(self.truth)) < NOTICED or not self.agreed:
            return None
        return (self.value >= 1) == (self.truth > 1) or abs(math.log(self.value)) < NOTICED / 2


def held(of: Iterable[Drawn], tree: Path = ROOT) -> list[Held]:
    """All forecasts of what was measured, by the Leadline of a source tree."""
    asked = [(each, change, truth) for each in of for change, truth in _truths(each)]
    with TemporaryDirectory() as folder:
        cases = {each: put_case(each, Path(folder)) for each in dict.fromkeys(a for a, *_ in asked)}
        wanted = [
            ["forecast", str(cases[each]), "--set", _set(change), "--json"]
            for each, change, _ in asked
        ]
        answers = _answers(wanted, tree)
    return [
        _held(each, change, truth, answer)
        for (each, change, truth), answer in zip(asked, answers, strict=True)
    ]


def _set(change: Change) -> str:
    return f"{change.name}={change.value}"


def _answers(wanted: Sequence[Sequence[str]], tree: Path) -> list[Any]:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("asked.py"))],
        input=json.dumps(wanted),
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree)},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise BenchmarkError(f"the forecasts ended with {done.returncode}")
    found: list[Any] = json.loads(done.stdout)
    return found


def _held(of: Drawn, change: Change, truth: Truth, answer: Any) -> Held:
    rate, late, agreed = truth
    if isinstance(answer, str):
        return Held(of, change, rate, math.nan, math.nan, math.nan, None, late, agreed, answer)
    times = answer["times"]
    now, then = answer["now"]["p95_us"], answer["then"]["p95_us"]
    p95 = then["value"] / now["value"] if now and then else None
    return Held(of, change, rate, times["value"], times["low"], times["high"], p95, late, agreed)


class Truth(NamedTuple):
    """What a change made of the rate and of the 95th percentile, in the median of the rounds.

    ``agreed`` is whether all rounds found the rate better, or all of them worse.
    """

    rate: float
    p95: float | None
    agreed: bool


def _truths(of: Drawn) -> Iterator[tuple[Change, Truth]]:
    """What was measured of each change."""
    found = turns(of)
    base = {each.round: each for each in found if each.what == BASE}
    twin = {each.round: each for each in found if each.what == TWIN}
    for at, change in enumerate(of.changes):
        asked = [each for each in found if each.what == str(at) and each.round in base]
        both = [(each, base[each.round]) for each in asked]
        counted = [(one, other) for one, other in both if _enough(one) and _enough(other)]
        if len(counted) >= 2:
            rates = [one.per_s / _mean(other.per_s, twin.get(one.round)) for one, other in counted]
            late = [*_later(counted, twin)]
            # Of whole transactions; a forecast is of statements.
            single = of.load.startswith(("select", "update", "mix"))
            agreed = min(rates) > 1 or max(rates) < 1
            yield change, Truth(median(rates), median(late) if late and single else None, agreed)


def _later(both: Iterable[tuple[Turn, Turn]], twin: Mapping[int, Turn]) -> Iterator[float]:
    """How many times that of both equal servers, in the geometric mean, the percentile was."""
    for one, base in both:
        if one.p95_us and base.p95_us:
            again = twin.get(one.round)
            equal = base.p95_us if again is None or not again.p95_us else again.p95_us
            yield one.p95_us / math.sqrt(base.p95_us * equal)


def _mean(base_per_s: float, twin: Turn | None) -> float:
    """The rate of both equal servers, in the geometric mean."""
    return base_per_s if twin is None else math.sqrt(base_per_s * twin.per_s)


def apart(of: Drawn) -> float | None:
    """How many times its twin's rate the server did: what a truth may be off by; None for none."""
    found = turns(of)
    twin = {each.round: each.per_s for each in found if each.what == TWIN and each.per_s}
    both = [each.per_s / twin[each.round] for each in found if _is_base(each, twin)]
    return median(both) if both else None


def _is_base(turn: Turn, twin: Mapping[int, float]) -> bool:
    return turn.what == BASE and turn.round in twin


def _enough(turn: Turn) -> bool:
    return turn.transactions >= FEWEST
