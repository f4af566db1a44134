"""The commit beside the version: git's word in a checkout, the build's file elsewhere, or none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from app.runtime.commit import KEPT, commit, kept_commit, version
from probes._version import __version__


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    argv = ["git", *who, *words]
    return subprocess.run(argv, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which an earlier build left another commit."""
    (tmp_path / "resources").mkdir()
    (tmp_path / ".gitignore").write_text(f"/resources/{KEPT}\n")
    (tmp_path / "resources" / KEPT).write_text("0123456789ab\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".gitignore")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    # A tag is no commit, however near.
    git(tmp_path, "tag", "v0.1.0")
    return tmp_path


def test_a_checkout_asks_git(checkout: Path) -> None:
    head = git(checkout, "rev-parse", "HEAD")[:12]
    assert commit(checkout) == head
    (checkout / ".gitignore").write_text("")
    assert commit(checkout) == f"{head}-dirty"


def test_a_built_copy_says_what_the_build_left(checkout: Path, tmp_path: Path) -> None:
    assert kept_commit(checkout) == ""
    (checkout / ".git").rename(tmp_path / "elsewhere")
    assert commit(checkout) == kept_commit(checkout) == "0123456789ab"
    (checkout / "resources" / KEPT).unlink()
    assert commit(checkout) == ""


def test_without_git_the_commit_is_unknown(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout / ".git" / "HEAD").unlink()
    assert commit(checkout) == ""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert commit(checkout) == ""


def test_the_version_comes_first() -> None:
    assert version().startswith(__version__)
    assert version(asking=False).startswith(__version__)
