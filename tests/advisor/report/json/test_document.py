"""The JSON document: valid by its schema, complete, and with nothing in it that is private."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema

from advisor.report.json.report import document, to_json
from advisor.rulekit.registry import all_rules
from advisor.run import RunKind, RunState
from probes.points import EndedBy, LimitedBy, Probe, Trust
from tests.advisor.report.builders import report
from tests.advisor.report.json.schema import faults, schema
from tests.advisor.store.builders import BEATS, CALIBRATED, FOREIGN, IMPORTED, PROBE_PLAN
from tests.present import present


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


def test_a_document_is_valid() -> None:
    assert faults(json.loads(to_json(report()))) == []


def test_a_document_of_a_target_without_a_server_is_valid() -> None:
    full = report(RunState.FAILED, "The agent died.")
    bare = replace(
        full,
        case=replace(
            full.case, points=(), inventory=replace(full.case.inventory, mysql=None, host=None)
        ),
        target=replace(full.target, ssh=None, mysql=None),
    )
    content = json.loads(to_json(bare))
    assert faults(content) == []
    assert content["run"]["state"] == "failed"
    assert content["runs"] == []
    assert content["inventory"]["host"] is None


def test_the_schema_refuses_what_it_does_not_know() -> None:
    content = document(report())
    del content["runs"][0]["points"][0]["trust"]
    content["recommendations"][0]["verdict"] = "perhaps"
    content["password"] = "x"
    found = "\n".join(faults(content))
    assert "$.runs[0].points[0]: 'trust' is a required property" in found
    assert "$.recommendations[0].verdict" in found
    assert "'password' was unexpected" in found


def test_curves_hold_all_points_with_their_trust() -> None:
    full = report()
    content = document(full)
    points = [point for curve in content["runs"] for point in curve["points"]]
    assert sorted(point["id"] for point in points) == sorted(
        present(p.id) for p in full.case.points
    )
    reads = next(c for c in content["runs"] if c["block_size_bytes"] == 16384)
    assert (reads["probe"], reads["engine"], reads["run"]) == (
        "random_read",
        "leadline-agent 0.1.0",
        12,
    )
    assert [point["threads"] for point in reads["points"]] == [1, 2, 4, 8, 16, 32, 64]
    first = reads["points"][0]
    measured = next(p for p in full.case.points if p.id == first["id"])
    assert first["rate_per_s"] == measured.rate_per_s
    assert first["ci95_per_s"] == list(measured.ci95_per_s)
    assert first["latency_us"]["p999"] == measured.latency.p999_us
    assert first["cpu_us_per_op"] == measured.cpu_us_per_op
    (doubtful,) = [point for point in points if point["trust"] == "doubtful"]
    assert doubtful["doubts"] == [
        {
            "kind": "stated",
            "figures": {"text": "The rate drifted by 31 % within the point."},
            "rejects": False,
            "sentence": "The rate drifted by 31 % within the point.",
        }
    ]


def test_every_rule_is_judged_or_says_why_not() -> None:
    content = document(report())
    silent = content["not_judged"] + content["not_applicable"]
    told = [each["rule"] for each in content["recommendations"] + silent]
    assert sorted(told) == sorted(rule.id for rule in all_rules())


def test_evidence_points_into_the_curves() -> None:
    content = document(report())
    ids = {point["id"] for curve in content["runs"] for point in curve["points"]}
    pointed = {
        each
        for advice in content["recommendations"]
        for evidence in advice["evidence"]
        for each in evidence["points"]
    }
    assert pointed
    assert pointed <= ids


def test_statements_of_the_servers_users_stay_out() -> None:
    assert "customers" in (report().case.inventory.mysql.innodb_status or "")  # type: ignore[union-attr]
    assert "customers" not in to_json(report())


def test_figures_beyond_all_numbers_become_null() -> None:
    full = report()
    first, *others = full.case.points
    odd = replace(first, ci95_per_s=(float("-inf"), float("nan")), trust=Trust.REJECTED)
    content = json.loads(to_json(replace(full, case=replace(full.case, points=(odd, *others)))))
    assert content["runs"][0]["points"][0]["ci95_per_s"] == [None, None]
    assert faults(content) == []


def test_what_a_probe_adds_is_told() -> None:
    full = report()
    first, *others = full.case.points
    probed = replace(
        first,
        ended_by=EndedBy.INTERVAL,
        warmup_s=0.4,
        limited_by=LimitedBy.PROBER,
        details={"cpu_busy": 0.9, "mhz": (2400.0, float("nan"))},
    )
    content = json.loads(
        to_json(
            replace(
                full,
                case=replace(full.case, points=(probed, *others)),
                run=replace(full.run, kind=RunKind.PROBE),
                plan=PROBE_PLAN,
                calibrated=CALIBRATED,
                beats=BEATS,
            )
        )
    )
    assert faults(content) == []
    point = content["runs"][0]["points"][0]
    assert (point["ended_by"], point["limited_by"], point["warmup_s"]) == (
        "interval",
        "prober",
        0.4,
    )
    assert point["details"] == {"cpu_busy": 0.9, "mhz": [2400.0, None]}
    assert content["run"]["kind"] == "probe"
    assert content["calibrated"]["ceiling_per_s"]["4096"]["64"] == 410_000.0
    assert [beat["latency_us"] for beat in content["canary"]] == [850.0, 61_000.5]
    assert content["plan"]["guard"]["added_us"] == 9000.0


def test_an_import_has_no_plan_and_says_null_for_what_it_does_not_know() -> None:
    full = report()
    content = json.loads(
        to_json(
            replace(
                full,
                case=replace(full.case, points=(replace(FOREIGN, id=1),)),
                run=replace(full.run, kind=RunKind.IMPORT),
                plan=None,
                host_samples=IMPORTED.host_samples,
            )
        )
    )
    assert faults(content) == []
    assert content["plan"] is None
    point = content["runs"][0]["points"][0]
    assert point["latency_us"]["p95"] == 410.0
    assert point["latency_us"]["p50"] is None
    assert point["ci95_per_s"] == [None, None]
    assert point["cpu_us_per_op"] is None
    (sample,) = content["host_samples"]
    assert sample["host"]["mhz"] is None
    assert sample["host"]["queue"] == 7.9


def test_the_schema_knows_every_probe() -> None:
    assert schema()["$defs"]["probe"]["enum"] == [probe.value for probe in Probe]
