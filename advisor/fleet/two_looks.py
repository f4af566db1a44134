"""Two looks at one server side by side: settings, load, time per query by wait, and the forecast.

It is no proof that a change of settings made the difference: whatever else changed is in it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from advisor.case import Case
from advisor.fleet.history import PastLook, SettingChange, alike, looked_at, setting_changes
from advisor.fleet.shared_settings import settings_of
from advisor.forecasts.advised import to_turn
from advisor.forecasts.asking import forecaster
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.watched_load import watched_load
from advisor.gain import Wait
from advisor.judging.engine import time_of
from advisor.lab.watched import WatchedLoad
from advisor.rulekit.facts import FactSource
from advisor.run import Voice, with_curves
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.variables.naming import value_text
from probes.errors import LeadlineError, UsageError
from probes.statistics.ranges import Range


@dataclass(frozen=True, slots=True)
class LookFigures:
    """What a look found of a server at work.

    ``queries_per_s`` and ``query_us`` have their 95 % intervals; ``waits_us`` is what a query
    spends in each wait that is known. ``load`` has the other figures.
    """

    run_id: int
    at: str
    version: str
    queries_per_s: Range
    query_us: Range | None
    waits_us: Mapping[Wait, Range]
    load: WatchedLoad


@dataclass(frozen=True, slots=True)
class ChangeForecast:
    """What the changed settings were to bring, by what the first look saw.

    ``queries`` is throughput then over today's, at the same number of connections; ``query`` the
    same of a query's time. ``apart`` are changed settings that no forecast knows. Both are None
    where it knows none, or no forecast of the server; ``because`` says why then.
    """

    queries: Range | None = None
    query: float | None = None
    apart: tuple[str, ...] = ()
    because: str = ""


@dataclass(frozen=True, slots=True)
class TwoLooks:
    """Two looks, the earlier first.

    ``done`` are steps of the plan that were ticked as done, ``unset`` those whose setting has still
    another value.
    ``times`` is a query's time in the later over that in the earlier, ``queries`` the same of their
    rates; ``alike`` says whether both loads are of a like size.
    """

    target: str
    before: LookFigures
    after: LookFigures
    changed: tuple[SettingChange, ...]
    forecast: ChangeForecast
    queries: Range
    times: Range | None
    alike: bool
    done: tuple[str, ...] = field(default=())
    unset: tuple[str, ...] = field(default=())


def two_looks(store: Store, one: int, other: int) -> TwoLooks:
    """Compare two stored looks. Raises UsageError for what are none at one server at work."""
    read = [(run, load_case(store, Voice(run.id))) for run in map(store.run, sorted((one, other)))]
    (run, case), (later, its) = read
    if case.target != its.target:
        raise UsageError(
            f"Run {run.id} is of {case.target}, run {later.id} of {its.target}.",
            "Name two looks at one server.",
        )
    timed = [(looked_at(store, run, case.inventory), run.id, case) for run, case in read]
    (was_at, first, old), (is_at, second, new) = sorted(
        timed, key=lambda each: datetime.fromisoformat(each[0])
    )
    before, after = (
        _figures(case, run, at) for case, run, at in ((old, first, was_at), (new, second, is_at))
    )
    was, now = settings_of(old.inventory.mysql), settings_of(new.inventory.mysql)
    changed = tuple(setting_changes(was, now))
    done = tuple(sorted(store.done_steps(old.target)))
    kept = {name: value for name, value in now.items() if was.get(name) == value}
    return TwoLooks(
        old.target,
        before,
        after,
        changed,
        _forecast(_as_it_was_known(store, old.target, (first, second)), changed),
        ratio(after.queries_per_s, before.queries_per_s),
        None
        if before.query_us is None or after.query_us is None
        else ratio(after.query_us, before.query_us),
        alike(before.load.queries_per_s, after.load.queries_per_s),
        done,
        tuple(step for step in done if _unset(step, kept)),
    )


def _unset(step: str, kept: Mapping[str, str]) -> bool:
    """Whether a step sets what is ``kept`` at another value (``name: 16 MiB → 208 MiB``)."""
    name = step.partition(":")[0]
    return name in kept and not step.endswith(f" → {value_text(name, kept[name])}")


def _as_it_was_known(store: Store, target: str, looks: tuple[int, int]) -> Case:
    """The first of two looks with the curves that spoke for the server before the second."""
    earlier = [run for run in store.runs(target) if run.id < max(looks)]
    return load_case(store, with_curves(looks[0], earlier))


def worth_comparing(looks: Sequence[PastLook]) -> tuple[int, int] | None:
    """The latest two looks with a load between which settings changed, else the latest two.

    None where fewer than two saw a load.
    """
    loaded = [at for at, look in enumerate(looks) if look.load is not None]
    if len(loaded) < 2:
        return None
    pairs = list(pairwise(loaded))
    changed = [
        pair for pair in pairs if any(each.changed for each in looks[pair[0] + 1 : pair[1] + 1])
    ]
    first, second = (changed or pairs)[-1]
    # What came after the change and saw it last says most of it.
    second = loaded[-1] if changed else second
    return looks[first].run_id, looks[second].run_id


def ratio(new: Range, old: Range) -> Range:
    """One figure over the other; their errors are independent."""
    value = new.value / old.value
    if min(new.low, old.low) <= 0:
        return Range(value, 0.0, math.inf)
    down = math.hypot(math.log(new.value / new.low), math.log(old.high / old.value))
    up = math.hypot(math.log(new.high / new.value), math.log(old.value / old.low))
    return Range(value, value * math.exp(-down), value * math.exp(up))


def _figures(case: Case, run_id: int, at: str) -> LookFigures:
    load = watched_load(case, f"run {run_id}")
    mysql, watched = case.inventory.mysql, case.inventory.watched
    rate = None if watched is None else watched.status.per_s("Questions")
    rate = rate or Range.exact(load.queries_per_s)
    # As in a judgement, of which no rule has a part in it.
    time = time_of(FactSource(case))
    each_us = 1e6 / rate.value
    return LookFigures(
        run_id,
        at,
        "" if mysql is None else str(mysql.version),
        rate,
        None if time is None else time.running.times(each_us),
        {} if time is None else {wait: found.times(each_us) for wait, found in time.waits.items()},
        load,
    )


def _forecast(before: Case, changed: Sequence[SettingChange]) -> ChangeForecast:
    if not changed:
        return ChangeForecast()
    server = forecaster(before)
    if isinstance(server, LeadlineError):
        return ChangeForecast(because=server.sentence)
    wanted, apart = to_turn(server.live, [(each.name, each.new) for each in changed])
    if not wanted:
        return ChangeForecast(apart=apart)
    try:
        found = server.ask(turned(server.live, wanted))
    except UsageError as error:
        return ChangeForecast(apart=apart, because=error.sentence)
    return ChangeForecast(found.gain, found.then.latency_us / found.now.latency_us, apart)
