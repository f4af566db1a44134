"""Each subject of `make bench` is a program that packaging/setup.sh can prepare for."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from benchmarks.__main__ import SUBJECTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", SUBJECTS)
def test_a_subject_has_a_program_a_sentence_and_purposes(name: str) -> None:
    subject = SUBJECTS[name]
    text = (ROOT / "benchmarks" / f"{subject.module.replace('.', '/')}.py").read_text("utf-8")
    functions = [one.name for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)]
    assert "main" in functions
    assert subject.sentence.endswith(".")
    setup = (ROOT / "packaging" / "setup.sh").read_text("utf-8")
    (usage,) = re.findall(r"^# Usage: packaging/setup\.sh (.*)$", setup, re.MULTILINE)
    assert {f"[{purpose}]" for purpose in subject.setup.split()} <= set(usage.split())
