"""What `make bench-advice` says of its forecasts: errors, bands, captured shares, and the bars."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import load_script

CALLED = ("outcome", "process", "report", "advice_kept", "advice_summary", "advice_page")
"""Each calls those before it by their bare names."""


@pytest.fixture
def scripts() -> Iterator[dict[str, ModuleType]]:
    before = {name: sys.modules.get(name) for name in CALLED}
    yield {name: load_script(name, "benchmarks") for name in CALLED}
    for name, module in before.items():
        if module is None:
            del sys.modules[name]
        else:
            sys.modules[name] = module


def band(value: float, low: float, high: float) -> dict[str, float]:
    return {"value": value, "low": low, "high": high}


def case(
    kept: ModuleType, rates: tuple[float, float, float], told: dict[str, float], **late: Any
) -> Any:
    """A case with four like rounds of defaults, plan and lines by hand."""
    names = (kept.BEFORE, kept.PLAN, kept.HAND)
    advised = kept.Advised([], [], [], [], forecast=told, late=late.get("expected", {}))
    found = kept.Pieces(kept.Case("mysql", "read_write", "check", "small"), advised)
    found.tps = {number: dict(zip(names, rates, strict=True)) for number in range(4)}
    if "times" in late:
        found.p95_us = {0: dict(zip(names, late["times"], strict=False))}
    return found


def test_errors_bands_and_shares_are_those_of_all_measured_cases(
    scripts: dict[str, ModuleType],
) -> None:
    kept, told = scripts["advice_kept"], scripts["advice_summary"]
    shown = [
        case(kept, (100, 150, 150), band(1.65, 1.4, 2.0)),
        case(kept, (100, 200, 210), band(2.1, 1.9, 2.3)),
        case(kept, (100, 100, 101), band(1.4, 1.2, 1.6)),
        kept.Pieces(kept.Case("mysql", "read_only", "check", "small")),
    ]
    rate, late = told.held(shown)
    assert rate.errors == pytest.approx((0.1, 0.05, 0.4))
    assert rate.inside == 2
    assert rate.missed
    assert late.errors == ()
    assert math.isnan(late.error)
    assert not late.missed
    page = "\n".join(told.summary(shown))
    assert "| transactions/s | 3 | 10% | 2 (67%), missed |" in page
    assert "| p95 |" not in page
    assert "91% at least, 95% in the median, of 2 cases; 1 more" in page
    assert "0.99 times the rate by hand, in the median of all 12 rounds of 3 cases" in page
    assert told.missed(shown)
    assert not told.missed(shown[:2])


def test_configurations_are_held_against_each_other_round_by_round(
    scripts: dict[str, ModuleType],
) -> None:
    """A machine that halves its pace now and then meets all of a round alike."""
    kept = scripts["advice_kept"]
    found = case(kept, (100, 150, 160), {})
    for number in (1, 2):
        found.tps[number] = {arm: rate / 2 for arm, rate in found.tps[number].items()}
    found.tps[4] = {kept.BEFORE: 1000.0}
    assert found.brought == pytest.approx(1.5)
    assert found.against_hand == pytest.approx(150 / 160)
    assert found.captured(kept.PLAN) == pytest.approx(50 / 60)
    assert found.keeps(kept.PLAN)


def test_the_95th_percentile_has_the_same_bars(scripts: dict[str, ModuleType]) -> None:
    kept, told = scripts["advice_kept"], scripts["advice_summary"]
    near = band(1.5, 1.2, 1.8)
    off = case(kept, (100, 150, 150), near, times=(1000.0, 400.0), expected=band(0.8, 0.5, 1.2))
    assert told.missed([off])
    assert "| p95 | 1 | 100%, missed | 0 (0%), missed |" in "\n".join(told.summary([off]))
    well = case(kept, (100, 150, 150), near, times=(1000.0, 800.0), expected=band(0.8, 0.5, 1.2))
    assert not told.missed([well])


def test_nothing_measured_says_nothing(scripts: dict[str, ModuleType]) -> None:
    kept, told = scripts["advice_kept"], scripts["advice_summary"]
    nothing = [kept.Pieces(kept.Case("mysql", "read_only", "check", "small"))]
    assert list(told.summary(nothing)) == []
    assert not told.missed(nothing)


def test_the_page_begins_with_the_summary(
    scripts: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    kept, page = scripts["advice_kept"], scripts["advice_page"]
    found = case(kept, (100, 150, 150), band(1.5, 1.2, 1.8))

    class Shelf:
        tree = "0123456789ab"

        def cases(self) -> list[Any]:
            return [found.case]

        def pieces(self, _case: Any) -> Any:
            return found

    monkeypatch.setattr(page, "machine", dict)
    monkeypatch.setattr(page, "save_raw", lambda *_: None)
    monkeypatch.setattr(page, "PAGE", tmp_path / "ADVICE.md")
    assert page.write_page(Shelf(), [], 4) == [found]
    text = (tmp_path / "ADVICE.md").read_text(encoding="utf-8")
    assert "| transactions/s | 1 | 0% | 1 (100%) |" in text
    assert text.index("Forecasts against what came") < text.index("| server | load |")
