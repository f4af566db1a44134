"""Drives under a server: who is the fastest where, how surely, and for what price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from advisor.compare.contender import Contender
from advisor.compare.reference import library
from advisor.forecasts.server.live import live
from advisor.forecasts.under import UnderServer, under_server
from advisor.forecasts.what_if import Forecaster, WhatIf
from advisor.model.network.stations import Place
from advisor.report.forms.text import page
from advisor.report.json.under import document
from advisor.report.sections.forecasts import drives_alone, drives_under
from advisor.wording.forecasts.drive_answer import drive_answer, gained_per_s
from advisor.wording.forecasts.under import notes, roles_text, row, sentences
from probes.errors import UsageError
from probes.figures import price, times
from probes.points import Probe, Setting
from tests.advisor.forecasts.live_servers import on_a_slow_drive
from tests.points import point
from tests.present import present

THREADS = (1, 4, 16, 64, 256)


@cache
def server() -> Forecaster:
    return Forecaster(live(on_a_slow_drive()))


def drive(name: str, rates: Sequence[float], block: int = 16384) -> Contender:
    points = tuple(
        point(Setting(Probe.RANDOM_READ, threads, block), rate, id=at)
        for at, (threads, rate) in enumerate(zip(THREADS, rates, strict=True))
    )
    return Contender(name, "a test", {"filesystem": name}, points, key=name)


QUICK = drive("quick", (9_000, 12_000, 12_500, 12_500, 12_500))
WIDE = drive("wide", (900, 3_600, 14_000, 40_000, 60_000))


def compared(*drives: Contender, **prices: float) -> UnderServer:
    return under_server(server(), drives, prices)


def plain(found: UnderServer) -> str:
    return " ".join(sentences(found)).replace("\u202f", " ")


def rate_with(found: WhatIf | None, connections: int) -> float:
    """What a drive does with so many connections, asked alone."""
    asked = server().ask(present(found).turned, [connections])
    return next(each.rate_per_s.value for each in asked.after.steps if each.threads == connections)


def test_the_crossing_lies_between_two_that_are_sure() -> None:
    """Low latency wins at few connections, many IOPS at many."""
    found = compared(QUICK, WIDE)
    assert [each.best for each in found.stretches] == [0, None, 1]
    first, unsure, last = found.stretches
    assert (first.first, last.last) == (1, found.reach)
    assert (unsure.first, unsure.last) == (first.last + 1, last.first - 1)
    assert f"A up to {first.last} connections, B from {last.first} connections on" in plain(found)
    assert "Elsewhere it is too close to call." in plain(found)
    (crossing,) = found.crossings
    assert (crossing.before, crossing.after) == (0, 1)
    assert (crossing.low, crossing.high) == (first.last, last.first)
    assert crossing.low < crossing.at < crossing.high
    rates = [
        [rate_with(each.found, crossing.at - back) for each in found.entrants] for back in (1, 0)
    ]
    assert rates[0][0] > rates[0][1]
    assert rates[1][0] < rates[1][1]
    level = f"A and B are level at {crossing.at} connections ({first.last} to {last.first})."
    assert level in plain(found)
    assert document(found)["crossings"] == [
        {
            "from": "A",
            "to": "B",
            "connections": crossing.at,
            "low": crossing.low,
            "high": crossing.high,
        }
    ]


def test_of_the_drives_alone_it_is_said_which_is_the_best_for_what() -> None:
    nothing_else = ". No two of them were measured alike for redo log and temporary files."
    both = roles_text(compared(QUICK, WIDE))
    assert (
        both == f"The best of the drives alone: for data A in 3 of 4 roles and B in 1{nothing_else}"
    )
    alike = roles_text(compared(QUICK, replace(QUICK, name="other", key="other")))
    assert alike == f"The best of the drives alone: for data too close to call{nothing_else}"
    log = Setting(Probe.REDO_SYNC, 1, 4096, options={"sync": "fdatasync"})
    temporary = Setting(Probe.STEADY_WRITE, 4, 1 << 20)
    made = [
        replace(each, points=(*each.points, point(log, by), point(temporary, 1e6 / by)))
        for each, by in ((QUICK, 500.0), (drive("slow", (90, 120, 125, 125, 125)), 2_000.0))
    ]
    found = compared(*made)
    assert roles_text(found) == (
        "The best of the drives alone: for data A; for redo log B; for temporary files A."
    )


def test_where_the_server_is_comes_first() -> None:
    found = compared(drive("slow", (500, 900, 1_000, 1_000, 1_000)), QUICK)
    assert found.ranked == (1, 0)
    assert found.ahead.low > 2
    assert plain(found).startswith("With the server's 32 connections B is the fastest: ")
    assert [each.best for each in found.stretches] == [1]
    assert "B at every number of connections up to 256" in plain(found)


def test_two_alike_are_too_close_to_call() -> None:
    other = drive("other", tuple(1.02 * rate for rate in (9_000, 12_000, 12_500, 12_500, 12_500)))
    found = compared(QUICK, other)
    assert {each.best for each in found.stretches} == {None}
    assert "too close to call" in plain(found)
    assert "none of them is surely faster than the rest" in plain(found)
    assert found.crossings == ()


def test_where_the_processors_limit_a_faster_drive_is_said_to_gain_nothing() -> None:
    found = compared(QUICK, replace(QUICK, name="other", key="other"))
    assert "gains nothing" not in sentences(found)[0]
    busy = [
        replace(each, found=replace(what, then=replace(what.then, limited_by=Place.CPU)))
        for each in found.entrants
        if (what := each.found) is not None
    ]
    said = sentences(replace(found, entrants=tuple(busy)))[0]
    assert said.startswith("With the server's 32 connections both give ")
    assert said.endswith(" queries/s: CPU limits, and a faster drive gains nothing.")


def test_twelve_at_most_each_with_its_price() -> None:
    found = compared(QUICK, WIDE, quick=0.1, wide=1.0)
    per = [each.price_per_thousand for each in found.entrants]
    assert per[0] is not None
    assert per[1] is not None
    assert per[0] < per[1]
    assert "1,000 queries/s with these connections cost: A " in plain(found)
    with pytest.raises(UsageError, match="1 can"):
        compared(QUICK)
    with pytest.raises(UsageError):
        compared(*[QUICK] * 13)


def test_what_can_not_be_compared_is_said_with_its_reason() -> None:
    small = drive("small", (1_000, 2_000, 3_000, 4_000, 5_000), block=4096)
    found = compared(QUICK, WIDE, small)
    assert found.entrants[2].found is None
    assert "no random reads of 16" in found.entrants[2].because
    # A sentence, not a cell of the table: there it would push the figures out of sight.
    assert found.entrants[2].because in sentences(found)
    assert row(found, 2) == ("–", "", "", "", "")
    assert any(each.aspect == "filesystem" for each in found.reasons)
    with pytest.raises(UsageError, match="Fewer than two"):
        compared(QUICK, small)


def test_the_document_has_drives_stretches_and_reasons() -> None:
    card = next(each for each in library() if each.key == "callaghan-flash-2010")
    content = document(compared(QUICK, card))
    assert [each["letter"] for each in content["drives"]] == ["A", "B"]
    assert content["fastest"][0]["from"] == 1
    assert content["connections"] == 32
    assert content["ahead"]["low"] <= content["ahead"]["times"] <= content["ahead"]["high"]
    assert content["reasons"]


def test_what_a_forecast_rests_on_is_told_of_each_drive() -> None:
    """Without commits of its own a drive keeps the syncs of today, which may be slower ones."""
    found = compared(QUICK, WIDE)
    (about_a, about_b) = notes(found)
    assert about_a == "A: quick has no commits: the log's syncs are taken to stay as they are."
    assert about_b.startswith("B: wide has no commits")
    assert about_a in page((*drives_under(found), *drives_alone(found)), 200)
    assert document(found)["drives"][0]["notes"] == [about_a.removeprefix("A: ")]


def test_all_that_tie_are_named_and_no_other() -> None:
    rates = (9_000, 12_000, 12_500, 12_500, 12_500)
    others = [drive(f"x{by}", tuple(by * rate for rate in rates)) for by in (1.01, 0.1, 1.02)]
    found = compared(QUICK, *others)
    assert set(found.tied) == {0, 1, 3}
    assert " and A are too close to call: D does 1" in plain(found)


def test_one_sentence_says_which_by_how_much_and_what_the_gain_costs() -> None:
    found = compared(drive("slow", (500, 900, 1_000, 1_000, 1_000)), QUICK, slow=100.0, quick=420.0)
    answer = drive_answer(found).replace("\u202f", " ")
    best = present(found.entrants[1].found)
    assert best.gain.low > 1
    assert answer.startswith(f"Take B (quick): {best.gain.text(times)} today's queries for your ")
    assert f"server, {found.ahead.text(times)} A's; 1,000 queries/s more than today cost " in answer
    gained = present(gained_per_s(found.entrants[1]))
    assert f"{price(420 / gained * 1000)} with B" in answer
    assert answer.count(". ") == 0
    assert "cost" not in drive_answer(compared(WIDE, QUICK))


def test_of_two_that_are_alike_the_cheaper_is_taken() -> None:
    other = drive("other", tuple(1.02 * rate for rate in (9_000, 12_000, 12_500, 12_500, 12_500)))
    found = compared(QUICK, other, quick=200.0, other=300.0)
    answer = drive_answer(found)
    assert "A and B are too close to call for your server" in answer
    assert "so take the cheapest, A (quick)" in answer


def test_where_no_drive_gains_the_answer_says_how_far_they_lie_apart() -> None:
    slow, slower = (drive(name, rates) for name, rates in (
        ("slow", (300, 500, 600, 600, 600)), ("slower", (30, 50, 60, 60, 60)),
    ))  # fmt: skip
    found = compared(slow, slower)
    assert present(found.entrants[0].found).gain.low <= 1 < found.ahead.low
    answer = drive_answer(found)
    assert answer.startswith("None of these drives is sure to make your server faster")
    assert f", by A (slow), {found.ahead.text(times)} B's" in answer
