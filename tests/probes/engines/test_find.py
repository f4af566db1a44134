"""Programs are found with their versions, or it is said why they are of no use."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from probes.engines.find import find_engine, find_engines
from probes.engines.fio import FioEngine
from probes.errors import UsageError
from probes.targets.target import Target
from tests.probes.engines.tools import plan_of, read, run

needs_both = pytest.mark.skipif(
    shutil.which("fio") is None or shutil.which("sysbench") is None,
    reason="fio or sysbench is not installed",
)


@needs_both
def test_both_are_found(target: Target) -> None:
    fio, sysbench = find_engines(target)
    assert (fio.name, fio.usable, fio.because) == ("fio", True, "")
    assert (sysbench.name, sysbench.usable) == ("sysbench", True)
    assert fio.numbers >= (3, 0)
    assert sysbench.numbers >= (1, 0)
    assert fio.path.startswith("/")


def fake(folder: Path, name: str, says: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("says", "version", "words"),
    [
        ("fio-2.2.10", "2.2.10", "too old: 3.0 or newer is needed"),
        ("fio-3.41-12-gdeadbee-dirty", "3.41-12-gdeadbee-dirty", ""),
        ("bash: fio: segmentation fault", "", "does not report a version of fio"),
    ],
)
def test_versions_are_checked(
    local: Target,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    says: str,
    version: str,
    words: str,
) -> None:
    fake(tmp_path, "fio", says)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = find_engine(local, "fio")
    assert found.version == version
    assert found.usable is not bool(words)
    assert words in found.because


def test_what_is_missing_is_said_and_not_used(
    local: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probes.engines.find.FIO", "no-such-fio")
    missing = find_engine(local, "no-such-fio")
    assert (missing.path, missing.usable) == ("", False)
    assert "There is no no-such-fio on this computer." in missing.because
    with pytest.raises(UsageError, match="no-such-fio"):
        run(FioEngine(local, missing), plan_of(read(tmp_path)))
