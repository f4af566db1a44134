"""What advice makes of a live server: its settings as they are turned, and the waits that end."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace

from advisor.forecasts.knobs.knobs import short_name, turnable, turned
from advisor.forecasts.knobs.turned import Turned
from advisor.forecasts.server.live import Live
from advisor.gain import QueryTime, Relief, Wait, largest
from advisor.model.network.change import NO_CHANGE, ModelChange
from advisor.model.network.work import LEAST_US
from advisor.outcomes import Judgement, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.steps import SetVariable
from probes.errors import UsageError
from probes.statistics.ranges import Range

BUFFERING = "data_file_buffering"
"""MariaDB's switch, as forecasts spell it."""


@dataclass(frozen=True, slots=True)
class Advised:
    """A live server as advice would have it; ``apart`` are settings that no forecast can turn."""

    turned: Turned
    apart: tuple[str, ...] = ()

    @property
    def change(self) -> ModelChange:
        """What is different then."""
        return self.turned.change

    @property
    def changes(self) -> bool:
        """Whether the model knows of anything that is different then."""
        return self.change != NO_CHANGE


def advised_by(live: Live, time: QueryTime, one: Recommendation) -> Advised:
    """The server with what one rule proposes."""
    settings = [(step.name, step.value) for step in one.steps if isinstance(step, SetVariable)]
    return advised(live, time, settings, one.relieves)


def advised_plan(live: Live, judgement: Judgement, plan: ChangePlan) -> Advised:
    """The server with a plan that was made of a judgement."""
    reliefs, beside = reliefs_of(judgement, plan)
    settings = settings_of(plan)
    found = advised(live, judgement.time, settings, reliefs, beside)
    return replace(found, turned=_past_cache(live, found.turned, settings))


def _past_cache(live: Live, found: Turned, settings: Iterable[tuple[str, str]]) -> Turned:
    """The same where the plan opens data files past the page cache, and that answers reads.

    A pool that grows takes its memory: both together send no more to the drive than now.
    """
    values = {short_name(name): value.upper() for name, value in settings}
    past = values.get("flush_method", "") == "O_DIRECT" or values.get(BUFFERING) == "OFF"
    fewer = found.change.reads.value
    longer = min(live.settings.past_cache, 1 / fewer) if 0 < fewer < 1 else live.settings.past_cache
    if not past or longer <= 1:
        return found
    return found.changed(replace(found.change, read_time=found.change.read_time.times(longer)))


def settings_of(plan: ChangePlan) -> list[tuple[str, str]]:
    """What a plan sets, by the server's names, with the values that the server shows then."""
    return [(step.name, action.shows) for action, step in plan.settings()]


def reliefs_of(judgement: Judgement, plan: ChangePlan) -> tuple[list[Relief], list[Relief]]:
    """The waits that a plan shortens: by advice that sets something, and by what sets nothing.

    The latter is bought, or changed on the machine.
    """
    sets = {rule for action, _ in plan.settings() for rule in action.rules}
    others = {rule for action in plan.changes for rule in action.rules} - sets
    return _reliefs(judgement, sets), _reliefs(judgement, others)


def _reliefs(judgement: Judgement, rules: Container[str]) -> list[Relief]:
    found = (one.relieves for one in judgement.recommendations if one.rule in rules)
    return [each for relieves in found for each in relieves]


def advised(
    live: Live,
    time: QueryTime | None,
    settings: Iterable[tuple[str, str]],
    reliefs: Iterable[Relief],
    beside: Iterable[Relief] = (),
) -> Advised:
    """The server with other settings, and with waits that are shortened.

    A setting is turned where a forecast can; that counts for the places that it concerns. All else
    is what reliefs say: how long reads, commits and processors take, and less of other waits. Those
    of ``beside`` come of what sets nothing, so that they count for places whatever is turned.
    """
    wanted, apart = to_turn(live, settings)
    found = relieved(live, turned(live, wanted), time, reliefs, beside, stations=not wanted)
    return Advised(found, apart)


def to_turn(
    live: Live, settings: Iterable[tuple[str, str]]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Settings as they are turned at this server, and the names of those that can't be."""
    wanted: dict[str, str] = {}
    apart = []
    for name, value in settings:
        pair = turnable(name, value, live.settings.redo_files)
        if pair is not None and _can_turn(live, *pair):
            wanted[pair[0]] = pair[1]
        else:
            apart.append(name)
    return wanted, tuple(apart)


def _can_turn(live: Live, name: str, value: str) -> bool:
    try:
        turned(live, {name: value})
    except UsageError:
        return False
    return True


def relieved(
    live: Live,
    found: Turned,
    time: QueryTime | None,
    reliefs: Iterable[Relief],
    beside: Iterable[Relief] = (),
    *,
    stations: bool,
) -> Turned:
    """The same with waits that are shortened; of several reliefs of a wait the largest counts.

    Without ``stations`` ``reliefs`` leave places of the network the times that they have: what is
    turned says how often they are visited. What stands ``beside`` it shortens each visit.
    """
    if time is None:
        return found
    beside = tuple(beside)
    every = largest((*reliefs, *beside))
    change, spared = found.change, Range.exact(0.0)
    for wait, relief in (every if stations else largest(beside)).items():
        if _is_place(live, wait):
            change = _shortened(change, relief)
    for wait, relief in every.items():
        if not _is_place(live, wait):
            spared += relief.share * time.waits.get(wait, Range.exact(0.0))
    us_per_query = 1e6 / live.server.rate_per_s.value
    return found.changed(replace(change, spared_us=spared.times(us_per_query)))


def _is_place(live: Live, wait: Wait) -> bool:
    """Whether a wait is one of the network's places, and not among what nothing explains."""
    server = live.server
    match wait:
        case Wait.PAGE_READS:
            return server.reads.value > 0 and not (server.drive is None and server.read_us is None)
        case Wait.COMMITS:
            return server.commits.value > 0 and server.sync_us is not None
        case Wait.PROCESSORS:
            return server.cpu_us is not None and server.cpu_us.value > LEAST_US
        case _:
            return False


def _shortened(change: ModelChange, relief: Relief) -> ModelChange:
    share, least = relief.share, 0.0 if relief.times is None else 1 / relief.times
    left = Range(*(max(least, 1 - each) for each in (share.value, share.high, share.low)))
    match relief.wait:
        case Wait.PAGE_READS:
            return replace(change, read_time=left)
        case Wait.COMMITS:
            return replace(change, sync_time=left)
        case _:
            return replace(change, own_cpu=left)
