"""What is published holds all that it must: the wheel agents and data, the sdist Go sources."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import package
import pytest
from trial import UnfitError

from advisor.variables.sheets import SHEETS, read_sheet
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The sdist and the wheel of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    argv = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))


def test_both_hold_what_they_must(distributions: tuple[Path, Path]) -> None:
    package.look_into(*distributions)


def test_the_wheel_is_for_every_system_and_small_enough_to_send(
    distributions: tuple[Path, Path],
) -> None:
    _, wheel = distributions
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        command = next(name for name in names if name.endswith("entry_points.txt"))
        assert "leadline = leadline:main" in archive.read(command).decode()
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests/")]
    assert [name for name in names if name.endswith("licenses/LICENSE")]


def test_the_wheel_holds_the_sheets_of_variables_as_one(distributions: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(distributions[1]) as archive:
        assert not [name for name in archive.namelist() if name.startswith("resources/variables/")]
        packed = json.loads(archive.read("resources/variables.json"))
    assert {sheet.name: sheet for sheet in map(read_sheet, packed)} == SHEETS


@pytest.mark.parametrize(
    "lost",
    [
        "resources/agents/leadline-agent-linux-arm64",
        "resources/agents/leadline-load-linux-amd64",
        "advisor/rules/flushing/io_capacity.py",
    ],
)
def test_a_loss_is_noticed(distributions: tuple[Path, Path], tmp_path: Path, lost: str) -> None:
    sdist, wheel = distributions
    poorer = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(poorer, "w") as copy:
        for name in whole.namelist():
            if name != lost:
                copy.writestr(name, whole.read(name))
    with pytest.raises(UnfitError, match=lost):
        package.look_into(sdist, poorer)


def test_the_checksums_are_those_of_what_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "DIST", tmp_path)
    (tmp_path / "leadline").mkdir()
    for name in ("leadline.deb", "Leadline.AppImage"):
        (tmp_path / name).write_text(name)
    package.write_sums()
    package.write_sums()
    sums = dict(line.split() for line in (tmp_path / package.SUMS).read_text().splitlines())
    files = {name: checksum for checksum, name in sums.items()}
    assert sorted(files) == ["Leadline.AppImage", "leadline.deb"]
    assert files["leadline.deb"] == hashlib.sha256(b"leadline.deb").hexdigest()


def test_the_sdist_holds_nothing_that_was_built(distributions: tuple[Path, Path]) -> None:
    with tarfile.open(distributions[0]) as archive:
        names = archive.getnames()
    assert not [name for name in names if "agent-linux" in name or "load-linux" in name]
