"""Leadline starts where its folders are its own, and says whose they are where they are shared."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

FOLDERS = ("app", "advisor", "probes", "resources")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """What an installer makes of a wheel: the packages and the module that starts them."""
    site = tmp_path / "site"
    site.mkdir()
    for name in (*FOLDERS, "leadline.py"):
        (site / name).symlink_to(ROOT / name)
    record(site, "leadline", "app/__init__.py", "leadline.py")
    record(site, "numpy", "numpy/app/__init__.py", "numpy/resources/one.txt")
    return site


def record(site: Path, name: str, *files: str) -> None:
    folder = site / f"{name}-1.2.dist-info"
    folder.mkdir()
    (folder / "RECORD").write_text("".join(f"{file},sha256=abc,12\n" for file in files))


def start(site: Path, *words: str, before: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Call the command as its entry point does, with ``before`` ahead of all else on the path."""
    places = [str(each) for each in (before, site) if each is not None]
    # The copy is linked, and its own folder is the place that is meant.
    program = f"import sys; sys.path[:0] = {places!r}; import leadline; leadline.main()"
    return subprocess.run(
        [sys.executable, "-P", "-c", program, *words],
        cwd=site,
        capture_output=True,
        text=True,
        check=False,
    )


def test_alone_it_starts(site: Path) -> None:
    done = start(site, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Measure a target" in done.stdout


def test_another_packages_files_in_its_folders_are_named(site: Path) -> None:
    record(site, "flask_shop", "app/__init__.py", "resources/logo.png", "shop.py")
    done = start(site, "--help")
    assert done.returncode == 1
    assert "flask_shop 1.2 has app/, resources/" in done.stderr
    assert "numpy" not in done.stderr
    assert "pipx install leadline" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_that_is_found_first_is_named(site: Path, tmp_path: Path) -> None:
    (tmp_path / "own" / "probes").mkdir(parents=True)
    (tmp_path / "own" / "probes" / "__init__.py").write_text("raise SystemExit('not ours')\n")
    done = start(site, "--help", before=tmp_path / "own")
    assert done.returncode == 1
    assert f"{tmp_path / 'own' / 'probes'} is found before Leadline's probes/" in done.stderr
    assert "not ours" not in done.stderr


def test_a_folder_that_is_gone_is_named(site: Path) -> None:
    (site / "resources").unlink()
    done = start(site, "--help")
    assert done.returncode == 1
    assert "resources/ of Leadline is lost" in done.stderr
