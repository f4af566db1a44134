"""The curve of misses against simulated pools: what a larger one really would have had."""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from advisor.model.server.miss_ratio import HITS, Classes, miss_curve

PAGES, READS, POOL = 4000, 60_000, 500
YOUNG_AFTER = 100
"""Requests; a server's ``innodb_old_blocks_time``."""


def misses(asked: Sequence[int], pool: int) -> list[tuple[int, int]]:
    """What a pool with the least recently used page as its victim misses: when, and which page."""
    held: OrderedDict[int, None] = OrderedDict()
    found = []
    for at, page in enumerate(asked):
        if page in held:
            held.move_to_end(page)
            continue
        found.append((at, page))
        held[page] = None
        if len(held) > pool:
            held.popitem(last=False)
    return found


def misses_as_innodb(asked: Sequence[int], pool: int) -> list[tuple[int, int]]:
    """The same of a pool whose new pages are old ones first, three eighths of it, until they are
    asked for again after a while; others are kept from the young ones.
    """
    young: OrderedDict[int, None] = OrderedDict()
    old: OrderedDict[int, None] = OrderedDict()
    came: dict[int, int] = {}
    found = []
    for at, page in enumerate(asked):
        if page in young:
            young.move_to_end(page)
        elif page not in old:
            found.append((at, page))
            old[page], came[page] = None, at
            if len(young) + len(old) > pool:
                (old or young).popitem(last=False)
        elif at - came[page] >= YOUNG_AFTER:
            del old[page]
            young[page] = None
            while len(young) > pool * 5 // 8:
                aged, _ = young.popitem(last=False)
                old[aged] = None
    return found


def distances(missed: Sequence[int]) -> tuple[Classes, Classes]:
    """How many different pages were missed between two misses of one, and before the first."""
    last: dict[int, int] = {}
    times: list[int] = []
    again: Counter[float] = Counter()
    first: Counter[float] = Counter()
    for at, page in enumerate(missed):
        if page in last:
            place = bisect_left(times, last[page])
            again[_class(len(times) - place - 1)] += 1
            del times[place]
        else:
            first[_class(len(times))] += 1
        last[page] = at
        times.append(at)
    return list(again.items()), list(first.items())


def _class(distance: int) -> float:
    return float(2 ** (math.ceil(4 * math.log2(max(1, distance))) / 4))


def uniform(chance: random.Random) -> list[int]:
    return [chance.randrange(PAGES) for _ in range(READS)]


def zipf(chance: random.Random) -> list[int]:
    return chance.choices(range(PAGES), [1 / (page + 1) for page in range(PAGES)], k=READS)


def special(chance: random.Random) -> list[int]:
    return [
        chance.randrange(PAGES // 100 if chance.random() < 0.75 else PAGES) for _ in range(READS)
    ]


def pareto(chance: random.Random) -> list[int]:
    power = math.log(0.2) / math.log(0.8)
    return [int(PAGES * chance.random() ** power) % PAGES for _ in range(READS)]


LOADS = {each.__name__: each for each in (uniform, zipf, special, pareto)}
WARM = READS // 4


POOLS: dict[str, Callable[[Sequence[int], int], list[tuple[int, int]]]] = {
    "least recently used": misses,
    "young and old": misses_as_innodb,
}


@cache
def asked_and_missed(load: str, kind: str) -> tuple[list[int], list[int]]:
    asked = LOADS[load](random.Random(7))
    return asked, [page for at, page in POOLS[kind](asked, POOL) if at >= WARM]


@pytest.mark.parametrize("kind", POOLS)
@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("times", [1.5, 2, 4])
def test_it_holds_what_a_larger_pool_really_has(kind: str, load: str, times: float) -> None:
    asked, now = asked_and_missed(load, kind)
    then = [at for at, _ in POOLS[kind](asked, round(times * POOL)) if at >= WARM]
    curve = miss_curve(POOL, *distances(now))
    assert curve is not None
    share = curve.share(times * POOL)
    assert share is not None
    really = len(then) / len(now)
    assert share.value == pytest.approx(really, rel=0.2)
    assert share.low <= really <= share.high


def test_it_says_where_it_ends() -> None:
    curve = miss_curve(100, [(64.0, 500.0), (128.0, 100.0)], [(128.0, 300.0)])
    assert curve is not None
    assert curve.share(curve.reach_pages + 1) is None
    assert curve.share(100) is not None


def test_a_smaller_pool_is_not_answered() -> None:
    curve = miss_curve(100, [(128.0, 500.0)], [])
    assert curve is not None
    with pytest.raises(ValueError, match="smaller"):
        curve.share(99)


def test_first_reads_alone_say_nothing() -> None:
    assert miss_curve(100, [], [(64.0, 1000.0)]) is None


def test_too_few_say_nothing() -> None:
    assert miss_curve(100, [(64.0, 29.0)], []) is None


def test_a_window_without_the_bounds_of_first_reads_would_lie() -> None:
    """Re-reads that a short window can see are the near ones; the others are not gone."""
    near = [(128.0, 50.0)]
    alone = miss_curve(100, near, [])
    among = miss_curve(100, near, [(128.0, 450.0)])
    assert alone is not None
    assert among is not None
    assert alone.steps[-1][1].value == 0.0
    assert among.steps[-1][1].value == pytest.approx(0.9 * (1 - HITS.value * 0.1))
