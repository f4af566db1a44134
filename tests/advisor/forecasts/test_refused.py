"""What can't be forecast, and the sentence that says so."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import live
from probes.errors import UsageError
from tests.advisor.forecasts.live_servers import on_a_slow_drive


@pytest.mark.parametrize(
    "name, value, said",
    [
        ("pool", "64G", "no setting that a forecast can change"),
        ("buffer_pool", "big", "not a valid size"),
        ("buffer_pool", "1k", "too small"),
        ("page_size", "5k", "no pages of"),
        ("drives", "0", "not a valid number of drives"),
        ("connections", "many", "not a valid number of connections"),
        ("innodb_flush_method", "O_DIRECT", "flush_method can't be forecast: how many syncs"),
        ("innodb_buffer_pool_instances", "8", "instances can't be forecast: how long queries wait"),
        ("innodb-doublewrite-pages", "32", "can't be forecast: how many syncs a larger batch"),
        ("doublewrite", "detect_only", "DETECT_ONLY can't be forecast: what it writes beside"),
        ("doublewrite", "maybe", "no value of doublewrite"),
        ("flush_log_at_trx_commit", "3", "no innodb_flush_log_at_trx_commit"),
        ("sync_binlog", "-1", "not a valid number of commits per sync"),
        ("network", "far", "not a valid time"),
        ("reads", "120%", "not a valid percentage"),
    ],
)
def test_what_can_not_be_turned_is_said(name: str, value: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        turned(live(on_a_slow_drive()), {name: value})


@pytest.mark.parametrize(
    "other, said",
    [
        ({"watched": None}, "the server was not watched"),
        ({"watched": {"series": {"Questions": [float(each) for each in range(30)]}}}, "no load"),
        ({"sandbox": True}, "Leadline's own"),
    ],
)
def test_without_a_load_there_is_no_forecast(other: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        live(on_a_slow_drive(**other))
