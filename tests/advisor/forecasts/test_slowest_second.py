"""The slowest second of a watch, and what it would be after a change."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.compare.reference import library
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import live
from advisor.forecasts.server.slowest_second import FEWEST_SECONDS, slow_second
from advisor.forecasts.what_if import Forecaster, WhatIf
from advisor.report.json.what_if import document
from advisor.wording.forecasts.what_if import sentences
from probes.figures import THIN
from tests.advisor.forecasts.live_servers import on_a_slow_drive
from tests.present import present
from tests.rules.watched_work import watched_work

SECONDS, STALLED = 30, 17
READ_US, STALL_US = 1_900.0, 9_500.0


def watched(rate_then: float, stall_us: float | None = STALL_US) -> Forecaster:
    """20,000 queries/s, but for one second in which reads took five times as long."""
    grown = [20_000.0] * (SECONDS - 1)
    grown[STALLED] = rate_then
    questions = [sum(grown[:at]) for at in range(SECONDS)]
    seen: dict[str, Any] = {"series": {"Questions": questions}}
    if stall_us is not None:
        reads_us = [READ_US] * (SECONDS - 1)
        reads_us[STALLED] = stall_us
        seen["courses"] = [
            ["data", "read", 8_000.0, reads_us],
            ["redo", "sync", 900.0, [400.0] * (SECONDS - 1)],
        ]
    return Forecaster(live(on_a_slow_drive(watched=seen)))


def ask(server: Forecaster, **wanted: str) -> WhatIf:
    return server.ask(turned(server.live, wanted))


def said(found: WhatIf) -> str:
    return " ".join(sentences(found)).replace(THIN, " ")


def test_the_second_with_the_fewest_queries_is_told_with_what_took_longer() -> None:
    slow = present(watched(6_000.0).live.slow_second)
    assert slow.per_s == 6_000.0
    assert slow.share == pytest.approx(0.3, abs=0.01)
    assert present(slow.reads) == pytest.approx(STALL_US / READ_US, rel=0.15)
    assert slow.syncs == pytest.approx(1.0)
    told = said(ask(watched(6_000.0)))
    assert "In the slowest second of the watch it did 6.00 k queries/s, 31 % of the mean" in told
    assert "reads took 4." in told
    assert "syncs took" not in told


def test_with_hardly_a_read_a_stall_of_the_drive_is_hardly_seen() -> None:
    """A pool that holds all data: what was slow for reads is slow no more."""
    found = ask(watched(6_000.0), buffer_pool="100G")
    then = present(present(found.slowest).then_per_s)
    assert then.value / found.then.rate_per_s.value > 0.85
    assert then.low < then.value <= then.high
    # It may have been something else all the same.
    assert then.low < 0.35 * found.then.rate_per_s.value
    assert " Then it would be " in said(found)


def test_what_reads_do_not_explain_stays_as_slow() -> None:
    found = ask(watched(6_000.0, stall_us=READ_US), buffer_pool="100G")
    then = present(present(found.slowest).then_per_s)
    assert then.value / found.then.rate_per_s.value == pytest.approx(0.31, abs=0.02)


def test_nothing_changed_leaves_the_second_as_it_was() -> None:
    found = ask(watched(6_000.0))
    assert present(present(found.slowest).then_per_s).value == pytest.approx(6_000.0, rel=0.02)


def test_of_untimed_seconds_and_of_another_drive_it_is_not_known() -> None:
    untimed = ask(watched(6_000.0, stall_us=None), buffer_pool="100G")
    assert present(untimed.slowest).then_per_s is None
    assert "is not known: reads and syncs were not timed second by second" in said(untimed)
    server = watched(6_000.0)
    flash = next(each for each in library() if each.key == "callaghan-flash-2010")
    other = server.ask(turned(server.live, {}, flash))
    assert present(other.slowest).then_per_s is None
    assert "how steady the other drive is was not measured" in said(other)
    assert document(other)["slowest_second"]["then_per_s"] is None
    assert document(other)["slowest_second"]["now_per_s"] == 6_000.0


@pytest.mark.parametrize("wanted", [{"flush_log_at_trx_commit": "2"}, {"page_size": "4k"}])
def test_on_the_same_drive_nobody_speaks_of_another(wanted: dict[str, str]) -> None:
    case = on_a_slow_drive(reads_16k=[[1, 700], [64, 9_500]], reads_4k=[[1, 900], [64, 14_000]])
    untimed = ask(Forecaster(live(case)), **wanted)
    assert present(untimed.slowest).then_per_s is None
    assert "reads and syncs were not timed second by second" in said(untimed)
    assert present(ask(watched(6_000.0), **wanted).slowest).then_per_s is not None


def test_a_short_watch_has_no_slowest_second() -> None:
    for seconds, known in ((FEWEST_SECONDS, True), (FEWEST_SECONDS - 1, False)):
        grown = {"Questions": [20_000.0 * at for at in range(seconds + 1)]}
        assert (slow_second(present(watched_work({"series": grown}))) is not None) is known
