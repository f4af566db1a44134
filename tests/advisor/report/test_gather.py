"""A stored run becomes a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.report.json.report import document
from advisor.report.report import gather
from advisor.run import RunState, Voice
from advisor.store.store import Store
from tests.advisor.report.builders import render
from tests.advisor.report.json.schema import faults
from tests.advisor.store.builders import IMPORTED, PLAN, POINT, RAW, SAMPLES, SPEC
from tests.points import doubted


def test_a_stored_run_gives_a_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path))
    with Store.open() as store:
        run_id = store.start_run(SPEC, replace(RAW, answers={}), PLAN)
        kept = store.add_point(run_id, POINT, SAMPLES)
        store.add_warning(run_id, "buffered", "O_DIRECT was refused.")
        store.end_run(run_id, RunState.DONE)
        content = document(gather(store, Voice(run_id)))
    assert faults(content) == []
    assert content["runs"][0]["points"][0]["id"] == kept.id
    assert content["warnings"] == [{"code": "buffered", "message": "O_DIRECT was refused."}]
    assert content["target"]["ssh"]["host"] == "db7.example"
    assert content["plan"]["steps"][1]["setting"]["options"]["protocol"] == "prepared"


def test_an_import_is_told_but_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path))
    with Store.open() as store:
        report = gather(store, Voice(store.add_import(IMPORTED, "lab")))
    assert faults(document(report)) == []
    assert report.judgement.recommendations == ()
    text = render(report)
    assert "lab · run 1 · imported" in text
    assert "lab results.json" in text
    assert "One job wrote buffered: it was left out." in text
    assert "Advice" not in text
    assert "nvme1n1" in text
    assert "nan" not in text


def test_of_a_setting_measured_twice_one_row_tells_why_both_are_doubted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path))
    with Store.open() as store:
        run_id = store.start_run(SPEC, replace(RAW, answers={}), PLAN, kind="probe")
        store.add_point(run_id, replace(POINT, doubts=doubted("It was the first.")), SAMPLES)
        store.add_point(run_id, replace(POINT, doubts=doubted("It was the last.")), SAMPLES)
        store.end_run(run_id, RunState.DONE)
        text = render(gather(store, Voice(run_id)))
    assert "It was the last." in text
    assert "It was the first." in text
