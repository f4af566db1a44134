"""Which points of a case speak for the target."""

from __future__ import annotations

from dataclasses import replace

from advisor.case import Case
from advisor.compare.reference import library
from advisor.facts.measured.reading import curve_of
from advisor.facts.readings import Reading
from probes.inventory.facts import Inventory
from probes.points import Curve, Point, Probe, Setting
from probes.trust.findings import findings
from probes.trust.review import Surroundings, review
from tests.points import point

INVENTORY = Inventory("2026-01-01T00:00:00Z")


def read(rate: float, threads: int, identity: int, **options: str) -> Point:
    setting = Setting(Probe.RANDOM_READ, threads, 16384, 1, "/probe", options)
    return point(setting, rate, id=identity, engine="test")


USUAL = [read(9800.0, 1, 1), read(30_000.0, 16, 2)]
SMALL = read(40_000.0, 1, 3, set="small")
TOUCHES = [
    read(3000.0, 1, 4, set="first_touch", touch="first"),
    read(9900.0, 1, 5, set="first_touch", touch="again"),
    read(15_000.0, 16, 6, set="first_touch", touch="first"),
    read(31_000.0, 16, 7, set="first_touch", touch="again"),
]


def case(*points: Point) -> Case:
    return Case("test", INVENTORY, tuple(review(points, Surroundings())))


def peak_per_s(of: Case) -> float:
    found = curve_of(of, Probe.RANDOM_READ, 16384, many=False)
    assert isinstance(found, Reading)
    assert isinstance(found.value, Curve)
    return found.value.peak.rate_per_s


def test_points_that_explain_others_and_second_engines_do_not_speak() -> None:
    by_fio = replace(USUAL[0], engine="fio", id=9)
    assert [one.id for one in case(*USUAL, SMALL, by_fio).plain] == [1, 2]


def test_first_touches_speak_where_a_cache_answered_the_usual_reads() -> None:
    whole = case(*USUAL, SMALL, *TOUCHES)
    assert [one.id for one in whole.plain] == [4, 6]
    assert peak_per_s(whole) == 15_000.0
    assert [one.id for one in whole.curves(Probe.RANDOM_READ)[0].points] == [4, 6]


def test_usual_reads_speak_where_no_cache_was_found() -> None:
    same = [replace(one, rate_per_s=9000.0, ci95_per_s=(8900.0, 9100.0)) for one in TOUCHES[:2]]
    assert peak_per_s(case(*USUAL, *same)) == 30_000.0


def test_published_runs_are_neither_doubted_nor_taken_for_throttled() -> None:
    for published in library():
        reviewed = review(published.points, Surroundings())
        assert tuple(reviewed) == published.points, published.name
        assert findings(reviewed, Surroundings()) == [], published.name
