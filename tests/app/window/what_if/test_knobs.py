"""What can be turned on the what-if page: each knob's stops, and values as they are typed."""

from __future__ import annotations

import pytest

from advisor.forecasts.knobs.knobs import turned
from app.presenters.what_if.knobs import AS_NOW, knobs
from probes.errors import UsageError
from tests.advisor.forecasts.live_servers import READS_16K, on_a_slow_drive
from tests.app.window.what_if.test_what_if import made, plain, server
from tests.present import present


def test_every_stop_of_every_knob_is_a_change_that_can_be_forecast() -> None:
    found = {knob.name: knob for knob in knobs(server().live)}
    assert list(found)[:3] == ["buffer_pool", "connections", "drives"]
    assert {"flush_log_at_trx_commit", "sync_binlog", "doublewrite", "reads"} <= found.keys()
    for knob in found.values():
        assert knob.stops[knob.start][0] == AS_NOW
        values = [value for value, _ in knob.stops]
        assert values.count(AS_NOW) == 1
        for value in values:
            if value != AS_NOW:
                turned(server().live, {knob.name: value})


def test_what_the_server_does_not_have_is_no_knob() -> None:
    reading = on_a_slow_drive(
        rates={"Com_update": 0.0, "Com_commit": 0.0},
        variables={"log_bin": "OFF"},
        watched={
            "series": {
                name: [0.0] * 30 for name in ("Com_update", "Com_commit", "Innodb_pages_written")
            }
        },
    )
    names = {knob.name for knob in knobs(present(made(reading)).live)}
    assert names.isdisjoint({"flush_log_at_trx_commit", "sync_binlog", "doublewrite", "reads"})
    assert "buffer_pool" in names
    sizes = on_a_slow_drive(reads_16k=READS_16K, reads_4k=READS_16K)
    assert "page_size" in {knob.name for knob in knobs(present(made(sizes)).live)}


def test_a_redo_log_that_fills_can_be_turned() -> None:
    writing = on_a_slow_drive(
        variables={"innodb_redo_log_capacity": str(1 << 30)},
        rates={"Innodb_redo_log_current_lsn": 6e6},
    )
    found = {knob.name: knob for knob in knobs(present(made(writing)).live)}
    log = found["redo_log"]
    assert log.stops[log.start] == (AS_NOW, "1\u202fGiB")
    for value, _ in log.stops:
        if value != AS_NOW:
            turned(present(made(writing)).live, {"redo_log": value})
    assert "redo_log" not in {knob.name for knob in knobs(server().live)}


@pytest.mark.parametrize(
    ("name", "typed", "value", "said"),
    [
        ("buffer_pool", "32G", str(32 << 30), "32 GiB"),
        ("buffer_pool", "40 GiB", str(40 << 30), "40 GiB"),
        ("buffer_pool", "16384M", AS_NOW, "16 GiB"),
        ("connections", "1,000", "1000", "1,000"),
        ("network", "0.3ms", "300us", "300 µs more"),
        ("think_time", "1s", "1000000us", "1 s"),
        ("think_time", "0", "0us", "0 ns"),
        ("doublewrite", "OFF", "0", "off"),
        ("flush_log_at_trx_commit", "0", "0", "0"),
        ("sync_binlog", "100", "100", "100"),
        ("reads", "62.5%", "62.5%", "62 %"),
    ],
)
def test_a_value_has_the_stop_of_its_amount_or_one_of_its_own(
    name: str, typed: str, value: str, said: str
) -> None:
    offered = {knob.name: knob for knob in knobs(server().live)}[name]
    knob, at = offered.at(typed)
    assert (knob.stops[at][0], plain(knob.stops[at][1])) == (value, said)
    assert knob.stops[knob.start] == offered.stops[offered.start]
    assert {*offered.stops} <= {*knob.stops}
    assert knob.choice or [*knob.amounts] == sorted(knob.amounts)
    turned(server().live, {name: value} if value else {})
    with pytest.raises(UsageError):
        offered.at("many")


def test_todays_durability_is_shown_as_it_is() -> None:
    seldom = on_a_slow_drive(
        variables={"sync_binlog": "100", "innodb_flush_log_at_trx_commit": "0"}
    )
    found = {knob.name: knob for knob in knobs(present(made(seldom)).live)}
    synced, redo = found["sync_binlog"], found["flush_log_at_trx_commit"]
    assert synced.stops[synced.start] == (AS_NOW, "100")
    knob, at = synced.at("0")
    assert knob.stops[at] == ("0", "0: left to the system")
    assert redo.stops[redo.start] == (AS_NOW, "0 or 2: synced each second")
