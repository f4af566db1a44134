"""A stored run as rules see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from advisor.case import Case
from advisor.lab.findings import findings
from advisor.lab.record import Record
from advisor.run import Voice
from advisor.store.damage import DamagedError
from advisor.store.database import now
from advisor.store.rows.runs import IDLE
from advisor.store.store import Store
from advisor.trial.findings import trial_findings
from advisor.trial.record import TrialRecord
from advisor.trial.rule_record import rule_records
from advisor.tried import Tried, valid_pins
from probes.inventory.facts import Inventory, Missing, RawInventory, Role
from probes.inventory.read import read
from probes.points import Point
from probes.trust.review import review
from probes.trust.surroundings import Surroundings


def load_case(store: Store, voice: Voice) -> Case:
    """A stored run as rules see it: its answers read again, its points, its conditions.

    The points' trust is judged again beside each other, as far as it can fall. Where the curves are
    another run's, they come with the drive and the conditions that they were measured under.
    """
    case = _load(store, voice.run_id)
    if voice.curves_id is None:
        return case
    return _with_curves(case, _load(store, voice.curves_id))


def _with_curves(case: Case, measured: Case) -> Case:
    """The server as one run saw it, with its drive as another measured it."""
    seen = [one for one in case.inventory.storage if one.role is not Role.PROBE]
    probed = [one for one in measured.inventory.storage if one.role is Role.PROBE]
    of_points = {name: text for name, text in measured.conditions.items() if name != IDLE}
    return replace(
        case,
        inventory=replace(case.inventory, storage=(*seen, *probed)),
        points=measured.points,
        conditions={**case.conditions, **of_points},
        curves_id=measured.run_id,
    )


def _load(store: Store, run_id: int) -> Case:
    conditions = dict(store.conditions(run_id))
    inventory = load_inventory(store, run_id, conditions)
    summary = store.run(run_id)
    conditions["plan"] = summary.plan
    case = Case(
        summary.target,
        inventory,
        (),
        run_id,
        conditions,
        tried=tried(store, summary.target),
        records=rule_records(store.outcomes()),
        pins=valid_pins(store.pins(summary.target), now()),
    )
    return with_points(case, store.points(run_id))


def load_inventory(store: Store, run_id: int, conditions: Mapping[str, str]) -> Inventory:
    """The run's answers, read again; its ``conditions`` say whether the server was Leadline's."""
    raw = store.raw_inventory(run_id)
    inventory = _read(raw.taken_at, tuple(raw.answers.items()), raw.missing)
    if conditions.get("mysql") == "sandbox" and inventory.mysql is not None:
        return replace(inventory, mysql=replace(inventory.mysql, sandbox=True))
    return inventory


@lru_cache(maxsize=4)
def _read(
    taken_at: str, answers: tuple[tuple[str, str], ...], missing: tuple[Missing, ...]
) -> Inventory:
    """A run is read when it is opened, planned and reported on: its answers are always the same."""
    return read(RawInventory(taken_at, dict(answers), missing))


def tried(store: Store, target: str) -> tuple[Tried, ...]:
    """What trials and labs have found for a target, the latest first: of each value once.

    One of which what is kept is damaged has found nothing: its target's runs can be read.
    """
    found: dict[tuple[str, str, str, str, int], Tried] = {}
    for run_id, on, record in numbered_trials(store, target):
        for each in trial_findings(record, run_id, on):
            found.setdefault((each.setting, each.before, each.value, each.load, 0), each)
    for run_id, on, lab in numbered_labs(store, target):
        for each in findings(lab, run_id, on):
            key = (each.setting, each.before, each.value, each.load, each.connections)
            found.setdefault(key, each)
    return tuple(found.values())


def trials(store: Store, target: str) -> tuple[tuple[str, TrialRecord], ...]:
    """The trials of a target that are over, each with its day, the latest first."""
    return tuple((on, record) for _, on, record in numbered_trials(store, target))


def labs(store: Store, target: str) -> Iterator[tuple[str, Record]]:
    """The labs of a target that are over, each with its day, the latest first."""
    return ((on, record) for _, on, record in numbered_labs(store, target))


def numbered_labs(store: Store, target: str) -> Iterator[tuple[int, str, Record]]:
    """The labs of a target that are over and whole: number, day and record, the latest first."""
    for run_id, started_at in store.labs_of(target):
        with suppress(DamagedError):
            yield run_id, started_at[:10], store.lab(run_id)


def numbered_trials(store: Store, target: str) -> Iterator[tuple[int, str, TrialRecord]]:
    """The trials of a target that are over and whole: number, day and record, the latest first."""
    for run_id, started_at in store.trials_of(target):
        with suppress(DamagedError):
            yield run_id, started_at[:10], store.trial(run_id)


def with_points(case: Case, points: Sequence[Point]) -> Case:
    """The case with these points, their trust judged beside each other."""
    surroundings = Surroundings.of(case.inventory, case.conditions.get("directory", ""))
    return replace(case, points=tuple(review(points, surroundings)))
