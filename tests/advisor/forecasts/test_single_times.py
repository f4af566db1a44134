"""Percentiles from what was measured of single reads and syncs, where that is known."""

from __future__ import annotations

from typing import Any

from advisor.case import Case
from advisor.compare.reference import library
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import live
from advisor.forecasts.what_if import Forecaster, WhatIf
from advisor.report.json.what_if import document
from advisor.wording.forecasts.what_if import notes
from tests.advisor.forecasts.live_servers import READS_16K, on_a_slow_drive
from tests.present import present


def of_case(case: Case, **wanted: str) -> WhatIf:
    found = live(case)
    return Forecaster(found).ask(turned(found, wanted))


def traced(**files: int) -> dict[str, Any]:
    """Latencies of some files' operations, all in one class of about a millisecond."""
    rows = {
        "read": ["data", "read", [[40, files.get("read", 0)]]],
        "redo": ["redo", "sync", [[36, files.get("redo", 0)]]],
        "binlog": ["binlog", "sync", [[37, files.get("binlog", 0)]]],
    }
    return {"watched": {"latencies": [row for name, row in rows.items() if name in files]}}


def known_from(found: WhatIf) -> str:
    return " ".join(each for each in notes(found) if "single" in each.lower())


def test_p95_is_from_the_servers_own_reads_and_syncs_where_they_were_traced() -> None:
    every = on_a_slow_drive(**traced(read=5_000, redo=900, binlog=900))
    found = of_case(every, buffer_pool="32G")
    assert known_from(found) == (
        "p95 rests on the times of single reads and syncs, which the watch traced."
    )
    # Reads that all take about as long make fewer queries late than some that stall.
    stalls = on_a_slow_drive(watched={"latencies": [["data", "read", [[38, 3_500], [44, 1_500]]]]})
    late = [present(each.times_now).every.p95_us.value for each in (found, of_case(stalls))]
    assert late[0] < 0.85 * late[1]
    assumed = of_case(on_a_slow_drive(), buffer_pool="32G")
    assert "taken to vary as exponentially distributed times do" in known_from(assumed)


def test_the_quickest_reads_say_what_a_drive_does_for_fewer_connections() -> None:
    """Where some take a sixteenth of the others, these wait: fewer at once get nearly as much."""
    rows = {name: [[40, 4_500], [index, 500]] for name, index in (("some", 24), ("none", 40))}
    waiting, alone = (
        of_case(on_a_slow_drive(watched={"latencies": [["data", "read", cells]]}), connections="8")
        for cells in rows.values()
    )
    assert waiting.then.rate_per_s.value > 1.2 * alone.then.rate_per_s.value


def test_of_both_logs_each_has_to_be_traced_and_fewer_syncs_are_theirs() -> None:
    redo = on_a_slow_drive(**traced(redo=900))
    assert of_case(redo).needs_then.own_syncs is None
    assert of_case(redo, sync_binlog="0").needs_then.own_syncs is not None
    few = on_a_slow_drive(**traced(read=150))
    assert of_case(few).needs_then.own_reads is None


def test_on_another_drive_it_is_what_was_measured_there() -> None:
    every = on_a_slow_drive(**traced(read=5_000), reads_16k=READS_16K)
    live_case = live(every)
    flash = next(each for each in library() if each.key == "callaghan-flash-2010")
    other = Forecaster(live_case).ask(turned(live_case, {}, flash))
    assert other.needs_then.own_reads is None
    own = of_case(on_a_slow_drive(reads_16k=READS_16K))
    assert "which were measured on the drive" in known_from(own)


def test_the_document_has_p95_of_each_number_of_connections() -> None:
    told = document(of_case(on_a_slow_drive(), buffer_pool="32G"))
    for side in ("today", "after"):
        for mean_us, p95 in zip(told[side]["latency_us"], told[side]["p95_us"], strict=True):
            assert mean_us < p95["value"]
            assert p95["low"] <= p95["value"] <= p95["high"]
