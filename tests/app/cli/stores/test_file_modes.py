"""What is written: the store, logs and cases for this account alone, nothing for all to change."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.store.store import Store
from tests.advisor.store.builders import PLAN, RAW, SPEC
from tests.app.cli.forked import ROOT, ended, fork_server
from tests.app.cli.kept import keep

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


def run(*args: str) -> None:
    """The command line with a umask that forbids nothing."""
    done = subprocess.run(
        [sys.executable, "-m", "app", *args],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        umask=0,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def modes(folder: Path) -> dict[str, str]:
    """The mode of everything below a folder, and its own as "."."""
    found = {".": folder, **{str(path.relative_to(folder)): path for path in folder.rglob("*")}}
    return {name: f"{path.stat().st_mode & 0o777:o}" for name, path in found.items()}


def test_a_new_store_is_private_with_the_folders_that_are_made_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEADLINE_HOME", str(tmp_path / "a" / "b"))
    run("targets", "add", "db7", "ssh://db7.example")
    assert modes(tmp_path / "a") == {".": "700", "b": "700", "b/leadline.sqlite3": "600"}


def test_logs_and_locks_are_private_while_a_run_is_measured(home: Path) -> None:
    before = os.umask(0)
    try:
        with Store.open() as store:
            store.start_run(SPEC, RAW, PLAN)
            found = modes(home)
    finally:
        os.umask(before)
    folders = {".", "leadline.sqlite3.running"}
    assert {found[name] for name in folders} == {"700"}
    assert {mode for name, mode in found.items() if name not in folders} == {"600"}
    assert {"leadline.sqlite3", "leadline.sqlite3-shm", "leadline.sqlite3-wal"} < found.keys()
    assert any(name.endswith(".lock") for name in found)


def test_an_existing_store_is_closed_to_others(home: Path) -> None:
    store = Store.open()
    try:
        store.save_target(SPEC)
        home.chmod(0o755)
        (home / "leadline.sqlite3.corrupt-20260101-000000").write_bytes(b"what was kept of one")
        (home / "notes.txt").write_text("not Leadline's")
        for path in home.iterdir():
            path.chmod(0o666)
        run("targets")
        assert modes(home) == {
            ".": "755",
            "leadline.sqlite3": "600",
            "leadline.sqlite3-shm": "600",
            "leadline.sqlite3-wal": "600",
            "leadline.sqlite3.corrupt-20260101-000000": "600",
            "notes.txt": "666",
        }
    finally:
        store.close()


def test_what_is_kept_of_a_damaged_store_is_private(home: Path) -> None:
    home.mkdir()
    (home / "leadline.sqlite3").write_bytes(b"these are my notes, not a database" * 100)
    (home / "leadline.sqlite3-wal").write_bytes(b"and more notes")
    run("targets")
    assert {mode for name, mode in modes(home).items() if name != "."} == {"600"}
    assert len(modes(home)) == 5


@pytest.mark.parametrize(("umask", "expected"), [(0, "644"), (0o027, "640"), (0o077, "600")])
def test_reports_follow_the_umask_and_are_no_one_elses_to_change(
    home: Path, tmp_path: Path, umask: int, expected: str
) -> None:
    with Store.open() as store:
        run_id = str(keep(store))
    folder = tmp_path / "out"
    folder.mkdir()
    open_to_all = folder / "older.html"
    open_to_all.write_text("an older report")
    open_to_all.chmod(0o666)
    for args in (
        ("report", run_id, "-o", str(folder / "r.html")),
        ("report", run_id, "-o", str(open_to_all)),
        ("advise", run_id, "--shell", "-o", str(folder / "plan.sh")),
        ("case", "export", run_id, str(folder / "c.leadline")),
    ):
        done = ended(fork_server(), *args, umask=umask)
        assert done.code == 0, done.stderr
    found = modes(folder)
    assert (found["r.html"], found["plan.sh"]) == (expected, expected)
    assert found["older.html"] == "644"
    assert found["c.leadline"] == "600"


def test_the_log_of_a_crash_is_private(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = (
        "import app.cli.commands.runs, app.__main__\n"
        "def fall(*_): raise AssertionError('a mistake')\n"
        "app.cli.commands.runs.show_all = fall\n"
        "app.__main__.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "runs"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        umask=0,
        check=False,
    )
    assert "Internal error" in done.stderr
    found = modes(home)
    (log,) = (name for name in found if name.endswith(".txt"))
    assert (found["."], found["log"], found[log]) == ("700", "700", "600")
