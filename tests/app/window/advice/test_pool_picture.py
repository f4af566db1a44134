"""The advice on a buffer pool is drawn: what larger pools would have missed, as a trace saw it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.case import Case
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.run import Voice
from advisor.runs.sample import take_sample
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_names import SAMPLE
from app.presenters.advice.pool_picture import pool_picture
from app.presenters.advice.rows import rows
from app.presenters.charts.connection_curves import ConnectionLine, CurvesPicture
from app.runtime.preferences import Preferences
from app.theme.appearance import Appearance
from app.views.advice.detail import LEAST_BELOW, AdviceDetail
from app.views.charts.curves.curve_chart import CurveChart
from tests.app.window.runs import done_run

RULE = "buffer-pool.size"


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """The sample's check, whose server was traced."""
    with Store.open(tmp_path_factory.mktemp("sample") / "runs.sqlite3") as store:
        list(take_sample(store))
        check = max(store.runs(SAMPLE), key=lambda run: run.points)
        return load_case(store, Voice(check.id))


@pytest.fixture(scope="module")
def judgement(case: Case) -> Judgement:
    return judge(case)


def outcome(judgement: Judgement, rule: str) -> Recommendation:
    return next(one for one in judgement.recommendations if one.rule == rule)


def lines(picture: CurvesPicture | None) -> dict[str, ConnectionLine]:
    assert picture is not None
    return {line.name: line for line in picture.lines}


def test_misses_fall_as_traced_and_are_at_most_as_many_beyond_it(
    case: Case, judgement: Judgement
) -> None:
    picture = pool_picture(outcome(judgement, RULE), case)
    drawn = lines(picture)
    today, traced, beyond = (drawn[name] for name in ("today", "as traced", "at most"))
    misses = [y for _, y in traced.spots]
    assert misses == sorted(misses, reverse=True) and misses[0] == today.spots[0][1]
    assert misses[-1] < misses[0] / 2
    assert beyond.spots[0] == traced.spots[-1]
    assert {y for _, y in beyond.spots} == {misses[-1]} and beyond.band[-1][1] == 0
    assert beyond.thin and not traced.thin
    for line in (traced, beyond):
        for (_, y), (_, low, high) in zip(line.spots, line.band, strict=True):
            assert low <= y <= high
    assert (beyond.at, traced.at, today.at) == (beyond.spots[-1], None, today.spots[0])


def test_the_pointer_reads_sizes_and_what_is_left_as_the_card_says_it(
    case: Case, judgement: Judgement
) -> None:
    advised = outcome(judgement, RULE)
    picture = pool_picture(advised, case)
    assert picture is not None
    first, last = picture.marks[0].text, picture.marks[-1].text
    assert first.startswith("128\u202fMiB: ") and first.endswith("100\u202f% of today's")
    share = last.rpartition(", ")[2].removesuffix(" of today's")
    assert f"at most {share}" in advised.effect
    texts = [text for _, text in picture.across.ticks]
    assert texts[0] == "128\u202fMiB" and len(texts) == len(set(texts)) <= 4


def test_other_advice_and_a_server_that_nobody_traced_have_no_such_picture(
    case: Case, judgement: Judgement
) -> None:
    for one in judgement.recommendations:
        drawn = pool_picture(one, case)
        assert (drawn is not None) == (one.rule == RULE and one.verdict is Verdict.RECOMMEND)
    assert pool_picture(outcome(judgement, RULE), None) is None


def test_the_card_draws_it_in_place_of_the_drives_curves(
    qtbot: QtBot,
    appearance: Appearance,
    case: Case,
    judgement: Judgement,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path))
    detail = AdviceDetail(appearance, Preferences(), CurveChart(appearance))
    qtbot.addWidget(detail)
    run = done_run(case, judgement, target="shop")
    by_rule = {row.rule: row for row in rows(judgement, {})}
    for width, height in ((1000, 700), (560, 560)):
        detail.resize(width, height)
        detail.show()
        detail.show_row(by_rule[RULE], run)
        qtbot.waitUntil(lambda: not detail.telling)
        assert detail.pool.isVisible() and not detail.panel.isVisible()
        assert detail.pool.height() >= LEAST_BELOW
    detail.show_row(by_rule["redo.capacity"], run)
    qtbot.waitUntil(lambda: not detail.telling)
    assert not detail.pool.isVisible()
