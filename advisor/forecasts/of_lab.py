"""What the model expects of a lab's variants, where its load is like that of a watched server."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.case import Case
from advisor.forecasts.knobs.knobs import turnable, turned
from advisor.forecasts.server.live import Live, live
from advisor.forecasts.what_if import Forecaster
from advisor.lab.asked import POOL, REDO, Asked
from advisor.lab.lines import pool_bytes
from probes.errors import UsageError
from probes.lab.variant import TableEngine, Variant
from probes.statistics.ranges import Range


def forecasts_of(case: Case, asked: Asked) -> dict[str, Range]:
    """How many times the base's rate each variant is forecast to do, on the watched server.

    Those that no forecast knows are left out; all are where nothing can be forecast. Sizes count in
    the lab's proportions, which are the watched server's made smaller.
    """
    try:
        server = live(case)
    except UsageError:
        return {}
    forecaster = Forecaster(server)
    found: dict[str, Range] = {}
    base = _gain(forecaster, asked, asked.base)
    if base is None:
        return {}
    for variant in asked.variants[1:]:
        gain = _gain(forecaster, asked, variant)
        if gain is not None:
            found[variant.name] = gain.times(1 / base.value)
    return found


def _gain(forecaster: Forecaster, asked: Asked, variant: Variant) -> Range | None:
    """How many times today's rate a variant's settings bring; None where one has no forecast."""
    elsewhere = (variant.directory, variant.server) != (asked.base.directory, asked.base.server)
    if variant.engine is not TableEngine.INNODB or elsewhere:
        return None
    try:
        wanted = dict(_wanted(forecaster.live, asked, variant))
        return forecaster.ask(turned(forecaster.live, wanted)).gain
    except UsageError:
        return None


def _wanted(live: Live, asked: Asked, variant: Variant) -> Iterator[tuple[str, str]]:
    """A variant's lines as a forecast turns them; raises UsageError where one can't be turned."""
    settings = live.settings
    redo_bytes = 0.0 if settings.redo is None else settings.redo.capacity
    sizes = {
        POOL: ("buffer_pool", (settings.pool_bytes or 0.0) / pool_bytes(asked, asked.base)),
        REDO: ("redo_log", redo_bytes / asked.redo_bytes),
    }
    if variant.page_bytes and variant.page_bytes != settings.page_bytes:
        yield "page_size", str(variant.page_bytes)
    for name, value in variant.lines.items():
        if name in sizes:
            known, scale = sizes[name]
            yield known, str(round(scale * int(value)))
            continue
        pair = turnable(name, value, settings.redo_files)
        if pair is None:
            raise UsageError(f"{name} can't be forecast.")
        yield pair
