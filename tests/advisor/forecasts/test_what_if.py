"""A live server after a change: fitted to today, and what each turn does to it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from advisor.case import Case
from advisor.compare.contender import Contender
from advisor.compare.reference import library
from advisor.forecasts.kept import KeptScenario, kept, scenario
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import Live, live
from advisor.forecasts.what_if import Forecaster, WhatIf
from advisor.model.network.change import FIGURES
from advisor.model.network.closed_network import solve
from advisor.model.network.stations import Place
from advisor.report.json.what_if import document
from advisor.wording.forecasts.what_if import changes_text, sentences
from probes.errors import UsageError
from probes.statistics.ranges import Range
from tests.advisor.forecasts.live_servers import COMMITS, READS_16K, on_a_slow_drive
from tests.present import present

SLOW = [[1, 700], [4, 2_600], [16, 7_000], [64, 9_500], [256, 9_800]]


@cache
def watched(*, curves: bool = False) -> Forecaster:
    """The server, of which the drive was measured or only watched."""
    case = on_a_slow_drive(reads_16k=SLOW, commits=COMMITS) if curves else on_a_slow_drive()
    return Forecaster(live(case))


def forecast(*, curves: bool = False, drive: Contender | None = None, **wanted: str) -> WhatIf:
    server = watched(curves=curves)
    return server.ask(turned(server.live, wanted, drive))


def of_case(case: Case, **wanted: str) -> WhatIf:
    found = live(case)
    return Forecaster(found).ask(turned(found, wanted))


def reference(key: str) -> Contender:
    return next(each for each in library() if each.key == key)


def share(found: WhatIf, place: Place) -> float:
    return sum(each.whole for each in found.then.time if each.place is place)


# --- today ---


@pytest.mark.parametrize("curves", [False, True])
def test_today_is_what_was_measured_in_every_draw(curves: bool) -> None:
    found, network = watched(curves=curves).live, watched(curves=curves).network
    assert found.server.connections == 32
    assert found.server.rate_per_s.value == pytest.approx(20_000, rel=0.01)
    for work in (network.likeliest, *network.draws):
        rates = [each.rates_per_s(32) for each in work.stations()]
        assert solve(rates).rate_per_s[-1] == pytest.approx(found.server.rate_per_s.value, rel=1e-3)


def test_time_goes_where_the_watch_saw_it() -> None:
    now = forecast().now
    shares = {each.place: each.whole for each in now.time}
    # 8,000 reads of 1.9 ms each wait at a time, of 24 queries at work.
    assert shares[Place.DRIVE] == pytest.approx(15.2 / 24, abs=0.06)
    assert shares[Place.CPU] == pytest.approx(3.2 / 24, abs=0.03)
    assert now.at_work == pytest.approx(24, rel=0.03)
    assert now.latency_us == pytest.approx(1_200, rel=0.03)


def test_what_nobody_explains_is_a_wait_for_others_in_part() -> None:
    """Its rate follows the square root of how many there are, so that its time does, too."""
    network = watched().network
    assert network.likeliest.other_us > 50
    took_us = []
    for connections in ("64", "32", "2"):
        step = forecast(connections=connections).then
        other = next(each for each in step.time if each.place is Place.OTHER)
        took_us.append(other.whole * step.latency_us)
    more, now, fewer = took_us
    assert more > 1.05 * now
    assert fewer < 0.8 * now


def test_a_server_that_is_faster_than_its_parts_is_hurried_to_its_rate() -> None:
    """64 processors busy, as somebody counted wrongly: the network still does what was measured."""
    found = of_case(on_a_slow_drive(watched={"cpu": [64.0, 0.0]}))
    assert found.now.rate_per_s.value == pytest.approx(20_000, rel=0.02)


def test_waits_that_were_timed_too_long_are_shorter_and_processors_stay_as_counted() -> None:
    """More reads would be waited for than queries are at work."""
    reads = ["data", "read", 8_000.0, 4_500.0, 4_400.0, 4_600.0]
    slow = on_a_slow_drive(watched={"files": [reads], "device": [8_000.0, 4_500.0, 36.0]})
    server = live(slow).server
    for work in (server.likeliest(), *server.drawn(5, np.random.default_rng(1))):
        assert work.cpu_us == pytest.approx(present(server.cpu_us).value, rel=0.3)
    assert server.likeliest().cpu_us == present(server.cpu_us).value
    assert server.likeliest().reads < 0.95 * server.reads.value
    assert of_case(slow).now.rate_per_s.value == pytest.approx(20_000, rel=0.02)


# --- what is turned ---


def test_a_larger_pool_reads_less_and_a_smaller_one_more() -> None:
    larger, smaller = forecast(buffer_pool="32G"), forecast(buffer_pool="8G")
    assert larger.gain.low > 1.05
    assert smaller.gain.value < 0.8
    assert smaller.gain.high < larger.gain.low
    assert share(larger, Place.DRIVE) < share(smaller, Place.DRIVE)
    assert changes_text(larger).replace("\u202f", " ") == "buffer pool 16 GiB to 32 GiB"


def test_a_smaller_pool_that_keeps_all_that_it_ever_held_reads_no_more() -> None:
    pages = {"Innodb_buffer_pool_pages_free": 600_000, "Innodb_buffer_pool_pages_total": 1_048_576}
    case = on_a_slow_drive(gauges=pages)
    found = of_case(case, buffer_pool="8G")
    assert found.gain.value == pytest.approx(1.0, abs=0.001)
    (note,) = turned(live(case), {"buffer_pool": "8G"}).notes
    assert note.startswith("Misses stay as they are: ")
    assert of_case(case, buffer_pool="4G").gain.value < 0.8


def test_a_measured_miss_curve_goes_before_a_shape_and_is_narrower() -> None:
    pages = {
        "again": [[float(each), 400.0] for each in range(300_000, 3_000_000, 100_000)],
        "first": [[3_000_000.0, 4_000.0]],
    }
    traced = of_case(on_a_slow_drive(watched={"pages": pages}), buffer_pool="32G")
    shaped = forecast(buffer_pool="32G")
    assert any("trace saw" in each for each in traced.turned.notes)
    assert any("usual shape" in each for each in shaped.turned.notes)
    reads = [each.turned.change.reads for each in (traced, shaped)]
    assert reads[0].high / reads[0].low < reads[1].high / reads[1].low


def test_a_pool_that_holds_all_data_leaves_hardly_a_read() -> None:
    found = forecast(innodb_buffer_pool_size="100G")
    assert share(found, Place.DRIVE) < 0.03
    assert any("64 GiB of memory" in each.replace("\u202f", " ") for each in found.turned.notes)
    assert found.after.ceilings[0].place is Place.CPU


def test_a_second_drive_helps_a_saturated_one_and_more_where_more_wait() -> None:
    assert forecast(curves=True, drives="2").gain.value > 1.1
    crowded = forecast(curves=True, connections="256")
    both = forecast(curves=True, connections="256", drives="2")
    assert crowded.then.limited_by is Place.DRIVE
    assert both.then.rate_per_s.value / crowded.then.rate_per_s.value > 1.6


def test_another_drive_and_the_limit_behind_it() -> None:
    found = forecast(drive=reference("callaghan-flash-2010"))
    assert found.gain.low > 1.1
    assert found.after.ceilings[0].place is Place.CPU
    said = " ".join(sentences(found)).replace("\u202f", " ")
    assert "the first limit is CPU at 50.0 k queries/s" in said
    assert any("has no commits" in each for each in found.turned.notes)


def test_commits_that_wait_for_fewer_syncs_are_faster_and_all_of_them_slower() -> None:
    relaxed = forecast(flush_log_at_trx_commit="2", sync_binlog="0")
    assert share(relaxed, Place.REDO) == 0
    one = forecast(sync_binlog="0")
    assert 0 < share(one, Place.REDO) < share(forecast(), Place.REDO)
    loose = on_a_slow_drive(variables={"innodb_flush_log_at_trx_commit": "2"})
    again = of_case(loose, innodb_flush_log_at_trx_commit="1")
    assert again.gain.value < 1


def test_of_n_commits_one_waits_for_the_binary_log() -> None:
    """Syncs of 400 us of the redo log and of 500 us of the binary log."""
    for every, us in ((0, 400.0), (1, 900.0), (2, 650.0), (100, 405.0)):
        found = turned(watched().live, {"sync_binlog": str(every)}).change.sync_us
        assert (900.0 if found is None else found.value) == pytest.approx(us, rel=0.01)
    both, half = (
        turned(watched().live, {"flush_log_at_trx_commit": "2", "sync_binlog": every}).change
        for every in ("1", "2")
    )
    assert both.sync_us == half.sync_us
    assert (both.commits, half.commits) == (1.0, 0.5)
    today = live(
        on_a_slow_drive(variables={"innodb_flush_log_at_trx_commit": "2", "sync_binlog": "4"})
    )
    assert today.server.commits.value == pytest.approx(watched().live.server.commits.value / 4)
    assert turned(today, {"sync_binlog": "1"}).change.commits == 4.0


def test_flushes_of_the_logs_device_are_the_least_that_commits_wait() -> None:
    """One committer took 400 us; the device's flushes 70."""
    case = on_a_slow_drive(
        commits=COMMITS,
        watched={
            "files": [],
            "devices": [{"name": "vda", "roles": ["data", "redo"], "syncs": [900.0, 70.0, 0.1]}],
        },
    )
    found = live(case)
    took = present(found.settings.redo_us)
    assert took.low <= 70.0 < took.value < 400.0 <= took.high
    assert any("flushes of its device: they take at least" in each for each in found.caveats)


