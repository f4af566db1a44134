"""Kept runs as contenders: one run, or repeats of one measurement as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from advisor.compare.comparison import NO_PRICES, Comparison, compare
from advisor.compare.contender import Contender
from advisor.compare.photo import drives, taken
from advisor.compare.under_mysql import drives_in_labs
from advisor.run import RunKind, Voice
from advisor.store.cases import load_case
from advisor.store.store import Store
from probes.errors import UsageError
from probes.imports.apart import as_one_run

KIND_WORDS = {
    RunKind.CHECK: "a check",
    RunKind.PROBE: "a probe",
    RunKind.WATCH: "a watch",
    RunKind.IMPORT: "imported",
    RunKind.LAB: "a lab",
    RunKind.TRIAL: "a trial",
}


def contender(store: Store, run_id: int) -> Contender:
    """A run with its points, judged across all of them; raises StoreError when there is none."""
    run = store.run(run_id)
    case = load_case(store, Voice(run_id))
    started = run.started_at[:16].replace("T", " ")
    return Contender(
        name=run.label.name or f"run {run_id} ({run.target})",
        source=f"{run.target}, {KIND_WORDS[run.kind]}, {started} UTC",
        conditions={**taken(case.inventory, case.points), **case.conditions},
        points=case.points,
        run_id=run_id,
        key=str(run_id),
        run_ids=(run_id,),
        drives=drives(case.inventory),
    )


def compared(
    store: Store, contenders: Sequence[Contender], prices: Mapping[str, float] = NO_PRICES
) -> Comparison:
    """Compare contenders, with what labs of this store have found of them.

    Raises UsageError and StoreError.
    """
    return compare(contenders, prices, drives_in_labs(store, contenders))


def repeats(store: Store, run_ids: Sequence[int]) -> Contender:
    """Runs of one drive as one contender, each setting's repeats as one point.

    Raises UsageError for runs of different targets, directories or drives, and StoreError.
    """
    loaded = [contender(store, run_id) for run_id in dict.fromkeys(run_ids)]
    first, *others = loaded
    for other in others:
        _refuse_another(first, other, store)
    if not others:
        return first
    name = store.run(loaded[0].run_ids[0]).label.name
    called = first.name if name else f"runs {', '.join(each.key for each in loaded)}"
    return replace(
        first,
        name=called,
        source=f"{first.source}, {len(loaded)} repeats",
        conditions=_in_common(loaded),
        points=as_one_run([point for each in loaded for point in each.points]),
        key="+".join(each.key for each in loaded),
        run_ids=tuple(run_id for each in loaded for run_id in each.run_ids),
    )


SAME = {"directory": "directory", "device": "drive", "filesystem": "filesystem"}
"""What repeats must have in common, with its word."""


def _refuse_another(first: Contender, other: Contender, store: Store) -> None:
    targets = [store.run(each.run_ids[0]).target for each in (first, other)]
    found = ["target"] if targets[0] != targets[1] else []
    found += [
        word for key, word in SAME.items() if first.conditions.get(key) != other.conditions.get(key)
    ]
    if found:
        raise UsageError(
            f"Runs {first.key} and {other.key} are no repeats of one drive: {found[0]} differs.",
            "Name them apart, with a space between.",
        )


def _in_common(loaded: Sequence[Contender]) -> dict[str, str]:
    """The conditions of all of them; where they differ, those of the first stand."""
    return {name: value for each in reversed(loaded) for name, value in each.conditions.items()}
