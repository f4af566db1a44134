"""A report as one JSON document; ``resources/schema/check-5.json`` describes it.

Base units throughout (bytes, microseconds, per second). Nothing in it is secret. InnoDB's status
text is left out: it quotes statements of the server's users.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from advisor.judging.decided import Decided, decided
from advisor.plan.change_plan import ChangePlan
from advisor.report.json.advice import advice_document, lens_document, plan_document
from advisor.report.json.written import written
from advisor.report.report import Report
from advisor.store.codec import plain
from advisor.upgrade.lens import LensReport
from advisor.wording.advice.nothing_to_change import open_because
from advisor.wording.measured.doubts import sentence
from advisor.wording.measured.findings import sentence as found_out
from probes._version import __version__
from probes.doubts import Doubt
from probes.inventory.facts import Inventory
from probes.points import Curve, Point, Sample
from probes.statistics.repeats import curves
from probes.trust.findings import Finding

SCHEMA = "leadline.check/5"


def document(
    report: Report, changes: ChangePlan | None = None, seen: LensReport | None = None
) -> dict[str, Any]:
    """The report as plain dicts, lists, strings and numbers; None where something is unknown.

    ``changes`` is the plan of what was chosen, None where nobody chose; ``seen`` what another
    version of the server would change, None where nobody asked.
    """
    run, case = report.run, report.case
    content = {
        "schema": SCHEMA,
        "leadline": __version__,
        "taken_at": case.inventory.taken_at,
        "target": asdict(report.target),
        "run": {
            "id": run.id,
            "kind": run.kind.value,
            "state": run.state.value,
            "reason": run.reason,
            "started_at": run.started_at,
            "ended_at": run.ended_at,
            "conditions": dict(case.conditions),
        },
        "plan": None if report.plan is None else asdict(report.plan),
        "warnings": [{"code": each.code, "message": each.message} for each in report.warnings],
        "calibrated": None if report.calibrated is None else asdict(report.calibrated),
        "canary": [asdict(beat) for beat in report.beats],
        "host_samples": [_host_sample(each) for each in report.host_samples],
        "inventory": _inventory(case.inventory),
        "runs": [_curve(curve, case.curves_id or run.id) for curve in curves(case.points)],
        "findings": [_finding(each) for each in report.findings],
        "decided": _decided(decided(report.judgement, case, run.state)),
        **advice_document(report.judgement, case),
        "change_plan": None if changes is None else plan_document(changes),
        "lens": None if seen is None else lens_document(seen),
    }
    made: dict[str, Any] = plain(content)
    return made


def _doubt(doubt: Doubt) -> dict[str, Any]:
    return {
        "kind": doubt.kind.value,
        "figures": dict(doubt.figures),
        "rejects": doubt.rejects,
        "sentence": sentence(doubt),
    }


def _decided(found: Decided) -> dict[str, Any]:
    return {
        "judged": found.judged,
        "applicable": found.applicable,
        "because": open_because(found),
    }


def to_json(
    report: Report, changes: ChangePlan | None = None, seen: LensReport | None = None
) -> str:
    """The document as text, ending with a newline."""
    content = document(report, changes, seen)
    return written(content)


def _inventory(inventory: Inventory) -> dict[str, Any]:
    content = asdict(inventory)
    for storage, fields in zip(inventory.storage, content["storage"], strict=True):
        fields["chain"] = storage.chain
    if inventory.watched is not None:
        # It is made for pictures, of what stands beside it.
        del content["watched"]["over_time"]
    if inventory.mysql is not None:
        del content["mysql"]["innodb_status"]
        content["mysql"]["version"]["name"] = str(inventory.mysql.version)
    return content


def _curve(curve: Curve, run_id: int) -> dict[str, Any]:
    setting = curve.setting
    return {
        "probe": setting.probe,
        "engine": curve.points[0].engine,
        "block_size_bytes": setting.block_size_bytes,
        "dir": setting.directory,
        "files": setting.files,
        "options": setting.options,
        "run": run_id,
        "beside_server": curve.beside_server,
        "points": [_point(point) for point in curve.points],
    }


def _point(point: Point) -> dict[str, Any]:
    latency = point.latency
    return {
        "id": point.id,
        "threads": point.setting.threads,
        "rate_per_s": point.rate_per_s,
        "ci95_per_s": list(point.ci95_per_s),
        "latency_us": {
            "mean": latency.mean_us,
            "p50": latency.p50_us,
            "p95": latency.p95_us,
            "p99": latency.p99_us,
            "p999": latency.p999_us,
            "max": latency.max_us,
        },
        "cpu_us_per_op": point.cpu_us_per_op,
        "direct": point.direct,
        "seconds": point.seconds,
        "operations": point.operations,
        "warmup_s": point.warmup_s,
        "ended_by": point.ended_by,
        "limited_by": point.limited_by,
        "details": point.details,
        "trust": point.trust,
        "doubts": [_doubt(each) for each in point.doubts],
    }


def _host_sample(sample: Sample) -> dict[str, Any]:
    return {"at_s": sample.at_s, "host": None if sample.host is None else asdict(sample.host)}


def _finding(finding: Finding) -> dict[str, Any]:
    points = [point.id for point in finding.points]
    return {"name": finding.name, "sentence": found_out(finding), "points": points}
