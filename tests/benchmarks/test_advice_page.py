"""What the page on plans says of forecasts: errors, bands, captured shares, and the bars."""

from __future__ import annotations

import math
from typing import Any

import pytest

from benchmarks.advice import page
from benchmarks.advice.cases import BEFORE, HAND, PLAN, Advised, Case, Kept, Pieces
from benchmarks.advice.page import held, summary
from benchmarks.shared import report


def band(value: float, low: float, high: float) -> dict[str, float]:
    return {"value": value, "low": low, "high": high}


def case(rates: tuple[float, float, float], told: dict[str, float], **late: Any) -> Pieces:
    """A case with four like rounds of defaults, plan and lines by hand."""
    names = (BEFORE, PLAN, HAND)
    advised = Advised(forecast=told, late=late.get("expected", {}))
    found = Pieces(Case("mysql", "read_write", "check", "small"), advised)
    found.tps = {number: dict(zip(names, rates, strict=True)) for number in range(4)}
    if "times" in late:
        found.p95_us = {0: dict(zip(names, late["times"], strict=False))}
    return found


def test_errors_bands_and_shares_are_those_of_all_measured_cases() -> None:
    shown = [
        case((100, 150, 150), band(1.65, 1.4, 2.0)),
        case((100, 200, 210), band(2.1, 1.9, 2.3)),
        case((100, 100, 101), band(1.4, 1.2, 1.6)),
        Pieces(Case("mysql", "read_only", "check", "small")),
    ]
    rate, late = held(shown)
    assert rate.errors == pytest.approx((0.1, 0.05, 0.4))
    assert rate.inside == 2
    assert rate.missed
    assert late.errors == ()
    assert math.isnan(late.error)
    assert not late.missed
    page = "\n".join(summary(shown))
    assert "| transactions/s | 3 | 10% | 2 (67%), missed |" in page
    assert "| p95 |" not in page
    assert "91% at least, 95% in the median, of 2 cases; 1 more" in page
    assert "0.99 times the rate by hand, in the median of all 12 rounds of 3 cases" in page
    assert any(each.missed for each in held(shown))
    assert not any(each.missed for each in held(shown[:2]))


def test_configurations_are_held_against_each_other_round_by_round() -> None:
    """A machine that halves its pace now and then meets all of a round alike."""
    found = case((100, 150, 160), {})
    for number in (1, 2):
        found.tps[number] = {arm: rate / 2 for arm, rate in found.tps[number].items()}
    found.tps[4] = {BEFORE: 1000.0}
    assert found.times(PLAN) == pytest.approx(1.5)
    assert found.times(PLAN, HAND) == pytest.approx(150 / 160)
    assert found.captured(PLAN) == pytest.approx(50 / 60)


def test_the_95th_percentile_has_the_same_bars() -> None:
    near = band(1.5, 1.2, 1.8)
    off = case((100, 150, 150), near, times=(1000.0, 400.0), expected=band(0.8, 0.5, 1.2))
    assert any(each.missed for each in held([off]))
    assert "| p95 | 1 | 100%, missed | 0 (0%), missed |" in "\n".join(summary([off]))
    well = case((100, 150, 150), near, times=(1000.0, 800.0), expected=band(0.8, 0.5, 1.2))
    assert not any(each.missed for each in held([well]))


def test_nothing_measured_says_nothing() -> None:
    nothing = [Pieces(Case("mysql", "read_only", "check", "small"))]
    assert list(summary(nothing)) == []
    assert not any(each.missed for each in held(nothing))


def test_the_page_begins_with_the_summary(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    found = case((100, 150, 150), band(1.5, 1.2, 1.8))

    class Shelf(Kept):
        def __init__(self) -> None:
            self.tree = "0123456789ab"

        def cases(self) -> list[Case]:
            return [found.case]

        def pieces(self, case: Case) -> Pieces:
            return found

    monkeypatch.setattr(report, "machine", dict)
    monkeypatch.setattr(page, "save_raw", lambda *_: None)
    monkeypatch.setattr(page, "PAGE", tmp_path / "ADVICE.md")
    assert page.write_page(Shelf(), [], 4) == [found]
    text = (tmp_path / "ADVICE.md").read_text(encoding="utf-8")
    assert "| transactions/s | 1 | 0% | 1 (100%) |" in text
    assert text.index("Forecasts against what came") < text.index("| server | load |")
