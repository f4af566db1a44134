"""Forecasts held against a server's own later runs: watched, changed, and watched again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from advisor.case import Case
from advisor.forecasts.advised import to_turn
from advisor.forecasts.held import Held
from advisor.forecasts.knobs.knobs import turnable, turned
from advisor.forecasts.server.live import Live, live
from advisor.forecasts.what_if import Forecaster
from probes.errors import UsageError

SAME_MIX = 0.05
"""Shares of reading statements that differ by more are another load (our choice)."""


@dataclass(frozen=True, slots=True)
class OwnReplay:
    """What a run's watch forecast of a later one's settings, and what was measured then.

    ``changed`` are settings by name with their values before and after; rates are queries per
    second with the later run's connections.
    """

    target: str
    before: int | None
    after: int | None
    changed: tuple[tuple[str, str, str], ...]
    held: Held


def own_replays(cases: Iterable[Case]) -> Iterator[OwnReplay]:
    """Replay what is known of each target; ``cases`` are in the order of their time.

    Of two neighbours under load the first is forecast with the settings of the second. They count
    where some of these can be turned, and the load is of the same kind.
    """
    by_target: dict[str, list[Live]] = {}
    for case in cases:
        try:
            by_target.setdefault(case.target, []).append(live(case))
        except UsageError:
            continue  # It was not watched under load: there is nothing to hold a forecast against.
    for found in by_target.values():
        for before, after in pairwise(found):
            replay = _replay(before, after)
            if replay is not None:
                yield replay


def _replay(before: Live, after: Live) -> OwnReplay | None:
    mixes = before.settings.reading_share, after.settings.reading_share
    changed = tuple(_changed(before, after))
    wanted, _ = to_turn(before, [(name, then) for name, _, then in changed])
    if not wanted or abs(mixes[1] - mixes[0]) > SAME_MIX:
        return None
    if "buffer_pool" in wanted and not before.server.reads.value:
        return None  # Nothing missed: what another pool would miss was never seen.
    connections = after.server.connections
    wanted["connections"] = str(connections)
    found = Forecaster(before).ask(turned(before, wanted), [connections])
    return OwnReplay(
        before.case.target,
        before.case.run_id,
        after.case.run_id,
        changed,
        Held(connections, after.server.rate_per_s.value, found.then.rate_per_s),
    )


def _changed(before: Live, after: Live) -> Iterator[tuple[str, str, str]]:
    """Settings that a forecast has a place for, whose values differ."""
    first, second = before.case.inventory.mysql, after.case.inventory.mysql
    if first is None or second is None:
        return
    for name, then in sorted(second.variables.items()):
        now = first.variables.get(name)
        if now is not None and now.value != then.value and turnable(name, then.value, 1):
            yield name, now.value, then.value
