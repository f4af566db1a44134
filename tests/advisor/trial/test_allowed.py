import pytest

from advisor.trial.allowed import (
    NEVER,
    NotTried,
    Refusal,
    restarted_settings,
    settle_s,
    tried_settings,
)
from advisor.variables.naming import version_named
from advisor.variables.sheets import SHEETS
from advisor.wording.measured.trial_plan import refusal

VARIABLES = {
    "innodb_io_capacity": "200",
    "innodb_io_capacity_max": "2000",
    "innodb_flush_neighbors": "0",
    "innodb_flush_log_at_trx_commit": "1",
    "innodb_adaptive_hash_index": "ON",
    "innodb_max_dirty_pages_pct": "90.000000",
    "innodb_max_dirty_pages_pct_lwm": "10.000000",
    "innodb_buffer_pool_instances": "1",
    "sync_binlog": "1",
    "innodb_doublewrite": "ON",
    "sort_buffer_size": "262144",
    "innodb_buffer_pool_size": "2147483648",
    "innodb_buffer_pool_chunk_size": "134217728",
    "innodb_log_checksums": "ON",
    "read_only": "OFF",
}
MYSQL = version_named("mysql-8.0.33")


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("innodb_flush_log_at_trx_commit", "2", NotTried.NEVER),
        ("sync_binlog", "0", NotTried.NEVER),
        ("innodb_doublewrite", "OFF", NotTried.NEVER),
        ("innodb_log_checksums", "OFF", NotTried.SLOW),
        ("innodb_buffer_pool_instances", "8", NotTried.RESTART),
        ("innodb_buffer_pool_size", "1000M", NotTried.ROUNDED),
        ("innodb_buffer_pool_size", "1M", NotTried.OUT_OF_RANGE),
        ("sort_buffer_size", "1M", NotTried.SLOW),
        ("read_only", "ON", NotTried.UNKNOWN),
        ("default_authentication_plugin", "x", NotTried.UNKNOWN),
        ("innodb_lru_scan_depth", "2048", NotTried.MISSING),
        ("innodb_io_capacity", "200", NotTried.SAME),
        ("innodb_io_capacity", "many", NotTried.NO_VALUE),
        ("innodb_io_capacity", "50", NotTried.OUT_OF_RANGE),
        ("innodb_io_capacity", "1'; DROP TABLE t", NotTried.NO_VALUE),
        ("innodb_flush_neighbors", "3", NotTried.OUT_OF_RANGE),
        ("innodb_adaptive_hash_index", "perhaps", NotTried.NO_VALUE),
        ("innodb_io_capacity", "3000", NotTried.ABOVE),
        ("innodb_max_dirty_pages_pct_lwm", "95", NotTried.ABOVE),
    ],
)
def test_what_is_not_tried(name: str, value: str, why: NotTried) -> None:
    found = tried_settings(MYSQL, {name: value}, VARIABLES)
    assert isinstance(found, Refusal)
    assert found.why is why
    sentence, advice = refusal(found)
    assert name in sentence
    assert "{" not in sentence + advice


def test_what_is_tried_is_written_as_the_server_shows_it() -> None:
    found = tried_settings(MYSQL, {"innodb_io_capacity": "1K"}, VARIABLES)
    assert not isinstance(found, Refusal)
    assert [(each.name, each.old, each.new) for each in found] == [
        ("innodb_io_capacity", "200", "1024"),
        ("innodb_io_capacity_max", "2000", ""),
    ]
    (switch,) = tried_settings(MYSQL, {"innodb_adaptive_hash_index": "0"}, VARIABLES)  # type: ignore[misc]
    assert (switch.new, switch.number) == ("OFF", False)


def test_a_pool_is_changed_in_steps_and_alone() -> None:
    found = tried_settings(MYSQL, {"innodb_buffer_pool_size": "1792M"}, VARIABLES)
    assert not isinstance(found, Refusal)
    assert found[0].path == ("1879048192",)
    smaller = tried_settings(MYSQL, {"innodb_buffer_pool_size": "1G"}, VARIABLES)
    assert not isinstance(smaller, Refusal)
    assert [int(each) >> 20 for each in smaller[0].path] == [1792, 1536, 1280, 1024]
    both = {"innodb_buffer_pool_size": "1G", "innodb_io_capacity": "500"}
    refused = tried_settings(MYSQL, both, VARIABLES)
    assert isinstance(refused, Refusal)
    assert refused.why is NotTried.ALONE
    capped = VARIABLES | {"innodb_buffer_pool_size_max": "3221225472"}
    over = tried_settings(MYSQL, {"innodb_buffer_pool_size": "4G"}, capped)
    assert isinstance(over, Refusal)
    assert over.why is NotTried.OUT_OF_RANGE


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("innodb_buffer_pool_instances", "8", None),
        ("innodb_buffer_pool_size", "4G", None),
        ("innodb_doublewrite", "OFF", NotTried.NEVER),
        ("innodb_buffer_pool_instances", "1", NotTried.SAME),
        ("innodb_buffer_pool_instances", "999", NotTried.OUT_OF_RANGE),
        ("innodb_lru_scan_depth", "2048", NotTried.MISSING),
        ("no_such_thing", "1", NotTried.UNKNOWN),
        ("innodb_buffer_pool_instances", "many", NotTried.NO_VALUE),
    ],
)
def test_what_a_person_may_change_by_a_restart(name: str, value: str, why: NotTried | None) -> None:
    found = restarted_settings(MYSQL, {name: value}, VARIABLES)
    assert (found.why if isinstance(found, Refusal) else None) is why
    if not isinstance(found, Refusal):
        assert found[0].name == name


@pytest.mark.parametrize(
    ("low", "high", "order"),
    [
        ("3000", "6000", ["innodb_io_capacity_max", "innodb_io_capacity"]),
        ("100", "150", ["innodb_io_capacity", "innodb_io_capacity_max"]),
    ],
)
def test_settings_never_cross_on_the_way(low: str, high: str, order: list[str]) -> None:
    wished = {"innodb_io_capacity": low, "innodb_io_capacity_max": high}
    found = tried_settings(MYSQL, wished, VARIABLES)
    assert not isinstance(found, Refusal)
    assert [each.name for each in found] == order


def test_a_setting_that_this_version_ignores_is_not_tried() -> None:
    found = tried_settings(
        version_named("mariadb-10.5.23"),
        {"innodb_thread_concurrency": "8"},
        {"innodb_thread_concurrency": "0"},
    )
    assert isinstance(found, Refusal)
    assert found.why is NotTried.IGNORED


def test_what_may_be_tried_acts_within_a_minute_and_loses_nothing() -> None:
    switched = [sheet for sheet in SHEETS.values() if sheet.switch is not None]
    assert len(switched) > 20
    for sheet in switched:
        assert sheet.switch is not None
        assert 0 < sheet.switch.settle_s <= 60, sheet.name
        assert sheet.category not in NEVER, sheet.name
        assert sheet.risk != "high", sheet.name
        assert not sheet.session, sheet.name
        assert all(span.dynamic for span in sheet.spans), sheet.name
        assert all(name in SHEETS for name in sheet.switch.moves), sheet.name
        assert sheet.kind.value in {"number", "switch"} or sheet.spans[0].state == "ignored"


def test_the_slowest_setting_says_how_long_to_settle() -> None:
    wished = {"innodb_io_capacity": "500", "innodb_adaptive_hash_index": "OFF"}
    found = tried_settings(MYSQL, wished, VARIABLES)
    assert not isinstance(found, Refusal)
    assert settle_s(found) == 15
