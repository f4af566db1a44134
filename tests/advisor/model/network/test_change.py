"""What a query needs after a change."""

from __future__ import annotations

import pytest

from advisor.forecasts.server.live import live
from advisor.model.network.change import LiveNetwork, ModelChange
from probes.statistics.ranges import Range
from tests.advisor.forecasts.live_servers import on_a_slow_drive


@pytest.mark.parametrize(("requests", "factor"), [(0.5, 0.625), (1.0, 1.0), (2.0, 1.75)])
def test_a_page_that_is_written_twice_takes_more_of_a_processor(
    requests: float, factor: float
) -> None:
    """Three quarters of what it takes go with its requests."""
    now = LiveNetwork.of(live(on_a_slow_drive()).server, 0)
    then = now.after(ModelChange(requests=Range.exact(requests))).work
    today = now.likeliest
    assert today.pages * today.write_cpu_us > 1
    assert then.write_cpu_us == pytest.approx(factor * today.write_cpu_us)
    more_us = today.pages * (then.write_cpu_us - today.write_cpu_us)
    assert then.cpu_us - today.cpu_us == pytest.approx(more_us, abs=1e-6)