def test_without_commits_their_syncs_change_nothing() -> None:
    still = {name: [0.0] * 30 for name in ("Com_update", "Com_commit")}
    case = on_a_slow_drive(
        rates={"Com_update": 0.0, "Com_commit": 0.0}, watched={"series": still, "files": []}
    )
    found = of_case(case, sync_binlog="0")
    assert found.gain.value == pytest.approx(1.0)
    assert any("No commits were counted" in each for each in found.turned.notes)


def test_doublewrite_costs_what_was_measured_of_it() -> None:
    flush = {"off": 30_000.0, "on": 10_000.0}
    case = on_a_slow_drive(flush=flush, reads_16k=SLOW)
    now, off = (of_case(case, doublewrite=each) for each in ("on", "off"))
    ceilings = [
        {each.place: each.rate_per_s for each in one.after.ceilings}[Place.FLUSHING]
        for one in (now, off)
    ]
    assert ceilings[1] / ceilings[0] == pytest.approx(3.0, rel=0.05)
    assert now.gain.value == pytest.approx(1.0)
    assert off.gain.value > 1.0


def with_a_log(capacity: int, growth_per_s: float) -> Live:
    """The server whose redo log grows so."""
    return live(
        on_a_slow_drive(
            variables={"innodb_redo_log_capacity": str(capacity)},
            rates={"Innodb_redo_log_current_lsn": growth_per_s},
        )
    )


