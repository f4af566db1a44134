"""What looks like one setting and is several, or like several and is one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from probes.points import Point

PER_TRANSACTION = "per_transaction"
"""The option of a transaction's setting that says how many statements it had."""

DEPTH = "io_depth"
"""The detail of a point that says how many requests each of its jobs had in flight."""

ALIKE = 0.1
"""Mixes of scripts whose statements per transaction differ by no more are one mix (our choice)."""

MOST_MIXES = 50
"""Of different scripts whose numbers are compared with each other: each is compared with all before
it. Beyond them each text is a mix of its own, as nobody looks at that many curves (our choice)."""

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class _Mix:
    """The words of a script's option, with a sign for each number, and the numbers."""

    words: str
    numbers: tuple[float, ...]

    @classmethod
    def of(cls, option: str) -> _Mix:
        return cls(_NUMBER.sub("#", option), tuple(map(float, _NUMBER.findall(option))))

    def is_like(self, other: _Mix) -> bool:
        """Whether the two differ by chance alone."""
        if self.words != other.words or len(self.numbers) != len(other.numbers):
            return False
        pairs = zip(self.numbers, other.numbers, strict=True)
        return all(abs(a - b) <= ALIKE * max(a, b) for a, b in pairs)


def statements_words(option: str) -> str:
    """``14 reads and 4 writes``, of the option that says so."""
    return option.replace("_", " ")


def as_one_run(points: Sequence[Point]) -> tuple[Point, ...]:
    """Points of several results as those of one run: nothing is pooled that is not one setting."""
    return tuple(in_flight_apart(scripts_alike(points)))


def scripts_alike(points: Iterable[Point]) -> list[Point]:
    """The same points, where mixes that differ by chance alone have the first one's option."""
    firsts: dict[str, str] = {"": ""}
    mixes: dict[str, _Mix] = {}
    found = []
    for point in points:
        text = point.setting.options.get(PER_TRANSACTION, "")
        if text not in firsts:
            mix = _Mix.of(text)
            firsts[text] = next((each for each in mixes if mixes[each].is_like(mix)), text)
            if firsts[text] == text and len(mixes) < MOST_MIXES:
                mixes[text] = mix
        first = firsts[text]
        found.append(_with(point, {PER_TRANSACTION: first}) if first != text else point)
    return found


def in_flight_apart(points: Sequence[Point]) -> list[Point]:
    """The same points, where as many in flight came about in two ways in curves of their own.

    Eight jobs with one request each and one job with eight are both eight in flight, yet they are
    not one setting. Where no curve has both, nothing is changed: a sweep stays one curve.
    """
    ways: dict[object, dict[int, set[int]]] = {}
    for point in points:
        key = (point.engine, point.setting.curve_key)
        ways.setdefault(key, {}).setdefault(point.setting.threads, set()).add(_depth(point))
    return [_distinguished(each, ways[each.engine, each.setting.curve_key]) for each in points]


def _distinguished(point: Point, ways: dict[int, set[int]]) -> Point:
    if all(len(depths) == 1 for depths in ways.values()):
        return point
    depth = _depth(point)
    # Two sweeps, one over jobs and one over the depth of a single job, are two curves; in any
    # other crossing each depth has its own.
    two_sweeps = all(each in (1, threads) for threads, depths in ways.items() for each in depths)
    if depth == 1:
        return point
    return _with(point, {"jobs": "1"} if two_sweeps else {"depth": str(depth)})


def _with(point: Point, options: Mapping[str, str]) -> Point:
    setting = replace(point.setting, options={**point.setting.options, **options})
    return replace(point, setting=setting)


def _depth(point: Point) -> int:
    """How many each job had in flight; 1 where it is unknown, for then each is a thread."""
    depth = point.details.get(DEPTH)
    return depth if isinstance(depth, int) and depth > 1 else 1
