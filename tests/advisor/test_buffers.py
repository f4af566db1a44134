"""In what memory the blocks of a run lay: as the agent said, or as older ones had it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.buffers import buffers_of_case, buffers_text
from advisor.case import Case
from probes.inventory.facts import Inventory
from probes.points import BUFFERS, Buffers, Point, Trust
from probes.trust.review import review
from probes.trust.surroundings import Surroundings
from tests.points import doubts_of
from tests.probes.trust.made import read, redo, select, steady, write


def lying(point: Point, kind: str) -> Point:
    return replace(point, details={**point.details, BUFFERS: kind})


@pytest.mark.parametrize("point", [read(1.0), write(1.0), steady()])
def test_an_agent_that_does_not_say_had_huge_pages(point: Point) -> None:
    assert point.buffers is Buffers.HUGE
    assert buffers_text([point]) == "huge pages (as agents had them that do not say so)"


@pytest.mark.parametrize("point", [redo(100.0), select(1.0), replace(read(1.0), engine="fio")])
def test_where_nobody_knows_nothing_is_said(point: Point) -> None:
    assert point.buffers is None
    assert buffers_text([point]) == ""


def test_what_was_said_is_told_with_its_reason() -> None:
    points = (lying(read(1.0), "ordinary"), lying(read(1.0, 64, buffers="huge"), "huge"))
    assert buffers_text(points) == "ordinary pages"
    case = Case("t", Inventory(""), points, conditions={"buffers_because": "THP is off"})
    assert buffers_of_case(case) == "ordinary pages: THP is off"


def test_nonsense_in_the_details_is_nothing() -> None:
    assert replace(read(1.0), engine="x", details={BUFFERS: ["huge"]}).buffers is None


def test_points_that_compare_speak_for_no_drive() -> None:
    points = (lying(read(1.0), "ordinary"), lying(read(9.0, buffers="huge"), "huge"))
    assert Case("t", Inventory(""), points).plain == points[:1]


def surely(points: list[Point]) -> list[Point]:
    return review(points, Surroundings())


def test_points_of_another_kind_than_most_are_doubtful() -> None:
    points = [lying(read(1000.0 * level, level), "huge") for level in (1, 2, 4)]
    mixed = [*points, lying(read(5000.0, 8), "ordinary")]
    assert [point.trust for point in surely(points)] == [Trust.OK] * 3
    *same, other = surely(mixed)
    assert [point.trust for point in same] == [Trust.OK] * 3
    assert other.trust is Trust.DOUBTFUL
    assert doubts_of(other) == (
        "Its blocks lay in ordinary pages of memory, those of most other points in huge ones.",
    )


def test_an_older_agents_points_beside_newer_ones_are_noticed() -> None:
    points = [read(1000.0), read(2000.0, 2), lying(read(3000.0, 4), "ordinary")]
    assert [point.trust for point in surely(points)] == [Trust.OK, Trust.OK, Trust.DOUBTFUL]


def test_both_kinds_on_purpose_are_no_doubt() -> None:
    points = [lying(read(1000.0, 64), "ordinary"), lying(read(1300.0, 64, buffers="huge"), "huge")]
    assert [point.trust for point in surely(points)] == [Trust.OK, Trust.OK]
