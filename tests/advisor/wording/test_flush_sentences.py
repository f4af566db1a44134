"""What flushing costs, as people read it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from advisor.case import Case
from advisor.wording.measured.flushing import flush_sentences
from advisor.wording.measured.summary import sentences
from probes.inventory.facts import Inventory
from probes.points import Point, Trust
from tests.advisor.model.curves.mixtures import flushing, mixture


@cache
def quiet() -> list[Point]:
    return mixture("0", 0.0, 100.0, 800.0)


@cache
def ladder() -> list[Point]:
    return [
        *quiet(),
        *mixture("1000", 1000.0, 104.0, 810.0),
        *mixture("2000", 2000.0, 110.0, 850.0),
        *mixture("max", 4000.0, 160.0, 900.0),
    ]


def said(*points: Point) -> list[str]:
    return [text.replace("\u202f", " ") for text in flush_sentences(_case(*points))]


def _case(*points: Point) -> Case:
    return Case("test", Inventory("2026-01-01T00:00:00Z"), points)


def test_the_price_of_doublewrite() -> None:
    [text] = said(flushing("off", 10_000.0), flushing("on", 6000.0), flushing("legacy", 2400.0))
    assert text == (
        "With 4 page cleaners and 16 KiB pages, doublewrite costs 40 % of the flush rate "
        "(38 to 42 %) and pre-8.0.20 doublewrite costs 76 % of the flush rate "
        "(75 to 77 %)."
    )


def test_a_price_that_may_be_chance() -> None:
    [text] = said(flushing("off", 1000.0), flushing("on", 990.0))
    assert "has no measurable cost" in text


def test_one_price_for_each_page_size() -> None:
    few = [flushing("off", 4000.0, threads=1), flushing("on", 3900.0, threads=1)]
    many = [flushing("off", 10_000.0), flushing("on", 6000.0)]
    assert ["4 page cleaners" in text for text in said(*few, *many)] == [True]


def test_how_much_flushing_reads_and_commits_tolerate() -> None:
    [text] = said(*ladder())
    assert text.startswith(
        "Beside 16 readers, flushing up to 2.00 k pages/s slows neither reads nor commits "
        "(the limit is between 2.00 k/s and 4.00 k/s); at 4.00 k/s the reads' "
    )
    assert text.endswith("A higher innodb_io_capacity slows queries.")
    assert text in [each.replace("\u202f", " ") for each in sentences(_case(*ladder()))]


def test_nothing_suffers() -> None:
    [text] = said(*quiet(), *mixture("max", 3700.0, 108.0, 850.0))
    assert "up to 3.70 k pages/s, the highest rate measured, slows neither" in text


def test_all_flushing_hurts() -> None:
    [text] = said(*quiet(), *mixture("250", 250.0, 240.0, 800.0))
    assert text.startswith(
        "Beside 16 readers, even the lowest rate of flushing slows queries: at 250/s the reads'"
    )


def test_rejected_points_say_nothing() -> None:
    assert said(*(replace(point, trust=Trust.REJECTED) for point in ladder())) == []
