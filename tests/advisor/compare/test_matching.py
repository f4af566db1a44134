"""Curves of one kind meet level by level."""

from __future__ import annotations

import math

import pytest

from advisor.compare import compare
from advisor.compare.matching import CurveKind
from probes.errors import UsageError
from probes.points import Probe, Setting
from tests.advisor.compare.contenders import contender, rated, reads


def test_curves_of_one_kind_are_compared_where_both_were_measured() -> None:
    a = contender("a", *reads({1: 1000, 4: 4000, 8: 7000}))
    b = contender("b", *reads({1: 2000, 8: 7000, 64: 9000}))
    (found,) = compare((a, b)).matched
    assert [level.threads for level in found.levels] == [1, 8]
    first = found.levels[0].ratios
    assert first[0] is not None
    assert (first[0].value, first[0].low, first[0].high) == (1.0, 1.0, 1.0)
    assert first[1] is not None
    assert first[1].value == 2.0
    assert first[1].low < 2.0 < first[1].high


def test_a_contender_without_the_kind_has_its_empty_place() -> None:
    a, c = contender("a", *reads({1: 1000})), contender("c", *reads({1: 500}))
    b = contender("b", rated(Probe.RANDOM_WRITE, 1, 700))
    (found,) = compare((b, a, c)).matched
    assert [curve is None for curve in found.curves] == [True, False, False]
    assert found.levels[0].ratios[0] is None
    ratio = found.levels[0].ratios[2]
    assert ratio is not None
    assert ratio.value == 0.5


@pytest.mark.parametrize(
    "other",
    [
        {"block": 8192},
        {"files": 16},
        {"set": "small"},
        {"touch": "first"},
    ],
)
def test_what_differs_in_kind_never_meets(other: dict[str, object]) -> None:
    a = contender("a", *reads({1: 1000}))
    b = contender("b", rated(Probe.RANDOM_READ, 1, 1000, **other))  # type: ignore[arg-type]
    assert compare((a, b)).matched == ()


def test_how_many_files_and_the_usual_protocol_do_not_matter() -> None:
    assert CurveKind.of(Setting(Probe.RANDOM_WRITE, 1, 16384, 16, "/a")) == CurveKind.of(
        Setting(Probe.RANDOM_WRITE, 8, 16384, 128, "/b")
    )
    cached = {"working_set": "cached"}
    assert CurveKind.of(Setting(Probe.POINT_SELECT, 1, options=cached)) == CurveKind.of(
        Setting(Probe.POINT_SELECT, 1, options={**cached, "protocol": "prepared"})
    )
    assert CurveKind.of(Setting(Probe.POINT_SELECT, 1, options=cached)) != CurveKind.of(
        Setting(Probe.POINT_SELECT, 1, options={**cached, "protocol": "handler"})
    )


def test_without_an_interval_the_ratio_has_none() -> None:
    a = contender("a", *reads({1: 1000}))
    b = contender("b", *reads({1: 3000}, within=math.nan))
    ratio = compare((a, b)).matched[0].levels[0].ratios[1]
    assert ratio is not None
    assert ratio.value == 3.0
    assert not ratio.known


def test_two_to_twelve_can_be_compared() -> None:
    one = contender("a", *reads({1: 1000}))
    for count in (1, 13):
        with pytest.raises(UsageError, match=f"{count} can't be compared"):
            compare([one] * count)
    assert len(compare([one] * 12).contenders) == 12
