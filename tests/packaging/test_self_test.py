"""The self-test passes here, and fails on every kind of loss."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import manifest
import pytest

from app.presenters.frame import manual
from tests.conftest import ROOT

LAYERS = ("app", "advisor", "probes", "resources")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The packages as a wheel unpacks them: no source tree around, and a manifest among them."""
    folder = tmp_path / "site"
    # What is compiled comes along: it is good for the same sources, and takes seconds to make.
    hidden = shutil.ignore_patterns(".building-*")
    for layer in LAYERS:
        shutil.copytree(ROOT / layer, folder / layer, ignore=hidden)
    shutil.rmtree(folder / "probes" / "agent")
    manifest.pack(ROOT, folder / "resources" / manifest.PACKED)
    manifest.pack_manual(ROOT, folder / "resources" / manual.PACKED)
    shutil.rmtree(folder / "resources" / manifest.SHEETS)
    content = {"modules": manifest.modules(ROOT), "resources": manifest.resources(ROOT)}
    (folder / "resources" / "manifest.json").write_text(json.dumps(content))
    return folder


def self_test(folder: Path) -> subprocess.CompletedProcess[str]:
    # -P and an own working directory keep the source tree out of reach; -S would lose packages.
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); import app.__main__ as m; m.main()"
    return subprocess.run(
        [sys.executable, "-P", "-c", program, "--self-test"],
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
    assert done.stdout.count("ok ") == 6


def test_a_whole_installation_is_complete(installed: Path) -> None:
    done = self_test(installed)
    assert done.returncode == 0, done.stderr


LOSSES = {
    "a rule": ("advisor/rules/flushing/io_capacity.py", "flushing.io-capacity is missing"),
    "a probe's module": (
        "probes/inventory/machine/mounts.py",
        "probes.inventory.machine.mounts can't be imported",
    ),
    "a view": ("app/views/dialogs/closing.py", "app.views.dialogs.closing can't be imported"),
    "an agent": ("resources/agents/leadline-agent-linux-arm64", "arm64 is missing"),
    "the migrations": ("resources/migrations/*.sql", "resources: migrations/"),
    "the checksums": ("resources/agents/SHA256SUMS", "SHA256SUMS is missing"),
    "an icon": ("resources/icons/leadline.svg", "icons/leadline.svg is missing"),
    "the paper": ("resources/report/document.typ", "report/document.typ is missing"),
    "the list": ("resources/manifest.json", "manifest.json is missing"),
}
DAMAGES: dict[str, tuple[str, Callable[[bytes], bytes], str]] = {
    "a damaged agent": (
        "resources/agents/leadline-agent-linux-amd64",
        lambda content: content + b"\0",
        "damaged",
    ),
    "a rule's page": (
        "advisor/rules/flushing/flush_neighbors.py",
        lambda content: content[content.index(b'"""', 3) + 3 :],
        "has lost its page",
    ),
}


TOGETHER = (
    ("a probe's module", "a view", "the migrations", "the checksums"),
    ("a rule", "an agent", "an icon", "the paper", "a damaged agent", "a rule's page"),
    ("the list",),
)
"""Losses that do not keep each other from being seen."""


def lose(folder: Path, loss: str) -> str:
    """Take it away, or damage it; what the self-test has to say of it."""
    if loss in DAMAGES:
        name, damage, said = DAMAGES[loss]
        (folder / name).write_bytes(damage((folder / name).read_bytes()))
        return said
    pattern, said = LOSSES[loss]
    lost = list(folder.glob(pattern))
    assert lost
    for path in lost:
        path.unlink()
    return said


@pytest.mark.parametrize("losses", TOGETHER, ids=" and ".join)
def test_each_loss_is_named(installed: Path, losses: tuple[str, ...]) -> None:
    expected = [lose(installed, loss) for loss in losses]
    done = self_test(installed)
    assert done.returncode == 1, done.stdout
    assert "Internal error" not in done.stderr
    assert all(line.startswith("FAILED  ") for line in done.stderr.splitlines()), done.stderr
    assert [said for said in expected if said not in done.stderr] == [], done.stderr


def test_losses_are_tried_once_each() -> None:
    assert sorted(loss for losses in TOGETHER for loss in losses) == sorted([*LOSSES, *DAMAGES])
