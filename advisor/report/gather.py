"""A stored run as a report, judged by the rules as they are today."""

from __future__ import annotations

from advisor.outcomes import Judgement
from advisor.report.report import Report
from advisor.rulekit.engine import judge
from advisor.runs.session import load_case
from advisor.store.store import RunKind, Store
from probes.trust.findings import findings
from probes.trust.surroundings import Surroundings


def gather(store: Store, run_id: int) -> Report:
    """Read a run and judge it; raises StoreError when there is no such run."""
    case = load_case(store, run_id)
    run = store.run(run_id)
    surroundings = Surroundings.of(case.inventory, case.conditions.get("directory", ""))
    imported = run.kind is RunKind.IMPORT
    return Report(
        case=case,
        judgement=Judgement((), ()) if imported else judge(case),
        target=store.run_target(run_id),
        run=run,
        plan=None if imported else store.plan(run_id),
        warnings=tuple(store.run_warnings(run_id)),
        calibrated=store.calibrated(run_id),
        beats=tuple(store.beats(run_id)),
        host_samples=tuple(store.host_samples(run_id)),
        findings=tuple(findings(case.points, surroundings)),
    )
