"""A kept run as a contender."""

from __future__ import annotations

from advisor.compare.contender import Contender
from advisor.run import RunKind
from advisor.store.cases import load_case
from advisor.store.store import Store

SAID = {
    RunKind.CHECK: "a check",
    RunKind.PROBE: "a probe",
    RunKind.WATCH: "a watch",
    RunKind.IMPORT: "imported",
}


def contender(store: Store, run_id: int) -> Contender:
    """A run with its points, judged across all of them; raises StoreError when there is none."""
    run = store.run(run_id)
    case = load_case(store, run_id)
    started = run.started_at[:16].replace("T", " ")
    return Contender(
        name=run.label.name or f"run {run_id} ({run.target})",
        source=f"{run.target}, {SAID[run.kind]}, {started} UTC",
        conditions=case.conditions,
        points=case.points,
        run_id=run_id,
        key=str(run_id),
    )