def test_a_redo_log_that_is_soon_full_writes_pages_again_and_again() -> None:
    found = with_a_log(100 << 20, 2e6)
    change = turned(found, {"redo_log": "2G"}).change
    assert change.pages.low == pytest.approx(100 / 2048)
    assert change.pages.low < change.pages.value < change.pages.high == 1
    network = Forecaster(found).network
    saved = network.likeliest.pages * network.likeliest.write_cpu_us
    after = change.made(network.likeliest, (0.0,) * FIGURES, None)
    assert network.likeliest.cpu_us - after.cpu_us == pytest.approx(
        saved * (1 - change.pages.value), rel=1e-6
    )
    assert saved > 0
    smaller = turned(found, {"redo_log": "50M"}).change
    assert (smaller.pages.low, smaller.pages.high) == (1, 2)


def test_a_redo_log_with_room_saves_nothing_when_larger() -> None:
    said = turned(with_a_log(8 << 30, 2e6), {"redo_log": "16G"})
    assert said.change.pages == Range.exact(1.0)
    assert "pages have time to collect their changes" in said.notes[0]


def test_a_redo_log_that_nobody_saw_grow_is_refused() -> None:
    with pytest.raises(UsageError, match="its size or its growth was not seen"):
        turned(watched().live, {"redo_log": "2G"})


def test_io_capacity_is_not_what_paces_a_server_that_flushes_far_more() -> None:
    """900 pages a second: for the redo log, or to make room."""
    case = on_a_slow_drive(variables={"innodb_io_capacity": "100"}, reads_16k=SLOW)
    server = live(case)
    raised = turned(server, {"io_capacity": "400"})
    assert raised.change.pages == Range.exact(1.0)
    assert any("far more than io_capacity asks for" in note for note in raised.notes)


def test_io_capacity_takes_from_the_reads_of_a_busy_drive() -> None:
    """The myth: more of it on a saturated drive writes more pages, and reads wait behind them."""
    case = on_a_slow_drive(variables={"innodb_io_capacity": "1000"}, reads_16k=SLOW)
    raised = of_case(case, io_capacity="4000")
    assert raised.gain.value < 0.95


def test_network_thinking_and_more_connections() -> None:
    assert forecast(network="1ms").gain.high < 1
    assert forecast(think_time="0").then.at_work == pytest.approx(32)
    assert forecast(think_time="10ms").gain.value < 0.6
    found = forecast(connections="128")
    assert (found.now.threads, found.then.threads) == (32, 128)
    assert found.gain.value > 1


def test_fewer_reads_are_more_commits() -> None:
    found = forecast(reads="50%")
    assert share(found, Place.REDO) > 2 * share(forecast(), Place.REDO)


def test_smaller_pages_need_a_curve_of_their_own_and_are_bounded() -> None:
    pages = [[1, 900], [4, 3_400], [16, 9_500], [64, 14_000]]
    result = of_case(on_a_slow_drive(reads_16k=SLOW, reads_4k=pages), page_size="4k")
    reads = result.turned.change.reads
    assert reads.low < 0.1 < reads.value < reads.high == 1.0
    assert result.gain.value > 1.2


