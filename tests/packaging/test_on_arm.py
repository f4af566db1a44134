"""Packages for 64-bit Arm on another processor: how its programs are started, what is gathered."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import installed_tree
import on_arm
import package
import pytest
import trial

from probes._version import __version__


@pytest.fixture
def without_binfmt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A root on a machine whose kernel starts its own programs alone; its proot is `true`."""
    commands, root = tmp_path / "commands", tmp_path / "root"
    commands.mkdir()
    (root / "opt").mkdir(parents=True)
    true, ldd = shutil.which("true"), shutil.which("ldd")
    if true is None or ldd is None:
        pytest.skip("there is no ldd here")
    (commands / "proot").symlink_to(true)
    (commands / "ldd").symlink_to(ldd)
    (commands / "qemu-aarch64-static").write_text("#!/bin/sh\n")
    (commands / "qemu-aarch64-static").chmod(0o755)
    monkeypatch.setenv("PATH", str(commands), prepend=os.pathsep)
    monkeypatch.setattr(on_arm, "BINFMT", tmp_path / "absent")
    return root


def test_the_emulator_is_in_the_root_with_its_libraries(without_binfmt: Path) -> None:
    started = on_arm.emulator(without_binfmt)
    inside = [without_binfmt / word[1:] for word in started if word.startswith("/opt/")]
    loader, libraries, program, emulator = map(str, inside)
    assert program.endswith("/proot")
    assert Path(emulator).exists()
    assert (
        subprocess.run([loader, "--library-path", libraries, program], check=False).returncode == 0
    )


def test_where_the_kernel_starts_them_nothing_goes_between(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(on_arm, "BINFMT", tmp_path)
    assert on_arm.emulator(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_command_there_is_started_through_the_emulator() -> None:
    system = on_arm.EmulatedSystem(Path("/root/of/it"), ["proot", "-q", "qemu"])
    argv = system.argv(["leadline", "runs"])
    assert argv[-6:] == ["", "proot", "-q", "qemu", "leadline", "runs"]
    assert not system.has_fuse()


def test_what_was_made_lies_beside_what_other_processors_have(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dist, made = tmp_path / "dist", tmp_path / "made"
    for folder, names in (
        (dist, [f"leadline-{__version__}.cdx.json"]),
        (
            made,
            [
                f"leadline_{__version__}_arm64.deb",
                f"Leadline-{__version__}-aarch64.AppImage",
                f"leadline-{__version__}-1.aarch64.rpm",
                f"leadline-{__version__}.cdx.json",
                f"leadline-{__version__}-licences.txt",
            ],
        ),
    ):
        folder.mkdir()
        for name in names:
            (folder / name).write_text(folder.name)
    monkeypatch.setattr(package, "DIST", dist)
    kinds = on_arm.gather(made)
    assert {kind: path.parent for kind, path in kinds.items()} == dict.fromkeys(kinds, dist)
    assert (dist / f"leadline-{__version__}.cdx.json").read_text() == "dist"
    assert (dist / f"leadline-{__version__}-aarch64.cdx.json").read_text() == "made"
    assert (dist / f"leadline-{__version__}-aarch64-licences.txt").read_text() == "made"


def test_a_clock_that_is_set_takes_no_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "7")
    monkeypatch.setenv("PATH", str(tmp_path))
    installed_tree.keep_to_the_commits_clock()
    assert os.environ["SOURCE_DATE_EPOCH"] == "7"


def test_a_window_ends_whose_emulator_heeds_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "window_is_there", lambda: True)
    emulator = (
        "import signal, subprocess;"
        "window = subprocess.Popen(['sleep', '10000']);"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "window.wait()"
    )
    trial.Installed([sys.executable, "-c", emulator], os.environ)._show_window(os.environ)
