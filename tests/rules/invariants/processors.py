"""What a forecast takes of the machine's processors."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.forecasts.server.live import live
from probes.errors import UsageError
from tests.rules.invariants.answer import Answer

ROUNDING = 1e-6


def more_than_the_processors_do(answer: Answer) -> Iterator[str]:
    """A query computes as long as was counted, and no plan has more of them than that leaves."""
    try:
        server = live(answer.case).server
    except UsageError:
        return
    if server.cpu_us is None:
        return
    fitted = server.likeliest()
    if fitted.cpu_us < server.cpu_us.value * (1 - ROUNDING):
        yield f"a query took {server.cpu_us.value:.0f} µs of a processor, not {fitted.cpu_us:.0f}"
    forecast = answer.made.plan.forecast
    if forecast is not None:
        busy = forecast.times.value * server.rate_per_s.value * fitted.own_cpu_us / 1e6
        if busy > max(fitted.cores, server.cores.value) * (1 + ROUNDING):
            yield f"{busy:.1f} of {server.cores.value:.1f} processors would compute"