# --- what is not known ---


def test_beyond_what_was_watched_the_band_is_wide_and_marked() -> None:
    unknown = forecast(connections="256").then
    known = forecast(curves=True, connections="256").then
    assert unknown.extrapolated
    wide, narrow = (each.rate_per_s.high / each.rate_per_s.low for each in (unknown, known))
    assert wide > 1.25 * narrow
    # What nobody measured has no most that could be named.
    assert Place.DRIVE not in {each.place for each in forecast().after.ceilings}
    assert Place.DRIVE in {each.place for each in forecast(curves=True).after.ceilings}


def test_what_the_watch_lacks_is_named() -> None:
    found = live(on_a_slow_drive(watched={"cpu": [0.0, 0.0]}))
    assert any("drive was not measured" in each for each in found.caveats)
    assert any(
        "Flushing to the server's own drive was not measured" in each for each in found.caveats
    )
    measured = live(on_a_slow_drive(reads_16k=READS_16K, flush={"off": 3e4, "on": 2e4}))
    assert measured.caveats == ()


def test_the_document_has_both_sides() -> None:
    content = document(forecast(buffer_pool="32G", drives="2"))
    assert [each["name"] for each in content["changes"]] == ["buffer pool", "drives"]
    assert content["now"]["connections"] == content["then"]["connections"] == 32
    assert content["today"]["threads"] == content["after"]["threads"]
    assert content["times"]["low"] < content["times"]["value"] < content["times"]["high"]
    assert sum(content["then"]["time"].values()) == pytest.approx(1, abs=0.001)
    for side in (content["now"], content["then"]):
        assert side["p95_us"]["low"] <= side["p95_us"]["value"] <= side["p95_us"]["high"]
        kinds = (side["committing"], side["others"])
        assert sum(each["share"] for each in kinds) == pytest.approx(1, abs=0.001)
        mean_us = sum(each["share"] * each["latency_us"] for each in kinds)
        assert mean_us == pytest.approx(side["latency_us"], rel=0.01)
    assert content["then"]["p95_us"]["value"] < content["now"]["p95_us"]["value"]


def test_how_long_queries_take_is_said_of_those_that_commit_and_of_others() -> None:
    said = " ".join(sentences(forecast(buffer_pool="32G")))
    assert "Of 100 queries 95 are done within" in said
    assert "Queries that commit (5" in said
    relaxed = " ".join(sentences(forecast(flush_log_at_trx_commit="2", sync_binlog="0")))
    assert "Queries that commit" not in relaxed


# --- scenarios that are kept ---


def test_a_scenario_is_kept_as_text_and_read_again() -> None:
    wanted = {"buffer_pool": "32G", "drives": "2"}
    named = scenario("  more   memory ", of_case(on_a_slow_drive(), **wanted), wanted, "run-12")
    assert named.name == "more memory"
    assert kept({named.name: named.stored, "odd": "of another kind"}) == [named]
    assert named.sentence.startswith("buffer pool 16")
    options = replace(named, besides={"redo": "log.csv", "plan": "yes"})
    assert kept({options.name: options.stored}) == [options]
    bracketed = reference("callaghan-flash-2010")
    elsewhere = forecast(drive=replace(bracketed, name="a drive [old]"))
    odd = scenario("odd", elsewhere, {}, "drive.csv")
    assert "a drive (old)" in odd.sentence
    assert kept({odd.name: odd.stored}) == [odd]
    spaced = replace(named, wanted={"buffer_pool": "32 GiB"}, drive="the client's [new] drive.csv")
    assert kept({spaced.name: spaced.stored}) == [spaced]
    assert kept({"odd": "half [buffer_pool='32"}) == []
    assert kept({"odd": "half [buffer_pool='32]"}) == [KeptScenario("odd", "half", {})]
    for name in ("", " ", "x" * 81, "a\0b"):
        with pytest.raises(UsageError, match="needs a name"):
            scenario(name, forecast(buffer_pool="32G"), wanted, "")
    with pytest.raises(UsageError, match="Nothing is changed"):
        scenario("as now", forecast(), {}, "")


def test_a_band_of_more_than_a_factor_of_ten_is_no_forecast() -> None:
    found = forecast(buffer_pool="64M")
    low, high = found.then.rate_per_s.low, found.then.rate_per_s.high
    assert high > 10 * low
    (then,) = (each for each in sentences(found) if each.startswith("Then: "))
    assert "That is not known any closer, for want of a trace of its misses" in then
    assert document(found)["wanting"][0] == "miss-trace"
    assert document(forecast(buffer_pool="32G"))["wanting"] == []
