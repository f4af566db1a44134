"""One server over time: what each look at its work found, and which settings changed between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from statistics import median

from advisor.case import Case
from advisor.fleet.shared_settings import settings_of
from advisor.forecasts.server.watched_load import watched_load
from advisor.lab.watched import WatchedLoad
from advisor.run import COLLECTED_AT, RunKind, RunSummary, looks
from advisor.store.cases import load_inventory, numbered_trials
from advisor.store.damage import DamagedError
from advisor.store.store import Store
from advisor.trial.record import TrialVerdict
from probes.errors import UsageError
from probes.inventory.facts import Inventory
from probes.trial.settings import same_value

ALIKE = 0.3
"""Two looks with as many queries a second, within this share, are of a like load (our choice)."""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting that another look found otherwise; "" is what a server did not have."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class PastLook:
    """What a look found; ``load`` is None where no query was at work.

    ``changed`` is what differs from the look before; ``version`` is the server's. ``cpu_busy`` and
    ``drive_busy`` are shares of the time, the latter of the busiest drive; None is not known.
    """

    run_id: int
    at: str
    kind: RunKind
    version: str
    load: WatchedLoad | None
    changed: tuple[SettingChange, ...] = ()
    cpu_busy: float | None = None
    drive_busy: float | None = None


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """Looks of like loads before and after settings changed.

    ``times`` is the median time of a query after the change over that before; ``before`` and
    ``after`` are how many looks these are of. It is no proof: whatever else changed is in it.
    """

    at: str
    changed: tuple[SettingChange, ...]
    times: float
    before: int
    after: int


def history(store: Store, target: str) -> tuple[PastLook, ...]:
    """All looks at a target's server that came to their end, the oldest first; raises StoreError.

    One that is damaged is left out. Archives and texts stand where they were collected, however
    late they were imported.
    """
    found: list[PastLook] = []
    before: dict[str, str] = {}
    runs = sorted(looks(store.runs(target)), key=lambda run: run.id)
    for look, settings in sorted(filter(None, (_read(store, run) for run in runs)), key=_moment):
        changed = tuple(setting_changes(before, settings)) if before and settings else ()
        found.append(replace(look, changed=changed))
        before = settings or before
    return tuple(found)


def changed_since(store: Store, target: str, run_id: int) -> tuple[SettingChange, ...]:
    """What is known to be set otherwise than when a run looked; what went back is no change.

    By the latest look that read settings, and by trials that kept a value after it. Raises
    StoreError.
    """
    known = {run.id: run for run in looks(store.runs(target)) if run.id >= run_id}
    after = sorted(known.keys() - {run_id}, reverse=True)
    tried = any(number > run_id for number, _ in store.trials_of(target))
    # Mostly it is the newest: then nothing has to be read.
    then = _read(store, known[run_id]) if run_id in known and (after or tried) else None
    if then is None:
        return ()
    seen_at, settings = run_id, then[1]
    for later in after:
        read = _read(store, known[later])
        if read is not None and read[1] and _moment(read) > _moment(then):
            seen_at, settings = later, read[1]
            break
    kept = {
        each.name: each.new
        for number, _, record in reversed([*numbered_trials(store, target)])
        if number > seen_at and record.verdict is TrialVerdict.KEPT
        for each in record.asked.tried
    }
    now = settings | {name: value for name, value in kept.items() if name in settings}
    return tuple(
        each for each in setting_changes(then[1], now) if not same_value(each.old, each.new)
    )


def before_after(found: tuple[PastLook, ...]) -> Iterator[BeforeAfter]:
    """What became of a query's time where settings changed between looks of like loads."""
    for at, look in enumerate(found):
        if not look.changed:
            continue
        earlier = [each.load for each in _since(found[:at]) if each.load is not None]
        later = [each.load for each in _until(found[at:]) if each.load is not None]
        if not later:
            continue
        usual = median(each.queries_per_s for each in later)
        before = [each for each in earlier if alike(each.queries_per_s, usual)]
        times = _ratio(before, later)
        if times is not None:
            yield BeforeAfter(look.at, look.changed, times, len(before), len(later))


def _ratio(old: list[WatchedLoad], new: list[WatchedLoad]) -> float | None:
    before = [each.per_query.time_us for each in old if each.per_query.time_us]
    after = [each.per_query.time_us for each in new if each.per_query.time_us]
    return median(after) / median(before) if before and after else None


def _since(found: tuple[PastLook, ...]) -> list[PastLook]:
    """Of looks before a change those that came since the one before that."""
    last = max((at for at, look in enumerate(found) if look.changed), default=0)
    return list(found[last:])


def _until(found: tuple[PastLook, ...]) -> list[PastLook]:
    """Of looks from a change on those that came before the next."""
    following = next((at for at, look in enumerate(found) if at and look.changed), len(found))
    return list(found[:following])


def alike(one: float, other: float) -> bool:
    """Whether two rates of queries are of like loads."""
    return abs(one - other) <= ALIKE * max(one, other)


def _read(store: Store, run: RunSummary) -> tuple[PastLook, dict[str, str]] | None:
    try:
        # A whole case has every point, and all that was tried anywhere: nobody asks that here.
        inventory = load_inventory(store, run.id, store.conditions(run.id))
    except DamagedError:
        return None
    mysql = inventory.mysql
    if mysql is None or mysql.sandbox:
        return None
    try:
        load = watched_load(Case(run.target, inventory, ()), f"run {run.id}")
    except UsageError:
        load = None
    look = PastLook(run.id, looked_at(store, run, inventory), run.kind, str(mysql.version), load)
    machine = None if inventory.watched is None else inventory.watched.machine
    if machine is not None:
        look = replace(look, cpu_busy=machine.processors_busy, drive_busy=machine.drive_busy)
    return look, settings_of(mysql)


def looked_at(store: Store, run: RunSummary, inventory: Inventory) -> str:
    """When a run looked: an archive or texts when they were collected (UTC, ISO 8601)."""
    collected = run.from_texts or COLLECTED_AT in store.conditions(run.id)
    return inventory.taken_at if collected else run.started_at


def _moment(read: tuple[PastLook, dict[str, str]]) -> datetime:
    return datetime.fromisoformat(read[0].at)


def setting_changes(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[SettingChange]:
    """Settings that differ, by name."""
    for name in sorted(before.keys() | now.keys()):
        if before.get(name, "") != now.get(name, ""):
            yield SettingChange(name, before.get(name, ""), now.get(name, ""))
