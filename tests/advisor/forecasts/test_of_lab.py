"""What is expected of a lab's variants, where its load is like that of a watched server."""

from __future__ import annotations

import pytest

from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.of_lab import forecasts_of
from advisor.forecasts.server.live import live
from advisor.forecasts.what_if import Forecaster
from advisor.lab.asked import POOL, Asked
from advisor.wording.measured.lab import forecast_rows
from probes.lab.variant import LabLoad, TableEngine, Variant
from tests.advisor.forecasts.live_servers import on_a_slow_drive
from tests.rules.casework import build

MIB = 1 << 20


def asked(*variants: Variant) -> Asked:
    return Asked(variants, LabLoad(data_bytes=256 * MIB), pool_bytes=64 * MIB)


def test_variants_are_forecast_against_the_base_in_the_proportions_of_the_lab() -> None:
    case = on_a_slow_drive()
    base = Variant("64M", {POOL: str(64 * MIB)})
    larger = Variant("128M", {POOL: str(128 * MIB)})
    (found,) = forecasts_of(case, asked(base, larger)).items()
    server = live(case)
    same = Forecaster(server).ask(turned(server, {"buffer_pool": "32G"})).gain
    assert found[0] == "128M"
    assert found[1].value == pytest.approx(same.value, rel=1e-6)
    assert forecast_rows(dict([found]))[0][1].startswith("from the watch: 128M ")


def test_what_no_forecast_knows_has_none() -> None:
    variants = (
        Variant("as it is"),
        Variant("no such knob", {"innodb_page_cleaners": "1"}),
        Variant("MyISAM", engine=TableEngine.MYISAM),
        Variant("elsewhere", directory="/mnt"),
        Variant("relaxed", {"innodb_flush_log_at_trx_commit": "2"}),
    )
    assert [*forecasts_of(on_a_slow_drive(), asked(*variants))] == ["relaxed"]
    assert forecasts_of(build({}), asked(*variants)) == {}
    assert forecast_rows({}) == ()
