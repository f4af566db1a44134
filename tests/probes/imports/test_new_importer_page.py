"""The example in docs/contributing/a-new-importer.md reads its recording, found by its mark."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from probes.errors import ImportRefused

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "contributing" / "a-new-importer.md"
NAME = "probes.imports.ioping"


def blocks(language: str) -> list[str]:
    page = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = ModuleType(NAME)
    monkeypatch.setitem(sys.modules, NAME, module)
    code, check = blocks("python")
    exec(compile(code, str(PAGE), "exec"), vars(module))
    exec(compile("from __future__ import annotations\n" + check, str(PAGE), "exec"), vars(module))
    return module


def test_it_reads_its_recording(reader: ModuleType) -> None:
    _place, recording = blocks("text")
    assert reader.HEADER.search(recording)
    reader.check(reader.read(recording, "a file"))


@pytest.mark.parametrize("line", range(1, 4))
def test_a_summary_that_is_cut_off_is_refused(reader: ModuleType, line: int) -> None:
    _place, recording = blocks("text")
    with pytest.raises(ImportRefused):
        reader.read("\n".join(recording.splitlines()[:line]), "a file")


def test_the_page_shows_a_place_that_is_there() -> None:
    shown, _recording = blocks("text")
    own, neighbour = shown.splitlines()
    assert own.strip() == "ioping.HEADER: ioping.read,"
    assert f"{neighbour}\n" in (ROOT / "probes" / "imports" / "read.py").read_text("utf-8")
