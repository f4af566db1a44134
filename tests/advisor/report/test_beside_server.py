"""Every form of a report tells curves beside the server's load from those of an idle drive."""

from __future__ import annotations

from dataclasses import replace

from advisor.judging.engine import judge
from advisor.report.curve_axis import rows
from advisor.report.json.report import document
from advisor.report.report import Report
from advisor.report.sections.curves import figures
from advisor.wording.measured.summary import sentences
from probes.points import Probe
from tests.advisor.report.builders import render, report
from tests.advisor.report.json.schema import faults
from tests.recorded_load import reads

NAME = "random read 16\u202fKiB"
BESIDE = f"{NAME}, beside the server's own load"


def told() -> Report:
    """A run that measured both: the load came while it lasted."""
    made = report()
    points = (*reads("idle"), *(replace(one, id=one.id and one.id + 100) for one in reads("busy")))
    case = replace(made.case, points=points)
    return replace(made, case=case, judgement=judge(case))


def test_curves_have_rows_and_lines_of_their_own() -> None:
    found = rows(told().case.points)
    assert [(row.name, len(row.points)) for row in found] == [(NAME, 3), (BESIDE, 3)]
    (figure,) = figures(found)
    assert figure.names == (NAME, BESIDE)
    marks = figure.plots[0].lines[1].marks
    assert all("beside the server's own load" in mark.label for mark in marks)
    text = " ".join(render(told()).split())
    assert "beside the server's own load" in text


def test_the_document_says_it_of_each_curve() -> None:
    content = document(told())
    assert faults(content) == []
    assert [curve["beside_server"] for curve in content["runs"]] == [False, True]
    load = content["runs"][1]["points"][0]["details"]["server_load"]
    assert set(load) == {"share", "read_bytes_per_s", "written_bytes_per_s"}


def test_rules_and_sentences_take_one_of_both_and_say_which() -> None:
    case = told().case
    (curve,) = case.curves(Probe.RANDOM_READ)
    assert not curve.beside_server
    longer = replace(case, points=(case.points[0], *case.points[3:]))
    (curve,) = longer.curves(Probe.RANDOM_READ)
    assert curve.beside_server
    assert "beside the server's own load" in sentences(longer)[0]
    assert "beside" not in sentences(case)[0]
