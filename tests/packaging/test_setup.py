"""Setting up: what a machine lacks is named at once, and what is there is not asked for again."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from installed_tree import window_packages

from tests.conftest import ROOT

PLAIN = ("sh", "sed", "grep", "cat", "cut", "cksum", "dirname", "id", "mktemp", "rm", "mkdir", "tr")
"""Commands that every system has."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with the script, and a directory of commands that is all of PATH."""
    root = tmp_path / "tree"
    (root / "packaging").mkdir(parents=True)
    script = (ROOT / "packaging" / "setup.sh").read_text(encoding="utf-8")
    for path in ("/usr/bin/python3", "/usr/sbin/policy-rc.d", ":/usr/local/sbin:/usr/sbin:/sbin"):
        # What the machine itself has must play no part, and must not be changed.
        assert path in script
        script = script.replace(path, "" if path[0] == ":" else f"{root}/{Path(path).name}")
    (root / "packaging" / "setup.sh").write_text(script, encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", root)
    commands = root / "commands"
    commands.mkdir()
    for name in PLAIN:
        found = shutil.which(name)
        assert found is not None
        (commands / name).symlink_to(found)
    return root


def command(tree: Path, name: str, script: str) -> None:
    path = tree / "commands" / name
    path.unlink(missing_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def setup(tree: Path, *purposes: str) -> subprocess.CompletedProcess[str]:
    shell = shutil.which("sh")
    assert shell is not None
    return subprocess.run(
        [shell, str(tree / "packaging" / "setup.sh"), *purposes],
        env={"PATH": str(tree / "commands"), "HOME": str(tree)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_another_system_is_told_all_that_it_lacks_at_once(tree: Path) -> None:
    done = setup(tree, "window", "server", "test")
    assert done.returncode == 1
    for wanted in ("mariadbd", "sshd", "Xvfb", "evilwm", "gcc", "mariadb-server", "xvfb"):
        assert wanted in done.stderr
    assert done.stdout == ""
    assert not (tree / ".venv").exists()


@pytest.mark.parametrize("python", [None, "exit 1"], ids=["none", "too old"])
def test_another_system_without_a_fitting_python_is_told(tree: Path, python: str | None) -> None:
    if python is not None:
        command(tree, "python3", python)
    done = setup(tree)
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "python3-venv" in done.stderr


def test_on_debian_a_plain_user_is_told_the_command(tree: Path) -> None:
    command(tree, "apt-get", "echo apt-get was called >&2; exit 1")
    command(tree, "dpkg-query", "exit 1")
    command(tree, "id", "echo 1000")
    done = setup(tree, "server", "bench")
    assert done.returncode == 1
    assert "apt-get install mariadb-server-core" in done.stderr
    assert "fio sysbench" in done.stderr
    assert "was called" not in done.stderr
    assert not (tree / ".venv").exists()


def test_a_server_of_any_family_is_enough(tree: Path) -> None:
    command(tree, "apt-get", "exit 1")
    command(tree, "dpkg-query", "exit 1")
    command(tree, "id", "echo 1000")
    command(tree, "mysqld", "exit 0")
    assert "mariadb-server-core" not in setup(tree, "server").stderr


def test_what_apt_can_not_install_is_told_and_services_are_allowed_again(tree: Path) -> None:
    command(tree, "apt-get", f'[ -x {tree}/policy-rc.d ] && echo "guarded: $*"; exit 100')
    command(tree, "dpkg-query", "exit 1")
    command(tree, "id", "echo 0")
    for name in ("chmod", "tail"):
        (tree / "commands" / name).symlink_to(str(shutil.which(name)))
    done = setup(tree, "server")
    assert done.returncode == 1
    assert "guarded: " in done.stderr
    assert "--no-remove" in done.stderr
    assert "could not install: ca-certificates" in done.stderr
    assert not (tree / "policy-rc.d").exists()


def test_what_was_prepared_is_not_asked_for_again(tree: Path) -> None:
    """The script looks at its stamps, then only makes sure that the agents fit."""
    environment = tree / ".venv"
    (environment / "bin").mkdir(parents=True)
    python = environment / "bin" / "python"
    python.write_text(f'#!/bin/sh\necho "called: $*"\nexec {sys.executable} -c ""\n')
    python.chmod(0o755)
    fingerprint = subprocess.run(
        ["sh", "-c", "{ pwd; cat pyproject.toml packaging/setup.sh; } | cksum | cut -d' ' -f1"],
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    (environment / ".stamps").mkdir()
    for purpose in ("base", "server"):
        (environment / ".stamps" / f"{purpose}-{fingerprint}").touch()
    done = setup(tree, "server")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["called: packaging/build_agent.py --quiet"]

    (tree / "pyproject.toml").write_text("changed")
    assert "mariadbd" in setup(tree, "server").stderr


def test_the_page_on_installing_names_what_the_window_takes() -> None:
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    named = page.partition("apt install libgl1")[2].partition("```")[0].split()
    assert ["libgl1", *named] == window_packages()
