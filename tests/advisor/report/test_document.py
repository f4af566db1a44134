"""The JSON document: valid by its schema, complete, and with nothing in it that is private."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema

from advisor.report.document import document, to_json
from advisor.rules.registry import all_rules
from advisor.store.store import RunState
from probes.points import Trust
from tests.advisor.report.builders import report
from tests.advisor.report.schema import faults, schema


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
    assert sorted(point["id"] for point in points) == sorted(p.id for p in full.case.points)
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
    assert doubtful["trust_reasons"] == ["The rate drifted by 31 % within the point."]


def test_every_rule_is_judged_or_says_why_not() -> None:
    content = document(report())
    told = [each["rule"] for each in content["recommendations"] + content["not_judged"]]
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
