"""The example in docs/contributing/a-new-report-section.md is a section that every form prints."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType, ModuleType

import pytest

from advisor.report.document import sections
from advisor.report.document.blocks import Document
from advisor.report.document.cover import NO_COVER
from advisor.report.forms.html import page as as_html
from advisor.report.forms.markdown import page as as_markdown
from advisor.report.report import Report
from tests.advisor.report.builders import report

PAGE = Path(__file__).resolve().parents[4] / "docs" / "contributing" / "a-new-report-section.md"


def blocks(language: str) -> list[str]:
    page = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType("advisor.report.sections.engines")
    exec(compile(blocks("python")[0], str(PAGE), "exec"), vars(module))
    heading, _place = blocks("text")
    added = ast.literal_eval(f"{{{heading}}}")
    names = MappingProxyType({**sections.SECTIONS, **added})
    monkeypatch.setattr(sections, "SECTIONS", names)
    return module


def document(made: ModuleType, found: Report) -> Document:
    _heading, place = blocks("text")
    name = re.search(r'section\("([\w-]+)"', place)
    assert name is not None
    held = tuple(sections.section(name[1], made.engines(found)))
    return Document("A report", NO_COVER, (), "", held, "")


def test_every_form_prints_it(made: ModuleType) -> None:
    found = document(made, report())
    for text in (as_html(found), as_markdown(found)):
        assert "What measured" in text
        assert "leadline-agent 0.1.0" in text


def test_it_is_left_out_where_it_says_nothing(made: ModuleType) -> None:
    found = report()
    empty = replace(found, case=replace(found.case, points=()))
    assert document(made, empty).blocks == ()
