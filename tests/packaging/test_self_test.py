"""The self-test passes here, and fails on every kind of loss."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, load_script

LAYERS = ("app", "advisor", "probes", "resources")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The packages as a wheel unpacks them: no source tree around, and a manifest among them."""
    folder = tmp_path / "site"
    # What is compiled comes along: it is good for the same sources, and takes seconds to make.
    hidden = shutil.ignore_patterns("agent", ".building-*")
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, folder / layer, ignore=hidden)
    manifest = load_script("manifest")
    manifest.pack(ROOT, folder / "resources" / manifest.PACKED)
    shutil.rmtree(folder / "resources" / manifest.SHEETS)
    content = {"modules": manifest.modules(ROOT), "resources": manifest.resources(ROOT)}
    (folder / "resources" / "manifest.json").write_text(json.dumps(content))
    return folder


def self_test(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    # -P and an own working directory keep the source tree out of reach; -S would lose packages.
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); import app.__main__ as m; m.main()"
    return subprocess.run(
        [sys.executable, "-P", *options, "-c", program, "--self-test"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_source_tree_is_complete() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "--self-test"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("ok ") == 5


def test_a_whole_installation_is_complete(installed: Path) -> None:
    done = self_test(installed)
    assert done.returncode == 0, done.stderr


LOSSES = {
    "a rule": ("advisor/rules/flushing/io_capacity.py", "flushing.io-capacity is missing"),
    "a probe's module": ("probes/inventory/mounts.py", "probes.inventory.mounts can't be imported"),
    "a view": ("app/views/dialogs/closing.py", "app.views.dialogs.closing can't be imported"),
    "an agent": ("resources/agents/leadline-agent-linux-arm64", "arm64 is missing"),
    "the migrations": ("resources/migrations/*.sql", "resources: migrations/"),
    "the checksums": ("resources/agents/SHA256SUMS", "SHA256SUMS is missing"),
    "an icon": ("resources/icons/leadline.svg", "icons/leadline.svg is missing"),
    "the list": ("resources/manifest.json", "manifest.json is missing"),
}


TOGETHER = (
    ("a probe's module", "a view"),
    ("a rule", "an agent", "an icon", "the migrations"),
    ("the checksums",),
    ("the list",),
)
"""Losses that do not keep each other from being seen."""


@pytest.mark.parametrize("losses", TOGETHER, ids=" and ".join)
def test_each_loss_is_named(installed: Path, losses: tuple[str, ...]) -> None:
    for loss in losses:
        lost = list(installed.glob(LOSSES[loss][0]))
        assert lost
        for path in lost:
            path.unlink()
    done = self_test(installed)
    assert done.returncode == 1, done.stdout
    assert [loss for loss in losses if LOSSES[loss][1] not in done.stderr] == []


def test_losses_are_tried_once_each() -> None:
    assert sorted(loss for losses in TOGETHER for loss in losses) == sorted(LOSSES)


def test_a_damaged_agent_is_noticed(installed: Path) -> None:
    with (installed / "resources/agents/leadline-agent-linux-arm64").open("ab") as agent:
        agent.write(b"\0")
    done = self_test(installed)
    assert done.returncode == 1
    assert "damaged" in done.stderr


def test_lost_docstrings_are_noticed(installed: Path) -> None:
    done = self_test(installed, "-OO")
    assert done.returncode == 1
    assert "has lost its page" in done.stderr
